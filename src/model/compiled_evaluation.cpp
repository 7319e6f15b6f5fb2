// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "core/workers.hpp"
#include "model/compiled_system.hpp"
#include "model/evaluation_fields.hpp"
#include "model/finite.hpp"

namespace taut {
namespace {

using formula::Slot;

/// First 64-byte boundary inside `scratch`: kernels want aligned registers.
double* aligned(std::vector<double>& scratch) {
  constexpr std::uintptr_t line = 64;
  const auto address = reinterpret_cast<std::uintptr_t>(scratch.data());
  return scratch.data() + (line - address % line) % line / sizeof(double);
}

std::span<const double> values(const Vec& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}

}  // namespace

void CompiledSystem::reset(Needs wanted, Evaluation& out) const {
  if (asks(wanted, Target::mass) && !structure_->mass_constant)
    std::copy_n(bases_->mass.data(), bases_->mass.size(), out.M.valuePtr());
  if (asks(wanted, Target::force)) out.f = bases_->force;
  if (asks(wanted, Target::momentum_force)) out.momentum_force = bases_->momentum_force;
  if (asks(wanted, Target::momentum)) out.momentum.setZero();
  if (asks(wanted, Target::third)) out.third.setZero();
  if (asks(wanted, Target::kinetic_energy)) out.kinetic_energy = 0.0;
  if (asks(wanted, Target::potential_energy)) out.potential_energy = 0.0;
  if (asks(wanted, Target::stiffness)) std::fill_n(out.K.valuePtr(), out.K.nonZeros(), 0.0);
  if (asks(wanted, Target::constraint_stiffness))
    std::fill_n(out.H.valuePtr(), out.H.nonZeros(), 0.0);
  if (asks(wanted, Target::damping)) std::fill_n(out.D.valuePtr(), out.D.nonZeros(), 0.0);
  if (asks(wanted, Target::force_multiplier))
    std::fill_n(out.force_multiplier.valuePtr(), out.force_multiplier.nonZeros(), 0.0);
  if (asks(wanted, Target::acceleration_q)) out.acceleration_q.setZero();
  if (asks(wanted, Target::acceleration_v)) out.acceleration_v.setZero();
}

/// Calls visit(l, place) for the lanes of a block. Strides that points in the plane and in space
/// give are known to the compiler.
template <class Visit>
void CompiledSystem::for_each_place(const Column& column, int first, int count,
                                    const Visit& visit) {
  const int begin = column.first + first * column.stride;
  const auto regular = [&](auto stride) {
    for (int l = 0; l < count; ++l) visit(l, begin + l * stride);
  };
  switch (column.stride) {
    case 0:
      for (int l = 0; l < count; ++l) visit(l, column.table[first + l]);
      break;
    case 1:
      regular(std::integral_constant<int, 1>{});
      break;
    case 2:
      regular(std::integral_constant<int, 2>{});
      break;
    case 3:
      regular(std::integral_constant<int, 3>{});
      break;
    case 4:
      regular(std::integral_constant<int, 4>{});
      break;
    default:
      regular(column.stride);
      break;
  }
}

template <class Visit>
void CompiledSystem::for_each_block(const Bound& bound, const Arguments& at,
                                    std::vector<double>& scratch, const Visit& visit) const {
  const Bundle& bundle = *bound.bundle;
  if (scratch.size() < bundle.scratch()) scratch.resize(bundle.scratch());
  double* const registers = aligned(scratch);
  const int width = bundle.kernel->width();
  const int blocks = (bundle.instances + width - 1) / width;
  const auto border = [&](int part) {
    const auto block = static_cast<std::int64_t>(blocks) * part / bundle.parts;
    return std::min(static_cast<int>(block) * width, bundle.instances);
  };
  if (bundle.parts == 1) {
    for_each_block(bound, at, 0, bundle.instances, registers, visit);
    return;
  }
  share_work(bundle.parts, [&](int part) {
    for_each_block(bound, at, border(part), border(part + 1),
                   registers + static_cast<std::size_t>(part) * bundle.registers(), visit);
  });
}

/// Instances first ... last - 1.
template <class Visit>
void CompiledSystem::for_each_block(const Bound& bound, const Arguments& at, int first, int last,
                                    double* registers, const Visit& visit) const {
  const Bundle& bundle = *bound.bundle;
  const formula::Kernel& kernel = *bundle.kernel;
  const int width = kernel.width();
  const double* const parameters = parameters_->data();
  kernel.load_constants(registers, bound.constants);
  for (; first < last; first += width) {
    const int count = std::min(width, last - first);
    double* to = registers;
    for (const Gather& gather : bundle.gathers) {
      const auto indexed = [&](const double* from) {
        for_each_place(gather.index, first, count, [&](int l, int place) { to[l] = from[place]; });
      };
      switch (gather.slot) {
        case Slot::q:
          indexed(at.q.data());
          break;
        case Slot::v:
          indexed(at.v.data());
          break;
        case Slot::a:
          indexed(at.a->data());
          break;
        case Slot::lambda:
          indexed(at.lambda->data());
          break;
        case Slot::parameter:
          if (gather.same_value)
            std::fill_n(to, count, parameters[gather.parameters]);
          else
            std::copy_n(parameters + gather.parameters + first, count, to);
          break;
        case Slot::input:
          std::fill_n(to, count, input(gather.index.first));
          break;
        case Slot::mode:
          indexed(modes_->data());
          break;
        case Slot::mu:
          std::fill_n(to, count, (*at.mu)[gather.index.first]);
          break;
        case Slot::t:
          std::fill_n(to, count, at.t);
          break;
        case Slot::theta:
          std::fill_n(to, count,
                      at.theta != nullptr ? *at.theta : theta_rate_ * at.t + theta_phase_);
          break;
      }
      std::fill(to + count, to + width, to[0]);  // the tail repeats a valid lane
      to += width;
    }
    kernel.run(registers);
    visit(first, count, registers);
  }
}

void CompiledSystem::run(const Bound& bound, const Arguments& at, Evaluation& out) const {
  const Bundle& bundle = *bound.bundle;
  const int width = bundle.kernel->width();
  for_each_block(bound, at, out.scratch, [&](int first, int count, const double* registers) {
    for (const ScatterGroup& group : bundle.groups) {
      double* const to = values_of(group.target, out);
      const bool add = !is_row_target(group.target);
      for (std::size_t s = group.begin; s < group.end; ++s) {
        const Scatter& scatter = bundle.scatters[s];
        const double* const from = registers + static_cast<std::ptrdiff_t>(scatter.reg) * width;
        const auto write = [&](const auto& store) {
          for_each_place(scatter.slots, first, count, store);
        };
        if (add && group.negate)
          write([&](int l, int place) { to[place] -= from[l]; });
        else if (add)
          write([&](int l, int place) { to[place] += from[l]; });
        else if (group.negate)
          write([&](int l, int place) { to[place] = -from[l]; });
        else
          write([&](int l, int place) { to[place] = from[l]; });
      }
    }
  });
}

Status CompiledSystem::evaluate(Needs wanted, const Arguments& at, Evaluation& out) const {
  if (!structure_->differentiable && (wanted & needs(Target::stiffness, Target::third)) != 0)
    return Status::not_supported;
  if (structure_->takes_multipliers && at.mu == nullptr &&
      (wanted & multiplier_readers(*structure_)) != 0)
    return Status::not_supported;
  const BoundPlan& p = plan(wanted);
  if (out.scratch.size() < p.scratch) out.scratch.resize(p.scratch);
  reset(wanted, out);
  for (const Bound& bound : p.bundles) run(bound, at, out);
  for (std::size_t i = 0; i < shape_->pairs.size(); ++i)
    shape_->pairs[i].add(wanted, at, out.pairs.as<PairScratch>().fields[i], out);
  if (all_finite(wanted, out, *structure_)) return Status::ok;
  if (all_finite(values(at.q)) && all_finite(values(at.v)))
    last_non_finite_place() = {.known = true, .t = at.t, .q = at.q, .v = at.v};
  return Status::non_finite;
}

Status CompiledSystem::multipliers(const Arguments& /*at*/, const Vec& lambda, Evaluation& /*out*/,
                                   Vec& all_rows) const {
  all_rows = lambda;
  return Status::ok;
}

std::string CompiledSystem::culprit(const Arguments& at) const {
  const Needs plain =
      needs(Target::mass, Target::force, Target::kinetic_energy, Target::potential_energy,
            Target::constraint, Target::constraint_jacobian, Target::constraint_rate,
            Target::constraint_curvature, Target::observable);
  const Vec no_mu = Vec::Zero(static_cast<Index>(structure_->read_multipliers.size()));
  Arguments here = at;
  if (here.mu == nullptr) here.mu = &no_mu;
  if (std::string name = culprit(plain, here); !name.empty()) return name;
  for (const PairField& field : shape_->pairs)
    if (std::string pair = field.culprit(at.q); !pair.empty()) return pair;
  if (!structure_->differentiable) return {};
  // what implicit methods ask for besides
  const Vec a = Vec::Zero(structure_->nq), lambda = Vec::Zero(structure_->nc);
  Arguments further = here;
  if (further.a == nullptr) further.a = &a;
  if (further.lambda == nullptr) further.lambda = &lambda;
  return culprit(needs(Target::stiffness, Target::damping, Target::constraint_stiffness,
                       Target::velocity_jacobian),
                 further);
}

std::string CompiledSystem::culprit(Needs wanted, const Arguments& at) const {
  std::vector<double> scratch;
  const formula::Recording none{nullptr};
  const std::vector<Batch> own = batches();
  for (std::size_t b = 0; b < own.size(); ++b) {
    const Batch& batch = own[b];
    if (batch.drawn) continue;
    formula::Formula one = batch.formula;
    for (std::size_t r = 0; r < batch.formula.roots.size(); ++r) {
      one.roots = {batch.formula.roots[r]};
      const Bundle single = bundle(b, formula::derive(one, wanted));
      const Bound bound{.bundle = &single, .constants = single.kernel->program().constants};
      int bad = -1;
      for_each_block(bound, at, scratch, [&](int first, int count, const double* registers) {
        for (const Scatter& scatter : single.scatters)
          for (int l = 0; l < count && bad < 0; ++l)
            if (!std::isfinite(registers[scatter.reg * single.kernel->width() + l]))
              bad = first + l;
      });
      if (bad >= 0) return batch.labels[batch.merged ? r : static_cast<std::size_t>(bad)];
    }
  }
  return {};
}

}  // namespace taut
