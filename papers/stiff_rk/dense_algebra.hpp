// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <complex>
#include <memory>
#include <type_traits>

namespace taut::papers {

template <class Real>
using VecOf = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
template <class Real>
using MatOf = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

// The decompositions that the laboratory needs. Only dense_algebra.cpp instantiates those of Eigen:
// they cost the compiler seconds in every source that does. For the same reason the products of
// small matrices are written A.lazyProduct(B), which is what the operator * chooses for them at run
// time among kernels that have all been compiled. Unlike A * B it may not be assigned to A or B.

/// P A = L U with row exchanges: factored once, solved often.
template <class Real>
class Lu {
 public:
  explicit Lu(const MatOf<Real>& A);

  /// A⁻¹ b, for a vector or for all columns of a matrix.
  template <class Expression>
  [[nodiscard]] auto solve(const Eigen::MatrixBase<Expression>& b) const {
    using Value = std::conditional_t<Expression::ColsAtCompileTime == 1, VecOf<Real>, MatOf<Real>>;
    return solve_value(Value(b));
  }

 private:
  [[nodiscard]] VecOf<Real> solve_value(const VecOf<Real>& b) const;
  [[nodiscard]] MatOf<Real> solve_value(const MatOf<Real>& b) const;

  std::shared_ptr<const Eigen::PartialPivLU<MatOf<Real>>> factors_;
};

template <class Real>
[[nodiscard]] MatOf<Real> inverse(const MatOf<Real>& A) {
  return Lu<Real>{A}.solve(MatOf<Real>::Identity(A.rows(), A.cols()));
}

/// Of a square matrix, in no order but that a conjugate pair stands together.
template <class Real>
[[nodiscard]] VecOf<std::complex<Real>> eigenvalues(const MatOf<Real>& A);

/// Of a square matrix, descending.
[[nodiscard]] VecOf<long double> singular_values(const MatOf<long double>& A);

/// The square, orthogonal Q of A = Q R.
[[nodiscard]] MatOf<long double> orthogonal_factor(const MatOf<long double>& A);

}  // namespace taut::papers
