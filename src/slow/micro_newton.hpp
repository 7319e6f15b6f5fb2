// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "filters/filter.hpp"
#include "taut/model/start.hpp"

namespace taut {

/// A point on the slow manifold found by MicroNewton.
struct NewtonPoint {
  Status status = Status::ok;
  std::string reason;
  State state;
  double uncertainty = 0.0;           ///< estimated distance of q to the manifold, mass metric
  double velocity_uncertainty = 0.0;  ///< the same for v
  int sweeps = 0;
  std::int64_t force_evaluations = 0;
};

/// The slow point next to a point with g = 0, G v + g_t = 0, by the bounded derivative principle:
/// of all solutions of
///
///   M q'' = f - Gᵀ C⁻¹ g                                                                       (1)
///
/// the slow ones have bounded derivatives of every order. A few Verlet steps of length h to either
/// side tell the derivative of order 2N. Verlet's fast part obeys δ²x = -h² A x exactly, with
///
///   A = M⁻¹Gᵀ C⁻¹ G,     A⁻ⁿ = M⁻¹Gᵀ S⁻¹ (C S⁻¹)ⁿ G  on its range,     S = G M⁻¹Gᵀ           (2)
///
/// so that the fast part of q and of the velocity w of Verlet is removed, up to A⁻ᴺ q⁽²ᴺ⁾, by
///
///   q -= (-1)ᴺ A⁻ᴺ δ²ᴺq / h²ᴺ,      w -= (-1)ᴺ A⁻ᴺ δ²ᴺw / h²ᴺ,      δ²q = h² a                 (3)
///
/// Verlet's own slow solution is not that of (1). With μδa = (a₁ - a₋₁)/2 and so on,
///
///   v = w - h (μδa/6 - μδ³a/30 + μδ⁵a/140) + A⁻¹ μδ³a / 12h                                    (4)
///   q~ = q + A⁻¹ δ²a / 12                                                                      (5)
///
/// in which w is kept such that the tangential part of v is that of the point given.
/// Sweeps with N = 2, 2, 3 from q + M⁻¹Gᵀ S⁻¹ C λ: 17 evaluations of the force. With h = 1.6 over
/// the highest frequency of `band`; the lowest should not be much below an eighth of it, since
/// rounding is magnified by the 2N-th power of that ratio.
///
/// All rows are compliant and independent, M is constant, forces do not depend on velocities.
/// `foot` is consistent_start() of what was given. Fails where the corrections do not fall.
[[nodiscard]] NewtonPoint micro_newton(const System& equations, const Start& foot,
                                       const Band& band);

/// Why (1) is not what a system obeys; empty where micro_newton() can be used.
[[nodiscard]] std::string no_micro_newton(const Structure& equations);

}  // namespace taut
