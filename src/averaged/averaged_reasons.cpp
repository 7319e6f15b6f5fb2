// SPDX-License-Identifier: BSD-3-Clause
#include "averaged/averaged_reasons.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "core/notes.hpp"

namespace taut {
namespace {

constexpr double turn = 2.0 * std::numbers::pi;
constexpr double poor = 0.1;      // force_error from which a user is warned
constexpr double not_slow = 0.5;  // rate of the motion under the mean force, in units of omega
// of mean to oscillation, in which a mean of the size of the vibration is taken for a mistake
constexpr double mean_from = 0.3, mean_to = 5.0;
constexpr double many_periods = 1000.0;  // in which the mean force alone moves the system
constexpr double few_periods = 2.0;      // in which nothing is slow

std::string not_fast(double omega, double rate) {
  return fmt::format(
      "the vibration is not fast compared with the motion: forces change at a rate of {:.3g} 1/s, "
      "the vibration at omega = {:.3g} rad/s. Raise omega at the same velocity of vibration, make "
      "stiff springs rigid, or run the model as written",
      rate, omega);
}

}  // namespace

std::string misfit(const Structure& given, const Structure& base) {
  if (given.vibration.in_constraint)
    return "theta appears in a constraint: write the motion relative to the shaken frame, where "
           "the vibration is the force -m a(t) on every mass";
  if (given.vibration.in_mass)
    return "theta appears in a kinetic energy: write the motion relative to the shaken frame, "
           "where the vibration is the force -m a(t) on every mass";
  if (!base.mass_constant)
    return "the mass matrix depends on q, and micro-simulations are made by Verlet or SHAKE, which "
           "need a constant one: describe the system by points and rods";
  if (base.force_uses_velocity)
    return "forces depend on velocities (dampers, damped constraints, lambda(...) in forces), and "
           "the averaged force is one of positions: leave them out, or run the model as written";
  if (base.has_manifold)
    return "this is a reading for slow motion already: take the model as written";
  return {};
}

std::string misfit(const AveragedOptions& options) {
  if (options.steps < 0) return fmt::format("steps = {} is not a number of steps", options.steps);
  if (!(options.tol > 0.0)) return fmt::format("tol = {} is not a tolerance", options.tol);
  if (options.kernel && !(options.periods >= 1.0 && options.periods <= 1e6))
    return fmt::format("periods = {} is not the length of a window: take 1 to 1e6",
                       options.periods);
  return {};
}

std::string failure(const System& base, const State& at, Status status) {
  std::string reason{sentence(status)};
  if (status == Status::non_finite)
    if (const std::string name = base.culprit({.t = at.t, .q = at.q, .v = at.v}); !name.empty())
      reason += fmt::format(" ('{}')", name);
  return reason;
}

std::string micro_failure(const System& base, const State& at, double h, Status status) {
  if (status == Status::not_supported || status == Status::mass_singular)
    return failure(base, at, status);
  return fmt::format(
      "micro-simulations with steps of {:.3g} s fail ({}): something in the model, such as a stiff "
      "spring, moves faster than that. Make it rigid, or run the model as written",
      h, sentence(status));
}

std::string too_slow(const VibrationProbe& probe, double omega) {
  return probe.rate() > not_slow * omega ? not_fast(omega, probe.rate()) : std::string{};
}

std::string large_mean(const System& base, const VibrationProbe& probe, double omega) {
  const VibrationProbe::Size& size = probe.size();
  if (!(size.mean > mean_from * size.oscillation) || !(size.mean < mean_to * size.oscillation))
    return {};
  const Vec& q = probe.points().front();
  const double length = std::sqrt(q.dot(base.structure().M * q));
  const double periods =
      omega / turn * std::sqrt((length > 0.0 ? length : probe.length()) / size.mean);
  if (periods > many_periods) return {};
  if (periods < few_periods) return not_fast(omega, omega / (turn * periods));
  const VibrationProbe::Coordinate& worst = probe.most_accelerated();
  return fmt::format(
      "the force on '{}' has a mean of {:.4g} over a period, and vibrates by {:.4g} about it: what "
      "does not cancel over a period drives the motion away within {:.0f} periods. Give a "
      "vibration whose part of the size of omega has the mean zero; one that is meant to be this "
      "weak hardly changes the slow motion: run the model as written, or without it",
      base.structure().coordinates[static_cast<std::size_t>(worst.index)], worst.mean,
      worst.oscillation, periods);
}

Note separation(double force_error, bool of_window) {
  if (force_error <= poor) return {};
  return note<notes::scales_not_separated>(100.0 * force_error, of_window);
}

}  // namespace taut
