// SPDX-License-Identifier: BSD-3-Clause
#include "model/compiled_series.hpp"

#include <algorithm>
#include <cassert>

#include "model/compiled_system.hpp"
#include "model/evaluation_fields.hpp"
#include "model/finite.hpp"

namespace taut {
namespace {

using formula::Slot;

/// Targets that read a or λ.

}  // namespace

bool SeriesScratch::reserve(const void* of_plan, std::size_t numbers, std::size_t count) {
  if (plan == of_plan && stride >= count) return false;
  plan = of_plan;
  stride = std::max(stride, count);
  known = 0;
  series.resize(std::max(series.size(), numbers * stride));
  return true;
}

void SeriesScratch::take(const SeriesArguments& at, const std::vector<double>& inputs,
                         const std::vector<double>* turns, std::size_t count) {
  if (inputs != inputs_ || (turns != nullptr && *turns != turns_)) known = 0;
  inputs_ = inputs;
  if (turns != nullptr) turns_ = *turns;
  q_.resize(std::max(q_.size(), count));
  v_.resize(std::max(v_.size(), count));
  std::size_t same = 0;
  const std::optional<double> theta = at.theta != nullptr ? std::optional{*at.theta} : std::nullopt;
  while (same < std::min(known, count) && at.t == t_ && theta == theta_ && at.q[same] == q_[same] &&
         at.v[same] == v_[same])
    ++same;
  known = same;
  t_ = at.t;
  theta_ = theta;
  for (std::size_t k = same; k < count; ++k) {
    q_[k] = at.q[k];
    v_[k] = at.v[k];
  }
}

Status CompiledSystem::evaluate_series(Needs wanted, const SeriesArguments& at,
                                       std::span<Evaluation> out) const {
  assert(!out.empty() && at.q.size() >= out.size() && at.v.size() >= out.size());
  if ((wanted & force_derivatives) != 0 || !shape_->pairs.empty() ||
      (structure_->takes_multipliers && (wanted & multiplier_readers(*structure_)) != 0))
    return Status::not_supported;
  const BoundPlan& p = plan(wanted, true);
  auto& scratch = out.front().own.as<SeriesScratch>();
  const auto blocks = [](const Bundle& bundle) {
    const std::size_t width = bundle.series->width();
    return (static_cast<std::size_t>(bundle.instances) + width - 1) / width;
  };
  std::size_t numbers = 0;
  for (const auto& [bundle, constants] : p.bundles)
    numbers += bundle->series->size() * bundle->series->width() * blocks(*bundle);
  const bool fresh = scratch.reserve(&p, numbers, out.size());
  scratch.take(at, *inputs_, turns_.get(), out.size());

  reset_series(wanted, out);
  SeriesBlock block{scratch.series.data(), scratch.stride};
  for (const Bound& bound : p.bundles) {
    const Bundle& bundle = *bound.bundle;
    const std::size_t size = bundle.series->size() * block.stride * bundle.series->width();
    for (std::size_t b = 0; fresh && b < blocks(bundle); ++b)
      bundle.series->clear(block.series + b * size, block.stride, bound.constants);
    run_series(bundle, at, scratch.known, block, out);
    block.series += size * blocks(bundle);
  }
  scratch.known = std::max(scratch.known, out.size());
  const bool finite = std::all_of(out.begin(), out.end(), [&](const Evaluation& coefficient) {
    return all_finite(wanted, coefficient, *structure_);
  });
  return finite ? Status::ok : Status::non_finite;
}

void CompiledSystem::reset_series(Needs wanted, std::span<Evaluation> out) const {
  for (Evaluation& coefficient : out) reset(wanted, coefficient);
  // what does not change with time is a part of coefficient 0 alone
  if (asks(wanted, Target::mass))
    std::copy_n(bases_->mass.data(), bases_->mass.size(), out.front().M.valuePtr());
  for (Evaluation& coefficient : out.subspan(1)) {
    if (asks(wanted, Target::mass))
      std::fill_n(coefficient.M.valuePtr(), coefficient.M.nonZeros(), 0.0);
    if (asks(wanted, Target::force)) coefficient.f.setZero();
    if (asks(wanted, Target::momentum_force)) coefficient.momentum_force.setZero();
  }
}

/// Coefficient k of everything a block of instances reads.
void CompiledSystem::fill_inputs(const SeriesArguments& at, const Bundle& bundle, int first,
                                 std::size_t k, const SeriesBlock& block) const {
  const int width = static_cast<int>(bundle.series->width());
  const int count = std::min(width, bundle.instances - first);
  double* to = block.series + k * bundle.series->width();
  const auto same = [&](double x) { std::fill_n(to, width, x); };
  for (const Gather& gather : bundle.gathers) {
    const auto indexed = [&](const Vec& from) {
      for (int l = 0; l < count; ++l) to[l] = from[place(gather.index, first + l)];
      std::fill(to + count, to + width, to[0]);  // the tail repeats a valid lane
    };
    switch (gather.slot) {
      case Slot::q:
        indexed(at.q[k]);
        break;
      case Slot::v:
        indexed(at.v[k]);
        break;
      case Slot::parameter:
        if (k > 0) {
          same(0.0);
        } else {
          std::copy_n(parameters_->data() + gather.parameters + first, count, to);
          std::fill(to + count, to + width, to[0]);
        }
        break;
      case Slot::input:
        same(k == 0 ? input(gather.index.first) : 0.0);
        break;
      case Slot::mode:
        if (k > 0)
          same(0.0);
        else
          indexed(Eigen::Map<const Vec>{modes_->data(), static_cast<Index>(modes_->size())});
        break;
      case Slot::t:
        same(k == 0 ? at.t : (k == 1 ? 1.0 : 0.0));
        break;
      case Slot::theta:
        if (k == 0)
          same(at.theta != nullptr ? *at.theta : theta_rate_ * at.t + theta_phase_);
        else
          same(k == 1 ? theta_rate_ : 0.0);
        break;
      case Slot::a:
      case Slot::lambda:
      case Slot::mu:
        break;  // read by targets without series alone
    }
    to += block.stride * bundle.series->width();
  }
}

/// Adds what a block of instances has found to `out`, or writes it there.
void CompiledSystem::scatter_series(const Bundle& bundle, const SeriesBlock& block, int first,
                                    std::span<Evaluation> out) {
  const formula::SeriesProgram& program = *bundle.series;
  const int count = std::min(static_cast<int>(program.width()), bundle.instances - first);
  for (const ScatterGroup& group : bundle.groups) {
    const bool add = !is_row_target(group.target);
    const double sign = group.negate ? -1.0 : 1.0;
    for (std::size_t k = 0; k < out.size(); ++k) {
      double* const to = values_of(group.target, out[k]);
      for (std::size_t s = group.begin; s < group.end; ++s) {
        const Scatter& scatter = bundle.scatters[s];
        const double* const from =
            block.series + (program.result(scatter.reg) * block.stride + k) * program.width();
        for (int l = 0; l < count; ++l) {
          double& entry = to[place(scatter.slots, first + l)];
          entry = (add ? entry : 0.0) + sign * from[l];
        }
      }
    }
  }
}

void CompiledSystem::run_series(const Bundle& bundle, const SeriesArguments& at, std::size_t known,
                                SeriesBlock block, std::span<Evaluation> out) const {
  const formula::SeriesProgram& program = *bundle.series;
  const int width = static_cast<int>(program.width());
  for (int first = 0; first < bundle.instances; first += width) {
    for (std::size_t k = known; k < out.size(); ++k) {
      fill_inputs(at, bundle, first, k, block);
      program.run(block.series, block.stride, k);
    }
    scatter_series(bundle, block, first, out);
    block.series += program.size() * block.stride * program.width();
  }
}

}  // namespace taut
