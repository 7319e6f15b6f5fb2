// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/adaptive_runge_kutta.hpp"

namespace taut {

/// Dormand and Prince's pair of order 5(4): six evaluations per step, dense output of order 4.
class DormandPrince54 : public AdaptiveRungeKutta {
 public:
  static constexpr MethodInfo info{
      .name = "dopri5",
      .order = 5,
      .adaptive = true,
      .constraints = true,
      .variable_mass = true,
      .velocity_forces = true,
      .velocity_rows = true,
      .about = "Dormand-Prince 5(4), projected onto the constraints: modest accuracy, not stiff",
      .cite = "dormand1980"};

  static constexpr StepControl control{.beta = 0.04};

  explicit DormandPrince54(AdaptiveOptions options = {})
      : AdaptiveRungeKutta{dormand_prince54_tableau, control, options} {}

  [[nodiscard]] Status start(const System& system, const State& state) {
    return AdaptiveRungeKutta::start(system, state, info);
  }
  [[nodiscard]] Status restart(const System& system, const State& state) {
    return AdaptiveRungeKutta::restart(system, state, info);
  }
};

/// Dormand and Prince's method of order 8(5,3): twelve evaluations per step, dense output of order
/// 7 for three more in steps where output is asked.
class DormandPrince853 : public AdaptiveRungeKutta {
 public:
  static constexpr MethodInfo info{
      .name = "dop853",
      .order = 8,
      .adaptive = true,
      .constraints = true,
      .variable_mass = true,
      .velocity_forces = true,
      .velocity_rows = true,
      .about = "Dormand-Prince 8(5,3), projected onto the constraints: high accuracy, not stiff",
      .cite = "hairer1993"};

  static constexpr StepControl control{.shrink = 0.333, .grow = 6.0};

  explicit DormandPrince853(AdaptiveOptions options = {})
      : AdaptiveRungeKutta{dormand_prince853_tableau, control, options} {}

  [[nodiscard]] Status start(const System& system, const State& state) {
    return AdaptiveRungeKutta::start(system, state, info);
  }
  [[nodiscard]] Status restart(const System& system, const State& state) {
    return AdaptiveRungeKutta::restart(system, state, info);
  }
};

}  // namespace taut
