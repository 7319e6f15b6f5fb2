// SPDX-License-Identifier: BSD-3-Clause
// Names of a model: parameters, definitions, anchors, points, coordinates and their start values.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "model/compiler.hpp"
#include "model/dependencies.hpp"

namespace taut {
namespace {

constexpr std::int64_t max_coordinates = 10'000'000;

/// Which of `names` stand in each text, by their numbers.
std::vector<std::vector<int>> uses(const std::vector<const Value*>& values,
                                   const StringMap<int>& number_of_name) {
  std::vector<std::vector<int>> result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i]->is_number()) continue;
    for (const std::string_view name : identifiers(values[i]->text()))
      if (const auto it = number_of_name.find(name); it != number_of_name.end())
        result[i].push_back(it->second);
  }
  return result;
}

template <class Item>
std::string cycle_text(const std::vector<int>& cycle, const std::vector<Item>& items) {
  std::string text;
  for (const int i : cycle) text += items[static_cast<std::size_t>(i)].name + " -> ";
  return text + items[static_cast<std::size_t>(cycle.front())].name;
}

}  // namespace

void Compiler::declare(const std::string& name, const std::string& where, Position at) {
  const auto [it, is_new] = owner_of_name_.try_emplace(name, where);
  if (!is_new)
    problems_.add(at, where, fmt::format("the name '{}' is already taken by {}", name, it->second),
                  "give it another name");
}

std::optional<formula::Number> Compiler::number_of(const Value& value, const std::string& where,
                                                   const Bindings& bindings) {
  const auto text = substitute(value, bindings, symbols_, where, problems_);
  if (!text) return {};
  return number(*text, symbols_, where, problems_);
}

std::optional<std::vector<formula::Number>> Compiler::numbers_of(const std::vector<Value>& values,
                                                                 const std::string& where,
                                                                 const Bindings& bindings) {
  std::vector<Number> result;
  bool fine = true;
  for (const Value& value : values) {
    const auto x = number_of(value, where, bindings);
    fine &= x.has_value();
    result.push_back(x.value_or(0.0));
  }
  if (!fine) return {};
  return result;
}

void Compiler::compile_parameters() {
  symbols_.incomplete = model_.incomplete;
  StringMap<int> number_of_name;
  std::vector<const Value*> values;
  for (const Parameter& parameter : model_.parameters) {
    declare(parameter.name, "parameter " + parameter.name, parameter.value.at());
    number_of_name.try_emplace(parameter.name, static_cast<int>(values.size()));
    values.push_back(&parameter.value);
  }
  const DependencyOrder order = dependency_order(uses(values, number_of_name));
  for (const std::vector<int>& cycle : order.cycles) {
    const Parameter& first = model_.parameters[static_cast<std::size_t>(cycle.front())];
    problems_.add(first.value.at(), "parameter " + first.name,
                  "depends on itself: " + cycle_text(cycle, model_.parameters),
                  "give one of them a number");
  }
  for (const int i : order.order) {
    const Parameter& parameter = model_.parameters[static_cast<std::size_t>(i)];
    auto x = number_of(parameter.value, "parameter " + parameter.name);
    if (x && parameter.value.is_number()) x = tape_->parameter(i, *x);
    symbols_.parameters[parameter.name] = x.value_or(1.0);
  }
  // a stand-in, so that a cycle is reported once and not at every use
  for (const Parameter& parameter : model_.parameters)
    symbols_.parameters.try_emplace(parameter.name, 1.0);
}

void Compiler::compile_inputs() {
  for (const Parameter& input : model_.inputs) {
    const std::string where = "input " + input.name;
    declare(input.name, where, input.value.at());
    const Number initial = number_of(input.value, where).value_or(0.0);
    structure_.inputs.push_back({.name = input.name, .initial = initial.value()});
    keep_in_structure(initial, [i = symbols_.inputs.size()](Structure& s) -> double& {
      return s.inputs[i].initial;
    });
    symbols_.inputs.emplace_back(input.name, initial);
  }
}

void Compiler::compile_vibration() {
  if (!model_.vibration) return;
  const Number omega = number_of(model_.vibration->omega, "vibration: omega").value_or(1.0);
  theta_phase_ = number_of(model_.vibration->phase, "vibration: phase").value_or(0.0);
  symbols_.vibrates = true;
  symbols_.theta_rate = omega;
  symbols_.parameters.try_emplace("omega", omega);
  declare("theta", "vibration", model_.vibration->position);
}

