// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "taut/core/types.hpp"

// Decompositions of small dense matrices. Only dense_decompositions.cpp instantiates those of
// Eigen: they cost the compiler ten seconds in every source that does.

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
  [[nodiscard]] Index rank() const;
  [[nodiscard]] Vec solve(const Vec& b) const;

 private:
  std::shared_ptr<const Eigen::CompleteOrthogonalDecomposition<Mat>> factors_;
};

/// Columns: an orthonormal basis of the vectors that are normal to all columns of A.
[[nodiscard]] Mat orthogonal_complement(const Mat& A);

}  // namespace taut
