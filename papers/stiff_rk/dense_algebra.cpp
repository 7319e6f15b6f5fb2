// SPDX-License-Identifier: BSD-3-Clause
#include "dense_algebra.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Householder>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cassert>
#include <cmath>

namespace taut::papers {

template <class Real>
Lu<Real>::Lu(const MatOf<Real>& A)
    : factors_{std::make_shared<const Eigen::PartialPivLU<MatOf<Real>>>(A)} {}

template <class Real>
VecOf<Real> Lu<Real>::solve_value(const VecOf<Real>& b) const {
  return factors_->solve(b);
}

template <class Real>
MatOf<Real> Lu<Real>::solve_value(const MatOf<Real>& b) const {
  return factors_->solve(b);
}

template class Lu<double>;
template class Lu<long double>;

// from the diagonal blocks of the real Schur form; EigenSolver would have the eigenvectors compiled
template <class Real>
VecOf<std::complex<Real>> eigenvalues(const MatOf<Real>& A) {
  const Real scale = A.cwiseAbs().maxCoeff();
  const MatOf<Real> H = Eigen::HessenbergDecomposition<MatOf<Real>>{A / scale}.matrixH();
  Eigen::RealSchur<MatOf<Real>> schur{A.rows()};
  schur.computeFromHessenberg(H, H, false);
  assert(schur.info() == Eigen::Success);
  const MatOf<Real> T = scale * schur.matrixT();
  VecOf<std::complex<Real>> values = T.diagonal().template cast<std::complex<Real>>();
  for (Eigen::Index i = 0; i + 1 < T.rows(); ++i) {
    if (T(i + 1, i) == 0) continue;
    // a block of two rows is a conjugate pair
    const Real half = (T(i, i) - T(i + 1, i + 1)) / 2, middle = T(i + 1, i + 1) + half;
    const Real imaginary = std::sqrt(std::abs(half * half + T(i + 1, i) * T(i, i + 1)));
    values(i) = {middle, imaginary};
    values(i + 1) = {middle, -imaginary};
  }
  return values;
}

template VecOf<std::complex<double>> eigenvalues(const MatOf<double>&);
template VecOf<std::complex<long double>> eigenvalues(const MatOf<long double>&);

using Wide = long double;

VecOf<Wide> singular_values(const MatOf<Wide>& A) {
  assert(A.rows() == A.cols());
  return Eigen::JacobiSVD<MatOf<Wide>, Eigen::NoQRPreconditioner>{A}.singularValues();
}

// Q = H_1 H_2 ..., where H_j reflects column j of what is left of A onto the diagonal
MatOf<Wide> orthogonal_factor(const MatOf<Wide>& A) {
  const Eigen::Index n = A.rows(), columns = A.cols();
  MatOf<Wide> R = A, Q = MatOf<Wide>::Identity(n, n);
  VecOf<Wide> scratch(n);
  for (Eigen::Index j = 0; j < std::min(n, columns); ++j) {
    VecOf<Wide> essential(n - j - 1);
    Wide tau = 0, diagonal = 0;
    R.col(j).tail(n - j).makeHouseholder(essential, tau, diagonal);
    R.bottomRightCorner(n - j, columns - j)
        .applyHouseholderOnTheLeft(essential, tau, scratch.data());
    Q.rightCols(n - j).applyHouseholderOnTheRight(essential, tau, scratch.data());
  }
  return Q;
}

}  // namespace taut::papers
