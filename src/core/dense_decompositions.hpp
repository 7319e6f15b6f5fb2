// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "taut/core/types.hpp"

// Decompositions of small dense matrices. Only dense_decompositions.cpp and general_modes.cpp
// instantiate those of Eigen: they cost the compiler ten seconds in every source that does.

namespace taut {

/// Solutions of  A x = omega2 M x  for symmetric A and positive definite M, omega2 ascending.
struct SymmetricModes {
  bool found = false;  ///< the iteration has converged
  Vec omega2;
  Mat shapes;  ///< columns with xᵀ M x = 1; empty unless asked for
};
enum class Wanted { values, values_and_shapes };
[[nodiscard]] SymmetricModes symmetric_modes(const Mat& A, const Mat& M, Wanted wanted);

/// The same with M = 1.
[[nodiscard]] SymmetricModes symmetric_modes(const Mat& A);

/// Eigenvalues of a symmetric tridiagonal matrix, ascending; none where the iteration fails.
[[nodiscard]] Vec tridiagonal_eigenvalues(const Vec& diagonal, const Vec& beside);

/// Eigenvalues of any real square matrix, and its eigenvectors where they are asked for.
struct GeneralModes {
  bool found = false;  ///< the iteration has converged
  Eigen::VectorXcd values;
  Eigen::MatrixXcd shapes;
};
[[nodiscard]] GeneralModes general_modes(const Mat& A, Wanted wanted);

/// A B. The operator * has its kernels compiled anew for every kind of factor: seconds, too.
[[nodiscard]] Mat product(const Mat& A, const Mat& B);

/// A⁻¹ of a matrix that is far from singular.
[[nodiscard]] Mat inverse_of(const Mat& A);

/// A x = b by elimination with pivots from all of A.
[[nodiscard]] Vec solve_with_full_pivots(const Mat& A, const Vec& b);

/// A x = B by elimination with exchanged rows, rows and columns scaled by their largest entries;
/// false where A is singular to rounding.
[[nodiscard]] bool solve_with_pivots(Mat A, Mat B, Mat& x);

/// A = U diag(s) Vᵀ of a square matrix, s descending.
struct SingularModes {
  Mat U, V;
  Vec s;
};
[[nodiscard]] SingularModes singular_modes(const Mat& A);

/// Of all x that minimise |A x - b| the one with the smallest |x|, for A of any shape and rank.
class MinimumNorm {
 public:
  explicit MinimumNorm(const Mat& A);
  /// With columns taken as dependent where a pivot is below `independent` times the largest.
  MinimumNorm(const Mat& A, double independent);
  [[nodiscard]] Index rank() const;
  [[nodiscard]] Vec solve(const Vec& b) const;

 private:
  std::shared_ptr<const Eigen::CompleteOrthogonalDecomposition<Mat>> factors_;
};

/// Least squares  |A x - b|,  with `independent` as in MinimumNorm.
struct LeastSquares {
  Index rank = 0;
  Mat complement;  ///< columns: an orthonormal basis of what is normal to all columns of A
  Vec x;           ///< the smallest of all that serve
};
[[nodiscard]] LeastSquares least_squares(const Mat& A, const Vec& b, double independent);

/// |R_ii| of A P = Q R with exchanged columns, descending: where they fall is the rank of A.
[[nodiscard]] Vec pivots_of(const Mat& A);

/// Columns: an orthonormal basis of the vectors that are normal to all columns of A.
[[nodiscard]] Mat orthogonal_complement(const Mat& A);

}  // namespace taut
