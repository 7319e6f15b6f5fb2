// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

namespace taut::bench {

/// A square net of side x side masses on springs, its corners held: what it is made of.
struct Net {
  int side = 23;
  double mass = 0.01, length = 0.1, stretched = 1.02, gravity = 9.81, until = 1.0;
  std::vector<double> stiffness;  ///< of each spring, rows of springs along x, then along y

  [[nodiscard]] static Net made(int side);
  struct Spring {
    int a = 0, b = 0;  ///< masses, row after row
  };
  [[nodiscard]] std::vector<Spring> springs() const;
  [[nodiscard]] bool held(int number) const;
};

/// By the adjoint of IDAS: gradient of the integral of the heights of all masses.
struct PeerGradient {
  bool there = false;
  double value = 0.0, run_seconds = 0.0, all_seconds = 0.0;
  std::vector<double> by;
};
[[nodiscard]] PeerGradient idas_gradient(const Net& net, double tol);

/// Twelve parameters of Andrews' mechanism from noisy positions, so many times.
void fit_andrews(int repetitions);

}  // namespace taut::bench
