// SPDX-License-Identifier: BSD-3-Clause
#include "averaged/averaged_laboratory.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int first_steps = 16;      // per period
constexpr double roundings = 20.0;   // of the forces that cancel: no tolerance goes below
constexpr std::size_t compared = 2;  // points

}  // namespace

Status AveragingLaboratory::find(const AveragingPlan& plan, Forces& F) {
  F.clear();
  for (std::size_t i = 0; i < std::min(compared, probe_.points().size()); ++i) {
    if (const Status st = force.find(base_, plan, at_.t, probe_.points()[i]); st != Status::ok)
      return st;
    F.push_back(force.micro.F);
  }
  return Status::ok;
}

/// The largest over the points.
double AveragingLaboratory::distance(const Forces& a, const Forces& b) {
  double largest = 0.0, along = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (probe_.tangential(base_, i, a[i] - b[i], along) != Status::ok)
      return std::numeric_limits<double>::infinity();
    largest = std::max(largest, along);
  }
  return largest;
}

/// Forces may cancel at a point; they do not both at all points and in the mean over a period.
void AveragingLaboratory::set_scale(const Forces& F) {
  const double size = probe_.size().mean + distance(F, Forces(F.size(), Vec::Zero(base_.nq())));
  scale_ = size > 0.0 ? size : 1.0;
}

double AveragingLaboratory::noise() const { return epsilon * probe_.size().largest / scale_; }

AveragingLaboratory::Resolution AveragingLaboratory::resolve(const AveragingRecipe& recipe,
                                                             double tol) {
  constexpr double margin = 1.1;
  const double order = recipe.order(), gain = std::pow(2.0, order) - 1.0;
  Resolution result;
  Forces coarse, fine;
  for (int n = first_steps; n <= most_steps; n *= 2) {
    result.status = find(recipe.plan(n), fine);
    if (result.status == Status::ok && !coarse.empty()) {
      set_scale(fine);
      result.left = distance(fine, coarse) / (gain * scale_);
      const double reachable = std::max(tol, roundings * noise());
      if (result.left <= reachable) {
        const double enough = margin * n * std::pow(result.left / reachable, 1.0 / order);
        result.steps = recipe.rounded(std::clamp<double>(enough, first_steps, n));
        return result;
      }
    }
    // steps that fail may only be too long
    if (result.status != Status::ok) fine.clear();
    coarse.swap(fine);
  }
  if (result.status == Status::ok) result.status = Status::iteration_limit;
  return result;
}

AveragingLaboratory::Resolution AveragingLaboratory::take(const AveragingRecipe& recipe,
                                                          int steps) {
  Resolution result{.steps = recipe.rounded(steps)};
  Forces F;
  result.status = find(recipe.plan(result.steps), F);
  if (result.status == Status::ok) set_scale(F);
  return result;
}

Status AveragingLaboratory::compare_phases(const AveragingRecipe& recipe, AveragedReading& result) {
  const AveragingPlan first = recipe.one_phase(result.steps, recipe.phase);
  const AveragingPlan other = recipe.one_phase(result.steps, recipe.other_phase());
  Forces F, F_other;
  if (const Status st = find(first, F); st != Status::ok) return st;
  if (const Status st = find(other, F_other); st != Status::ok) return st;
  result.force_error = distance(F, F_other) / scale_;

  std::vector<MicroNode> trace;
  force.micro.follow(&trace);
  const Status followed = force.find(base_, first, at_.t, at_.q);
  force.micro.follow(nullptr);
  if (followed != Status::ok) return followed;
  MassSolver mass;
  if (const Status st = mass.start(base_); st != Status::ok) return st;
  measure_vibration(base_, mass.acceleration(F.front()), first.parts.front().window.even,
                    std::move(trace), result);
  return Status::ok;
}

Status MassSolver::start(const System& base) {
  kkt_.analyse(base.structure().M, base.structure().G);
  return kkt_.factor_mass(base.structure().M);
}

Vec MassSolver::acceleration(const Vec& f) const {
  Vec a(f.size());
  kkt_.solve_mass(f, a);
  return a;
}

double MassSolver::size(const Vec& f) const {
  return std::sqrt(std::max(0.0, f.dot(acceleration(f))));
}

void measure_vibration(const System& base, const Vec& a, bool even, std::vector<MicroNode> trace,
                       AveragedReading& result) {
  Vec u = Vec::Zero(base.nq()), v = u;
  for (MicroNode& node : trace) {
    node.u -= node.t * node.t / 2 * a;
    node.v_half -= node.t_half * a;
    u += node.weight * node.u;
    // of an even motion velocities are odd, and only one side is there
    if (!even) v += node.weight * node.v_half;
  }
  const auto size = [&](const Vec& x) {
    return std::sqrt(std::max(0.0, x.dot(base.structure().M * x)));
  };
  for (const MicroNode& node : trace) {
    result.amplitude = std::max(result.amplitude, size(node.u - u));
    result.velocity_amplitude = std::max(result.velocity_amplitude, size(node.v_half - v));
  }
}

}  // namespace taut
