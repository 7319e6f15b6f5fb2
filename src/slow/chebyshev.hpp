// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/core/types.hpp"

namespace taut {

/// Calculus on the Chebyshev points x_j = -cos(j pi / n) of [-1, 1]. Functions are rows of values
/// at the points; each matrix acts from the right and is exact for polynomials of degree n.
struct Chebyshev {
  explicit Chebyshev(Index n);

  Vec points;             ///< n + 1 of them, from -1 to 1
  Mat coefficients;       ///< values -> coefficients of T_0 ... T_n
  Mat integral;           ///< values -> values of the integral from -1
  Mat second_integral;    ///< values -> values of its integral from -1
  Mat derivative;         ///< values -> values of the derivative
  Mat second_derivative;  ///< values -> values of its derivative
};

}  // namespace taut
