// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "core/lu_plan.hpp"
#include "core/lu_scalar.hpp"

namespace taut {

/// A = L U in the order and the slots of a plan, without exchanges; U has ones on its diagonal:
///
///   d_k = a_kk,    u_kj = a_kj / d_k,    l_ik = a_ik,    a_ij -= l_ik u_kj   for i, j > k      (1)
///
/// Rows of L are kept divided by d_i: substitution then has no division on its longest path.
template <class Scalar>
class LuStatic {
 public:
  void analyse(const LuPlan& plan);
  /// False if a pivot fails the test (4) of Lu, or a number is not finite.
  [[nodiscard]] bool factor(const LuPlan& plan, const Scalar* values, const double* scale);
  void solve(const LuPlan& plan, Scalar* b) const;

 private:
  using Number = Packed<Scalar>;

  [[nodiscard]] bool divide(const LuPlan& plan, int k, double scale);
  [[nodiscard]] bool factor_by_columns(const LuPlan& plan, const double* scale);
  [[nodiscard]] bool factor_by_rows(const LuPlan& plan, const double* scale);

  std::vector<Number> a_;      // rows of L and U; 1 / d_i on the diagonal
  std::vector<double> limit_;  // 1e10 s_j², by position
  mutable std::vector<Number> work_;
};

}  // namespace taut
