// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fixed_step.hpp"

namespace taut::papers::stiff_rk {

/// Two runs with the same method, one from the manifold of smooth motion, one from a start pushed
/// off it (Theorem 3.2). Normal to the constraints their distance follows, for ε << h,
///
///   ( g  )              ( R(∞)   0    ) ( g  )
///   ( hġ )_(n+1)    =   ( R'(∞)  R(∞) ) ( hġ )_n   +  O(h) + O((ε/h)²)                      (5.21)
struct Deviation {
  VecOf<long double> position;  ///< g(y) of the pushed run minus that of the smooth one
  VecOf<long double> velocity;  ///< the same of h G v
  [[nodiscard]] long double both() const { return position.norm() + velocity.norm(); }
};

struct Push {
  long double eps = 0, h = 0;
  long double velocity = 0;  ///< times h; the position is pushed by h²
};

/// Deviations after 0, 1, .. `steps` steps; fewer when a step failed. The push goes along
/// M⁻¹GᵀS⁻¹e with e = (1, .., 1), so that the first deviation of g is h² in every row.
[[nodiscard]] std::vector<Deviation> deviations(const Problem<long double>& problem,
                                                const Tableau<long double>& tableau,
                                                const Push& push, int steps);

/// The θ-method y1 = y0 + h F(θ y1 + (1-θ) y0): one stage, R(∞) = 1 - 1/θ.
[[nodiscard]] Tableau<long double> theta_method(long double theta);

}  // namespace taut::papers::stiff_rk
