// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "common.hpp"
#include "curve_arguments.hpp"

namespace taut::cli {

/// What `taut run` was told, as far as it concerns models with [jets].
struct JetRunArguments {
  const ModelArguments& model;
  const CurveArguments& curve;
  std::filesystem::path out;
  const std::vector<std::string>& formats;
  std::int64_t max_steps = 0;
  double max_seconds = 0.0;
  double checkpoint_every = 5.0;
  bool resume = false;
  bool quiet = false;
  bool report = true;  ///< report.html is written
};

/// `taut run`, `taut start` and `taut check` for a model with [jets]. They return the exit code.
/// Options of `app` that only mechanical models have are refused.
int run_jets(const CLI::App& app, const Loaded& loaded, const JetRunArguments& arguments);
int start_jets(const CLI::App& app, const Loaded& loaded, const ModelArguments& arguments);
int check_jets(const CLI::App& app, const Loaded& loaded, const ModelArguments& arguments);

/// Says on standard error what a start had to change and to find.
void report_start(const CurveStart& start);

/// Options given that are none of `known` go to `problems`.
void refuse_others(const CLI::App& app, const std::vector<std::string>& known, Problems& problems);

}  // namespace taut::cli
