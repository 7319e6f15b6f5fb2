// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "averaged_arguments.hpp"
#include "model_files.hpp"
#include "taut/modes/linearize.hpp"

namespace taut::cli {

/// What a command asks that looks at a model for small changes about a point.
struct LinearQuestion {
  Model model;
  LinearizeOptions linear;
  SimulationOptions options;
};

/// Options of such commands.
struct LinearArguments : ModelFiles {
  AveragedArguments averaging;
  std::string at;  ///< start, equilibrium or a time; empty: chosen
  std::vector<std::string> inputs, outputs;

  void add_to(CLI::App& app);

  /// What they say; mistakes go to `problems`.
  [[nodiscard]] LinearQuestion question(Problems& problems) const;

 private:
  [[nodiscard]] LinearizeOptions linear(Problems& problems) const;
};

/// "about the equilibrium at x = 0.1, ...": where equations are linear.
[[nodiscard]] std::string point_text(const LinearModel& linear);

/// Says why there is no linear model, and returns the exit code.
int report_no_linear(const LinearModel& linear);

}  // namespace taut::cli
