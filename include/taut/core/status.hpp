// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#pragma GCC visibility push(default)

namespace taut {

/// How a numerical operation ended. Everything but `ok` leaves the caller's state untouched; each
/// enumerator has its sentence and its hint in one list (status.cpp).
enum class Status : unsigned char {
  ok,
  non_finite,              ///< a force, energy or constraint gave NaN or infinity
  mass_singular,           ///< M(q) is not positive definite
  singular_matrix,         ///< the linear equations of a step have no unique solution
  constraints_contradict,  ///< dependent constraints that cannot hold together
  projection_diverged,     ///< Newton on g = 0 left the neighbourhood of its start
  iteration_limit,         ///< an iteration used all its steps without converging
  step_too_small,          ///< error control asked for a step below the resolution of t
  step_limit,              ///< the run used all steps it was allowed
  time_limit,              ///< the run used all wall time it was allowed
  cancelled,               ///< stopped from outside (Ctrl-C)
  stopped_by_event,        ///< an event of the model asked to stop: a good ending
  not_supported,           ///< the method cannot treat this system
  solver_failed,           ///< an external solver gave up; its own message goes with it
  indefinite_matrix,       ///< M + b K of a linearly implicit step is not positive definite
  impasse,                 ///< a solution does not go on in x: its derivatives have no bound
  unstable,                ///< the motion left all bounds: the step is too long for the method
  stalled,                 ///< a switch goes to and fro without end: the time stands still
  discontinuous,           ///< a constraint or a potential energy jumps: a force without bound
  invalid_argument,        ///< what a caller gave cannot be meant: nothing was computed
  accumulating,     ///< events that act come one upon another without end: the time stands still
  energy_not_kept,  ///< a model that keeps its energy lost or gained as much as it moves with
  multipliers_undetermined,  ///< forces that read multipliers leave them no value, or several
  multipliers_redundant,     ///< a multiplier that is read is not determined by the motion
};

/// What happened, as one sentence without a full stop.
[[nodiscard]] std::string_view sentence(Status status);

/// What to try, as one sentence without a full stop; empty where nothing needs mending.
[[nodiscard]] std::string_view hint(Status status);

/// The enumerator's name, as it stands in summary.json ("done" for `ok`).
[[nodiscard]] std::string_view name(Status status);

}  // namespace taut

#pragma GCC visibility pop