void Compiler::compile_definitions() {
  // an output is a definition that is shown
  const auto add = [&](const auto& stated, const std::string& where, bool output) {
    for_each_copy(stated.repeat, symbols_, where, problems_, [&](const Bindings& bindings) {
      const auto name =
          substitute_name(stated.name, stated.value.at(), bindings, symbols_, where, problems_);
      const auto value = substitute(stated.value, bindings, symbols_, where, problems_);
      if (!name || !value) return;
      declare(*name, where, stated.value.at());
      symbols_.definition_of_name.try_emplace(*name, static_cast<int>(symbols_.definitions.size()));
      symbols_.definitions.push_back({.name = *name, .value = *value, .output = output});
    });
  };
  for (const Definition& definition : model_.definitions)
    add(definition, "definition " + definition.name, false);
  for (const Output& output : model_.outputs)
    if (output.column) add(output, "output " + output.name, true);
  std::vector<const Value*> values;
  for (const auto& definition : symbols_.definitions) values.push_back(&definition.value);
  const auto used = uses(values, symbols_.definition_of_name);
  const DependencyOrder order = dependency_order(used);
  for (const std::vector<int>& cycle : order.cycles) {
    const auto& first = symbols_.definitions[static_cast<std::size_t>(cycle.front())];
    problems_.add(first.value.at(), (first.output ? "output " : "definition ") + first.name,
                  "depends on itself: " + cycle_text(cycle, symbols_.definitions),
                  "state one of them without the others");
  }
  for (std::size_t i = 0; i < used.size(); ++i) symbols_.definitions[i].uses = used[i];
  for (const int i : order.order) symbols_.definitions[static_cast<std::size_t>(i)].sound = true;
}

void Compiler::compile_anchors() {
  symbols_.anchors["origin"] = {
      .at = {0.0, 0.0, 0.0}, .fixed = {0.0, 0.0, 0.0}, .any_dimension = true};
  for (const Anchor& anchor : model_.anchors) {
    const std::string where = "anchor " + anchor.name;
    for_each_copy(anchor.repeat, symbols_, where, problems_, [&](const Bindings& bindings) {
      const auto name =
          substitute_name(anchor.name, anchor.position, bindings, symbols_, where, problems_);
      if (!name) return;
      declare(*name, where, anchor.position);
      Symbols::AnchorEntry entry;
      bool moves = false;
      for (const Value& component : anchor.at) {
        const auto value = substitute(component, bindings, symbols_, where, problems_);
        if (!value) return;
        formula::Graph graph;
        LocalScope scope{symbols_, time, where, problems_};
        const auto node = scope.node(*value, graph);
        if (!node) return;
        moves |= graph.depends_on(*node, formula::Slot::t) ||
                 graph.depends_on(*node, formula::Slot::theta) ||
                 graph.depends_on(*node, formula::Slot::input);
        entry.at.push_back(*value);
      }
      if (!moves)
        for (const Value& component : entry.at)
          entry.fixed.push_back(number_of(component, where).value_or(0.0));
      symbols_.anchors.insert_or_assign(*name, std::move(entry));
    });
  }
}

void Compiler::add_point(const std::string& name, const std::vector<Number>& at,
                         const std::vector<Number>& velocity) {
  static constexpr std::string_view axis = "xyz";
  symbols_.points.try_emplace(
      name, Symbols::PointEntry{static_cast<int>(q_.size()), static_cast<int>(at.size())});
  for (std::size_t i = 0; i < at.size(); ++i) {
    structure_.coordinates.push_back(fmt::format("{}.{}", name, axis[i]));
    structure_.velocities.push_back(fmt::format("{}.v{}", name, axis[i]));
    q_.push_back(at[i]);
    v_.push_back(i < velocity.size() ? velocity[i] : Number{0.0});
  }
}

void Compiler::keep_start_of(std::size_t first, std::size_t count, bool with_velocity) {
  const auto add = [](std::vector<int>& to, std::size_t index) {
    const auto number = static_cast<int>(index);
    if (std::find(to.begin(), to.end(), number) == to.end()) to.push_back(number);
  };
  for (std::size_t i = first; i < first + count; ++i) {
    add(structure_.kept_places, i);
    if (with_velocity) add(structure_.kept_velocities, i);
  }
}

