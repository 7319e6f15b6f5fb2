// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/pair_field.hpp"

namespace taut {

/// Collects laws between groups of points while a model is compiled, and sorts them into fields:
/// laws that reach equally far and spare the same pairs are summed in one pass.
class PairBuilder {
 public:
  /// One law between two groups of points, given by the number of their x in q.
  struct Use {
    PairLaw law;
    std::vector<int> among;
    std::vector<int> with;  ///< the same as `among` for pairs within one group
    std::optional<PairSwitch> range;
    int apart = 3;
    int dimension = 3;
    double accuracy = 0.0;  ///< of Ewald's sum over charges `among` and all their images; 0: none
  };
  /// More different kinds of points than these, by the laws that act on them, are refused.
  static constexpr std::size_t most_kinds = 1'000;

  /// Two points that a rod, a spring or a bond joins.
  void join(int a, int b);
  void add(Use use) { uses_.push_back(std::move(use)); }
  [[nodiscard]] bool empty() const { return uses_.empty(); }

  /// `name` and `charge` say more of points; false when there are too many kinds of points.
  [[nodiscard]] bool finish(const std::vector<std::string>& coordinates,
                            const std::vector<double>& charge, const std::array<double, 3>& edge,
                            std::vector<PairField>& fields) const;

 private:
  using Group = std::vector<const Use*>;
  [[nodiscard]] std::vector<Group> groups() const;
  /// Points that fewer joints than `apart` separate from `point`, without itself.
  [[nodiscard]] std::vector<int> joined(int point, int apart) const;

  std::vector<Use> uses_;
  std::map<int, std::vector<int>> neighbours_;
};

}  // namespace taut
