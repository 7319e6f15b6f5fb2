// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "modes/linear_point.hpp"

namespace taut {

/// Inputs of linear equations: those of the model, or forces on coordinates, by their names.
class LinearInputs {
 public:
  LinearInputs(const LinearPoint& point, const PreparedModel& prepared,
               const std::vector<std::string>& asked, Problems& problems);

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// -dr/du of the residual r = M a - f + Gᵀ lambda, one column for each.
  [[nodiscard]] const Mat& forces() const { return forces_; }
  /// Their numbers among the inputs of the model; -1: a force on a coordinate.
  [[nodiscard]] const std::vector<int>& numbers() const { return numbers_; }

 private:
  void add_input(const LinearPoint& point, int number, const std::string& name, Problems& problems);

  std::vector<std::string> names_;
  std::vector<int> numbers_;
  Mat forces_;
};

}  // namespace taut
