// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common.hpp"
#include "taut/methods/method_info.hpp"
#include "taut/run/sampler.hpp"

namespace taut::cli {

/// Options of runs in a heat bath, and of statistics over their steps.
struct ThermalArguments {
  std::string temperature, friction, drag, seed;  ///< empty: as the model says
  double multiplier_window = 0.0;

  void add_to(CLI::App& app);

  /// Takes the place of what [thermostat] says.
  void edit(Model& model) const;

  /// Whether adaptive methods are out of the question.
  [[nodiscard]] bool needs_constant_step(const Loaded& loaded) const;

  void check(const Loaded& loaded, const System& system, const MethodInfo& method,
             Problems& problems) const;

  /// Those the model asks for, that of the temperature in a heat bath, that of the multipliers.
  [[nodiscard]] std::vector<std::shared_ptr<Sampler>> samplers(const Loaded& loaded) const;
};

/// Why a method does not fit the heat bath or the statistics of a model; empty where it does.
[[nodiscard]] std::string thermal_misfit(const MethodInfo& method, const CompiledModel& model);

/// Removes the statistics of an earlier run from its folder, as its summary.json tells them: those
/// that the next run does not write would stand beside another summary.
void remove_earlier_statistics(const std::filesystem::path& out);

/// All that the noise depends on.
[[nodiscard]] std::string describe(const std::optional<HeatBath>& bath);

}  // namespace taut::cli
