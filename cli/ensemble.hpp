// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "motion_arguments.hpp"
#include "taut/model/model.hpp"

namespace taut::cli {

/// Options of `taut run --ensemble`.
struct EnsembleArguments {
  double runs = 0.0;
  double spread = 0.0;
  std::vector<std::string> distributions, correlations;
  std::string sampling = "random";
  std::vector<double> quantiles{0.05, 0.25, 0.5, 0.75, 0.95};
  unsigned threads = 0;

  void add_to(CLI::App& app);
  [[nodiscard]] bool asked() const { return runs >= 1.0; }
};

/// Many runs in place of one: ensemble.csv, ensemble.json, ensemble.html in `folder`.
[[nodiscard]] int run_ensemble(const EnsembleArguments& arguments, const MotionArguments& motion,
                               Model model, const std::vector<std::string>& formats,
                               const std::filesystem::path& folder, bool page, bool quiet,
                               Problems& problems);

}  // namespace taut::cli
