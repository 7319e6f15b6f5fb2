// SPDX-License-Identifier: BSD-3-Clause
#include "averaged/averaged.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "averaged/averaged_laboratory.hpp"
#include "averaged/averaged_plan.hpp"
#include "averaged/averaged_probe.hpp"
#include "averaged/averaged_reasons.hpp"
#include "averaged/averaged_system.hpp"
#include "core/notes.hpp"
#include "readings/readings.hpp"

namespace taut {
namespace {

constexpr double hopeless = 0.5;  // force_error from which there is no averaged motion
AveragedReading refused(Status status, std::string reason) {
  AveragedReading result;
  result.status = status;
  result.reason = std::move(reason);
  return result;
}

/// False, with the reason, where scales are not separated; a note where they hardly are.
bool separated(bool of_window, AveragedReading& result) {
  Note warning = separation(result.force_error, of_window);
  if (!(result.force_error <= hopeless)) {
    result.status = Status::not_supported;
    result.reason = warning.text();
    return false;
  }
  if (!warning.empty()) result.notes.push_back(std::move(warning));
  return true;
}

std::string unresolved(const AveragingLaboratory::Resolution& resolution) {
  return fmt::format(
      "the averaged force still changes by {:.2g} of itself at {} micro-steps per period: the "
      "force jumps with theta, or something in the model moves faster than the vibration. Give the "
      "number of steps, or run the model as written",
      resolution.left, AveragingLaboratory::most_steps);
}

void add_notes(const Structure& given, const AveragingRecipe& recipe, AveragedReading& result) {
  if (!given.vibration.in_force) result.notes.push_back(note<notes::nothing_to_average>());
  if (!result.periodic)
    result.notes.push_back(note<notes::not_periodic>(recipe.periods, recipe.kernel->name()));
}

/// Everything that can be told before a micro-simulation is made; empty: go on.
std::string objection(const System& base, const VibrationProbe& probe, double omega) {
  std::string reason = too_slow(probe, omega);
  return reason.empty() ? large_mean(base, probe, omega) : reason;
}

}  // namespace

AveragedOptions published_averaging(int steps_per_period) {
  return {.steps = steps_per_period, .antithetic = false, .richardson = false};
}

AveragedOptions published_averaging(int steps_per_period, AveragingKernel kernel, double periods) {
  AveragedOptions options = published_averaging(steps_per_period);
  options.kernel = std::move(kernel);
  options.periods = periods;
  return options;
}

AveragedReading averaged(const System& system, const State& at, const AveragedOptions& options) {
  const Structure& given = system.structure();
  const double omega = std::abs(given.vibration.omega);
  if (omega == 0.0)
    return refused(Status::not_supported,
                   "the model has no [vibration]: add the section with omega, and write the "
                   "vibration in forces as a function of theta");
  const System base = springs(system);
  if (std::string reason = misfit(given, base.structure()); !reason.empty())
    return refused(Status::not_supported, std::move(reason));
  if (std::string reason = misfit(options); !reason.empty())
    return refused(Status::not_supported, std::move(reason));

  // what the force is like
  VibrationProbe probe;
  AveragingLaboratory laboratory{base, at, probe};
  Status st = probe.start(base, at);
  if (st == Status::ok) st = laboratory.start();
  if (st != Status::ok) return refused(st, failure(base, at, st));
  if (std::string reason = objection(base, probe, omega); !reason.empty())
    return refused(Status::not_supported, std::move(reason));
  AveragedReading result{
      .even = probe.even(), .periodic = probe.periodic(), .phase = probe.phase()};

  // how fine micro-simulations must be
  const AveragingRecipe recipe{omega, probe, options};
  const auto step = [&](int steps) { return recipe.unit / (omega * steps); };
  const AveragingLaboratory::Resolution resolution = options.steps > 0
                                                         ? laboratory.take(recipe, options.steps)
                                                         : laboratory.resolve(recipe, options.tol);
  if (resolution.status == Status::iteration_limit && resolution.left > 0.0)
    return refused(resolution.status, unresolved(resolution));
  result.steps = resolution.steps > 0 ? resolution.steps : AveragingLaboratory::most_steps;
  if (resolution.status != Status::ok)
    return refused(resolution.status,
                   micro_failure(base, at, step(result.steps), resolution.status));

  // what they leave open
  if (st = laboratory.compare_phases(recipe, result); st != Status::ok)
    return refused(st, micro_failure(base, at, step(result.steps), st));
  if (!separated(false, result)) return result;
  if (options.steps == 0 && laboratory.noise() > options.tol)
    result.notes.push_back(note<notes::forces_cancel>(probe.size().largest, laboratory.noise()));
  add_notes(given, recipe, result);
  const ForceScales scales{.length = probe.length(), .noise = laboratory.noise()};
  result.system = System{std::make_shared<const AveragedSystem>(
      base, recipe.plan(result.steps), std::move(laboratory.force), scales)};
  return result;
}

AveragedReading averaged_over(const System& system, const State& at, double window, double step,
                              const AveragingKernel& kernel) {
  const System base = springs(system);
  const Structure& structure = base.structure();
  if (std::string reason = misfit(Structure{}, structure); !reason.empty())
    return refused(Status::not_supported, std::move(reason));
  if (structure.constraint_uses_time)
    return refused(Status::not_supported,
                   "a constraint moves with time, and micro-simulations hold it still: write the "
                   "motion relative to the moving frame");
  if (!(step > 0.0) || !(window >= 8.0 * step) || !(window <= 1e7 * step))
    return refused(Status::not_supported,
                   fmt::format("a window of {} s and micro-steps of {} s do not go together: take "
                               "8 to 1e7 steps in a window",
                               window, step));
  const auto half = static_cast<Index>(std::lround(window / (2.0 * step)));
  const bool even = !structure.force_uses_time;
  const auto plan = [&](Index steps) {
    return AveragingPlan{
        .parts = {{.window = {.h = step, .weights = one_side(kernel, steps), .even = even}}}};
  };

  // half the window tells what the filter leaves of the oscillation
  AveragedForce force;
  MassSolver mass;
  Status st = mass.start(base);
  if (st == Status::ok) st = force.micro.start(base, at);
  if (st != Status::ok) return refused(st, failure(base, at, st));
  if (st = force.find(base, plan(half / 2), at.t, at.q); st != Status::ok)
    return refused(st, micro_failure(base, at, step, st));
  const Vec F_short = force.micro.F;
  std::vector<MicroNode> trace;
  force.micro.follow(&trace);
  st = force.find(base, plan(half), at.t, at.q);
  force.micro.follow(nullptr);
  if (st != Status::ok) return refused(st, micro_failure(base, at, step, st));

  AveragedReading result{.even = even, .periodic = false, .steps = static_cast<int>(2 * half)};
  const Vec& F = force.micro.F;
  measure_vibration(base, mass.acceleration(F), even, std::move(trace), result);
  const double scale = std::max(mass.size(F_short), mass.size(F));
  result.force_error = scale > 0.0 ? mass.size(F - F_short) / scale : 0.0;
  if (!separated(true, result)) return result;
  const double length = at.q.lpNorm<Eigen::Infinity>();
  const ForceScales scales{.length = length > 0.0 ? length : 1.0,
                           .noise = std::numeric_limits<double>::epsilon()};
  result.system =
      System{std::make_shared<const AveragedSystem>(base, plan(half), std::move(force), scales)};
  return result;
}

}  // namespace taut
