// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>

namespace taut::elements {

/// A place or a direction in space, as numbers.
using Vec3 = std::array<double, 3>;

[[nodiscard]] inline double dot(const Vec3& a, const Vec3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
[[nodiscard]] inline double norm(const Vec3& a) { return std::hypot(a[0], a[1], a[2]); }
[[nodiscard]] inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// terms of a product of two unit vectors, with the roundings of its factors; at the start all of
// them may be 0
inline constexpr double scale_of_axes = 2.0;

}  // namespace taut::elements
