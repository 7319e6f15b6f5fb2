// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/elements/point.hpp"

namespace taut::elements {

/// A linear damper along the line between two points. With d = a - b the force on a is
///
///   F_a = -s d,   F_b = s d,   s = c (d . (v_a - v_b)) / |d|²                                (1)
///
/// Returns s. Not defined where the ends meet.
template <class S>
[[nodiscard]] S damper(Point<S> a, Point<S> b, Point<S> v_a, Point<S> v_b, const S& c) {
  S rate = (a[0] - b[0]) * (v_a[0] - v_b[0]);
  for (std::size_t i = 1; i < a.size(); ++i) rate = rate + (a[i] - b[i]) * (v_a[i] - v_b[i]);
  return c * rate / squared_distance(a, b);
}

}  // namespace taut::elements
