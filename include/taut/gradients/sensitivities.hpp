// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "taut/core/status.hpp"
#include "taut/core/types.hpp"
#include "taut/simulation/simulate.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// Derivatives of a motion at an instant, one column for each name it was differentiated by.
struct SensitivityRow {
  double t = 0.0;
  Mat q, v, a;
  Mat lambda;    ///< of all constraints of the model
  Mat quantity;  ///< of outputs and quantities of elements
};

/// Of an event that happened.
struct EventSensitivity {
  std::string name;
  double t = 0.0;
  Vec time;  ///< derivatives of the time at which it happens; NaN where it has none
  Mat q, v;  ///< of the state there: along the motion and with that time
};

/// Exact derivatives of a motion by parameters, inputs and start values: solutions of the
/// linearised equations of motion on the constraints, their errors controlled with those of the
/// motion. Derivatives of the motion itself, whatever method has computed it.
struct Sensitivities {
  std::vector<std::string> names;  ///< what the motion is differentiated by
  Status status = Status::ok;
  std::string message;               ///< why they end before the motion does; rows behind are NaN.
                                     ///< Where they are good: events whose times have none
  std::string method;                ///< that has solved them
  std::vector<SensitivityRow> rows;  ///< one for each row of the motion
  std::vector<EventSensitivity> events;
  SensitivityRow end;  ///< at the end of the run

  [[nodiscard]] bool good() const { return status == Status::ok; }
};

/// What a motion may be differentiated by: parameters, inputs (which are held), and the start as it
/// is stated, start(NAME) with the name of a coordinate, a velocity or a first-order state.
[[nodiscard]] std::vector<std::string> names_to_differentiate_by(const CompiledModel& model);

/// A run with its derivatives. Its motion has them as outputs, d(WHAT)/d(NAME), WHAT as columns of
/// the motion are called: coordinates, velocities, lambda(CONSTRAINT), outputs, quantities.
struct DifferentiatedRun {
  Result result;
  Sensitivities sensitivities;

  /// The column d(what)/d(name) of the motion; a constraint may be called by its name alone. Throws
  /// ModelError, with the nearest name, where there is none.
  [[nodiscard]] Column column(std::string_view what, std::string_view name) const;
};

/// Carries a plan out and differentiates its motion by these names; "start" stands for all start
/// values. What cannot be differentiated at all goes to `problems`; derivatives that end before the
/// motion does are a result, with a message.
///
/// What counts as the motion: fixed times, not the ends that events make of it (EventSensitivity
/// has these). Stated starts that are consistent are differentiated exactly; those that were moved
/// onto the constraints or onto smooth motion by differences of starts, to some ten digits.
[[nodiscard]] DifferentiatedRun differentiate(Plan plan, const std::vector<std::string>& names,
                                              Problems& problems);

/// The same for a model; throws ModelError with all mistakes.
[[nodiscard]] DifferentiatedRun differentiate(const Model& model, const SimulationOptions& options,
                                              const std::vector<std::string>& names);

}  // namespace taut

#pragma GCC visibility pop
