// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "taut/model/start.hpp"

namespace taut {

/// A point on the slow manifold found by series_start().
struct SeriesPoint {
  Status status = Status::ok;
  std::string reason;
  bool available = true;  ///< false: the system has no power series, or rows share a load
  State state;
  Vec a, lambda;  ///< there; λ of the equations
  int order = 0;  ///< in eps = sqrt(C)
  int passes = 0;
  double uncertainty = 0.0;           ///< estimated distance of q to the manifold, mass metric
  double velocity_uncertainty = 0.0;  ///< the same for v
  std::int64_t evaluations = 0;       ///< coefficients of series, each about a force
};

/// The slow point that belongs to a point with g = 0, G v + g_t = 0: the expansion of
/// smooth_start() in powers of C, with the derivatives of λ from power series of the model's
/// formulas (SlowExpansion), exact and at the point alone. With γ_K of sweep K,
///
///   q += M⁻¹Gᵀμ:  g(q) = γ_K(q, v),      v += M⁻¹Gᵀν:  G v + g_t = γ_K'(q, v)                  (1)
///
/// M⁻¹Gᵀ at `foot`, by Newton's method with γ_K from the pass before: γ_K depends on the point
/// through C alone, so that a pass gains a factor of C. Three passes with K = 1, whatever C is;
/// more of both while they are of use, that is while the terms γ_K - γ_{K-1} fall and the next one
/// would be above rounding. Fails where they do not fall at all: the vibrations of the row named
/// are not fast compared with the motion.
[[nodiscard]] SeriesPoint series_start(const System& equations, const Start& foot);

}  // namespace taut
