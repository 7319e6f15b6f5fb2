// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "averaged_arguments.hpp"
#include "common.hpp"
#include "curve_arguments.hpp"
#include "slow_arguments.hpp"
#include "thermal_arguments.hpp"

namespace taut::cli {

/// Options of every command that computes motions: which one, and how.
struct MotionArguments {
  ModelArguments model;
  std::string method, step, tol, max_step, until, from, every,
      columns;  ///< empty: as the model says
  SlowArguments slow;
  AveragedArguments averaged;
  ThermalArguments thermal;
  CurveArguments curve;
  std::optional<double> beta, gamma;
  double project_every = 0.0, project_above = 0.0;
  std::int64_t max_steps = 0;
  double max_seconds = 0.0;
  bool keep_start = false, slow_start = false;

  void add_to(CLI::App& app);

  /// What they say; mistakes go to `problems`.
  [[nodiscard]] SimulationOptions options(Problems& problems) const;
};

}  // namespace taut::cli
