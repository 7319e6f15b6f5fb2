// SPDX-License-Identifier: BSD-3-Clause
// What events do: new values, which are computed by a system of their own.
#include <algorithm>

#include <fmt/format.h>

#include "formula/derivative.hpp"
#include "model/compiled_system.hpp"
#include "model/element_context.hpp"

namespace taut {
namespace {

using Set = CompiledAction::Target;

/// Number of a name in a list; -1 where it is none of them.
int place_of(const std::vector<std::string>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

}  // namespace

void ElementContext::add_action(const Name& target, const Value& value) {
  const std::string field = fmt::format("then {}", target.text);
  const auto name = this->name(target, field);
  const auto text = expression(value, field);
  if (!name || !text) return;
  const Structure& structure = compiler_.structure_;
  CompiledAction action{.event = static_cast<int>(structure.observables.size()) - 1, .name = *name};
  const auto is = [&](Set kind, int index) {
    if (index >= 0) action.target = kind;
    return (action.index = index) >= 0;
  };
  std::vector<std::string> parameters, inputs;
  for (const Parameter& parameter : model().parameters) parameters.push_back(parameter.name);
  for (const SystemInput& input : structure.inputs) inputs.push_back(input.name);
  const std::vector<std::string> places = structure.place_names();
  // states are among the velocities, by their own names
  if (!is(Set::place, place_of(places, *name)) &&
      !is(Set::velocity, place_of(structure.velocities, *name)) &&
      !is(Set::parameter, place_of(parameters, *name)) &&
      !is(Set::input, place_of(inputs, *name))) {
    if (incomplete()) return;
    if (add_velocity_action(action)) {
      add_action(target, *text, std::move(action), field);
      return;
    }
    if (symbols().definition_of_name.contains(*name)) {
      refuse(target.at, field, "is a definition or an output, which follows from other values",
             "change a parameter, an input or a coordinate that it is made of");
      return;
    }
    std::vector<std::string> known = places;
    for (const auto& more : {structure.velocities, parameters, inputs})
      known.insert(known.end(), more.begin(), more.end());
    const std::string near = nearest_name(*name, known);
    refuse(target.at, field,
           fmt::format("there is nothing called '{}' that could be changed", *name),
           near.empty() ? "events change coordinates (bob.x), velocities (bob.vx, v(phi)), "
                          "functions of these that are linear in velocities (arm.wz, arm.tip.vx, "
                          "rate(elbow)), states, parameters and inputs"
                        : fmt::format("did you mean '{}'?", near));
    return;
  }
  add_action(target, *text, std::move(action), field);
}

// A function of the coordinates that is linear in the velocities, such as the spin of a body. Its
// values are found where new ones are, behind these.
bool ElementContext::add_velocity_action(CompiledAction& action) {
  Problems ignored;
  const formula::Recording none{nullptr};
  LocalScope scope{symbols(), positions | velocities, {}, ignored};
  formula::Graph graph;
  const auto node = scope.node(Value{action.name, at_}, graph);
  if (!node || !graph.depends_on(*node, formula::Slot::v)) return false;
  formula::Derivatives derivatives{graph};
  for (const formula::Partial& partial : derivatives.gradient(*node, formula::Slot::v))
    if (graph.depends_on(partial.node, formula::Slot::v)) return false;

  Compiler::Trace trace = this->trace(positions | velocities);
  const auto root = trace.expression(Value{action.name, at_});
  if (!root) return false;
  if (!compiler_.action_rows_) compiler_.action_rows_.emplace(symbols().theta_rate);
  action.target = Set::velocities;
  action.index = compiler_.numbers_of_action_rows_++;
  trace.observable(*root, action.index);
  trace.finish(label_, *compiler_.action_rows_);
  return true;
}

void ElementContext::add_action(const Name& target, const Value& text, CompiledAction action,
                                const std::string& field) {
  for (const CompiledAction& other : compiler_.actions_)
    if (other.event == action.event && other.name == action.name) {
      refuse(target.at, field, "is set twice", "give each name one value");
      return;
    }
  Compiler::Trace trace = this->trace(everything, field);
  const auto root = trace.expression(text);
  if (!root) return;
  trace.observable(*root, static_cast<int>(compiler_.actions_.size()));
  trace.finish(label_, *compiler_.action_values_);
  compiler_.structure_.observables.back().acts = true;
  compiler_.actions_.push_back(std::move(action));
}

void Compiler::finish_actions(CompiledModel& result) {
  result.actions = std::move(actions_);
  if (result.actions.empty()) return;
  Structure structure;
  structure.inputs = structure_.inputs;
  structure.read_multipliers = structure_.read_multipliers;
  for (const CompiledAction& action : result.actions)
    structure.observables.push_back({.name = action.name, .kind = Observable::Kind::quantity});
  std::vector<Batch> batches = action_values_->finish();
  if (action_rows_) {
    const auto values = static_cast<int>(result.actions.size());
    for (CompiledAction& action : result.actions) {
      if (action.target != Set::velocities) continue;
      action.index += values;
      structure.observables.push_back({.name = action.name, .kind = Observable::Kind::quantity});
    }
    for (Batch& batch : action_rows_->finish()) {
      for (int& number : batch.observables) number += values;
      batches.push_back(std::move(batch));
    }
  }
  for (Batch& batch : batches) batch.drawn = true;
  result.action_values = System{std::make_shared<const CompiledSystem>(
      std::move(batches), std::move(structure), std::vector<PairField>{}, symbols_.theta_rate,
      theta_phase_, tape_)};
}

}  // namespace taut
