// SPDX-License-Identifier: BSD-3-Clause
#include "taut/readings/averaged.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <utility>

#include "averaged_plan.hpp"
#include "averaged_probe.hpp"
#include "averaged_system.hpp"
#include "taut/core/kkt.hpp"
#include "taut/readings/readings.hpp"

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double turn = 2.0 * std::numbers::pi;
constexpr double poor = 0.1;      // force_error from which a user is warned
constexpr double hopeless = 0.5;  // and refused
constexpr int first_steps = 16;   // per period
constexpr int most_steps = 4096;
// of mean to oscillation, in which a mean of the size of the vibration is taken for a mistake
constexpr double mean_from = 0.3, mean_to = 5.0;
constexpr double many_periods = 1000.0;  // in which the mean force alone moves the system

AveragedReading refused(Status status, std::string reason) {
  AveragedReading result;
  result.status = status;
  result.reason = std::move(reason);
  return result;
}

/// What the structure alone tells against micro-simulations; empty: nothing.
std::string misfit(const Structure& given, const Structure& base) {
  if (given.vibration.in_constraint)
    return "theta appears in a constraint: write the motion relative to the shaken frame, where "
           "the "
           "vibration is the force -m a(t) on every mass";
  if (given.vibration.in_mass)
    return "theta appears in a kinetic energy: write the motion relative to the shaken frame, "
           "where "
           "the vibration is the force -m a(t) on every mass";
  if (!base.mass_constant)
    return "the mass matrix depends on q, and micro-simulations are made by Verlet or SHAKE, which "
           "need a constant one: describe the system by points and rods";
  if (base.force_uses_velocity)
    return "forces depend on velocities (dampers, damped constraints), and the averaged force is "
           "one of positions: leave them out, or run the model as written";
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

class Mass {
 public:
  [[nodiscard]] Status start(const System& base) {
    kkt_.analyse(base.structure().M, base.structure().G);
    return kkt_.factor_mass(base.structure().M);
  }
  [[nodiscard]] Vec acceleration(const Vec& f) const {
    Vec a(f.size());
    kkt_.solve_mass(f, a);
    return a;
  }

 private:
  Kkt kkt_;
};

/// Finds forces at the state and at a point near it, and compares them.
class Laboratory {
 public:
  Laboratory(const System& base, const State& at, VibrationProbe& probe)
      : base_{base}, t_{at.t}, probe_{probe} {}

  [[nodiscard]] Status start(const State& at) { return force.micro.start(base_, at); }

  [[nodiscard]] Status forces(const AveragingPlan& plan, std::vector<Vec>& F) {
    F.clear();
    for (std::size_t i = 0; i < count(); ++i) {
      if (const Status st = force.find(base_, plan, t_, probe_.points()[i]); st != Status::ok)
        return st;
      F.push_back(force.micro.F);
    }
    return Status::ok;
  }

  /// The largest difference along the constraints.
  [[nodiscard]] double distance(const std::vector<Vec>& a, const std::vector<Vec>& b) {
    double largest = 0.0, along = 0.0;
    for (std::size_t i = 0; i < count(); ++i) {
      if (probe_.tangential(base_, i, a[i] - b[i], along) != Status::ok)
        return std::numeric_limits<double>::infinity();
      largest = std::max(largest, along);
    }
    return largest;
  }

  [[nodiscard]] double size(const std::vector<Vec>& a) {
    return distance(a, std::vector<Vec>(a.size(), Vec::Zero(base_.nq())));
  }

  AveragedForce force;

 private:
  [[nodiscard]] std::size_t count() const {
    return std::min<std::size_t>(2, probe_.points().size());
  }

  const System& base_;
  double t_;
  VibrationProbe& probe_;
};

/// Micro-steps per period, and the size of the averaged force.
struct Resolution {
  Status status = Status::ok;
  int steps = 0;
  double scale = 1.0;  ///< of forces that errors are compared with; > 0
  double left = 0.0;   ///< relative error
};

double scale_of(double mean, double size) { return mean + size > 0.0 ? mean + size : 1.0; }

/// Doubles the steps until the force does not change by more than the tolerance, then goes back to
/// as many as the order says are enough.
Resolution resolve(Laboratory& laboratory, const AveragingRecipe& recipe,
                   const AveragedOptions& options, const VibrationProbe::Size& size) {
  constexpr double margin = 1.1;
  Resolution result;
  const double order = recipe.order(), gain = std::pow(2.0, order) - 1.0;
  std::vector<Vec> coarse, fine;
  bool known = false;
  for (int n = first_steps; n <= most_steps; n *= 2) {
    const Status st = laboratory.forces(recipe.plan(n), fine);
    result.status = st;
    if (st == Status::ok && known) {
      result.scale = scale_of(size.mean, laboratory.size(fine));
      result.left = laboratory.distance(fine, coarse) / (gain * result.scale);
      const double tol = std::max(options.tol, 20.0 * epsilon * size.largest / result.scale);
      if (result.left <= tol) {
        const double enough = margin * n * std::pow(result.left / tol, 1.0 / order);
        result.steps = recipe.rounded(std::clamp<double>(enough, first_steps, n));
        return result;
      }
    }
    known = st == Status::ok;
    coarse.swap(fine);
  }
  if (result.status == Status::ok) result.status = Status::iteration_limit;
  return result;
}

/// Largest distances from the averaged motion, which has the acceleration a, in the mass metric.
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

/// A mean as large as the vibration itself: mostly a mean of the size of omega that was not meant.
std::string large_mean(const System& base, const VibrationProbe& probe, double omega) {
  const VibrationProbe::Size& size = probe.size();
  if (!(size.mean > mean_from * size.oscillation) || !(size.mean < mean_to * size.oscillation))
    return {};
  const double length =
      std::sqrt(probe.points().front().dot(base.structure().M * probe.points().front()));
  const double reach = length > 0.0 ? length : probe.length();
  const double periods = omega / turn * std::sqrt(reach / size.mean);
  if (periods > many_periods) return {};
  const VibrationProbe::Coordinate& worst = probe.most_accelerated();
  return fmt::format(
      "the force on '{}' has a mean of {:.4g} over a period, and vibrates by {:.4g} about it: a "
      "vibration that does not cancel over a period drives the motion away within {:.0f} periods. "
      "Give a force whose part of the size of omega has the mean zero; if the vibration is meant "
      "to "
      "be this weak, it hardly changes the slow motion: run the model as written, or without it",
      base.structure().coordinates[static_cast<std::size_t>(worst.index)], worst.mean,
      worst.oscillation, std::max(1.0, periods));
}

/// What a force_error says about the separation of scales; empty: it is there.
std::string separation(double force_error, std::string_view remedy) {
  if (!(force_error > poor)) return {};
  return fmt::format(
      "the vibration is not fast compared with the motion: the averaged force differs by {:.0f} % "
      "with the phase (or window) it is found from; {}",
      100.0 * force_error, remedy);
}

constexpr std::string_view faster =
    "raise omega at the same velocity of vibration, or run the model as written";

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

  VibrationProbe probe;
  if (const Status st = probe.start(base, at); st != Status::ok)
    return refused(st, failure(base, at, st));
  if (std::string reason = large_mean(base, probe, omega); !reason.empty())
    return refused(Status::not_supported, std::move(reason));

  AveragedReading result{
      .even = probe.even(), .periodic = probe.periodic(), .phase = probe.phase()};
  const AveragingRecipe recipe{omega, probe, options};
  Laboratory laboratory{base, at, probe};
  if (const Status st = laboratory.start(at); st != Status::ok)
    return refused(st, failure(base, at, st));

  // how fine
  Resolution resolution;
  std::vector<Vec> F, F_other;
  if (options.steps == 0) {
    resolution = resolve(laboratory, recipe, options, probe.size());
    if (resolution.status == Status::iteration_limit)
      return refused(
          resolution.status,
          fmt::format("the averaged force still changes by {:.2g} of itself at {} micro-steps per "
                      "period: the force jumps with theta, or something in the model moves faster "
                      "than the vibration. Give the number of steps, or run the model as written",
                      resolution.left, most_steps));
    if (resolution.status != Status::ok)
      return refused(resolution.status, failure(base, at, resolution.status));
  } else {
    resolution.steps = recipe.rounded(options.steps);
    if (const Status st = laboratory.forces(recipe.plan(resolution.steps), F); st != Status::ok)
      return refused(st, failure(base, at, st));
    resolution.scale = scale_of(probe.size().mean, laboratory.size(F));
  }
  result.steps = resolution.steps;
  const double noise = epsilon * probe.size().largest / resolution.scale;
  if (options.steps == 0 && 20.0 * noise > options.tol)
    result.notes.push_back(
        fmt::format("forces of size {:.2g} cancel over a period: rounding leaves {:.1g} of the "
                    "averaged force",
                    probe.size().largest, noise));

  // what the phase does to it
  std::vector<MicroNode> trace;
  const AveragingPlan first = recipe.one_phase(result.steps, recipe.phase);
  const AveragingPlan other = recipe.one_phase(result.steps, recipe.other_phase());
  Status st = laboratory.forces(first, F);
  if (st == Status::ok) st = laboratory.forces(other, F_other);
  if (st == Status::ok) {
    laboratory.force.micro.follow(&trace);
    st = laboratory.force.find(base, first, at.t, at.q);
    laboratory.force.micro.follow(nullptr);
  }
  if (st != Status::ok) return refused(st, failure(base, at, st));
  Mass mass;
  if (st = mass.start(base); st != Status::ok) return refused(st, failure(base, at, st));
  measure_vibration(base, mass.acceleration(laboratory.force.micro.F),
                    first.parts.front().window.even, std::move(trace), result);
  result.force_error = laboratory.distance(F, F_other) / resolution.scale;
  std::string warning = separation(result.force_error, faster);
  if (!(result.force_error <= hopeless)) return refused(Status::not_supported, std::move(warning));
  if (!warning.empty()) result.notes.push_back(std::move(warning));
  if (!given.vibration.in_force)
    result.notes.push_back("theta appears in no force: there is nothing to average");
  if (!result.periodic)
    result.notes.push_back(
        fmt::format("the force does not repeat itself within 12 periods: it is averaged over a "
                    "window of {:.3g} "
                    "periods with the kernel '{}'",
                    recipe.periods, recipe.kernel->name()));

  result.system = System{std::make_shared<const AveragedSystem>(
      base, recipe.plan(result.steps), std::move(laboratory.force),
      ForceScales{.length = probe.length(), .noise = noise})};
  return result;
}

