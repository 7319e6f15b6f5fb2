// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace taut::bench {

/// The chain of the gallery as one would write it by hand: unit masses on unit links, held at one
/// end and let go from a horizontal line, gravity 9.81. DOP853 with the step control of the Fortran
/// code, the tridiagonal equations for the tensions in a loop, and after each step back onto the
/// links by Newton's method with the tridiagonal matrix of the last stage, once more for the
/// velocities.
struct ChainByHand {
  std::vector<double> q;  ///< x and y of each point at the end
  int steps = 0;          ///< tried
};
[[nodiscard]] ChainByHand chain_by_hand(int links, double until, double tol);

}  // namespace taut::bench
