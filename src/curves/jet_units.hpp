// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/model/jet_system.hpp"

namespace taut {

/// Factors of rows and columns that bring the largest number of each to 1.
struct Balance {
  Vec rows, columns;  ///< powers of two; 1 for those that are zero

  [[nodiscard]] Mat of(const Mat& A) const { return rows.asDiagonal() * A * columns.asDiagonal(); }
};
/// Of a matrix of sizes (>= 0), by repeated square roots.
[[nodiscard]] Balance balance_of(const Mat& sizes);

/// Units of the jets and of the equations of a system, in which ranks can be judged whatever the
/// units and the time scale of the model. With G = df_i / dy_j^(m) the sizes in the equations near
/// a point,
///
///   y_j^(m) in units of  c_j / tau^m,    D^k f_i in units of  tau^-k / r_i (1) log r_i + log c_j -
///   m log tau + log |G|  least, in the mean square                         (2)
///
/// so that linear equations of one time scale get numbers near 1 in all derivatives of theirs: a
/// spring of 1e6 N/m with 10 g has tau = 1e-4 s. c_j is 1 in the mean.
class JetUnits {
 public:
  JetUnits() = default;
  /// `jets` has all jets of the equations by number; those that are not known are 0.
  JetUnits(const JetSystem& system, const Vec& jets);

  /// (1) with tau times 2^`shift`.
  [[nodiscard]] double jet(Index jet, int shift = 0) const;
  /// The factor of derivative `k` of an equation.
  [[nodiscard]] double row(Index equation, int k, int shift = 0) const;
  /// As jet(), but 1 where that is off by a factor of 64 at most: for lengths that are compared
  /// with stated numbers, whose units are the author's.
  [[nodiscard]] double coarse(Index jet) const;

 private:
  Vec log_row_, log_unknown_;  // base 2
  double log_tau_ = 0.0;
};

}  // namespace taut
