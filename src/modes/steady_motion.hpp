// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "taut/core/types.hpp"
#include "taut/model/scene.hpp"

namespace taut {

struct LinearPoint;

/// A motion of the state along a group of symmetries:  q' = S q + s,  v' = S v.
struct SteadyMotion {
  Sparse S;
  Vec s;
};

/// The symmetries along which a point moves, where it moves along some: a combination of
/// translations, rotations about the axes through the origin, shifts of coordinates that are
/// neither places of points nor of bodies, and spins of bodies about their own axes, such that
///
///   v = S q + s,  a = S v                                                                    (1)
///
/// and each a symmetry of the equations at the point, to first order (2): with the change
/// (S q + s, S v, S a) of positions, velocities and accelerations they still hold. That they are
/// symmetries along the whole motion is checked at a point further on.
[[nodiscard]] std::optional<SteadyMotion> steady_motion(const LinearPoint& point,
                                                        const Scene& scene);

}  // namespace taut
