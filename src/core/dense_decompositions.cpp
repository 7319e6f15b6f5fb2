// SPDX-License-Identifier: BSD-3-Clause
#include "dense_decompositions.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace taut {

SymmetricModes symmetric_modes(const Mat& A, const Mat& M, Wanted wanted) {
  const bool shapes = wanted == Wanted::values_and_shapes;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Mat> solver{
      A, M, shapes ? Eigen::ComputeEigenvectors | Eigen::Ax_lBx : Eigen::EigenvaluesOnly};
  if (solver.info() != Eigen::Success) return {};
  return {true, solver.eigenvalues(), shapes ? solver.eigenvectors() : Mat{}};
}

SymmetricModes symmetric_modes(const Mat& A) {
  const Eigen::SelfAdjointEigenSolver<Mat> solver{A};
  return {.found = solver.info() == Eigen::Success,
          .omega2 = solver.eigenvalues(),
          .shapes = solver.eigenvectors()};
}

SingularModes singular_modes(const Mat& A) {
  // without the preconditioner for matrices that are not square, which would be half of the code
  const Eigen::JacobiSVD<Mat, Eigen::NoQRPreconditioner> svd{
      A, Eigen::ComputeFullU | Eigen::ComputeFullV};
  return {.U = svd.matrixU(), .V = svd.matrixV(), .s = svd.singularValues()};
}

MinimumNorm::MinimumNorm(const Mat& A)
    : factors_{std::make_shared<const Eigen::CompleteOrthogonalDecomposition<Mat>>(A)} {}

Index MinimumNorm::rank() const { return factors_->rank(); }

Vec MinimumNorm::solve(const Vec& b) const { return factors_->solve(b); }

Mat orthogonal_complement(const Mat& A) {
  const Eigen::ColPivHouseholderQR<Mat> qr{A};
  const Mat Q = qr.householderQ();
  return Q.rightCols(A.rows() - qr.rank());
}

}  // namespace taut
