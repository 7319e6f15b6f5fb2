// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/elements/point.hpp"

namespace taut::elements {

/// Potential energy of a weight, the force m times the acceleration of gravity:  U = -weight . x.
/// A uniform bar weighs with half of its mass on each end.
template <class S>
[[nodiscard]] S gravity(Point<S> x, Point<S> weight) {
  return -dot(weight, x);
}

}  // namespace taut::elements
