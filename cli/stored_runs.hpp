// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "ranks.hpp"
#include "results.hpp"
#include "sweep_arguments.hpp"
#include "taut/studies/stored_sweep.hpp"

namespace taut::cli {

/// The runs of a sweep in the files of its folder, by one process or many:
///
///   sweep.runs            all of them, where they come together
///   sweep-I-of-N.runs     those of a shard
///   sweep-rank-R.runs     those of a rank, as long as the ranks are at work
///
/// Nothing that was computed is thrown away unasked: files of a sweep that was interrupted are put
/// aside, as FILE.before, where another one begins; what a merge replaces stays until all parts are
/// there.
class StoredRuns {
 public:
  StoredRuns(const SweepArguments& arguments, Ranks& ranks,
             std::pair<std::size_t, std::size_t> part)
      : arguments_{arguments}, ranks_{ranks}, part_{part}, folder_{arguments.folder()} {}

  /// Enters the folder, does the runs by `sweep_runs` and brings those of all together. The exit
  /// code where there is nothing to be written, and that is said: it failed, or others write. Runs
  /// that were interrupted are written.
  [[nodiscard]] std::optional<int> run(
      RunIdentity identity, std::size_t count, std::size_t measures,
      const std::function<StoredSweep(const StoredSweepOptions&)>& sweep_runs, StoredSweep& sweep);

  /// Once the results are safe. What went wrong, or nothing.
  [[nodiscard]] std::string complete(const StoredSweep& sweep) const {
    return sweep.status == Status::ok ? sweep.store.complete(sweep.runs) : std::string{};
  }

 private:
  [[nodiscard]] bool alone() const { return part_.second == 1; }
  [[nodiscard]] std::filesystem::path own() const;
  [[nodiscard]] std::vector<std::filesystem::path> files(const std::string& kind) const;
  [[nodiscard]] int enter();
  [[nodiscard]] int begin(std::size_t count, std::size_t measures);
  [[nodiscard]] bool put_aside(const std::filesystem::path& file) const;
  [[nodiscard]] int collect(StoredSweep& sweep, std::size_t count, std::size_t measures);

  const SweepArguments& arguments_;
  Ranks& ranks_;
  std::pair<std::size_t, std::size_t> part_;
  std::filesystem::path folder_;
  std::optional<FolderLock> lock_;
  RunIdentity identity_;
  RunStore base_;
  bool resumes_ = false;
};

}  // namespace taut::cli
