// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "core/lu_plan.hpp"
#include "core/lu_scalar.hpp"
#include "taut/core/status.hpp"

namespace taut {

/// A Q = L U with columns chosen by size as the rows of a plan are eliminated, U with ones on its
/// diagonal. The pattern of each row is found by a depth-first search through the rows of U that it
/// meets (Gilbert and Peierls, SIAM J. Sci. Stat. Comput. 9, 1988).
template <class Scalar>
class LuExchange {
 public:
  [[nodiscard]] Status factor(const LuPlan& plan, const Scalar* values, const double* scale);
  void solve(const LuPlan& plan, Scalar* b) const;

 private:
  using Number = Packed<Scalar>;

  void reach(int column);

  std::vector<int> pivot_;   // row that eliminates a column, or -1; rows are numbered by position
  std::vector<int> chosen_;  // its inverse: the column of each row's pivot
  std::vector<int> lower_begin_, lower_;  // rows of L: rows of U they meet, ascending in time
  std::vector<int> upper_begin_, upper_;  // rows of U without their diagonal: columns
  std::vector<Number> lower_value_, upper_value_, inverse_;
  std::vector<int> found_, stack_, cursor_;  // of the search; found_ in order of completion
  std::vector<bool> seen_;
  mutable std::vector<Number> work_;
};

}  // namespace taut