AveragedReading averaged_over(const System& system, const State& at, double window, double step,
                              const AveragingKernel& kernel) {
  const System base = springs(system);
  if (std::string reason = misfit(Structure{}, base.structure()); !reason.empty())
    return refused(Status::not_supported, std::move(reason));
  if (base.structure().constraint_uses_time)
    return refused(Status::not_supported,
                   "a constraint moves with time, and micro-simulations hold it still: write the "
                   "motion relative to the moving frame");
  if (!(step > 0.0) || !(window >= 8.0 * step) || !(window <= 1e7 * step))
    return refused(Status::not_supported,
                   fmt::format("a window of {} s and micro-steps of {} s do not go together: take "
                               "8 to 1e7 steps in a window",
                               window, step));
  const auto half = static_cast<Index>(std::lround(window / (2.0 * step)));
  const bool even = !base.structure().force_uses_time;
  const auto plan = [&](Index steps) {
    return AveragingPlan{
        .parts = {{.window = {.h = step, .weights = one_side(kernel, steps), .even = even}}}};
  };

  AveragedReading result{.even = even, .periodic = false, .steps = static_cast<int>(2 * half)};
  AveragedForce force;
  std::vector<MicroNode> trace;
  Status st = force.micro.start(base, at);
  // half the window tells what the filter leaves of the oscillation
  if (st == Status::ok) st = force.find(base, plan(half / 2), at.t, at.q);
  const Vec F_short = force.micro.F;
  if (st == Status::ok) {
    force.micro.follow(&trace);
    st = force.find(base, plan(half), at.t, at.q);
    force.micro.follow(nullptr);
  }
  if (st != Status::ok) return refused(st, failure(base, at, st));
  Mass mass;
  if (st = mass.start(base); st != Status::ok) return refused(st, failure(base, at, st));
  measure_vibration(base, mass.acceleration(force.micro.F), even, std::move(trace), result);
  const auto size = [&](const Vec& f) {
    return std::sqrt(std::max(0.0, f.dot(mass.acceleration(f))));
  };
  const double scale = std::max(size(F_short), size(force.micro.F));
  result.force_error = scale > 0.0 ? size(force.micro.F - F_short) / scale : 0.0;
  std::string warning =
      separation(result.force_error,
                 "take a longer window, or a smoother kernel, or run the model as written");
  if (!(result.force_error <= hopeless)) return refused(Status::not_supported, std::move(warning));
  if (!warning.empty()) result.notes.push_back(std::move(warning));
  const double length = at.q.lpNorm<Eigen::Infinity>();
  result.system = System{std::make_shared<const AveragedSystem>(
      base, plan(half), std::move(force),
      ForceScales{.length = length > 0.0 ? length : 1.0, .noise = epsilon})};
  return result;
}

}  // namespace taut
