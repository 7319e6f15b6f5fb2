// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/elements/point.hpp"

namespace taut::elements {

/// Kinetic energy of a point mass, or of a plain coordinate with a constant inertia:
/// T = m/2 v . v.
template <class S>
[[nodiscard]] S point_mass(Point<S> v, const S& m) {
  return m / 2.0 * dot(v, v);
}

}  // namespace taut::elements
