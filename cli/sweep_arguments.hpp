// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "motion_arguments.hpp"
#include "taut/report/sweep.hpp"
#include "taut/statics/stability_sweep.hpp"
#include "taut/studies/motion_sweep.hpp"
#include "taut/studies/run_statistics.hpp"

namespace taut::cli {

/// NAME=A:B:N or NAME=A:B:N:log; nothing where it is not that.
[[nodiscard]] std::optional<SweepAxis> parse_axis(const std::string& text);

/// Options of `taut sweep`.
struct SweepArguments {
  MotionArguments motion;
  std::vector<std::string> vary, measures, at, formats{"csv"};
  std::string device;
  // of drawn runs
  double sample = 0.0;
  std::vector<std::string> distributions, correlations, probabilities;
  std::string sampling = "random";
  std::vector<double> quantiles{0.05, 0.5, 0.95};
  double until_error = 0.0;
  bool indices = false;
  // of many processes
  std::string shard;
  bool merge = false;
  double reach = 0.0;
  unsigned threads = 0;
  std::filesystem::path out;
  bool resume = false, quiet = false, one_by_one = false;
  std::string command;                 ///< the whole command line, for people
  std::string run_command;             ///< that of one of its runs
  std::vector<std::string> of_sweeps;  ///< names of the options that `taut run` does not know, or
                                       ///< of which a single run has its own

  void add_to(CLI::App& app);

  /// Runs are drawn, not on a grid.
  [[nodiscard]] bool sampled() const { return sample >= 1.0; }
  /// Of what is drawn: that of noise, too.
  [[nodiscard]] std::uint64_t seed() const;
  [[nodiscard]] SampleDesign design(Problems& problems) const;
  /// Mistakes of a sweep of drawn runs go to `problems`.
  void check_sampled(const CLI::App& app, Problems& problems) const;
  /// What --shard says, counted from 1; {1, 1} without it.
  [[nodiscard]] std::pair<std::size_t, std::size_t> share(Problems& problems) const;

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

class Ranks;
/// Every other measure: the same run over a grid of parameters, whose names for the runs are
/// `parameters`, as name_start_values() gives them.
[[nodiscard]] int sweep_motions(const SweepArguments& arguments, const MotionSweep& runs,
                                const std::vector<SweepAxis>& axes,
                                const std::vector<std::string>& parameters, Ranks& ranks,
                                Problems& problems);
/// Drawn runs; `parameters` as name_start_values() gives them.
[[nodiscard]] int sweep_samples(const SweepArguments& arguments, const MotionSweep& runs,
                                const SamplePoints& points,
                                const std::vector<std::string>& parameters,
                                const std::vector<RunCondition>& conditions, Ranks& ranks,
                                Problems& problems);

}  // namespace taut::cli
