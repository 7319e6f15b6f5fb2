// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace taut::bench {

/// The double pendulum of the gallery as one would write it by hand for itself: DOP853 on its eight
/// numbers, multipliers from two equations, one or two Newton iterations back onto the rods after
/// each step, step control as in the Fortran code.
struct ByHand {
  double y = 0.0;  ///< bob2.y at the end
  std::int64_t steps = 0;
};
[[nodiscard]] ByHand double_pendulum(double g, double until, double tol);

}  // namespace taut::bench
