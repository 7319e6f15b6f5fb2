// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "recipe.hpp"
#include "taut/core/state.hpp"

namespace taut::papers::slow_manifolds {

/// Section 6 computes the slow solution of the double pendulum from (31)-(32) until here.
inline constexpr double until = 10.0;

/// Where a run has ended, at what cost; NaN where it failed.
struct Ended {
  State state;
  std::int64_t evaluations = 0;
  double iterations_per_projection = 0.0;  ///< 0 without projections
};

/// The Adams code with (RelTol, AbsTol) = (tol, tol/1000), on the force that is written by hand;
/// `projecting`: the state is projected at t = 1, 2, ..., 9.
[[nodiscard]] Ended run_adams(double omega, const State& from, double tol, bool projecting = false);

/// What errors are measured against, as section 6 says: the Adams code from the projected start
/// with RelTol = 1e-12, AbsTol = 1e-14.
[[nodiscard]] State slow_solution(double omega);

/// RATTLE on the DAE with steps H from (31)-(32).
[[nodiscard]] Ended run_rattle(double H);

/// What phi = (p, acceleration) is in (38).
enum class Acceleration {
  at_point,  ///< of the projected point, as it is printed
  averaged,  ///< over the last micro-solution with the weights of the filter, free of charge
};

/// Section 6.5: the classical Runge-Kutta method with a projection before each evaluation,
///
///   Z¹ = P z,  Z² = P(z + H/2 φ(Z¹)),  Z³ = P(z + H/2 φ(Z²)),  Z⁴ = P(z + H φ(Z³))
///   z ← P z + H/6 (φ(Z¹) + 2φ(Z²) + 2φ(Z³) + φ(Z⁴))                                          (38)
[[nodiscard]] Ended run_projected_rk4(double omega, double H, Acceleration acceleration);

}  // namespace taut::papers::slow_manifolds
