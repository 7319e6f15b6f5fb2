// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "motion_arguments.hpp"
#include "taut/report/sweep.hpp"
#include "taut/statics/stability_sweep.hpp"
#include "taut/studies/motion_sweep.hpp"

namespace taut::cli {

/// Options of `taut sweep`.
struct SweepArguments {
  MotionArguments motion;
  std::vector<std::string> vary, measures, at, formats{"csv"};
  double reach = 0.0;
  unsigned threads = 0;
  std::filesystem::path out;
  bool resume = false, quiet = false;
  std::string command;  ///< the whole command line, for people

  void add_to(CLI::App& app);

  /// Equilibria are swept over, not runs.
  [[nodiscard]] bool stability() const;

  /// The axes of the grid. Mistakes go to `problems`, and so do options that say nothing about the
  /// measures that are asked for.
  [[nodiscard]] std::vector<SweepAxis> axes(const CLI::App& app, const Model& model,
                                            Problems& problems) const;

  [[nodiscard]] std::filesystem::path folder() const {
    return out.empty() ? std::filesystem::path{"out"} / motion.model.file.stem() : out;
  }
  [[nodiscard]] SweepOrigin origin(const std::string& model, const Reading& reading) const;
};

/// `--measure stable`: where an equilibrium is stable, over one or two parameters.
[[nodiscard]] int sweep_equilibria(const SweepArguments& arguments, const PreparedModel& prepared,
                                   const std::vector<SweepAxis>& axes, Problems& problems);

/// Every other measure: the same run over a grid of parameters.
[[nodiscard]] int sweep_motions(const SweepArguments& arguments, const MotionSweep& runs,
                                const std::vector<SweepAxis>& axes, Problems& problems);

/// Makes the folder of the results, or says on standard error why it cannot be made.
[[nodiscard]] bool make_folder(const std::filesystem::path& folder);

}  // namespace taut::cli
