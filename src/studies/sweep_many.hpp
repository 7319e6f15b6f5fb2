// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <utility>

#include "taut/studies/sweep.hpp"

namespace taut {

/// Of the rows that measures look at, where nobody says how far apart they are.
[[nodiscard]] inline double distance_of_rows(double from, double until) {
  constexpr double rows_of_a_run = 4000;
  return (until - from) / rows_of_a_run;
}

/// A run that is to be done: its number, and one value for each axis.
struct SweepRun {
  std::size_t number = 0;
  std::vector<double> values = {};
};
/// The next run of a sweep; nothing where all are under way, or it was cancelled.
using NextRun = std::function<std::optional<SweepRun>()>;
using RunDone = std::function<void(std::size_t number, SweptRun run)>;

/// Does runs until there is no next one, several at a time if it likes; `share` is how many there
/// are for each thread. Called once by each thread.
using DoRuns = std::function<void(std::size_t share, const NextRun& next, const RunDone& done)>;

/// sweep_runs() for those who do several runs at a time.
[[nodiscard]] RunSweep sweep_many(const std::vector<SweepAxis>& axes,
                                  const std::vector<std::string>& measures, const DoRuns& runs,
                                  const RunSweepOptions& options);

}  // namespace taut
