// SPDX-License-Identifier: BSD-3-Clause
// Why an iterated projection fails: the other half of iterated_projection.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/any_direction.hpp"
#include "slow/iterated_projection.hpp"

namespace taut {
namespace {

constexpr double not_slow = 0.5;      // of the acceleration: taken for a vibration by the filter
constexpr double damped = 0.1;        // of a vibration: the filter is not to blame for what is left
constexpr int power_iterations = 40;  // a frequency to a few per cent

double largest(const Vec& x) { return x.size() == 0 ? 0.0 : x.lpNorm<Eigen::Infinity>(); }

}  // namespace

// A filter that takes away much of an acceleration in which no vibration is left has damped the
// slow motion itself.
Status IteratedProjection::check_slowness() {
  const double R = contraction_;
  const double ratio = filter_.band.highest / filter_.band.lowest;
  const double window = filter_.filter.steps() * filter_.step;
  const double vibrates = std::max(options_.scaled ? options_.tol / R : options_.tol, rounding_.q);
  const double taken = largest(taken_), slow = largest(a_mean_) + window * largest(slope_);
  if (taken <= not_slow * slow || taken <= 2.0 * ratio * ratio * vibrates * omega2_)
    return Status::ok;
  reason_ = fmt::format(
      "the motion without vibrations is not slow for the filter, which takes {:.2g} of its "
      "accelerations of {:.2g} away: the band from {:.4g} to {:.4g} rad/s contains frequencies of "
      "the slow motion, or begins just above them. Begin the band higher",
      taken, largest(a_mean_), filter_.band.lowest, filter_.band.highest);
  return Status::not_supported;
}

Status IteratedProjection::explain(Status status) {
  if (!reason_.empty()) return status;
  const State last = micro_.point();
  const double highest = highest_frequency(), h = filter_.step;
  const bool unstable = status == Status::projection_diverged ||
                        status == Status::iteration_limit || status == Status::non_finite;
  if (unstable && highest * h >= 2.0) {
    reason_ = fmt::format(
        "micro-steps of {:.4g} s are beyond the stability of Verlet: the force at the start "
        "vibrates with up to about {:.4g} rad/s, and omega h must be below 2. Let the band reach "
        "up to there; it ends at {:.4g} rad/s",
        h, highest, filter_.band.highest);
    return Status::projection_diverged;
  }
  if (status == Status::iteration_limit) {
    reason_ = fmt::format(
        "{}, and more are not allowed: allow more, or take a filter that damps more than |R| = "
        "{:.2g}",
        course(), filter_.damping);
  } else if (status == Status::projection_diverged) {
    reason_ = why_it_stalls();
  } else {
    const std::string name = system_.culprit({.t = last.t, .q = last.q, .v = given_.v});
    reason_ = fmt::format("{} in a micro-solution, at t = {} and {:.2g} away from the start{}",
                          sentence(status), last.t, largest(last.q - given_.q),
                          name.empty() ? "" : ": " + name);
  }
  return status;
}

std::string IteratedProjection::course() const {
  return fmt::format(
      "{} iteration{} brought the change they make from {:.2g} in q and {:.2g} in v to {:.2g} and "
      "{:.2g}",
      iterations_, iterations_ == 1 ? "" : "s", first_.q, first_.v, change_.q, change_.v);
}

std::string IteratedProjection::why_it_stalls() const {
  const Band& band = filter_.band;
  const double part = change_.q / moved();
  if (!options_.scaled && part <= part_of_glide)
    return fmt::format(
        "{}: that is slow motion, which the filter shifts by {:.2g} each time, and the tolerance "
        "{:.2g} is below it. Ask for less, or take a filter with more vanishing moments than {}",
        course(), moved(), options_.tol, filter_.filter.mu());
  const double omega = band.lowest * std::min(1.0, std::sqrt(part));
  const double kept = filter_.filter.response(verlet_angle(omega * filter_.step));
  if (kept > damped)
    return fmt::format(
        "{}: what still changes moves with about {:.3g} rad/s, below the band from {:.4g} to "
        "{:.4g} rad/s, and the filter keeps {:.0f} % of it. A vibration: begin the band below it. "
        "Slow motion: the band begins too low for it",
        course(), omega, band.lowest, band.highest, 100.0 * kept);
  return fmt::format(
      "{}: the start is too far from the slow manifold, where vibrations act on each other. Start "
      "nearer to it, from consistent_start() where constraints are known",
      course());
}

// Of small vibrations about the point given, by the power method on differences of the force.
double IteratedProjection::highest_frequency() {
  const auto accelerations = [this](const Vec& q) -> const Vec* {
    const State at{given_.t, q, given_.v};
    return micro_.open(system_, at, filter_.step) == Status::ok ? &micro_.a() : nullptr;
  };
  const Vec* found = accelerations(given_.q);
  if (found == nullptr) return 0.0;
  const Vec a = *found;
  const double reach = std::sqrt(std::numeric_limits<double>::epsilon()) *
                       std::max(largest(given_.q), std::numeric_limits<double>::min());
  Vec x = any_direction(a.size());
  double square = 0.0;
  for (int k = 0; k < power_iterations; ++k) {
    x *= reach / x.norm();
    found = accelerations(given_.q + x);
    if (found == nullptr) break;
    square = (*found - a).norm() / reach;
    if (!(square > 0.0)) break;
    x = *found - a;
  }
  return std::sqrt(square);
}

}  // namespace taut