void Compiler::compile_points() {
  for (const PointMass& point : model_.points) {
    const std::string where = "point " + point.name;
    for_each_copy(point.repeat, symbols_, where, problems_, [&](const Bindings& bindings) {
      const auto name =
          substitute_name(point.name, point.position, bindings, symbols_, where, problems_);
      const auto mass = number_of(point.mass, where + ": mass", bindings);
      const auto at = numbers_of(point.at, where + ": at", bindings);
      const auto velocity = numbers_of(point.velocity, where + ": velocity", bindings);
      const auto charge = number_of(point.charge, where + ": charge", bindings);
      if (mass && *mass < 0.0)
        problems_.add(point.mass.at(), where + ": mass",
                      fmt::format("{} is negative", mass->value()), "give a mass >= 0");
      if (!name) return;
      declare(*name, where, point.position);
      if (point.at.size() != 2 && point.at.size() != 3) {
        problems_.add(point.position, where + ": at",
                      fmt::format("has {} components", point.at.size()), "give two or three");
        return;
      }
      if (point.keep) keep_start_of(q_.size(), point.at.size(), !point.velocity.empty());
      add_point(*name, at.value_or(std::vector<Number>(point.at.size(), 0.0)),
                velocity.value_or(std::vector<Number>{}));
      mass_.resize(q_.size(), mass.value_or(1.0));
      charge_.resize(q_.size(), charge.value_or(0.0));
      position_of_coordinate_.resize(q_.size(), point.position);
    });
  }
}

void Compiler::compile_coordinates() {
  for (const Coordinate& coordinate : model_.coordinates) {
    const std::string where = "coordinate " + coordinate.name;
    for_each_copy(coordinate.repeat, symbols_, where, problems_, [&](const Bindings& bindings) {
      const auto name = substitute_name(coordinate.name, coordinate.position, bindings, symbols_,
                                        where, problems_);
      const auto mass = number_of(coordinate.mass, where + ": mass", bindings);
      const auto at = number_of(coordinate.at, where + ": at", bindings);
      const auto velocity = coordinate.velocity
                                ? number_of(*coordinate.velocity, where + ": velocity", bindings)
                                : std::optional<Number>{};
      if (mass && *mass < 0.0)
        problems_.add(coordinate.mass.at(), where + ": mass",
                      fmt::format("{} is negative", mass->value()), "give a mass >= 0");
      if (!name) return;
      declare(*name, where, coordinate.position);
      symbols_.coordinates.try_emplace(*name, static_cast<int>(q_.size()));
      structure_.coordinates.push_back(*name);
      structure_.velocities.push_back(fmt::format("v({})", *name));
      if (coordinate.keep) keep_start_of(q_.size(), 1, coordinate.velocity.has_value());
      q_.push_back(at.value_or(0.0));
      v_.push_back(velocity.value_or(0.0));
      mass_.push_back(mass.value_or(1.0));
      position_of_coordinate_.push_back(coordinate.position);
    });
  }
}

// A state is the velocity of a coordinate that nothing reads: these stand last in q.
void Compiler::compile_states() {
  for (const FirstOrderState& state : model_.states) {
    const std::string where = "state " + state.name;
    for_each_copy(state.repeat, symbols_, where, problems_, [&](const Bindings& bindings) {
      const auto name =
          substitute_name(state.name, state.position, bindings, symbols_, where, problems_);
      const auto at = number_of(state.at, where + ": at", bindings);
      if (!name) return;
      declare(*name, where, state.position);
      symbols_.states.try_emplace(*name, static_cast<int>(q_.size()));
      structure_.coordinates.push_back(fmt::format("integral({})", *name));
      structure_.velocities.push_back(*name);
      ++structure_.nz;
      q_.emplace_back(0.0);
      v_.push_back(at.value_or(0.0));
      mass_.resize(q_.size(), 0.0);
      position_of_coordinate_.resize(q_.size(), state.position);
    });
  }
}

