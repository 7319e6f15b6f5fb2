// SPDX-License-Identifier: BSD-3-Clause
// Options become a part of the model, so that their mistakes are found with all others.
#include <fmt/format.h>

#include <algorithm>

#include "readings/readings.hpp"
#include "simulation/plan_steps.hpp"
#include "taut/simulation/plan.hpp"

namespace taut {
namespace {

// what to do about a name that does not exist
std::string remedy(const std::string& name, const std::vector<std::string>& known,
                   const std::string& kind) {
  if (const std::string near = nearest_name(name, known); !near.empty())
    return fmt::format("did you mean '{}'?", near);
  if (known.empty()) return fmt::format("there are no {}", kind);
  return fmt::format("{} are: {}", kind, fmt::join(known, ", "));
}

void set_parameters(const SimulationOptions& options, Model& model, Problems& problems) {
  for (const auto& [name, value] : options.set) {
    if (model.set(name, value)) continue;
    std::vector<std::string> known;
    for (const Parameter& parameter : model.parameters) known.push_back(parameter.name);
    problems.add({}, fmt::format("<<set: {}>>", name),
                 fmt::format("there is no parameter '{}'", name),
                 remedy(name, known, "parameters"));
  }
}

bool has_parameter(const Model& model, std::string_view name) {
  return std::any_of(model.parameters.begin(), model.parameters.end(),
                     [&](const Parameter& parameter) { return parameter.name == name; });
}

// true where an omega is given among the options or in [run]
bool set_reading(const SimulationOptions& options, Model& model) {
  if (options.reading) model.run.reading = Name{std::string{options.reading->name()}, {}};
  std::optional<Value> omega = options.omega;
  if (!omega && options.reading) omega = options.reading->omega();
  const bool given = omega || model.run.omega;
  if (omega)
    model.run.omega = omega;
  else if (!model.run.omega && !model.jets && has_parameter(model, "omega"))
    model.run.omega = Value{"omega"};
  return given;
}

void set_thermostat(const ThermalOptions& options, Model& model) {
  if (!options.temperature && !model.thermostat) return;
  // what is missing is reported when the model is compiled
  if (!model.thermostat) model.thermostat = Thermostat{.temperature = {}, .position = {}};
  Thermostat& thermostat = *model.thermostat;
  if (options.temperature) thermostat.temperature = *options.temperature;
  if (options.friction) {
    thermostat.friction = options.friction;
    thermostat.drag.reset();
  }
  if (options.drag) {
    thermostat.drag = options.drag;
    thermostat.friction.reset();
  }
  if (options.seed) thermostat.seed = *options.seed;
}

void set_run(const SimulationOptions& options, Model& model) {
  RunSettings& run = model.run;
  if (!options.method.empty()) run.method = Name{options.method, {}};
  if (options.step) {
    run.step = options.step;
    run.tol.reset();
  }
  if (options.tol) {
    run.tol = options.tol;
    run.step.reset();
  }
  if (options.max_step) run.max_step = options.max_step;
  if (options.until) run.until = options.until;
  if (options.from) run.from = options.from;
  if (options.every) run.every = options.every;
  if (!model.jets) set_thermostat(options.thermal, model);  // with [jets] they are refused by name
}

void check_names(const Model& model, Problems& problems) {
  const RunSettings& run = model.run;
  if (run.reading && !Reading::named(run.reading->text)) {
    const std::vector<std::string> readings{Reading::names().begin(), Reading::names().end()};
    problems.add(run.reading->at, "reading",
                 fmt::format("there is no reading '{}'", run.reading->text),
                 remedy(run.reading->text, readings, "readings"));
  }
  // of [jets] there is one method: compile() says so
  if (!run.method || model.jets) return;
  std::vector<std::string> methods;
  for (const MethodInfo& info : all_methods()) methods.emplace_back(info.name);
  if (std::find(methods.begin(), methods.end(), run.method->text) == methods.end())
    problems.add(run.method->at, "method", fmt::format("there is no method '{}'", run.method->text),
                 remedy(run.method->text, methods, "methods"));
}

// slow motions are those of the model as written, or of the penalized one where an omega is given
System read_as(const PreparedModel& prepared, Problems& problems) {
  const CompiledModel& compiled = prepared.compiled;
  const Reading::Kind kind = prepared.reading.kind();
  if (kind == Reading::Kind::rigid) return rigid(compiled.system);
  if (kind != Reading::Kind::penalized && !(kind == Reading::Kind::slow && prepared.omega_given))
    return compiled.system;
  if (compiled.run.omega) return penalized(compiled.system, *compiled.run.omega);
  problems.add({}, "reading", "penalized needs a frequency",
               "give <<omega: W>>, omega in [run], or a parameter omega");
  return compiled.system;
}

}  // namespace

void read_again(PreparedModel& prepared, Problems& problems) {
  prepared.system = read_as(prepared, problems);
}

PreparedModel prepare(Model model, const SimulationOptions& options, Problems& problems) {
  PreparedModel prepared;
  prepared.model = std::move(model);
  set_parameters(options, prepared.model, problems);
  prepared.omega_given = set_reading(options, prepared.model);
  set_run(options, prepared.model);
  check_names(prepared.model, problems);
  prepared.compiled = compile(prepared.model, problems);
  if (!problems.empty() || prepared.compiled.jets) return prepared;
  const std::string& name = prepared.compiled.run.reading;
  if (options.reading)
    prepared.reading = *options.reading;
  else if (!name.empty())
    prepared.reading = Reading::named(name).value();
  read_again(prepared, problems);
  return prepared;
}

PreparedModel with_values(const PreparedModel& prepared,
                          const std::vector<std::pair<std::string, double>>& values,
                          Problems& problems) {
  PreparedModel changed = prepared;
  std::vector<ParameterValue> numbers;
  for (const auto& [parameter, value] : values) {
    changed.model.set(parameter, value);
    if (const int index = prepared.compiled.parameter_index(parameter); index >= 0)
      numbers.push_back({.index = index, .value = value});
  }
  changed.compiled = prepared.compiled.with_parameters(numbers, problems);
  if (problems.empty() && !changed.compiled.jets) read_again(changed, problems);
  return changed;
}

}  // namespace taut
