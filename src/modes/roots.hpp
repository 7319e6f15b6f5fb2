// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/core/types.hpp"

namespace taut {

/// Eigenvalues of a real matrix with the zeros among them told apart from what rounding makes of
/// them:
///
///   A is balanced by a diagonal of powers of 2; while it has a null space, spanned by Q1,
///   Qᵀ A Q = [0 A12; 0 A22] with Q = (Q1 Q2), and A22 takes its place                          (1)
///
/// as many times as the longest chain of a zero eigenvalue has members. What is below `rounding`
/// times the largest singular value, times the size, is zero.
struct Roots {
  bool found = false;
  Index zeros = 0;         ///< eigenvalues that are 0
  Mat still;               ///< columns: A x = 0
  Eigen::VectorXcd s;      ///< the others
  Eigen::MatrixXcd right;  ///< A x = s x, one column each
  Eigen::MatrixXcd left;   ///< rows w with w A = s w and w x = 1, w x' = 0 for all others
};
[[nodiscard]] Roots roots_of(const Mat& A);

/// d with  diag(d)⁻¹ A diag(d)  balanced: rows and columns of nearly one size.
[[nodiscard]] Vec balance(const Mat& A);

}  // namespace taut
