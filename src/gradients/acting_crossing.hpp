// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "gradients/linearised_forces.hpp"
#include "gradients/saltation.hpp"
#include "gradients/sensitivities.hpp"
#include "gradients/switch_sides.hpp"

namespace taut {

/// Where a motion is not smooth: a switch changes its side, or an event acts.
struct MotionBreak {
  double t = 0.0;
  const EventRecord* event = nullptr;
  bool several = false;  ///< more than one event acts
  SideChange change{};
};
/// In order of time, before the end; where an event acts, what switches do follows from that.
[[nodiscard]] std::vector<MotionBreak> breaks_of(const MotionToDifferentiate& motion);

/// Lets events act on states, as a run does, and finds what that does to columns. Of models without
/// constraints, whose events change coordinates, velocities and first-order states by what these
/// are: else it is said why not.
class ActingCrossing {
 public:
  ActingCrossing(const CompiledModel& model, const WideSystem& wide, LinearisedForces& forces,
                 SwitchSides& sides);

  /// Why motions of such a model have no derivatives; empty where they have.
  [[nodiscard]] static std::string refusal(const CompiledModel& model);
  /// Whatever happens at a break: `state` is behind it afterwards.
  [[nodiscard]] Status cross(const MotionBreak& at, State& state, Saltation& saltation,
                             std::string& why);

 private:
  [[nodiscard]] Status act(const EventRecord& event, State& state, Saltation& saltation,
                           std::string& why);

  const CompiledModel& model_;
  const WideSystem& wide_;
  LinearisedForces& forces_;
  SwitchSides& sides_;
  Evaluation values_;
};

}  // namespace taut
