// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "core/kkt.hpp"
#include "taut/core/archive.hpp"
#include "taut/core/counters.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/methods/method_info.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// Velocity Verlet (Störmer, leapfrog) for  M v' = f(q, t),  q' = v,  M constant.
///
///   v½ = v0 + h/2 M⁻¹ f(q0, t0)                                                              (1)
///   q1 = q0 + h v½                                                                           (2)
///   v1 = v½ + h/2 M⁻¹ f(q1, t1)                                                              (3)
///
/// Order 2, symmetric, symplectic; one force evaluation per step. Stable for h ω < 2 with ω the
/// largest frequency of M⁻¹K. Fails when a force is not finite; the state is then as it was before
/// the step. Refuses rigid constraints, M(q), and forces that depend on v.
/// Reference: verlet1967.
class Verlet {
 public:
  static constexpr MethodInfo info{
      .name = "verlet",
      .order = 2,
      .symmetric = true,
      .symplectic = true,
      .about = "velocity Verlet: explicit, for free motion and stiff springs with h omega < 2",
      .cite = "verlet1967"};

  [[nodiscard]] Status start(const System& system, const State& state);
  [[nodiscard]] Status step(const System& system, double h, State& s);
  void archive(Archive& archive);

  /// Why start() refused the system.
  [[nodiscard]] const std::string& message() const { return message_; }

  Counters counters;

 private:
  [[nodiscard]] Status acceleration(const System& system, const State& at, Vec& a);

  Kkt mass_;  // no constraints: holds the factors of M
  Evaluation ev_;
  Vec a0_, a1_;  // a0_ = M⁻¹ f(q0, t0) on entry to every step
  State next_;
  std::string message_;
};

}  // namespace taut
