// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/elements/point.hpp"

namespace taut::elements {

/// A bond that can break (Morse), with r = |a - b|:
///
///   U = depth (1 - e)²,   e = exp(-sqrt(k / 2 depth) (r - L))                                  (1)
///
/// k is its stiffness at rest and depth the energy that breaks it. A bond that cannot is a spring
/// (elements/spring.hpp). Not differentiable where the ends meet.
template <class S>
[[nodiscard]] S morse_bond(Point<S> a, Point<S> b, const S& k, const S& L, const S& depth) {
  const S stretch = sqrt(squared_distance(a, b)) - L;
  const S lost = 1.0 - exp(-sqrt(k / (2.0 * depth)) * stretch);
  return depth * (lost * lost);
}

}  // namespace taut::elements
