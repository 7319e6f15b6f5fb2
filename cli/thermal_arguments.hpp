// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

#include "taut/simulation/options.hpp"

namespace taut::cli {

/// Options of runs in a heat bath, and of statistics over their steps.
struct ThermalArguments {
  std::string temperature, friction, drag, seed;  ///< empty: as the model says
  double multiplier_window = 0.0;

  void add_to(CLI::App& app);
  [[nodiscard]] ThermalOptions options() const;
};

/// Files with statistics of an earlier run in its folder, as its summary.json tells them: those
/// that the next run does not write would stand beside another summary.
[[nodiscard]] std::vector<std::string> earlier_statistics(const std::filesystem::path& out);

}  // namespace taut::cli
