// SPDX-License-Identifier: BSD-3-Clause
#include "filters/moments.hpp"

#include "core/dense_decompositions.hpp"

namespace taut::detail {

// Moments are those of the Chebyshev polynomials T_2k(j/N) in place of powers, which are all but
// dependent:  Σ w_j T_2k(j/N) = T_2k(0) = (-1)^k. With Δw = d Φ c the conditions are Φᵀ d Φ c =
// what they lack; in X = d^(1/2) Φ that is the smallest solution of Xᵀ y = lack, Δw = d^(1/2) y.
bool impose_moments(Vec& weights, const Vec& d, int conditions) {
  const Index n = weights.size();
  if ((d.array() > 0.0).count() < conditions) return false;
  using Long = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  Long phi(n, conditions);
  for (Index j = 0; j < n; ++j) {
    const long double t = n > 1 ? static_cast<long double>(j) / static_cast<long double>(n - 1) : 0;
    const long double x = 2 * t * t - 1;  // T_2k(t) = T_k(2 t² - 1)
    const long double both = j == 0 ? 1 : 2;
    for (int k = 0; k < conditions; ++k)
      phi(j, k) = k == 0 ? both : k == 1 ? both * x : 2 * x * phi(j, k - 1) - phi(j, k - 2);
  }
  const Vec root = d.cwiseSqrt();
  const Mat X = root.asDiagonal() * phi.cast<double>();
  const MinimumNorm correction{X.transpose()};
  if (correction.rank() < conditions) return false;
  // what rounding leaves of a pass is taken by the next
  for (int pass = 0; pass < 3; ++pass) {
    Vec lack(conditions);
    for (int k = 0; k < conditions; ++k) {
      long double sum = k % 2 == 0 ? 1 : -1;
      for (Index j = 0; j < n; ++j) sum -= phi(j, k) * weights[j];
      lack[k] = static_cast<double>(sum);
    }
    weights += root.cwiseProduct(correction.solve(lack));
  }
  return true;
}

}  // namespace taut::detail
