// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "taut/methods/registry.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/start.hpp"
#include "taut/readings/with_force.hpp"
#include "taut/run/summary.hpp"
#include "taut/simulation/options.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// A model in which everything that options say is settled, and its system.
struct PreparedModel {
  Model model;
  CompiledModel compiled;
  Reading reading;
  /// The reading, or what the slow and averaged ones are made of; compliant constraints are rows
  /// with C > 0. Of a model with [jets] there is none.
  System system;
  bool omega_given = false;  ///< among the options or in [run], not as a parameter alone
};

/// Applies the options to the model, compiles it and reads it. Mistakes of both go to `problems`
/// together; the result may only be used when there is none.
[[nodiscard]] PreparedModel prepare(Model model, const SimulationOptions& options,
                                    Problems& problems);

/// The same model with other values of some parameters.
[[nodiscard]] PreparedModel with_values(const PreparedModel& prepared,
                                        const std::vector<std::pair<std::string, double>>& values,
                                        Problems& problems);

/// The same with one more force, which is a function: of with_force() in
/// taut/readings/with_force.hpp, which says what is refused.
[[nodiscard]] PreparedModel with_force(const PreparedModel& prepared, const BlackBoxForce& force);

/// Of a model with [jets]: the form whose curve is followed.
struct CurvePlan {
  FormChoice choice;
  CurveEvents events;
  FollowOptions options;
};

/// Everything about a run that is settled before it begins; what `taut check` prints. A plain
/// value, to be looked at and to be handed to simulate().
struct Plan {
  PreparedModel prepared;
  SimulationOptions asked;
  System system;  ///< what the method integrates
  Start start;    ///< where it begins; a start that failed is the failure of the run
  MethodInfo method;
  Note reason;  ///< why this method; empty when it was asked for
  MethodOptions method_options;
  std::optional<HeatBath> bath;
  RunOptions run;
  std::vector<Note> notes;             ///< what else was chosen, and why
  std::optional<bool> error_estimate;  ///< whether global errors are estimated; absent: not said
  std::optional<CurvePlan> curve;      ///< of a model with [jets]; then there is no system

  /// Tolerance of a method that chooses its steps; 0: they are constant.
  [[nodiscard]] double tolerance() const;

  /// A run that can be cancelled, and says how far it has come.
  void watch(const std::atomic<bool>* cancel, std::function<void(const Progress&)> progress);

  /// What the bits of the run depend on.
  [[nodiscard]] RunIdentity identity() const;

  /// The run leaves checkpoints in `file` every so many seconds of wall time, and goes on from the
  /// one that is there if `resume`. What is wrong with that one, or nothing; that there is none is
  /// a note.
  [[nodiscard]] std::string keep_checkpoints(const std::string& file, double seconds, bool resume);
};

/// Settles reading, method, system, start and steps. Mistakes go to `problems`; the plan may only
/// be used when there is none.
[[nodiscard]] Plan plan(const Model& model, const SimulationOptions& options, Problems& problems);
[[nodiscard]] Plan plan(PreparedModel prepared, const SimulationOptions& options,
                        Problems& problems);

/// The same; throws ModelError with all mistakes.
[[nodiscard]] Plan plan(const Model& model, const SimulationOptions& options = {});

/// A model with [jets] that has fewer equations than unknowns determines nothing: that goes to
/// `problems`.
void check_determined(const PreparedModel& prepared, Problems& problems);

/// "methods that fit: " and their names.
[[nodiscard]] std::string methods_that_fit(const Structure& structure);

/// Why a method does not fit a prepared model with its heat bath and its statistics; empty where it
/// does.
[[nodiscard]] Note why_not(const MethodInfo& method, const PreparedModel& prepared);

}  // namespace taut

#pragma GCC visibility pop
