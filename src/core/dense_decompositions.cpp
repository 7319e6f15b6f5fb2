// SPDX-License-Identifier: BSD-3-Clause
#include "core/dense_decompositions.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <utility>

namespace taut {

SymmetricModes symmetric_modes(const Mat& A, const Mat& M, Wanted wanted) {
  if (A.size() == 0) return {.found = true, .omega2 = Vec(0), .shapes = Mat(0, 0)};
  const bool shapes = wanted == Wanted::values_and_shapes;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Mat> solver{
      A, M, shapes ? Eigen::ComputeEigenvectors | Eigen::Ax_lBx : Eigen::EigenvaluesOnly};
  if (solver.info() != Eigen::Success) return {};
  return {true, solver.eigenvalues(), shapes ? solver.eigenvectors() : Mat{}};
}

SymmetricModes symmetric_modes(const Mat& A) {
  if (A.size() == 0) return {.found = true, .omega2 = Vec(0), .shapes = Mat(0, 0)};
  const Eigen::SelfAdjointEigenSolver<Mat> solver{A};
  return {.found = solver.info() == Eigen::Success,
          .omega2 = solver.eigenvalues(),
          .shapes = solver.eigenvectors()};
}

Vec tridiagonal_eigenvalues(const Vec& diagonal, const Vec& beside) {
  if (diagonal.size() == 0) return {};
  Eigen::SelfAdjointEigenSolver<Mat> solver;
  solver.computeFromTridiagonal(diagonal, beside, Eigen::EigenvaluesOnly);
  return solver.info() == Eigen::Success ? solver.eigenvalues() : Vec{};
}

Mat product(const Mat& A, const Mat& B) { return A * B; }

Mat inverse_of(const Mat& A) { return A.inverse(); }

Vec solve_with_full_pivots(const Mat& A, const Vec& b) { return A.fullPivLu().solve(b); }

bool solve_with_pivots(Mat A, Mat B, Mat& x) {
  x = Mat::Zero(A.cols(), B.cols());
  if (A.size() == 0) return true;
  Vec columns(A.cols());
  for (Index r = 0; r < A.rows(); ++r) {
    const double largest = A.row(r).lpNorm<Eigen::Infinity>();
    if (!(largest > 0.0)) return false;
    A.row(r) /= largest;
    B.row(r) /= largest;
  }
  for (Index c = 0; c < A.cols(); ++c) {
    columns[c] = A.col(c).lpNorm<Eigen::Infinity>();
    if (!(columns[c] > 0.0)) return false;
    A.col(c) /= columns[c];
  }
  const Eigen::PartialPivLU<Mat> factors{A};
  constexpr double rounding = 1e-15;
  const auto pivots = factors.matrixLU().diagonal().array().abs();
  if (!(pivots.minCoeff() > rounding * pivots.maxCoeff())) return false;
  x = factors.solve(B).array().colwise() / columns.array();
  return true;
}

SingularModes singular_modes(const Mat& A) {
  if (A.size() == 0)
    return {.U = Mat::Identity(A.rows(), A.rows()),
            .V = Mat::Identity(A.cols(), A.cols()),
            .s = Vec(0)};
  // without the preconditioner for matrices that are not square, which would be half of the code
  const Eigen::JacobiSVD<Mat, Eigen::NoQRPreconditioner> svd{
      A, Eigen::ComputeFullU | Eigen::ComputeFullV};
  return {.U = svd.matrixU(), .V = svd.matrixV(), .s = svd.singularValues()};
}

MinimumNorm::MinimumNorm(const Mat& A)
    : factors_{std::make_shared<const Eigen::CompleteOrthogonalDecomposition<Mat>>(A)} {}

MinimumNorm::MinimumNorm(const Mat& A, double independent) {
  Eigen::CompleteOrthogonalDecomposition<Mat> factors{};
  factors.setThreshold(independent);
  factors.compute(A);
  factors_ =
      std::make_shared<const Eigen::CompleteOrthogonalDecomposition<Mat>>(std::move(factors));
}

Index MinimumNorm::rank() const { return factors_->rank(); }

Vec MinimumNorm::solve(const Vec& b) const { return factors_->solve(b); }

LeastSquares least_squares(const Mat& A, const Vec& b, double independent) {
  if (A.size() == 0)
    return {.rank = 0, .complement = Mat::Identity(A.rows(), A.rows()), .x = Vec::Zero(A.cols())};
  Eigen::ColPivHouseholderQR<Mat> qr{};
  qr.setThreshold(independent);
  qr.compute(A);
  const Mat Q = qr.householderQ();
  LeastSquares found{.rank = qr.rank(), .complement = Q.rightCols(A.rows() - qr.rank()), .x = {}};
  found.x = found.rank == A.cols() ? Vec{qr.solve(b)} : MinimumNorm{A, independent}.solve(b);
  return found;
}

Vec pivots_of(const Mat& A) {
  if (A.size() == 0) return {};
  return Eigen::ColPivHouseholderQR<Mat>{A}.matrixQR().diagonal().cwiseAbs();
}

Mat orthogonal_complement(const Mat& A) {
  if (A.size() == 0) return Mat::Identity(A.rows(), A.rows());
  const Eigen::ColPivHouseholderQR<Mat> qr{A};
  const Mat Q = qr.householderQ();
  return Q.rightCols(A.rows() - qr.rank());
}

}  // namespace taut
