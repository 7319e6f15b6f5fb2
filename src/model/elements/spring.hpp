// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/elements/point.hpp"

namespace taut::elements {

/// A linear spring between two points:  U = k/2 (|d| - L)²,  d = a - b.
///
/// Not differentiable where the ends meet unless L = 0, which is treated as U = k/2 |d|² exactly.
template <class S>
[[nodiscard]] S spring(Point<S> a, Point<S> b, const S& k, const S& L) {
  const S stretch = sqrt(squared_distance(a, b)) - L;
  return k / 2.0 * (stretch * stretch);
}

/// The spring of rest length zero:  U = k/2 |d|², smooth everywhere.
template <class S>
[[nodiscard]] S spring_of_no_length(Point<S> a, Point<S> b, const S& k) {
  return k / 2.0 * squared_distance(a, b);
}

}  // namespace taut::elements
