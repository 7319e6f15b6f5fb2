// SPDX-License-Identifier: BSD-3-Clause
#include "run/event_actions.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/archive_list.hpp"
#include "model/compiled_system.hpp"
#include "model/parameter_binding.hpp"
#include "model/read_multipliers.hpp"

namespace taut {

EventActions::EventActions(const std::shared_ptr<const ActingModel>& acting) {
  if (!acting || acting->model.actions.empty()) return;
  const auto compiled =
      std::dynamic_pointer_cast<const CompiledSystem>(formulas_of(acting->model).shared());
  if (!compiled) return;  // then the run is refused
  acting_ = acting;
  model_ = acting->model;
  inputs_ = acting->inputs;
  if (!inputs_) {
    inputs_ = std::make_shared<std::vector<double>>(compiled->inputs());
    if (!inputs_->empty()) model_ = model_.with_inputs(inputs_);
  }
  first_parameters_.assign(model_.parameter_values().begin(), model_.parameter_values().end());
  first_inputs_ = *inputs_;
  model_.action_values.prepare(values_);
}

void EventActions::take(const CompiledModel& model) {
  if (!any()) return;
  model_ = model;
  model_.action_values.prepare(values_);
}

Status EventActions::act(int event, const Frame& before, Change& change) {
  const auto& [t, q, v] = before.state;
  read_multipliers(model_.action_values.structure(), before.lambda, mu_);
  const Arguments at{.t = t, .q = q, .v = v, .a = &before.a, .lambda = &before.lambda, .mu = &mu_};
  // what is not finite may belong to another event
  if (const Status status = model_.action_values.evaluate(need(Target::observable), at, values_);
      status != Status::ok && status != Status::non_finite)
    return status;
  change = {};
  change.state = before.state;
  std::vector<ParameterValue> parameters;
  std::vector<std::pair<std::size_t, double>> inputs;
  std::vector<const CompiledAction*> rows;
  for (std::size_t k = 0; k < model_.actions.size(); ++k) {
    const CompiledAction& action = model_.actions[k];
    if (action.event != event) continue;
    const double value = values_.observable[static_cast<Index>(k)];
    if (!std::isfinite(value)) {
      problem_ = fmt::format("sets {} to {}", action.name, value);
      return Status::non_finite;
    }
    switch (action.target) {
      case CompiledAction::Target::place:
        change.state.q[action.index] = value;
        change.kept.places.push_back(action.index);
        break;
      case CompiledAction::Target::velocity:
        change.state.v[action.index] = value;
        change.kept.velocities.push_back(action.index);
        break;
      case CompiledAction::Target::velocities:
        rows.push_back(&action);
        change.kept.rows.push_back({.name = action.name, .value = value});
        break;
      case CompiledAction::Target::parameter:
        if (model_.parameter_values()[static_cast<std::size_t>(action.index)] != value)
          parameters.push_back({.index = action.index, .value = value});
        break;
      case CompiledAction::Target::input:
        inputs.emplace_back(static_cast<std::size_t>(action.index), value);
        break;
    }
  }
  if (const Status status = find_rows(before, rows, change); status != Status::ok) return status;
  if (!parameters.empty()) {
    if (const Status status = set_parameters(parameters); status != Status::ok) return status;
    change.parameters = true;
  }
  for (const auto& [index, value] : inputs) {
    change.inputs |= (*inputs_)[index] != value;
    (*inputs_)[index] = value;
  }
  return Status::ok;
}

// What is linear in v is known by its values at v = 0 and at the unit vectors.
Status EventActions::find_rows(const Frame& before, const std::vector<const CompiledAction*>& rows,
                               Change& change) {
  if (rows.empty()) return Status::ok;
  const auto& [t, q, v] = change.state;
  Kept& kept = change.kept;
  Vec unit = Vec::Zero(v.size());
  const Arguments at{
      .t = t, .q = q, .v = unit, .a = &before.a, .lambda = &before.lambda, .mu = &mu_};
  for (Index i = -1; i < v.size(); ++i) {
    if (i >= 0) unit[i] = 1.0;
    if (const Status status = model_.action_values.evaluate(need(Target::observable), at, values_);
        status != Status::ok && status != Status::non_finite)
      return status;
    if (i >= 0) unit[i] = 0.0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const double there = values_.observable[static_cast<Index>(rows[k]->index)];
      Kept::Row& row = kept.rows[k];
      if (!std::isfinite(there)) {
        problem_ = fmt::format("sets {}, which is not finite there", row.name);
        return Status::non_finite;
      }
      if (i < 0) {
        row.E.setConstant(v.size(), -there);
        row.value -= there;
      } else {
        row.E[i] += there;
      }
    }
  }
  for (const Kept::Row& row : kept.rows)
    if (row.E.isZero(0.0)) {
      problem_ = fmt::format("sets {}, which no velocity changes there", row.name);
      return Status::invalid_argument;
    }
  return Status::ok;
}

Status EventActions::set_parameters(const std::vector<ParameterValue>& values) {
  Problems problems;
  CompiledModel changed = model_.with_parameters(values, problems);
  if (!problems.empty()) {
    problem_ = "sets parameters to values that the model cannot have: " + problems.message();
    return Status::invalid_argument;
  }
  take(changed);
  return Status::ok;
}

std::vector<std::pair<std::string, double>> EventActions::changed() const {
  std::vector<std::pair<std::string, double>> all;
  if (!any()) return all;
  const auto add = [&](const std::string& name, double before, double now) {
    if (now != before) all.emplace_back(name, now);
  };
  const auto names = model_.parameter_names();
  for (std::size_t i = 0; i < names.size(); ++i)
    add(names[i], first_parameters_[i], model_.parameter_values()[i]);
  const std::vector<SystemInput>& inputs = model_.system.structure().inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    add(inputs[i].name, first_inputs_[i], (*inputs_)[i]);
  return all;
}

bool EventActions::archive(Archive& archive) {
  if (!any()) return false;
  archive.tag("events that act");
  const auto now = model_.parameter_values();
  std::vector<double> parameters{now.begin(), now.end()}, inputs = *inputs_;
  archive(parameters, inputs);
  if (!archive.loading()) return false;
  require_sense(parameters.size() == now.size() && inputs.size() == inputs_->size(),
                "parameters in it");
  std::vector<ParameterValue> others;
  // those that are expressions of others follow
  std::vector<bool> is_set(parameters.size(), false);
  for (const CompiledAction& action : model_.actions)
    if (action.target == CompiledAction::Target::parameter)
      is_set[static_cast<std::size_t>(action.index)] = true;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (is_set[i] && parameters[i] != now[i])
      others.push_back({.index = static_cast<int>(i), .value = parameters[i]});
  *inputs_ = inputs;
  if (!others.empty()) require_sense(set_parameters(others) == Status::ok, "parameters in it");
  return !others.empty();
}

}  // namespace taut
