// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "core/ldlt.hpp"
#include "taut/core/status.hpp"
#include "taut/core/types.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// The matrix of a linearly implicit step,
///
///   A = M + b K,      b = β h²,      M constant and positive definite, K symmetric             (1)
///
/// as L D Lᵀ, eliminated in an order that keeps L sparse: a chain costs what a block tridiagonal
/// solver would. A is positive definite for all b below some bound, and for every b where K is.
/// Beyond the bound a step would go uphill where it believes to go down: factor() refuses it. The
/// same K and h as the last time cost no factorisation. Nothing allocates after analyse().
class ShiftedStiffness {
 public:
  explicit ShiftedStiffness(double beta) : beta_{beta} {}

  /// Values of M, pattern of K.
  void analyse(const Sparse& M, const Sparse& K);

  /// indefinite_matrix: A is not positive definite; not_supported: K is not symmetric;
  /// non_finite: b K overflows. There are no factors then.
  [[nodiscard]] Status factor(const Sparse& K, double h);

  /// A x = r. x and r may be the same object.
  void solve(const Vec& r, Vec& x) const { factor_.solve(r.data(), x.data()); }

  [[nodiscard]] double b(double h) const { return beta_ * h * h; }

  /// Why factor() has refused K at a time t: the coordinate, and the longest step for which A would
  /// be positive definite there. Uses the factors as scratch; empty when it has not refused.
  [[nodiscard]] std::string reason(const Structure& structure, const Sparse& K, double t);

 private:
  /// An entry of the lower triangle of K: where it and its mirror image (-1: none) stand in K, and
  /// where in the factor.
  struct Entry {
    int from, mirror, slot;
  };
  [[nodiscard]] Status assemble_and_factor(const Sparse& K, double b);
  [[nodiscard]] double largest_shift(const Sparse& K);

  double beta_;
  Ldlt factor_;
  std::vector<double> M_;  // as values of the factor
  std::vector<Entry> entries_;
  std::vector<double> K_;  // values of the last K
  double b_ = 0.0;         // and its b
  Status status_ = Status::not_supported;
  int row_ = 0, column_ = 0;  // where it failed
};

}  // namespace taut
