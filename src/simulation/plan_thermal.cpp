// SPDX-License-Identifier: BSD-3-Clause
// Heat baths and statistics, which need constant steps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/notes.hpp"
#include "simulation/plan_steps.hpp"

namespace taut {
namespace {

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

void check_window(const Plan& plan, Problems& problems) {
  const double window = plan.asked.thermal.multiplier_window;
  const CompiledRun& run = plan.prepared.compiled.run;
  const Structure& structure = plan.system.structure();
  const char* const option = "<<multiplier window>>";
  if (!std::isfinite(window) || (run.until && window > *run.until - run.from))
    problems.add({}, option, fmt::format("a window of {} s does not fit into the run", window),
                 "give one that is shorter than the run");
  if (window <= 0.0) return;
  if (structure.rows.empty())
    problems.add({}, option, "the model has no constraints", "leave it out");
  else if (structure.nc > 0)
    problems.add({}, option,
                 "constraints that are equations have their multipliers at every instant",
                 "leave it out, or give <<reading: penalized>> and verlet");
}

}  // namespace

Note thermal_misfit(const MethodInfo& method, const CompiledModel& model) {
  if (!method.adaptive) return {};
  if (model.bath) return note<notes::bath_needs_constant_step>();
  return model.statistics.empty() ? Note{} : note<notes::statistics_need_constant_step>();
}

bool needs_constant_step(const Plan& plan) {
  const CompiledModel& model = plan.prepared.compiled;
  return model.bath || !model.statistics.empty() || plan.asked.thermal.multiplier_window > 0.0;
}

void check_thermal(const Plan& plan, Problems& problems) {
  const ThermalOptions& asked = plan.asked.thermal;
  const CompiledModel& model = plan.prepared.compiled;
  if (!model.bath && (asked.friction || asked.drag || asked.seed))
    problems.add({}, "<<temperature>>", "friction, drag and seed are those of a heat bath",
                 "give <<temperature>> as well, or [thermostat] in the model");
  Note misfit = thermal_misfit(plan.method, model);
  if (misfit.empty() && plan.method.adaptive && asked.multiplier_window > 0.0)
    misfit = note<notes::window_needs_constant_step>();
  if (!misfit.empty())
    problems.add({}, fmt::format("method {}", plan.method.name), misfit.text(),
                 "give a method of constant steps, such as verlet or rattle, or <<step>> alone");
  check_lags(model, problems);
  if (model.bath && plan.prepared.reading.made())
    problems.add(
        {}, "reading",
        fmt::format("the {} reading has no noise of its own", plan.prepared.reading.name()),
        "run the model as written, or rigid, in a heat bath");
  const Structure& structure = plan.system.structure();
  if (model.bath && model.bath->drag > 0.0 && !(structure.mass_constant && structure.mass_diagonal))
    problems.add({}, "drag", "needs a constant diagonal mass matrix",
                 "give friction, one rate for all coordinates");
  check_window(plan, problems);
}

std::vector<std::shared_ptr<Sampler>> plan_samplers(const Plan& plan) {
  const CompiledModel& model = plan.prepared.compiled;
  std::vector<std::shared_ptr<Sampler>> samplers;
  if (model.bath)
    samplers.push_back(temperature_sampler(model.bath->temperature, {.after = model.bath_after}));
  for (const CompiledStatistic& statistic : model.statistics)
    samplers.push_back(make_sampler(statistic));
  if (const double window = plan.asked.thermal.multiplier_window; window > 0.0)
    samplers.push_back(multiplier_sampler(window));
  return samplers;
}

}  // namespace taut
