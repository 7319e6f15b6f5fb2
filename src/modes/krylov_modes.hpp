// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "modes/linear_point.hpp"

namespace taut {

/// Rows of G that stand for all at a point.
[[nodiscard]] Sparse independent_part(const LinearPoint& point, const Sparse& G);

/// The roots nearest to 0 (or to i `near`) of  (s² M + s D + K) x + Gᵀ mu = 0,  G x = 0, by Krylov
/// spaces of the inverse, with sparse matrices:
///
///   symmetric   y: [K - near² M, Gᵀ; G, 0] (y, mu) = (M x, 0)                                (1)
///   damped      (x, v) -> (y, w):  [K, Gᵀ; G, 0] (y, mu) = -(M v + D x, 0),  w = x           (2)
///
/// One vector is added after the other, orthogonal to all before it in the metric of M, until the
/// wanted roots have an error of rounding. Rows of G that follow from others are left out. Where K
/// has no inverse (what drifts), (1) is shifted to the left of all roots.
struct KrylovModes {
  Status status = Status::ok;
  Eigen::VectorXcd s;       ///< Im s >= 0, the nearest first
  Eigen::MatrixXcd shapes;  ///< of dq
  int vectors = 0;          ///< of the Krylov space
};
[[nodiscard]] KrylovModes krylov_modes(const LinearPoint& point, const LinearTerms& terms,
                                       int count, double near);

}  // namespace taut
