// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>

namespace taut::elements {

/// A point in two or three dimensions, or its velocity, component by component.
template <class S>
using Point = std::span<const S>;

/// |a - b|², without a square root: smooth everywhere.
template <class S>
[[nodiscard]] S squared_distance(Point<S> a, Point<S> b) {
  S sum = (a[0] - b[0]) * (a[0] - b[0]);
  for (std::size_t i = 1; i < a.size(); ++i) sum = sum + (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

/// a . b
template <class S>
[[nodiscard]] S dot(Point<S> a, Point<S> b) {
  S sum = a[0] * b[0];
  for (std::size_t i = 1; i < a.size(); ++i) sum = sum + a[i] * b[i];
  return sum;
}

}  // namespace taut::elements
