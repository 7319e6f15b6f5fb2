// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "taut/core/counters.hpp"
#include "taut/core/state.hpp"
#include "taut/model/start.hpp"
#include "taut/readings/reading_kind.hpp"
#include "taut/run/events.hpp"
#include "taut/run/sampler.hpp"
#include "taut/run/summary_core.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// What a consistent start changed, by name; only entries that moved by more than rounding.
struct Moved {
  std::vector<std::pair<std::string, double>> q, v;
  /// What entries of rotation matrices in q and v amount to, by bodies: the angle by which one was
  /// turned [rad], and the change of its angular velocity [rad/s].
  std::vector<std::pair<std::string, double>> turned, spun;
  double distance = 0.0;           ///< of all of q in the mass metric
  double velocity_distance = 0.0;  ///< of all of v

  [[nodiscard]] bool any() const { return !q.empty() || !v.empty(); }
  /// What people are shown, in which `turned` and `spun` stand for entries of rotation matrices.
  [[nodiscard]] Moved shown() const;
};
[[nodiscard]] Moved moved(const Structure& structure, const Start& start);

/// What an error of the energy is measured by.
enum class EnergyScale : unsigned char {
  kinetic,    ///< the largest kinetic energy
  potential,  ///< the largest change of the potential energy
  rounding,   ///< the error is rounding: the energies themselves
};

/// Global errors of a run, estimated: how far its numbers are from those of the true motion of the
/// same system from the same start. The run is compared with a second one that is more exact,
///
///   e = s |x - x*| + 0.075 max |x - x*| + 4 eps max |x|                                        (1)
///
/// (the largest along the run so far); x* with a hundredth of the tolerance and s = 4/3; or, of
/// constant steps and a method of order p, with half of the step and s = 4/3 / (1 - 2^-p). Where
/// rounding leaves no room for that, x* has ten times the tolerance and s = 1. What both runs share
/// is not in it: what a reading leaves out, and a start that was moved. On the problems of
/// docs/validation.md e is 0.33 to 9.9 times the truth.
struct ErrorEstimate {
  Vec q, v, lambda;  ///< at the end, of each number
  /// Along the run, at rows that were compared: the largest of all coordinates, velocities and
  /// multipliers, each in its own unit.
  std::vector<double> t, q_along, v_along, lambda_along;
  std::string companion;      ///< what the run was compared with: "tol 1e-10", "step 0.005"
  double wall_seconds = 0.0;  ///< of the second run

  /// The largest of each kind; 0 where there are none.
  struct Sizes {
    double q = 0.0, v = 0.0, lambda = 0.0;
  };
  [[nodiscard]] Sizes at_end() const;
  [[nodiscard]] Sizes along_run() const;
};

/// How a run ended, what it found and what it cost. A plain value.
struct Summary : SummaryCore {
  std::optional<ReadingKind> reading;  ///< of a run of a model; absent where it was one of a System
  std::string method;

  std::vector<std::string> velocities, constraints;  ///< names, in the order of v and lambda
  State state;                                       ///< at the end, or the last good one
  Vec lambda;  ///< there, of all constraints of the model; NaN where it could not be computed

  Counters counters;  ///< work of the method
  /// Evaluations of the model that its reading made for those of the method and of the output; 0
  /// where it makes one for one.
  std::int64_t reading_evaluations = 0;
  std::int64_t projections = 0;             ///< onto the slow manifold, during the run
  std::int64_t projection_evaluations = 0;  ///< of the force, for them

