// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>

#include "formula/origins.hpp"

namespace taut::elements {

/// A place or a direction in space, as numbers; as those that may know where they came from.
using Vec3 = std::array<double, 3>;
using NumberVec3 = std::array<formula::Number, 3>;

template <class S>
[[nodiscard]] S dot(const std::array<S, 3>& a, const std::array<S, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
[[nodiscard]] inline double norm(const Vec3& a) { return std::hypot(a[0], a[1], a[2]); }
[[nodiscard]] inline formula::Number norm(const NumberVec3& a) {
  if (!a[0].has_origin() && !a[1].has_origin() && !a[2].has_origin())
    return std::hypot(a[0].value(), a[1].value(), a[2].value());
  return hypot(hypot(a[0], a[1]), a[2]);
}
template <class S>
[[nodiscard]] std::array<S, 3> cross(const std::array<S, 3>& a, const std::array<S, 3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
[[nodiscard]] inline formula::Number cosine(const formula::Number& a) {
  return record(formula::Op::cos, a, {});
}
[[nodiscard]] inline formula::Number sine(const formula::Number& a) {
  return record(formula::Op::sin, a, {});
}
/// Whether |a| <= bound, so that a counts for 0. What is so by chance at the values of parameters,
/// not beside them, has its derivative.
[[nodiscard]] inline bool is_negligible(const formula::Number& a, const formula::Number& bound) {
  const formula::Number beyond = record(formula::Op::max, abs(a) - bound, 0.0);
  return kind_of(beyond) == formula::Kind::zero;
}

// terms of a product of two unit vectors, with the roundings of its factors; at the start all of
// them may be 0
inline constexpr double scale_of_axes = 2.0;

}  // namespace taut::elements
