// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "taut/core/note.hpp"
#include "taut/core/state.hpp"
#include "taut/methods/method_info.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// A method and why it was taken.
struct MethodChoice {
  std::string name;
  Note reason;
};

/// The method for a user who names none.
///
/// With a constant step: RATTLE where there are rigid constraints; else Verlet where it fits, else
/// RK4. Otherwise Automatic: Dormand-Prince 8(5,3) as long as nothing is stiff, Radau IIA where
/// compliant constraints vibrate fast or where stability turns out to bound the steps.
[[nodiscard]] MethodChoice choose_method(const System& system, const State& start, double until,
                                         bool constant_step);

/// A constant step and why it was taken.
struct StepChoice {
  double step = 0.0;
  Note reason;
};

/// The step for a user who names a stepping method and no step: 1/40 of the period of the fastest
/// vibration (or growth) about the start, and at most 1/1000 of the time span. Some 1e-3 relative
/// error per radian for a method of second order. `over_stiffness`: the vibrations of compliant
/// constraints are not counted, for a method that steps over them.
[[nodiscard]] StepChoice choose_step(const System& system, const State& start, double until,
                                     bool over_stiffness = false);

/// Whether a method of constant steps is meant for steps that do not resolve the vibrations of
/// compliant constraints.
[[nodiscard]] bool steps_over_stiffness(const MethodInfo& method);

/// The same for a slow reading, which has no fast vibration: 1/1000 of the time span.
[[nodiscard]] StepChoice choose_slow_step(const State& start, double until);

}  // namespace taut
