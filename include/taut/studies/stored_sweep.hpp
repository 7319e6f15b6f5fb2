// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "taut/studies/motion_sweep.hpp"
#include "taut/studies/run_statistics.hpp"
#include "taut/studies/run_store.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// The points of a sweep of many runs.
struct SweepPoints {
  std::vector<SweepAxis> axes;  ///< names, and between which values most points lie
  std::size_t count = 0;
  std::function<std::vector<double>(std::size_t)> values;  ///< of point k; many threads at once

  [[nodiscard]] static SweepPoints of(const std::vector<SweepAxis>& grid);
  /// `parameters` as name_start_values() gives them.
  [[nodiscard]] static SweepPoints of(const SamplePoints& points,
                                      const std::vector<std::string>& parameters);
};

struct StoredSweepOptions {
  std::string file;           ///< of the RunStore
  RunIdentity identity = {};  ///< of the sweep
  bool resume = false;        ///< with the runs that are there
  unsigned threads = 0;       ///< 0: one for each core
  bool lanes = true;
  std::string device = {};  ///< see RunSweepOptions
  /// Runs of every so manieth piece alone, counted from 1.
  std::size_t shard = 1, shards = 1;
  /// Pieces of the runs, first and behind the last, for this process; absent: all of its shard.
  std::function<std::optional<std::pair<std::size_t, std::size_t>>()> deal = {};
  /// Runs that need not be done.
  const RunStore* done = nullptr;
  /// Ends when known_to() this, looked at after 1024, 2048, ... runs. 0: all runs are done.
  double until_error = 0.0;
  StatisticsOptions statistics = {};  ///< that this looks at
  const std::atomic<bool>* cancel = nullptr;
  std::function<void(const SweepProgress&)> progress = {};
};

struct StoredSweep {
  Status status = Status::ok;  ///< or cancelled; not_supported: see problem
  RunStore store;
  std::size_t runs = 0;  ///< that belong to it: fewer than there are points where they were enough
  std::size_t finished = 0, resumed = 0;  ///< of this process
  double seconds = 0.0;
  unsigned threads = 1;
  std::string device = {}, note = {}, problem = {};
  std::size_t left_by_device = 0;
};

/// Runs at many points, kept in a file; memory does not grow with their number. What is kept does
/// not depend on threads, shards or the order of the runs.
[[nodiscard]] StoredSweep sweep(const MotionSweep& model, const SweepPoints& points,
                                const StoredSweepOptions& options);

/// The same at the points of a design, which ends early where that is asked for. `parameters` as
/// name_start_values() gives them.
[[nodiscard]] StoredSweep sweep(const MotionSweep& model, const SamplePoints& points,
                                const std::vector<std::string>& parameters,
                                const StoredSweepOptions& options);

}  // namespace taut

#pragma GCC visibility pop
