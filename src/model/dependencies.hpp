// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>
#include <vector>

namespace taut {

/// Names that stand in an expression text, in order; numbers and operators are skipped.
[[nodiscard]] std::vector<std::string_view> identifiers(std::string_view text);

/// An order in which every item comes after those it depends on. Items on a cycle, and those that
/// wait for one, are missing from `order`; one cycle for each knot stands in `cycles`.
struct DependencyOrder {
  std::vector<int> order;
  std::vector<std::vector<int>> cycles;
};
[[nodiscard]] DependencyOrder dependency_order(const std::vector<std::vector<int>>& depends_on);

}  // namespace taut
