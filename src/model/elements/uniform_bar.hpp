// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/elements/point.hpp"

namespace taut::elements {

/// Kinetic energy of a uniform straight bar of mass m whose ends move with v_a and v_b:
///
///   T = m/6 (v_a . v_a + v_a . v_b + v_b . v_b)                                              (1)
///
/// the integral of |velocity|²/2 over the bar. M is constant: the bar's inertia needs no angle.
template <class S>
[[nodiscard]] S uniform_bar(Point<S> v_a, Point<S> v_b, const S& m) {
  return m / 6.0 * (dot(v_a, v_a) + dot(v_a, v_b) + dot(v_b, v_b));
}

}  // namespace taut::elements
