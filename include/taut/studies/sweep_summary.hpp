// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "taut/studies/run_store.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// Runs that failed for the same reason, whatever the numbers in its words.
struct FailureGroup {
  std::string status, reason;  ///< of the first of them
  std::size_t first = 0, count = 0;
};

/// Groups failures as they come, in the order of the first of each; from the fiftieth group on
/// others are counted together.
class FailureGroups {
 public:
  void add(std::size_t run, std::string_view status, std::string_view reason);
  [[nodiscard]] const std::vector<FailureGroup>& groups() const { return groups_; }

 private:
  std::vector<FailureGroup> groups_;
  std::vector<std::string> keys_;
};

/// What a sweep found, in one pass over its runs.
struct SweepSummary {
  std::size_t finished = 0, failed = 0;
  std::string first_failure = {};  ///< its reason
  std::vector<FailureGroup> failures = {};
  struct Extremes {
    std::size_t count = 0;  ///< of the runs that have the measure
    double least = 0.0, greatest = 0.0;
    std::size_t least_run = 0, greatest_run = 0;
  };
  std::vector<Extremes> measures = {};
  std::string problem = {};  ///< with the file; empty: none
};

[[nodiscard]] SweepSummary summary_of(const RunStore& store, std::size_t runs);

}  // namespace taut

#pragma GCC visibility pop