void Compiler::compile_start_values() {
  StringMap<std::size_t> number_of_coordinate;
  structure_.nq = static_cast<Index>(q_.size());
  std::vector<std::string> names = structure_.place_names();
  for (const std::string& state : structure_.state_names()) names.push_back(state);
  if (!model_.start.empty())
    for (std::size_t i = 0; i < names.size(); ++i) number_of_coordinate.try_emplace(names[i], i);
  for (const StartValue& start : model_.start) {
    const std::string where = "start " + start.coordinate;
    if (!start.repeat.ranges.empty()) {
      problems_.add(start.position, where + ": repeat", "belongs to the unknowns of [jets]",
                    "give start values with the points or coordinates that are repeated");
      continue;
    }
    const auto it = number_of_coordinate.find(start.coordinate);
    if (it == number_of_coordinate.end() && symbols_.incomplete) continue;
    if (it == number_of_coordinate.end()) {
      const std::string near = nearest_name(start.coordinate, names);
      problems_.add(start.position, where, "there is no such coordinate",
                    near.empty() ? "use a coordinate such as q or bob.x"
                                 : fmt::format("did you mean '{}'?", near));
      continue;
    }
    if (!start.derivatives.empty())
      problems_.add(start.derivatives.front().at(), where + ": derivatives",
                    "belong to the unknowns of [jets]", "write velocity = ... for a coordinate");
    const bool is_state = it->second >= static_cast<std::size_t>(structure_.places());
    if (start.at)
      (is_state ? v_ : q_)[it->second] = number_of(*start.at, where + ": at").value_or(0.0);
    if (start.velocity && is_state)
      problems_.add(start.velocity->at(), where + ": velocity", "a first-order state has none",
                    "give its value with at; its rate follows from [states]");
    else if (start.velocity)
      v_[it->second] = number_of(*start.velocity, where + ": velocity").value_or(0.0);
    if (start.keep && !is_state) keep_start_of(it->second, 1, start.velocity.has_value());
  }
  if (static_cast<std::int64_t>(q_.size()) > max_coordinates)
    problems_.add({}, "model", fmt::format("has {} coordinates", q_.size()),
                  fmt::format("at most {} are allowed", max_coordinates));
}

CompiledRun Compiler::compile_run() {
  CompiledRun run;
  const RunSettings& settings = model_.run;
  const auto read = [&](const std::optional<Value>& value, const char* field,
                        bool positive) -> std::optional<Number> {
    if (!value) return {};
    const std::string where = fmt::format("run: {}", field);
    const auto x = number_of(*value, where);
    if (!x || !positive || *x > 0.0) return x;
    problems_.add(value->at(), where, fmt::format("{} is not > 0", x->value()),
                  "give a number > 0");
    return {};
  };
  const auto set = [&](const std::optional<Number>& x, std::optional<double> CompiledRun::*field) {
    if (!x) return;
    run.*field = x->value();
    keep(*x, [field](CompiledModel& model) -> double& { return *(model.run.*field); });
  };
  start_time_ = read(settings.from, "from", false).value_or(0.0);
  run.from = start_time_.value();
  keep(start_time_, [](CompiledModel& model) -> double& { return model.run.from; });
  const auto until = read(settings.until, "until", false);
  set(until, &CompiledRun::until);
  set(read(settings.step, "step", true), &CompiledRun::step);
  set(read(settings.tol, "tol", true), &CompiledRun::tol);
  set(read(settings.max_step, "max_step", true), &CompiledRun::max_step);
  set(read(settings.every, "every", true), &CompiledRun::every);
  set(read(settings.omega, "omega", true), &CompiledRun::omega);
  if (settings.reading) run.reading = settings.reading->text;
  if (settings.method) run.method = settings.method->text;
  run.error_estimate = settings.error_estimate;
  if (settings.at_impasse) run.at_impasse = settings.at_impasse->text;
  if (settings.columns &&
      std::string_view{"auto all stated"}.find(settings.columns->text) == std::string_view::npos)
    problems_.add(settings.columns->at, "run: columns",
                  fmt::format("'{}' is no choice of columns", settings.columns->text),
                  "columns are auto, all or stated");
  // a curve may be followed to smaller x
  if (until && (model_.jets ? *until == start_time_ : *until <= start_time_))
    problems_.add(
        settings.until->at(), "run: until",
        model_.jets ? fmt::format("{} is where the run starts", *run.until)
                    : fmt::format("{} is not after the start time {}", *run.until, run.from),
        model_.jets ? "give an end before or after the start" : "give an end time after the start");
  return run;
}

}  // namespace taut
