// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "fixed_step.hpp"

namespace taut::papers::stiff_rk {

/// Distances of a numerical motion from the smooth one at the end of a run; NaN when it failed.
struct Errors {
  double y = 0.0, v = 0.0, tangential = 0.0, lambda = 0.0;  ///< tangential: P (v - exact)
};

/// Norms of `numerical` - `exact`, with P = I - M⁻¹Gᵀ(GM⁻¹Gᵀ)⁻¹G at the exact position.
[[nodiscard]] Errors errors(const Problem<long double>& problem,
                            const Point<long double>& numerical, const Point<long double>& exact);

/// One problem and one ε, with the smooth motion over [0, 1] known.
class ErrorStudy {
 public:
  using Real = long double;
  ErrorStudy(const Problem<Real>& problem, Real eps);

  /// What `steps` equal steps to t = 1 give, from the smooth start.
  [[nodiscard]] Errors run(const Tableau<Real>& tableau, Form form, int steps) const;

  /// Numerical minus exact motion, without norms; empty vectors when the run failed.
  [[nodiscard]] Point<Real> difference(const Tableau<Real>& tableau, Form form, int steps) const;

 private:
  const Problem<Real>& problem_;
  Real eps_;
  Point<Real> start_, end_;
};

/// Exponent p of y ~ x^p between the two last points, least x last; points from the first that is
/// below `floor` on are left out, since there rounding begins.
[[nodiscard]] double last_slope(std::span<const double> x, std::span<const double> y,
                                double floor = 0.0);

/// The same over all points, by least squares in the logarithms.
[[nodiscard]] double slope(std::span<const double> x, std::span<const double> y);

}  // namespace taut::papers::stiff_rk