  /// Over rows and what Motion::extremes measured, of rigid constraints max |g|, |G v + g_t|.
  double max_constraint = 0.0, max_velocity_constraint = 0.0;
  double max_relative_constraint = 0.0;         ///< the same max |g| / Row::scale
  double max_stretch = 0.0;                     ///< the same max |g| of compliant constraints
  double energy_start = 0.0, energy_end = 0.0;  ///< T + U [J]
  /// max |E - E(start)| over the same, divided by `energy_scale`: the larger of max T and
  /// max |U - U(start)|, which do not depend on the zero of the potential. A change within the
  /// rounding of the energies, 64 eps max(|T| + |U|), is divided by max(|T| + |U|) instead. Only
  /// where energy is conserved.
  std::optional<double> energy_error;
  double energy_scale = 0.0;  ///< [J]
  EnergyScale energy_scale_is = EnergyScale::kinetic;
  /// Of systems that do not conserve energy: the work [J] that each element has done on them, by
  /// name, and how well the balance closes: max |E - E(start) - W| over rows, divided by
  /// `energy_passed`: the larger of `energy_scale` and of the integral of Σ|power| over all
  /// elements. Absent where energy comes and goes by ways that have no power: heat baths, readings
  /// with a force of their own, changes from outside.
  std::vector<std::pair<std::string, double>> work;
  std::optional<double> energy_balance_error;
  double energy_passed = 0.0;  ///< [J]
  /// max |I - I(start)| over the same, by name, in the invariant's own unit.
  std::vector<std::pair<std::string, double>> invariant_errors;

  std::optional<ErrorEstimate> error_estimate;  ///< where it was asked for and could be made
  Note no_error_estimate;                       ///< why it could not; empty where nobody asked

  std::vector<StatisticResult> statistics;  ///< of RunOptions::samplers, in their order

  std::vector<std::string> redundant;  ///< constraints that follow from the others
  Moved moved;                         ///< what the start had to change
  std::vector<EventRecord> events;
  /// Parameters and inputs that events have changed, with their values at the end.
  std::vector<std::pair<std::string, double>> changed;

  /// All fields, in the order of summary.json; what is added here is written, stored and read.
  ///
  ///   each(name, field)                  `start.moved` is an entry of `start`
  ///   each(name, names, values)          numbers by name
  ///   each.where(there, name, field)     null unless it is there
  ///   each.unnamed(field)                stored, not written
  ///
  /// `s` is a Summary, const or not.
  template <class Self, class Each>
  static void fields(Self& s, Each&& each) {
    first_fields(s, each);
    for (auto* names : {&s.coordinates, &s.velocities, &s.constraints}) each.unnamed(*names);
    each("reading", s.reading);
    each("method", s.method);
    each("reason", s.reason);
    each("t", s.state.t);
    each("q", s.coordinates, s.state.q);
    each("v", s.velocities, s.state.v);
    each("lambda", s.constraints, s.lambda);
    each.where(s.step > 0.0, "step", s.step);
    each("steps", s.counters.steps);
    each("rejected", s.counters.rejected);
    each("force_evaluations", s.counters.force_evaluations);
    each("constraint_evaluations", s.counters.constraint_evaluations);
    each("jacobian_evaluations", s.counters.jacobian_evaluations);
    each("factorisations", s.counters.factorisations);
    each("newton_iterations", s.counters.newton_iterations);
    each("output_evaluations", s.output_evaluations);
    each("reading_evaluations", s.reading_evaluations);
    each("projections", s.projections);
    each("projection_evaluations", s.projection_evaluations);
    each("max_constraint", s.max_constraint);
    each("max_velocity_constraint", s.max_velocity_constraint);
    each.unnamed(s.max_relative_constraint);
    each("max_stretch", s.max_stretch);
    // some readings know no potential energy
    each.where(s.energy_start == s.energy_start, "energy_start", s.energy_start);
    each.where(s.energy_end == s.energy_end, "energy_end", s.energy_end);
    each("energy_error", s.energy_error);
    each.unnamed(s.energy_scale);
    each.unnamed(s.energy_scale_is);
    each("work", s.work);
    each("energy_balance_error", s.energy_balance_error);
    each.unnamed(s.energy_passed);
    each("invariant_errors", s.invariant_errors);
    each("error_estimate", s.error_estimate);
    each("no_error_estimate", s.no_error_estimate);
    each("statistics", s.statistics);
    each("redundant", s.redundant);
    each("start.moved", s.moved);
    each("events", s.events);
    each.where(!s.changed.empty(), "changed", s.changed);
    last_fields(s, each);
  }
};

}  // namespace taut

#pragma GCC visibility pop
