// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "modes/linear_inputs.hpp"
#include "modes/linear_point.hpp"

namespace taut {

/// Outputs of linear equations: numbers of a motion by their names, as functions of q, v, a and the
/// multipliers of all rows.
class LinearOutputs {
 public:
  LinearOutputs(const LinearPoint& point, const PreparedModel& prepared,
                const std::vector<std::string>& asked, Problems& problems);

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  /// Their changes y along the columns of (dq, dv, da, dlambda), dlambda of the equations.
  [[nodiscard]] Status changes(const Mat& dq, const Mat& dv, const Mat& da, const Mat& dlambda,
                               Mat& y) const;

  /// The same as matrices:  y = Yq dq + Yv dv + Ya da + Yl dlambda.
  [[nodiscard]] Status rows(Sparse& Yq, Sparse& Yv, Sparse& Ya, Sparse& Yl) const;

  /// What outputs read of the inputs themselves.
  [[nodiscard]] Mat of_inputs(const LinearInputs& inputs) const;

 private:
  struct Term {
    enum class Of : unsigned char { q, v, a, lambda, input };
    Index output = 0;
    Of of = Of::q;
    Index index = 0;
    double value = 1.0;
  };
  [[nodiscard]] Status multipliers(const Mat& dq, const Mat& dv, const Mat& dlambda,
                                   Mat& all) const;

  const LinearPoint& point_;
  std::vector<std::string> names_;
  std::vector<Term> terms_;
};

}  // namespace taut
