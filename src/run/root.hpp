// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "taut/core/status.hpp"

namespace taut {

/// An interval at whose ends a function has values of opposite sign (or zero).
struct Bracket {
  double a = 0.0, f_a = 0.0;
  double b = 0.0, f_b = 0.0;
};

/// Shrinks a bracket until it is at most 2 `tolerance` wide, by interpolation, truncation and
/// projection (ITP):
///
///   x_f = (f_b a - f_a b) / (f_b - f_a)                       regula falsi                (1)
///   x_t = x_f moved by min(k1 (b - a)^2, |x_m - x_f|) to the middle x_m                   (2)
///   x   = x_t pulled into |x - x_m| <= tolerance 2^(n_max - j) - (b - a)/2                (3)
///
/// (3) bounds the number of evaluations by that of bisection plus one, whatever the function does;
/// for smooth functions convergence is of order 1.6. Returns the status of the function when it
/// fails; iteration_limit when the tolerance is below the resolution of the numbers.
/// Reference: oliveira2021.
[[nodiscard]] Status shrink_bracket(const std::function<Status(double x, double& f_x)>& f,
                                    double tolerance, Bracket& bracket);

}  // namespace taut
