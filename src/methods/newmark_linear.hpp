// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

#include "methods/newmark.hpp"

namespace taut {

/// Newmark's method with one Newton iteration, for comparison with methods that are linearly
/// implicit by design:
///
///   (M + b K(q0)) δ = f(q0, t1) - M a,      a = (q0 - c) / b,   b = β h²                     (1)
///   a1 = a + δ,   q1 = c + b a1,            c = q0 + h v0 + h² (1/2 - β) a0                  (2)
///   v1 = v0 + h ((1 - γ) a0 + γ a1)                                                          (3)
///
/// Order 2 for γ = 1/2, neither symmetric nor symplectic: energy drifts. a0 is memory: M a0 is not
/// f(q0). Cost: one evaluation of f and K and one factorisation per step. Fails where M + b K is
/// not positive definite (see ShiftedStiffness) or a force is not finite; the state is then as it
/// was before the step. Reference: tao2016 (section 4.1).
class NewmarkLinear {
 public:
  static constexpr MethodInfo info{
      .name = "newmark-linear",
      .order = 2,
      .derivatives = true,
      .about = "Newmark's method with one Newton iteration, for comparison: its energy drifts",
      .cite = "tao2016"};

  static constexpr std::span reads{newmark_options};
  static NewmarkLinear made_of(const MethodOptions& given) {
    return NewmarkLinear{NewmarkOptions::made_of(given)};
  }

  explicit NewmarkLinear(NewmarkOptions options = {})
      : options_{options}, acceleration_{options.beta} {}

  [[nodiscard]] Status start(const System& system, const State& state);
  [[nodiscard]] Status step(const System& system, double h, State& s);
  void archive(Archive& archive);

  /// Why start() refused the system or a step failed.
  [[nodiscard]] const std::string& message() const {
    return refusal_.empty() ? acceleration_.message() : refusal_;
  }

  Counters counters;

 private:
  NewmarkOptions options_;
  ImplicitAcceleration acceleration_;
  Vec a0_, a1_;  // a0_: of (2) in the last step
  State next_;
  std::string refusal_;
};

}  // namespace taut
