// SPDX-License-Identifier: BSD-3-Clause
#include "slow/chebyshev.hpp"

#include <cmath>
#include <numbers>

#include "core/dense_decompositions.hpp"

namespace taut {
namespace {

/// Coefficients of f -> those of its integral from -1:  2 ∫T_k = T_{k+1}/(k+1) - T_{k-1}/(k-1).
Mat integrate(Index degree) {
  Mat result = Mat::Zero(degree + 1, degree + 2);
  result(0, 1) = 1.0;
  if (degree >= 1) result(1, 2) = 0.25;
  for (Index k = 2; k <= degree; ++k) {
    result(k, k + 1) = 0.5 / static_cast<double>(k + 1);
    result(k, k - 1) = -0.5 / static_cast<double>(k - 1);
  }
  // the constant makes the integral vanish at -1, where T_k = (-1)^k
  for (Index k = 0; k <= degree; ++k) {
    double at_minus_one = 0.0;
    for (Index i = 1; i <= degree + 1; ++i)
      at_minus_one += (i % 2 == 0 ? 1.0 : -1.0) * result(k, i);
    result(k, 0) = -at_minus_one;
  }
  return result;
}

/// Coefficients of f -> those of f', by  T_k' = 2k (T_{k-1} + T_{k-3} + ...), T_0 counted half.
Mat differentiate(Index degree) {
  Mat result = Mat::Zero(degree + 1, degree + 1);
  for (Index k = 1; k <= degree; ++k)
    for (Index i = k - 1; i >= 0; i -= 2)
      result(k, i) = (i == 0 ? 1.0 : 2.0) * static_cast<double>(k);
  return result;
}

}  // namespace

Chebyshev::Chebyshev(Index n) {
  // T_k(x_j) = cos(k (pi - j pi / n)); the argument is reduced in integers
  const auto T = [n](Index k, Index j) {
    return std::cos(std::numbers::pi * static_cast<double>((k * (n - j)) % (2 * n)) /
                    static_cast<double>(n));
  };
  const auto values = [&](Index degree) { return Mat::NullaryExpr(degree + 1, n + 1, T); };
  points = values(1).row(1);
  points[n / 2] = n % 2 == 0 ? 0.0 : points[n / 2];
  coefficients = Mat::NullaryExpr(n + 1, n + 1, [&](Index j, Index k) {
    const double weight = (j == 0 || j == n ? 0.5 : 1.0) * (k == 0 || k == n ? 0.5 : 1.0);
    return 2.0 / static_cast<double>(n) * weight * T(k, j);
  });
  const Mat once = product(coefficients, integrate(n)),
            slope = product(coefficients, differentiate(n));
  integral = product(once, values(n + 1));
  second_integral = product(product(once, integrate(n + 1)), values(n + 2));
  derivative = product(slope, values(n));
  second_derivative = product(product(slope, differentiate(n)), values(n));
}

}  // namespace taut
