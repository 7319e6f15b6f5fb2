// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "taut/core/status.hpp"
#include "taut/run/checkpoint.hpp"
#include "taut/statics/stability_sweep.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// How one run of a sweep ended.
struct SweptRun {
  std::string status = {};            ///< name of its Status, or "bad_input"; empty: not run
  std::string reason = {};            ///< why it has no measures
  std::string method = {};            ///< what it was computed with
  std::vector<double> measures = {};  ///< NaN where there is none

  [[nodiscard]] bool finished() const { return !status.empty(); }
  [[nodiscard]] bool failed() const { return !reason.empty(); }
};

/// Does one run; called by several threads at a time, with one value for each axis. A run that was
/// cancelled has no status.
using DoRun = std::function<SweptRun(const std::vector<double>& values)>;

struct SweepProgress {
  std::size_t done = 0, total = 0;
  std::size_t now = 0;   ///< of those done, the ones that were not resumed
  double seconds = 0.0;  ///< of wall time for them
};

struct RunSweepOptions {
  /// These points alone, each with one value for each axis, not the grid of the axes.
  std::vector<std::vector<double>> points = {};
  unsigned threads = 0;  ///< 0: one for each core
  /// Whether runs that allow it go through one program side by side. They give the same bits.
  bool lanes = true;
  /// "cuda": on the GPU, in the order of the operations of the processor and rounded as there;
  /// "cuda-fast": products and sums may be rounded together. Empty: on the processor.
  std::string device = {};
  /// Every run that has finished is appended there at once. Empty: no journal.
  std::string journal = {};
  RunIdentity identity = {};        ///< of the sweep
  std::vector<SweptRun> kept = {};  ///< of an earlier journal (find_journal()); empty: none
  const std::atomic<bool>* cancel = nullptr;
  std::function<void(const SweepProgress&)> progress = {};  ///< by one thread at a time
};

struct RunSweep {
  Status status = Status::ok;  ///< or cancelled; not_supported: see problem
  std::vector<SweepAxis> axes = {};
  std::vector<std::vector<double>> points = {};  ///< empty: the grid of the axes
  std::vector<std::string> measures = {};        ///< their names
  std::vector<SweptRun> runs = {};  ///< one for each point; of a grid the first axis runs fastest
  std::size_t finished = 0, failed = 0, resumed = 0;
  double seconds = 0.0;            ///< of wall time
  unsigned threads = 1;            ///< that were used
  std::string device = {};         ///< name of the GPU; empty: none
  std::size_t left_by_device = 0;  ///< runs that the processor did in its place
  std::string problem = {};        ///< with the journal or the device; empty: none
  std::string note = {};           ///< what is to be known of the results; empty: nothing
  std::string first_failure = {};  ///< the first reason for which a run failed

  /// The values of point k.
  [[nodiscard]] std::vector<double> values(std::size_t k) const;
  /// The method of all runs; empty where they differ.
  [[nodiscard]] std::string method() const;
};

/// Number of points of a grid.
[[nodiscard]] std::size_t grid_size(const std::vector<SweepAxis>& axes);

/// The same run at every point of a grid of parameters, or at a list of points, on several threads.
/// What is found does not depend on how many, and not on where a sweep was interrupted and resumed.
[[nodiscard]] RunSweep sweep_runs(const std::vector<SweepAxis>& axes,
                                  const std::vector<std::string>& measures, const DoRun& run,
                                  const RunSweepOptions& options = {});

/// Result of looking for a journal.
struct JournalFound {
  enum class Kind : unsigned char {
    none,     ///< there is no such file
    usable,   ///< `runs` has an entry for each point of the sweep, some of them finished
    refused,  ///< damaged, or of another sweep: `problem` says which
  };
  Kind kind = Kind::none;
  std::vector<SweptRun> runs = {};
  std::size_t finished = 0;
  std::string problem = {};
};

/// Reads the journal of a sweep of so many points and measures. A last line that was not written to
/// its end is as if it was not there.
[[nodiscard]] JournalFound find_journal(const std::string& file, const RunIdentity& identity,
                                        std::size_t points, std::size_t measures);

/// Marks the journal of a sweep as complete, once its results are safe. What went wrong, or
/// nothing.
[[nodiscard]] std::string complete_journal(const std::string& file);

/// Whether it is marked so, whatever sweep it is of.
[[nodiscard]] bool journal_complete(const std::string& file);

}  // namespace taut

#pragma GCC visibility pop
