// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

namespace taut {

/// erfc(z) exp(z²) for z between 0 and `farthest`, as a polynomial of x between -1 and 1:
///
///   x = a - b / (z + pole),   erfc(z) exp(z²) = Σ coefficients[k] x^k (1)
///
/// The coefficients are found when the program needs them first, in extended precision, by
/// interpolation at Chebyshev's points. Relative error below 2e-15.
struct Screening {
  static constexpr int terms = 18;
  static constexpr double farthest = 6.5;
  static constexpr double pole = 4.0;
  std::array<double, terms> coefficients;

  static constexpr double argument(double z) {
    // x is -1 at z = 0 and 1 at z = farthest
    constexpr double b = 2.0 * pole * (farthest + pole) / farthest;
    constexpr double a = b / pole - 1.0;
    return a - b / (z + pole);
  }
};

[[nodiscard]] const Screening& screening();

}  // namespace taut
