// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "methods/filtered_verlet.hpp"
#include "methods/shifted_stiffness.hpp"

namespace taut {

/// Zhang and Skeel's method without its third derivatives, for  M v' = f(x, t),  x' = v,  M
/// constant: velocity Verlet with the acceleration
///
///   (M + b K(x)) a = f(x, t),      b = β h²,  K = -f_x                                       (1)
///
/// the first step of Newton's iteration for push-forward Newmark.
///
/// Order 2, symmetric, volume preserving, not symplectic; linearly stable for every step where
/// β >= 1/4. Cost: one evaluation of f and K and one factorisation per step. Fails where M + b K is
/// not positive definite (see ShiftedStiffness) or a force is not finite; the state is then as it
/// was before the step. Reference: zhang1997; tao2016 (18).
class SimplifiedFilter {
 public:
  static constexpr MethodInfo info{
      .name = "zhang-skeel-simplified",
      .order = 2,
      .symmetric = true,
      .derivatives = true,
      .about = "Zhang-Skeel without third derivatives: one linear solve, reversible only",
      .cite = "tao2016"};

  explicit SimplifiedFilter(double beta) : matrix_{beta} {}

  [[nodiscard]] Status start(const System& system, const State& state, Counters& counters) {
    return start(info, system, state, counters);
  }
  /// The same in the name of another method.
  [[nodiscard]] Status start(const MethodInfo& method, const System& system, const State& state,
                             Counters& counters);
  [[nodiscard]] Status operator()(const System& system, const State& at, double h, Vec& a,
                                  Counters& counters);

  [[nodiscard]] double b(double h) const { return matrix_.b(h); }
  [[nodiscard]] const std::string& message() const { return message_; }

 private:
  ShiftedStiffness matrix_;
  Evaluation ev_;
  std::string message_;
};

using ZhangSkeelSimplified = FilteredVerlet<SimplifiedFilter>;

}  // namespace taut
