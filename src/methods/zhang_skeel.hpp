// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "core/kkt.hpp"
#include "methods/zhang_skeel_simplified.hpp"

namespace taut {

/// Zhang and Skeel's method for  M v' = -∇V(x, t),  x' = v,  M constant: velocity Verlet with
///
///   (M + b ∇²V(x)) a = -∇V(x),      b = β h²                                                 (1)
///   F = a - b²/2 M⁻¹ ∇³V(x)[a, a]                                                            (2)
///
/// M F is minus the gradient of  V - b/2 ∇Vᵀ (M + b ∇²V)⁻¹ ∇V, the potential V without the
/// stiffness that a step of h cannot resolve: the step is symplectic, though it solves linear
/// equations only.
///
/// Order 2, symmetric, symplectic; linearly stable for every step where β >= 1/4. Cost: one
/// evaluation of f and K, one of third derivatives, one factorisation per step. Fails where the
/// matrix of (1) is not positive definite (see ShiftedStiffness): stiff springs b/C >> 1 away from
/// their length; the state is then as it was before the step. Forces given as [[force]] add to K
/// but not to the third derivatives: with them it is symplectic only where they are linear in x.
/// Reference: zhang1997, tao2016 (3).
class SymplecticFilter {
 public:
  static constexpr MethodInfo info{
      .name = "zhang-skeel",
      .order = 2,
      .symmetric = true,
      .symplectic = true,
      .derivatives = true,
      .about = "symplectic and linearly implicit: coarse steps over moderately stiff springs",
      .cite = "zhang1997"};

  explicit SymplecticFilter(double beta) : linear_{beta} {}

  [[nodiscard]] Status start(const System& system, const State& state, Counters& counters);
  [[nodiscard]] Status operator()(const System& system, const State& at, double h, Vec& a,
                                  Counters& counters);
  [[nodiscard]] const std::string& message() const { return linear_.message(); }

 private:
  [[nodiscard]] Status third(const System& system, const State& at, const Vec& a);

  SimplifiedFilter linear_;
  Kkt mass_;  // no constraints: holds the factors of M
  Evaluation ev_;
  Vec third_;  // M⁻¹ ∇³V[a, a]
};

using ZhangSkeel = FilteredVerlet<SymplecticFilter>;

}  // namespace taut
