// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "taut/curves/completion.hpp"
#include "taut/curves/jet_forms.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// The curve of a system that was completed. p has the jets of Completion::state.
///
/// Where Completion::structural, with rows f_i^(c_i) = f~_i + sum_j A_ij y_j^(d_j),
///
///   M = { f_i^(l) = 0, l < c_i },   D = ker (f~ | A)  on  (dx, w)                              (1)
///   w_j = dy_j^(d_j - 1), and y_j dx for d_j = 0;   dy_j^(i) = y_j^(i+1) dx  below             (2)
///
/// explicit, sparse, with second derivatives; A may be singular where (f~ | A) is not (impasse
/// points). Multipliers are not in p: CompletedUnknowns has them.
///
/// Otherwise it is implicit in the derivative array F_r of Completion, with `low` the jets of p and
/// `high` those that make |F_r(p, high)| least, Z the left null space of J_high:
///
///   f(p) = Qᵀ Zᵀ F_r(p, high(p)),   df = Qᵀ Zᵀ J_low,   V ~ (1, y', ..., y^(l)) from high      (3)
///
/// Q keeps as many combinations as are independent on M, turned so that they differ least from
/// those at the last point of the run, at which the search for `high` begins too
/// (CurveEvaluation::anchor): what is found depends on nothing else. df is exact on M and wrong by
/// O(f) beside it. Dense; every evaluation decomposes J_high and allocates; it cannot pass impasse
/// points.
[[nodiscard]] CurveForm completed_form(
    const JetSystem& system, const Completion& completion,
    DistributionMethod distribution = DistributionMethod::automatic);

/// Unknowns that are no part of p in (1): multipliers, and others with d_j = 0. They follow from
/// the kernel of (f~ | A), as w_j / dx. There are none where the form is implicit.
class CompletedUnknowns {
 public:
  CompletedUnknowns(const JetSystem& system, const Completion& completion);

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// Their values at p. Fails with impasse where they have no bound, and as direction() does.
  [[nodiscard]] Status operator()(const Vec& p, Vec& values) { return find_(p, values); }

 private:
  std::vector<std::string> names_;
  std::function<Status(const Vec&, Vec&)> find_;
};

}  // namespace taut

#pragma GCC visibility pop
