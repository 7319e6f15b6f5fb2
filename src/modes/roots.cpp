// SPDX-License-Identifier: BSD-3-Clause
#include "modes/roots.hpp"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <cmath>
#include <limits>
#include <vector>

#include "core/dense_decompositions.hpp"

namespace taut {
namespace {

constexpr double rounding = 1e2 * std::numeric_limits<double>::epsilon();

/// One step of (1): A = [0 A12; 0 A22] in the basis (Q1 Q2).
struct Stair {
  Mat Q1, Q2, A12;
};

}  // namespace

Vec balance(const Mat& A) {
  const Index n = A.rows();
  Vec d = Vec::Ones(n);
  Mat B = A;
  for (int sweep = 0; sweep < 20; ++sweep) {
    bool changed = false;
    for (Index i = 0; i < n; ++i) {
      const double column = B.col(i).lpNorm<1>() - std::abs(B(i, i));
      const double row = B.row(i).lpNorm<1>() - std::abs(B(i, i));
      if (!(column > 0.0) || !(row > 0.0)) continue;
      const double f = std::exp2(std::round(std::log2(row / column) / 2));
      if (column * f + row / f >= 0.95 * (column + row)) continue;
      changed = true;
      d[i] *= f;
      B.col(i) *= f;
      B.row(i) /= f;
    }
    if (!changed) break;
  }
  return d;
}

Roots roots_of(const Mat& A) {
  Roots found;
  const Index n = A.rows();
  if (n == 0) {
    found.found = true;
    found.still = Mat(0, 0);
    return found;
  }
  const Vec d = balance(A);
  Mat B = d.cwiseInverse().asDiagonal() * A * d.asDiagonal();
  const double border = static_cast<double>(n) * rounding * std::max(B.norm(), 1e-300);
  std::vector<Stair> stairs;
  while (B.rows() > 0) {
    const SingularModes svd = singular_modes(B);
    Index rank = 0;
    while (rank < svd.s.size() && svd.s[rank] > border) ++rank;
    const Index null = B.rows() - rank;
    if (null == 0) break;
    Stair stair{.Q1 = svd.V.rightCols(null), .Q2 = svd.V.leftCols(rank), .A12 = {}};
    const Mat right = product(B, stair.Q2);
    stair.A12 = product(stair.Q1.transpose(), right);
    B = product(stair.Q2.transpose(), right);
    stairs.push_back(std::move(stair));
    found.zeros += null;
  }
  found.still = stairs.empty() ? Mat(n, 0) : Mat{d.asDiagonal() * stairs.front().Q1};
  if (B.rows() == 0) {
    found.found = true;
    return found;
  }
  GeneralModes rest = general_modes(B, Wanted::values_and_shapes);
  if (!rest.found) return found;
  found.s = rest.values;
  // rows of the inverse first: they go up the stairs as zeros before what they are here
  Eigen::MatrixXcd right = rest.shapes;
  Eigen::MatrixXcd left = Eigen::PartialPivLU<Eigen::MatrixXcd>{right}.inverse();
  for (auto stair = stairs.rbegin(); stair != stairs.rend(); ++stair) {
    // A x = s x with x = Q1 x1 + Q2 x2:  s x1 = A12 x2;  w = w2 Q2ᵀ
    Eigen::MatrixXcd x1 = stair->A12 * right;
    for (Index k = 0; k < x1.cols(); ++k) x1.col(k) /= found.s[k];
    const Eigen::MatrixXcd up = stair->Q1 * x1 + stair->Q2 * right;
    const Eigen::MatrixXcd left_up = left * stair->Q2.transpose();
    right = up;
    left = left_up;
  }
  found.right = d.asDiagonal() * right;
  found.left = left * d.cwiseInverse().asDiagonal();
  found.found = true;
  return found;
}

}  // namespace taut
