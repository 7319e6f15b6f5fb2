// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/elements/point.hpp"

namespace taut::elements {

// A joint between two bodies, or a body and the ground. Both sides have a place c and directions
// d_1, d_2, d_3, fixed to them, at right angles, and equal at the start. With those of the second
// side primed,
//
//   ball:   c - c' = 0                                      three rows                       (1)
//   hinge:  (1),  d_3 . d_1' = 0,  d_3 . d_2' = 0           about d_3: five rows             (2)
//   fixed:  (1),  d_2 . d_3' = 0,  d_3 . d_1' = 0,  d_1 . d_2' = 0    six rows               (3)
//
// λ of (1) is the force of the first side on the second [N], in the axes of space. λ of the rows of
// (3) is its torque [N m] about d_1, d_2, d_3 in turn; the first row of (2) is the torque about
// d_2, the second that about -d_1. The rows of one joint are independent wherever they hold.

/// d . d', the cosine between two directions that stay at right angles.
template <class S>
[[nodiscard]] S right_angle(Point<S> d, Point<S> other) {
  return dot(d, other);
}

}  // namespace taut::elements
