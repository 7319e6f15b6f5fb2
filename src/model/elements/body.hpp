// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <numbers>

#include "model/elements/point.hpp"

namespace taut::elements {

// A rigid body as the position x of its centre of mass and a matrix R, whose columns r_1, r_2, r_3
// are the body's axes in space. A point p of the body is at x + R p, so that with the inertia
// tensor I about the centre, in these axes,
//
//   T = m/2 |x'|² + 1/2 Σ_ij J_ij r_i' . r_j',      J = ∫ p pᵀ dm = tr(I)/2 - I              (1)
//
// M is constant for every body. That R is a rotation is a constraint,
//
//   g_ii = (r_i . r_i - 1) / 2,    g_ij = r_i . r_j / √2 (i < j),    |g| = |RᵀR - 1|_F / 2   (2)
//
// whose compliance makes a spring of the energy ω²/8 |RᵀR - 1|_F². J is positive definite unless
// the body is flat; then r_3 across it carries no mass, and is not a coordinate but
//
//   r_3 = r_1 x r_2                                                                          (3)
//
// (and likewise for the other two). The multipliers of (2) are energies [N m], λ_ii > 0 where the
// body keeps its mass from flying apart along axis i.

/// Energy of a product of inertia, one term of (1) for i < j:  J_ij r_i' . r_j'.
template <class S>
[[nodiscard]] S product_of_inertia(Point<S> v_i, Point<S> v_j, const S& J) {
  return J * dot(v_i, v_j);
}

/// g_ii of (2).
template <class S>
[[nodiscard]] S axis_length(Point<S> r) {
  return (dot(r, r) - 1.0) / 2.0;
}

/// g_ij of (2).
template <class S>
[[nodiscard]] S axes_angle(Point<S> r_i, Point<S> r_j) {
  return dot(r_i, r_j) * (std::numbers::sqrt2 / 2.0);
}

}  // namespace taut::elements
