// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "taut/core/counters.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/model/start.hpp"
#include "taut/run/events.hpp"
#include "taut/run/sampler.hpp"

namespace taut {

/// What a consistent start changed, by name; only entries that moved by more than rounding.
struct Moved {
  std::vector<std::pair<std::string, double>> q, v;
  double distance = 0.0;           ///< of all of q in the mass metric
  double velocity_distance = 0.0;  ///< of all of v

  [[nodiscard]] bool any() const { return !q.empty() || !v.empty(); }
};
[[nodiscard]] Moved moved(const Structure& structure, const Start& start);

/// Whether a run that stopped this way can go on from where it was: it met a limit or was
/// cancelled.
[[nodiscard]] bool may_continue(Status status);

/// What an error of the energy is measured by.
enum class EnergyScale : unsigned char {
  kinetic,    ///< the largest kinetic energy
  potential,  ///< the largest change of the potential energy
  rounding,   ///< the error is rounding: the energies themselves
};

/// How a run ended, what it found and what it cost. A plain value.
struct Summary {
  Status status = Status::ok;
  std::string message;  ///< what happened, in words, with names and times
  std::string hint;     ///< what to try; empty where nothing needs mending

  std::string model, reading, method;
  std::string reason;  ///< why this method; empty when the user chose it

  // names, in the order of q, v and lambda
  std::vector<std::string> coordinates, velocities, constraints;
  State state;  ///< at the end, or the last good one
  Vec lambda;   ///< there, of all constraints of the model; NaN where it could not be computed

  Counters counters;                    ///< work of the method
  std::int64_t output_evaluations = 0;  ///< further force evaluations, for rows and events
  /// Evaluations of the model that its reading made for those of the method and of the output; 0
  /// where it makes one for one.
  std::int64_t reading_evaluations = 0;
  std::int64_t projections = 0;             ///< onto the slow manifold, during the run
  std::int64_t projection_evaluations = 0;  ///< of the force, for them
  double step = 0.0;  ///< constant step used [s]; 0: the method chose its steps

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
  /// max |I - I(start)| over the same, by name, in the invariant's own unit.
  std::vector<std::pair<std::string, double>> invariant_errors;

  std::vector<StatisticResult> statistics;  ///< of RunOptions::samplers, in their order

  std::vector<std::string> redundant;  ///< constraints that follow from the others
  Moved moved;                         ///< what the start had to change
  std::vector<EventRecord> events;
  std::vector<std::string> notes;  ///< what else a user should know
  double wall_seconds = 0.0;       ///< of the integration with its output, without writing files

  /// Whether the run ended as it should.
  [[nodiscard]] bool good() const {
    return status == Status::ok || status == Status::stopped_by_event;
  }
};

}  // namespace taut
