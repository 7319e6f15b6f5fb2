// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

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

/// RATTLE for  M v' = f(q, t) - G(q, t)ᵀλ,  q' = v,  g(q, t) = 0,  M constant:
///
///   v½ = v0 + h/2 M⁻¹ (f(q0) - G(q0)ᵀλ)      with λ such that  g(q1, t1) = 0                 (1)
///   q1 = q0 + h v½                                                                           (2)
///   v1 = v½ + h/2 M⁻¹ (f(q1) - G(q1)ᵀμ)      with μ such that  G(q1) v1 + g_t = 0            (3)
///
/// and where M depends on q or f on v, in the momenta p = T_v(q, v) and F = T_q - U_q + applied:
///
///   p½ = p0 + h/2 (F(q0, va) - G(q0)ᵀλ)      with  T_v(q0, va) = p½ = T_v(q1, vb)            (4)
///   q1 = q0 + h/2 (va + vb)                  and λ such that  g(q1, t1) = 0                  (5)
///   p1 = p½ + h/2 (F(q1, vb) - G(q1)ᵀμ)      with μ such that  G(q1) v1 + g_t = 0            (6)
///
/// Conditions on velocities, A(q, t) v + b(q, t) = 0, have one multiplier in both halves of a step,
/// so that it is the same seen from its end:
///
///   -A(q0)ᵀν h/2 in (1) or (4),  -A(q1)ᵀν h/2 in (3) or (6),  with ν such that A(q1) v1 + b = 0
///   (7)
///
/// Order 2, symmetric, symplectic on the constraint manifold (where forces have a potential, and
/// without (7)). Cost: one force evaluation and one factorisation per step, the one at q1, which
/// also finds the next λ; (4) and (5) are solved by iteration to rounding and cost some five
/// evaluations more; for (7) all of it is repeated, three or four times.
/// Fails when no λ or ν is found near; the state is then as it was before the step.
/// Reference: andersen1983, jay1996; hairer2006 (VII.1.26) for (4)-(6); mclachlan2006 for (7).
class Rattle {
 public:
  static constexpr MethodInfo info{
      .name = "rattle",
      .order = 2,
      .symmetric = true,
      .symplectic = true,
      .constraints = true,
      .variable_mass = true,
      .velocity_forces = true,
      .velocity_rows = true,
      .about = "RATTLE: constraints and their velocities hold exactly, no energy drift",
      .cite = "andersen1983"};

  explicit Rattle(Projection projection = Projection{}) : projection_{std::move(projection)} {}

  [[nodiscard]] Status start(const System& system, const State& state);
  [[nodiscard]] Status step(const System& system, double h, State& s);
  void archive(Archive& archive);

  /// Why start() refused the system.
  [[nodiscard]] const std::string& message() const { return message_; }

  Counters counters;

 private:
  [[nodiscard]] Status refresh(const System& system, const State& s);
  /// Evaluation and factorisation at q0.
  struct Begin {
    const Evaluation& ev;
    const Kkt& kkt;
  };
  [[nodiscard]] Status both_halves(const System& system, double h, const State& s, Begin q0);
  [[nodiscard]] Status positions(const System& system, double h, const State& s, Begin q0);
  [[nodiscard]] Status positions_in_momenta(const System& system, double h, const State& s,
                                            Begin q0);
  [[nodiscard]] Status newton_in_momenta(const System& system, double h, const State& s, Begin q0);
  [[nodiscard]] Status velocities(const System& system, double h);
  [[nodiscard]] Status factor();

  // (7): rattle_rolling.cpp
  void start_rolling(const System& system);
  [[nodiscard]] Status roll(const System& system, double h, const State& s);
  [[nodiscard]] Status factor_places();
  void improve_rolling(bool know_more);

  Projection projection_;
  MultiplierPrediction prediction_;
  Kkt kkt_;                  // factorised at q0 on entry to every step,
  Evaluation ev_;            // which holds f or F, G (and M, p) there
  Evaluation at_;            // of the iteration (4)
  bool in_momenta_ = false;  // (4)-(6)
  bool current_ = false;     // kkt_ and ev_ are those of the state
  Vec no_compliance_, lambda_, s_, r_, x_, y_;
  Vec p0_, va_;
  State next_;  // its v is v½, vb and v1 in turn
  struct Rolling {
    std::vector<Index> rows;  // equations of conditions on velocities
    Evaluation ev;            // at q0
    Kkt kkt;                  // there, of what says something of places:
    Sparse G;                 // other rows are left out,
    Vec rest;                 // and 1 stands for them
    // ν of the first half less that of the second, and Broyden's method for it
    Vec left, left_before, moved, product;
    Mat inverse;
    Vec v_before;  // v1
  } rolling_;
  std::string message_;
};

}  // namespace taut
