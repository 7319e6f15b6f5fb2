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

// start(bob.x), start(bob.vx), start(phi), start(v(phi)): as [start] has them. Whether there is
// such a coordinate, compile() says.
bool set_start(std::string_view name, const Value& value, Model& model) {
  constexpr std::string_view begin = "start(", of_velocity = "v(", dot = ".v";
  if (!name.starts_with(begin) || !name.ends_with(')')) return false;
  std::string coordinate{name.substr(begin.size(), name.size() - begin.size() - 1)};
  bool velocity = false;
  const bool has_velocities = !model.jets;  // unknowns have derivatives, which have no names
  if (has_velocities && coordinate.starts_with(of_velocity) && coordinate.ends_with(')')) {
    velocity = true;
    coordinate = coordinate.substr(of_velocity.size(), coordinate.size() - of_velocity.size() - 1);
  } else if (const std::size_t at = coordinate.rfind(dot);
             has_velocities && at != std::string::npos &&
             at + dot.size() + 1 == coordinate.size()) {
    velocity = true;
    coordinate.erase(at + 1, 1);
  }
  auto start = std::find_if(model.start.begin(), model.start.end(),
                            [&](const StartValue& one) { return one.coordinate == coordinate; });
  if (start == model.start.end())
    start = model.start.insert(model.start.end(), StartValue{.coordinate = coordinate});
  (velocity ? start->velocity : start->at) = value;
  return true;
}

void set_parameters(const SimulationOptions& options, Model& model, Problems& problems) {
  for (const auto& [name, value] : options.set) {
    if (model.set(name, value) || set_start(name, value, model)) continue;
    std::vector<std::string> known;
    for (const Parameter& parameter : model.parameters) known.push_back(parameter.name);
    const bool is_coordinate =
        std::any_of(name.begin(), name.end(), [](char c) { return c == '.' || c == '('; });
    problems.add({}, fmt::format("<<set: {}>>", name),
                 fmt::format("there is no parameter '{}'", name),
                 is_coordinate ? "start values are called start(NAME), such as start(bob.vx)"
                               : remedy(name, known, "parameters"));
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
  if (!options.columns.empty()) run.columns = Name{options.columns, {}};
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
  const Structure& structure = compiled.system.structure();
  const bool of_vibrations = kind == Reading::Kind::slow || kind == Reading::Kind::averaged;
  if (of_vibrations && structure.nz > 0)
    problems.add({}, "reading",
                 fmt::format("{} is one of mechanical motion alone, and there are first-order "
                             "states ([states])",
                             prepared.reading.name()),
                 "give <<reading: as-written>>");
  if ((of_vibrations || kind == Reading::Kind::penalized) && structure.has_velocity_rows())
    problems.add({}, "reading",
                 fmt::format("{} has no meaning for conditions on velocities ([[rolling]])",
                             prepared.reading.name()),
                 "give <<reading: as-written>>");
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
  if ((options.project_every > 0.0 || options.project_above > 0.0) &&
      prepared.system.structure().nz > 0)
    problems.add({}, "<<project every>>",
                 "the slow manifold is one of mechanical motion alone, and there are first-order "
                 "states ([states])",
                 "leave it out");
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

PreparedModel with_force(const PreparedModel& prepared, const BlackBoxForce& force) {
  PreparedModel changed = prepared;
  changed.compiled = with_force(prepared.compiled, force);
  Problems none;  // it was read before
  read_again(changed, none);
  return changed;
}

}  // namespace taut
