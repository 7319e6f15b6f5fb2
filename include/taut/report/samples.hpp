// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "taut/report/sweep.hpp"
#include "taut/studies/run_statistics.hpp"
#include "taut/studies/stored_sweep.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// Drawn runs, and what is found of them.
struct SampleReport {
  SweepOrigin origin;
  std::string method;
  const SamplePoints* points = nullptr;
  std::vector<std::string> measures;
  const StoredSweep* sweep = nullptr;
  RunStatistics statistics;
};

/// As a JSON object, on one line (docs/manual/sweep.md has its fields).
[[nodiscard]] std::string samples_json(const SampleReport& report);

/// One line for each run that has finished, as write_sweep_csv() has it without reasons. Memory
/// does not grow with the number of runs. What went wrong, or nothing.
[[nodiscard]] std::string write_samples_csv(const SampleReport& report, const std::string& file);

/// The same as HDF5: `values/J` and `measures/M`, a column for each number and each measure, whose
/// names stand in names/values and names/measures, and `status`, a place in names/status (-1: not
/// done). Memory does not grow with the number of runs.
[[nodiscard]] std::string write_samples_hdf5(const SampleReport& report, const std::string& file);

/// The page with distributions, convergence and scattered pairs; at most some 2 MB.
[[nodiscard]] std::string write_samples_html(const SampleReport& report, const std::string& file);

}  // namespace taut

#pragma GCC visibility pop
