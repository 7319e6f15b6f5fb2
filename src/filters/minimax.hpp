// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/core/types.hpp"

namespace taut::detail {

/// The polynomial R(y) = 1 + y^m r(y) of degree N whose max |R| over [a, 1] is smallest, as even
/// weights w_0 ... w_N of R = w_0 + 2 Σ w_j cos(j θ), y = sin²(θ/2).
struct Minimax {
  bool converged = false;
  Vec weights = {};
  double deviation = 0.0;  ///< max |R| over [a, 1]; a bound from below while not converged
  int exchanges = 0;
};

/// By Remez's exchange, in long double: what is lost to rounding is 1/deviation of it.
///
///   r(y_i) = ((-1)^i E - 1)/y_i^m   at points  a = y_0 < ... < y_n = 1,   n = N - m + 1       (1)
///
/// has a polynomial r of degree n - 1 as solution when E = Σ b_i / Σ (-1)^i b_i,
/// b_i = y_i^-m / Π_{k != i} (y_i - y_k). Combinations of 1, y^m, ..., y^N have at most n positive
/// zeros, so that R has exactly one between neighbouring points and one extremum about each inner
/// point: these are the next points. R is evaluated by Lagrange's formula, each of its terms to
/// full relative accuracy. 0 < a < 1 <= m <= N. Gives up where more than `damping` would be left.
[[nodiscard]] Minimax minimax(double a, int m, int N, double damping = 1.0);

}  // namespace taut::detail
