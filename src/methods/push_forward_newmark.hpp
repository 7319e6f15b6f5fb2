// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "methods/filtered_verlet.hpp"
#include "methods/implicit_acceleration.hpp"

namespace taut {

/// Push-forward Newmark for  M v' = f(x, t),  x' = v,  M constant: velocity Verlet with the
/// acceleration a at x for which
///
///   M a = f(x + b a, t),      b = β h²                                                       (1)
///
/// Where f = -∇V, M a is minus the gradient of the Moreau envelope  min_y V(y) + |y - x|²_M / 2b,
/// so that the step is symplectic. It is Newmark's method (γ = 1/2) in the variable x = y - b a.
///
/// Order 2, symmetric, symplectic; linearly stable for every step where β >= 1/4. Cost: three to
/// five evaluations of f and K with their factorisations per step. Fails where Newton's iteration
/// on (1) does (see ImplicitAcceleration); the state is then as it was before the step.
/// Reference: tao2016 (14); kane2000, skeel1997.
class EnvelopeFilter {
 public:
  static constexpr MethodInfo info{
      .name = "push-forward-newmark",
      .order = 2,
      .symmetric = true,
      .symplectic = true,
      .derivatives = true,
      .about = "Newmark's method in its canonical variable: stable coarse steps, Newton solves",
      .cite = "tao2016"};

  explicit EnvelopeFilter(double beta) : acceleration_{beta} {}

  [[nodiscard]] Status start(const System& system, const State& state, Counters& counters);
  [[nodiscard]] Status operator()(const System& system, const State& at, double h, Vec& a,
                                  Counters& counters);
  [[nodiscard]] const std::string& message() const {
    return refusal_.empty() ? acceleration_.message() : refusal_;
  }

 private:
  ImplicitAcceleration acceleration_;
  Vec a_;
  std::string refusal_;
};

using PushForwardNewmark = FilteredVerlet<EnvelopeFilter>;

}  // namespace taut
