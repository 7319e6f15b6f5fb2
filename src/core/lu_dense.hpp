// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "core/lu_plan.hpp"
#include "core/lu_scalar.hpp"
#include "taut/core/status.hpp"

namespace taut {

/// P A = L U by columns, L with ones on its diagonal:
///
///   column j:  a_j = P a_j,   a_ij -= l_ik a_kj (k < j, i > k);   exchange;   l_ij = a_ij / a_jj
///   (1)
///
/// Complex numbers stand as two planes, the real parts of a column before its imaginary parts, so
/// that every loop runs over plain doubles.
template <class Scalar>
class LuDense {
 public:
  void analyse(int n);
  [[nodiscard]] Status factor(const LuPlan& plan, const Scalar* values, const double* scale);
  void solve(Scalar* b) const;

 private:
  using Number = Packed<Scalar>;
  static constexpr int planes = is_complex<Scalar> ? 2 : 1;

  [[nodiscard]] double* at(std::ptrdiff_t column) { return a_.data() + column * planes * n_; }
  [[nodiscard]] const double* at(std::ptrdiff_t column) const {
    return a_.data() + column * planes * n_;
  }
  [[nodiscard]] bool choose_pivot(std::ptrdiff_t k, double scale);
  void eliminate_two(std::ptrdiff_t k, double* y) const;

  std::ptrdiff_t n_ = 0;
  std::vector<double> a_;        // the factors
  std::vector<double> weight_;   // 1 / s_i² of the rows as they stand
  std::vector<int> exchange_;    // row exchanged with row k
  std::vector<Number> inverse_;  // 1 / u_kk
  mutable std::vector<double> work_;
};

}  // namespace taut
