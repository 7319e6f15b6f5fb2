// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "model/elements/point.hpp"

namespace taut::elements {

/// Angle at b between the directions to a and to c:
///
///   theta = atan2(|u x w|, u . w),   u = a - b,  w = c - b                                     (1)
///   U = k/2 (theta - rest)²                                                                    (2)
///
/// accurate for every angle. U has a kink, and no derivative, where the three points lie in line;
/// for an angle that is straight at rest use straight_angle().
template <class S>
[[nodiscard]] S angle(Point<S> a, Point<S> b, Point<S> c, const S& k, const S& rest) {
  const std::size_t n = a.size();
  std::vector<S> u, w;
  for (std::size_t i = 0; i < n; ++i) {
    u.push_back(a[i] - b[i]);
    w.push_back(c[i] - b[i]);
  }
  const auto minor = [&](std::size_t i, std::size_t j) {
    const S m = u[i] * w[j] - u[j] * w[i];
    return m * m;
  };
  S across = minor(0, 1);
  if (n == 3) across = across + minor(1, 2) + minor(2, 0);
  const S bent = atan2(sqrt(across), dot(Point<S>{u}, Point<S>{w})) - rest;
  return k / 2.0 * (bent * bent);
}

/// Energy k/2 (pi - theta)² of an angle that is straight at rest. With unit vectors u and w,
///
///   s = |u + w|²/4 = sin²((pi - theta)/2),   (pi - theta)² = 2 Σ (4 s)ⁿ / (n² binomial(2n, n)) (3)
///                                                        = 4 asin²(sqrt s)                    (4)
///
/// The series is used where s is small: unlike (4), it is smooth where the points lie in line.
template <class S>
[[nodiscard]] S straight_angle(Point<S> a, Point<S> b, Point<S> c, const S& k) {
  const S to_a = sqrt(squared_distance(a, b));
  const S to_c = sqrt(squared_distance(c, b));
  S s = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const S sum = (a[i] - b[i]) / to_a + (c[i] - b[i]) / to_c;
    s = s + sum * sum;
  }
  s = s / 4.0;
  // nine terms of (3): the tenth is below 1e-16 of the first for s < 0.02
  S series = 0.0;
  double binomial = 1.0;
  std::vector<double> factor;
  for (int n = 1; n <= 9; ++n) {
    binomial *= 2.0 * (2.0 * n - 1.0) / n;
    factor.push_back(2.0 / (n * n * binomial));
  }
  for (auto f = factor.rbegin(); f != factor.rend(); ++f) series = (series + *f) * (4.0 * s);
  const S small = less(s, S{0.02});
  const S bent = asin(sqrt(min(select(small, S{0.5}, s), S{1.0})));
  return k / 2.0 * select(small, series, 4.0 * (bent * bent));
}

}  // namespace taut::elements
