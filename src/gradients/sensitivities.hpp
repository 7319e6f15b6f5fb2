// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gradients/wide_system.hpp"
#include "taut/gradients/sensitivities.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/start.hpp"
#include "taut/run/events.hpp"
#include "taut/run/run_options.hpp"

namespace taut {

/// What a motion is differentiated by: a parameter, an input that is held, or a stated start value,
/// start(NAME) with the name of a coordinate, a velocity or a first-order state.
struct Variable {
  enum class Kind : unsigned char { parameter, input, start_q, start_v };
  std::string name;
  Kind kind = Kind::parameter;
  int index = 0;
};

/// By their names; "start" stands for all start values. What there is not goes to `problems`, with
/// what is near.
[[nodiscard]] std::vector<Variable> variables(const std::vector<std::string>& names,
                                              const CompiledModel& model, Problems& problems);

/// A motion that was computed, to be differentiated.
struct MotionToDifferentiate {
  const CompiledModel& model;
  System system;  ///< what was integrated
  Start start;
  double until = 0.0;  ///< where it ended
  State end;           ///< there; empty: not known
  double tol = 1e-8;
  bool stiff = false;         ///< compliant rows are equations, not springs
  bool smooth_start = false;  ///< it was put onto smooth motion, however little that moved it
  std::vector<double> rows;
  std::vector<SideChange> changes;
  std::vector<EventRecord> events;
  /// Where a run begins whose model has these parameters, and whose stated start is moved so.
  std::function<std::optional<State>(std::span<const ParameterValue>, const Vec& dq, const Vec& dv)>
      start_of;
  const std::atomic<bool>* cancel =
      nullptr;  ///< the derivatives end after the step in which it is set
};

/// What of a plan has no derivatives here.
void check_differentiable(const Plan& plan, Problems& problems);
/// What of a run that events change has none.
void check_events(const Result& run, Problems& problems);
/// Likewise of how it reads the constraints.
void check_reading(const Plan& plan, const std::vector<Variable>& by, Problems& problems);

/// Of a run whose start was found; it must outlive this.
[[nodiscard]] MotionToDifferentiate motion_to_differentiate(const Result& run,
                                                            const std::vector<SideChange>& changes);

/// What `by` is made of: numbers of parameters and inputs of a WideSystem, and of each the e that
/// it is; -1: none.
struct WideColumns {
  std::vector<int> parameters, inputs, column_of;
};
[[nodiscard]] WideColumns wide_columns(const std::vector<Variable>& by);
/// Rigid rows have no derivatives by their compliance.
void check_rigid(const WideSystem& wide, Problems& problems);

/// What can be said before the run goes to `problems`, the rest is Sensitivities::message.
[[nodiscard]] Sensitivities differentiate(const MotionToDifferentiate& motion,
                                          const std::vector<Variable>& by, Problems& problems);

}  // namespace taut
