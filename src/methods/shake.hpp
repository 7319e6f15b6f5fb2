// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>

#include "core/kkt.hpp"
#include "methods/multiplier_prediction.hpp"
#include "projections/projection.hpp"
#include "taut/core/archive.hpp"
#include "taut/core/counters.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/methods/method_info.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// SHAKE for  M v' = f(q, t) - G(q, t)ᵀλ,  q' = v,  g(q, t) = 0,  M constant, as a one-step map:
///
///   v½ = v0 + h/2 M⁻¹ (f(q0) - G(q0)ᵀλ0)     with λ0 such that  g(q1, t1) = 0                (1)
///   q1 = q0 + h v½                                                                           (2)
///   v1 = v½ + h/2 M⁻¹ (f(q1) - G(q1)ᵀλ1)     with λ1 such that  g(q2, t2) = 0,               (3)
///   q2 = q1 + h (v½ + h M⁻¹ (f(q1) - G(q1)ᵀλ1))                                              (4)
///
/// so that v1 = (q2 - q0) / 2h, SHAKE's velocity. λ1 is the λ0 of the next step: (4) is kept, and
/// each step of a run with constant h solves for one multiplier only.
///
/// Positions are those of RATTLE. Velocities are not: they keep G v + g_t = O(h²), not zero, so
/// that the map leaves the tangent bundle of the constraints, and no claim of symplecticity is made
/// for it in (q, v). Order 2; symmetric on its own velocities, that is from the first step on. One
/// force evaluation and one factorisation per step. Fails when no λ is found near; the state is
/// then as it was before the step. Refuses M(q), and forces that depend on v.
/// Reference: ryckaert1977.
class Shake {
 public:
  static constexpr MethodInfo info{
      .name = "shake",
      .order = 2,
      .symmetric = true,
      .constraints = true,
      .about = "SHAKE: positions of RATTLE, velocities as central differences",
      .cite = "ryckaert1977"};

  explicit Shake(Projection projection = Projection{}) : projection_{std::move(projection)} {}

  [[nodiscard]] Status start(const System& system, const State& state);
  [[nodiscard]] Status step(const System& system, double h, State& s);
  void archive(Archive& archive);

  /// Why start() refused the system.
  [[nodiscard]] const std::string& message() const { return message_; }

  Counters counters;

 private:
  [[nodiscard]] Status evaluate_and_factor(const System& system, const State& at);
  [[nodiscard]] Status look_ahead(const System& system, double h, double kick, const State& from,
                                  State& to);
  [[nodiscard]] Status try_step(const System& system, double h, const State& s);

  Projection projection_;
  MultiplierPrediction prediction_;
  Kkt kkt_;
  Evaluation ev_;
  Vec no_compliance_, lambda_, r_, a_;
  bool current_ = false;  // kkt_ and ev_ are those of the state
  bool ahead_ = false;    // next_ = (t1, q1, v½) for a step of h_ from the state
  double h_ = 0.0;
  State next_, after_;  // after_ = (t2, q2, v of (4))
  Vec v_;               // v1 of the last step
  std::string message_;
};

}  // namespace taut
