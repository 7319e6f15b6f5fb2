// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/core/state.hpp"

namespace taut::test {

/// Unit mass on a spring-damper of unit length, gravity 1:  r - 1 + d r' = C λ.
struct SpringPendulum {
  double C = 1e-6, d = 0.0;
  double th = 1.2, w = 0.7;  ///< angle from the downward vertical, tangential velocity
};

/// The state (x, y) of its smooth motion with that angle and tangential velocity, from power series
/// in t of
///
///   r'' = r θ'² + cos θ - λ,      r θ'' = -2 r' θ' - sin θ
///
/// in extended precision: r <- 1 + C (r θ'² + cos θ - r'') - d r' repeated, θ solved for each r.
[[nodiscard]] State smooth_pendulum(const SpringPendulum& pendulum);

}  // namespace taut::test
