// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "methods/implicit_acceleration.hpp"
#include "taut/core/archive.hpp"
#include "taut/core/counters.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/methods/method_info.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// The implicit midpoint rule for  M v' = f(q, t),  q' = v,  M constant:
///
///   M a = f(q½, t½),      q½ = q0 + h/2 v0 + h²/4 a                                          (1)
///   q1 = q0 + h v0 + h²/2 a                                                                  (2)
///   v1 = v0 + h a                                                                            (3)
///
/// Order 2, symmetric, symplectic; linearly stable for every step. Cost: three to five evaluations
/// of f and K with their factorisations per step. Fails where Newton's iteration on (1) does (see
/// ImplicitAcceleration), which nonlinear stiff springs bring about at coarse steps; the state is
/// then as it was before the step.
/// Reference: hairer2006 (II.1.1, VI.4).
class Midpoint {
 public:
  static constexpr MethodInfo info{
      .name = "midpoint",
      .order = 2,
      .symmetric = true,
      .symplectic = true,
      .derivatives = true,
      .about = "implicit midpoint rule with Newton solves, for comparison",
      .cite = "hairer2006"};

  [[nodiscard]] Status start(const System& system, const State& state);
  [[nodiscard]] Status step(const System& system, double h, State& s);
  void archive(Archive& archive);

  /// Why start() refused the system or a step failed.
  [[nodiscard]] const std::string& message() const {
    return refusal_.empty() ? acceleration_.message() : refusal_;
  }

  Counters counters;

 private:
  ImplicitAcceleration acceleration_{0.25};
  Vec a_;
  State half_;
  std::string refusal_;
};

}  // namespace taut
