// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/kkt.hpp"
#include "core/random.hpp"
#include "projections/projection.hpp"
#include "taut/methods/method.hpp"
#include "taut/model/heat_bath.hpp"

namespace taut {

/// The geometric Langevin algorithm around any method of constant steps, for
///
///   M dv = (f - Gᵀλ) dt - Γ M v dt + sqrt(2 kT Γ M) dW,    q' = v,    g(q, t) = 0 (1)
///
/// One step of the method, then the exact flow of friction and noise over h, then the velocities
/// back onto the rigid constraints:
///
///   (q1, v)  <-  Φ_h(q0, v0)                                                                  (2)
///   v        <-  c v + sqrt(kT (1 - c²)) R⁻ᵀ ξ,      c = exp(-Γ h),   M = R Rᵀ (3) v1       =   v
///   - M⁻¹Gᵀμ   with μ such that  G(q1) v1 + g_t = 0                             (4)
///
/// ξ are independent standard normal numbers, a function of the seed, the number of the step and
/// the coordinate (NormalNumbers): the same run has the same bits, interrupted or not.
///
/// `friction`: Γ is one rate for all coordinates, M may be anything Φ treats. (3) and (4) then keep
/// the constrained distribution of velocities exactly. `drag` [kg/s]: Γ = drag M⁻¹ for constant
/// diagonal M, as in (27) of tao2016; without constraints this is as exact, with constraints (4)
/// leaves an error of O(drag h / m) in the temperature.
///
/// Where Φ is symplectic of order p, averages in equilibrium are in error by O(h^p) however large
/// the noise is; single paths converge with order 1. Rows with C > 0 are springs whose velocities
/// are warm like all others; only rows with C = 0 are projected. SHAKE becomes RATTLE by (4) and
/// costs twice as much. Cost besides Φ: one normal number per coordinate and, with rigid rows, one
/// evaluation of G with a factorisation.
///
/// Fails as Φ does, and with not_supported where Φ chooses its own steps, h < 0, or M does not fit
/// `drag`; the state is then as before. Reference: bourabee2010.
class Langevin {
 public:
  static constexpr MethodInfo info{
      .name = "langevin",
      .order = 1,
      .thermal = true,
      .about =
          "a method of constant steps in a heat bath: exact friction and noise after each step",
      .cite = "bourabee2010"};

  Langevin(Method method, const HeatBath& bath);

  /// What is left of the claims of the method within.
  [[nodiscard]] MethodInfo claims() const;

  [[nodiscard]] Status start(const System& system, const State& state);
  [[nodiscard]] Status step(const System& system, double h, State& s);
  void archive(Archive& archive);

  [[nodiscard]] bool knows_multipliers() const { return method_->knows_multipliers(); }
  [[nodiscard]] Status multipliers(const System& system, const State& at, Vec& a, Vec& lambda);

  /// Why it refused a system or a step, or what the method says.
  [[nodiscard]] std::string message() const;
  [[nodiscard]] std::string used() const { return method_->used() + " with Langevin noise"; }
  [[nodiscard]] std::vector<Note> notes() const { return method_->notes(); }

  Counters counters;

 private:
  [[nodiscard]] std::string refusal(const Structure& structure) const;
  [[nodiscard]] Status factor(const State& at);
  void decay(double h);
  [[nodiscard]] Status warm(double h);
  void count();

  Method method_;
  HeatBath bath_;
  NormalNumbers normal_;
  std::int64_t n_ = 0;   // steps taken: the number of the noise
  bool astray_ = false;  // method_ stands at the end of a step that failed here

  System rigid_;  // the system without its compliant rows
  Kkt kkt_;
  Projection projection_;
  Evaluation ev_;
  Counters own_;    // work of (3) and (4)
  double h_ = 0.0;  // of c_ and noise_
  Vec c_, noise_;   // c and sqrt(kT (1 - c²)), by coordinate
  Vec xi_, kick_, no_compliance_;
  State next_;
  std::string message_;
};

}  // namespace taut
