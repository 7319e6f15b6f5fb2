// SPDX-License-Identifier: BSD-3-Clause
#include "thermal_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

namespace taut::cli {

namespace fs = std::filesystem;

namespace {

// of what needs constant steps
std::string own_steps(const MethodInfo& method, std::string_view what) {
  if (!method.adaptive) return {};
  return fmt::format("chooses its own steps, and {} need{} constant ones", what,
                     what == "statistics" ? "" : "s");
}

// where the step is not given, the run itself finds out
void check_lags(const CompiledModel& model, Problems& problems) {
  const CompiledRun& run = model.run;
  for (const CompiledStatistic& statistic : model.statistics) {
    if (statistic.kind != Statistic::Kind::autocorrelation) continue;
    const double spacing = std::max(statistic.every, run.step.value_or(0.0));
    const std::string where = statistic.name + ": lag";
    if (run.until && statistic.lag > std::abs(*run.until - run.from))
      problems.add(
          {}, where,
          fmt::format("{} is longer than the run, which ends at t = {}", statistic.lag, *run.until),
          "give a shorter lag, or run longer");
    else if (spacing > 0.0 && std::round(statistic.lag / spacing) > most_lags)
      problems.add({}, where,
                   fmt::format("{} has {:.3g} samples, and at most {:.0e} can be kept",
                               statistic.lag, statistic.lag / spacing, most_lags),
                   "take samples farther apart with `every`, or give a shorter lag");
  }
}

}  // namespace

void ThermalArguments::add_to(CLI::App& app) {
  app.add_option("--temperature", temperature, "k T of a heat bath, in the unit of energy [J]");
  auto* rate = app.add_option("--friction", friction, "of the heat bath: rate [1/s]");
  app.add_option("--drag", drag, "of the heat bath: coefficient [kg/s], rate drag/mass")
      ->excludes(rate);
  app.add_option("--seed", seed, "of its noise: a whole number (default 1)");
  app.add_option("--multiplier-window", multiplier_window,
                 "average the multipliers of stiff constraints over windows of this width [s]")
      ->check(positive());
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
  std::string misfit = thermal_misfit(method, loaded.compiled);
  if (misfit.empty() && multiplier_window > 0.0) misfit = own_steps(method, "--multiplier-window");
  if (!misfit.empty())
    problems.add({}, fmt::format("method {}", method.name), misfit,
                 "give a method of constant steps, such as verlet or rattle, or --step alone");
  check_lags(loaded.compiled, problems);
  if (loaded.compiled.bath && (loaded.reading == "slow" || loaded.reading == "averaged"))
    problems.add({}, "reading",
                 fmt::format("the {} reading has no noise of its own", loaded.reading),
                 "run the model as written, or rigid, in a heat bath");
  const Structure& structure = system.structure();
  if (loaded.compiled.bath && loaded.compiled.bath->drag > 0.0 &&
      !(structure.mass_constant && structure.mass_diagonal))
    problems.add({}, "drag", "needs a constant diagonal mass matrix",
                 "give friction, one rate for all coordinates");
  const CompiledRun& run = loaded.compiled.run;
  if (!std::isfinite(multiplier_window) || (run.until && multiplier_window > *run.until - run.from))
    problems.add({}, "--multiplier-window",
                 fmt::format("a window of {} s does not fit into the run", multiplier_window),
                 "give one that is shorter than the run");
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

std::string thermal_misfit(const MethodInfo& method, const CompiledModel& model) {
  if (model.bath) return own_steps(method, "a heat bath");
  return model.statistics.empty() ? std::string{} : own_steps(method, "statistics");
}

void remove_earlier_statistics(const fs::path& out) {
  std::error_code ignored;  // what cannot be removed is written over, or stays
  fs::remove(out / "statistics.json", ignored);
  std::ifstream in{out / "summary.json"};
  const auto earlier = nlohmann::json::parse(in, nullptr, false);
  if (!earlier.is_object() || !earlier.contains("statistics")) return;
  for (const auto& statistic : earlier["statistics"]) {
    if (!statistic.is_object() || !statistic.contains("file")) continue;
    const auto& file = statistic["file"];
    if (!file.is_string()) continue;
    const fs::path name{file.get<std::string>()};
    if (name == name.filename() && name.extension() == ".csv") fs::remove(out / name, ignored);
  }
}

std::string describe(const std::optional<HeatBath>& bath) {
  if (!bath) return "none";
  return fmt::format("temperature {} friction {} drag {} seed {}", bath->temperature,
                     bath->friction, bath->drag, bath->seed);
}

}  // namespace taut::cli
