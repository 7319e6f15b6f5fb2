// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "taut/core/state.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// Coordinates that stiff forces couple, and the directions in which they do.
struct StiffGroup {
  std::vector<int> coordinates;  ///< ascending
  Mat X;  ///< a column per direction, the stiffest first, over the coordinates of the group
  Vec C;  ///< their compliance 1/ω²

  [[nodiscard]] Index count() const { return X.cols(); }
};

/// Stiffness of a system that stands still, for all that is evaluated at positions alone: with
/// p(q, t) = -f(q, 0, t), the Hessian H = dp/dq (of the potential, where forces have one).
///
/// Directions of fast vibrations come from H, its coordinates grouped by entries
///
///   |H_ij| >= 0.1 ω_least² (M_ii M_jj)^½                                                      (1)
///
/// In each group H x = ω² M x is solved for motions that keep all rigid and fast compliant
/// constraints of the group. The vibrations above the lowest gap with
///
///   ω_k >= ω_least,    ω_k² >= 10 max(ω_{k-1}², 0.1 ω_least²)                                  (2)
///
/// are its stiff ones; with xᵀM x = 1 the columns of X are x/ω_k². Groups of more than 256
/// coordinates are left out, and such with a stiff direction that creeps instead of vibrating,
/// xᵀD x >= ω_k with D the damping.
[[nodiscard]] std::vector<StiffGroup> find_stiff_directions(const System& system, const State& at,
                                                            double least_rate);

}  // namespace taut
