// SPDX-License-Identifier: BSD-3-Clause
#include "thermal_arguments.hpp"

#include <fmt/format.h>

namespace taut::cli {

void ThermalArguments::add_to(CLI::App& app) {
  app.add_option("--temperature", temperature, "k T of a heat bath, in the unit of energy [J]");
  auto* rate = app.add_option("--friction", friction, "of the heat bath: rate [1/s]");
  app.add_option("--drag", drag, "of the heat bath: coefficient [kg/s], rate drag/mass")
      ->excludes(rate);
  app.add_option("--seed", seed, "of its noise: a whole number (default 1)");
  app.add_option("--multiplier-window", multiplier_window,
                 "average the multipliers of stiff constraints over windows of this width [s]")
      ->check(CLI::PositiveNumber);
}

void ThermalArguments::edit(Model& model) const {
  if (temperature.empty() && !model.thermostat) return;
  // what is missing is reported when the model is compiled
  if (!model.thermostat) model.thermostat = Thermostat{.temperature = {}, .position = {}};
  Thermostat& thermostat = *model.thermostat;
  if (!temperature.empty()) thermostat.temperature = parse_value(temperature);
  if (!friction.empty()) {
    thermostat.friction = parse_value(friction);
    thermostat.drag.reset();
  }
  if (!drag.empty()) {
    thermostat.drag = parse_value(drag);
    thermostat.friction.reset();
  }
  if (!seed.empty()) thermostat.seed = parse_value(seed);
}

bool ThermalArguments::needs_constant_step(const Loaded& loaded) const {
  return loaded.compiled.bath || !loaded.compiled.statistics.empty() || multiplier_window > 0.0;
}

void ThermalArguments::check(const Loaded& loaded, const System& system, const MethodInfo& method,
                             Problems& problems) const {
  if (!loaded.compiled.bath && !(friction.empty() && drag.empty() && seed.empty()))
    problems.add({}, "--temperature", "friction, drag and seed are those of a heat bath",
                 "give --temperature as well, or [thermostat] in the model");
  if (method.adaptive && needs_constant_step(loaded)) {
    const char* const what = loaded.compiled.bath      ? "a heat bath"
                             : multiplier_window > 0.0 ? "--multiplier-window"
                                                       : "statistics";
    problems.add({}, fmt::format("method {}", method.name),
                 fmt::format("chooses its own steps, and {} needs constant ones", what),
                 "give a method of constant steps, such as verlet or rattle, or --step alone");
  }
  if (loaded.compiled.bath && (loaded.reading == "slow" || loaded.reading == "averaged"))
    problems.add({}, "reading",
                 fmt::format("the {} reading has no noise of its own", loaded.reading),
                 "run the model as written, or rigid, in a heat bath");
  const Structure& structure = system.structure();
  if (loaded.compiled.bath && loaded.compiled.bath->drag > 0.0 &&
      !(structure.mass_constant && structure.mass_diagonal))
    problems.add({}, "drag", "needs a constant diagonal mass matrix",
                 "give friction, one rate for all coordinates");
  if (multiplier_window > 0.0 && (structure.rows.empty() || system.nc() > 0))
    problems.add({}, "--multiplier-window",
                 structure.rows.empty() ? "the model has no constraints"
                                        : "constraints that are equations have their multipliers "
                                          "at every instant",
                 structure.rows.empty() ? "leave it out"
                                        : "leave it out, or give --reading penalized and verlet");
}

std::vector<std::shared_ptr<Sampler>> ThermalArguments::samplers(const Loaded& loaded) const {
  std::vector<std::shared_ptr<Sampler>> samplers;
  if (const auto& bath = loaded.compiled.bath)
    samplers.push_back(
        temperature_sampler(bath->temperature, {.after = loaded.compiled.bath_after}));
  for (const CompiledStatistic& statistic : loaded.compiled.statistics)
    samplers.push_back(make_sampler(statistic));
  if (multiplier_window > 0.0) samplers.push_back(multiplier_sampler(multiplier_window));
  return samplers;
}

std::string describe(const std::optional<HeatBath>& bath) {
  if (!bath) return "none";
  return fmt::format("temperature {} friction {} drag {} seed {}", bath->temperature,
                     bath->friction, bath->drag, bath->seed);
}

}  // namespace taut::cli
