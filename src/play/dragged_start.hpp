// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <optional>

#include "taut/core/state.hpp"
#include "taut/model/compile.hpp"

namespace taut {

/// Where the points of a scene are: those of the model's own system at a state of it.
[[nodiscard]] std::optional<std::array<double, 3>> place_of(const CompiledModel& model, int point,
                                                            const State& at);

/// A start with point p of the scene at `to`:
///
///   q_{k+1} = Pi( q_k + J⁺ (to - p(q_k)) ),   J = dp/dq,                                      (1)
///
/// with Pi the nearest consistent positions in the mass metric, until p is there or comes no
/// nearer: what the constraints do not allow ends in the nearest place they do. J has a column for
/// each coordinate that moves the point. Of a large model whose point is coordinates itself, at
/// once and as sparse as the model is,
///
///   min |q - q0|_M   with   g(q) = 0,   p(q) = to,                                            (2)
///
/// with a half, a quarter, ... of the way where there is no such q. Velocities stay as they are
/// given. Nothing where there is no such point, or it does not move with q.
[[nodiscard]] std::optional<State> dragged_start(const CompiledModel& model, const System& system,
                                                 State given, int point,
                                                 const std::array<double, 3>& to);

}  // namespace taut
