// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "taut/report/sweep.hpp"
#include "taut/studies/stored_sweep.hpp"
#include "taut/studies/sweep_summary.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// Runs over a grid that stand in a file, and what is written of them. Memory does not grow with
/// their number.
struct GridReport {
  SweepOrigin origin;
  std::vector<SweepAxis> axes;
  std::vector<std::string> measures;  ///< names, in the order of the store
  const StoredSweep* sweep = nullptr;
  SweepSummary found = {};  ///< summary_of() its runs
};

/// As sweep_json() has it. Where that would be more than some 3 MB, runs are brought together, and
/// `reduced` says how: of one axis the runs with the least and the greatest of each measure in each
/// of so many pieces, and the first that failed there, so that no extreme is lost; of more axes the
/// mean, the least and the greatest over cells of so many runs.
[[nodiscard]] std::string grid_json(const GridReport& report);

/// As write_sweep_csv() has it. The writers return what went wrong, with the path; empty when the
/// file is in place.
[[nodiscard]] std::string write_grid_csv(const GridReport& report, const std::string& file);

/// As write_sweep_hdf5() has it up to 100 000 runs. Of more `status` has texts of 24 bytes, and in
/// place of `reason` there are failures/run and failures/reason of the first 1000 that failed.
[[nodiscard]] std::string write_grid_hdf5(const GridReport& report, const std::string& file);

/// The page with curves or a map; at most some 4 MB.
[[nodiscard]] std::string write_grid_html(const GridReport& report, const std::string& file);

/// All of it in memory.
[[nodiscard]] RunSweep sweep_in_memory(const GridReport& report);

}  // namespace taut

#pragma GCC visibility pop
