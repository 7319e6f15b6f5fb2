// SPDX-License-Identifier: BSD-3-Clause
#include "model/parameter_binding.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "model/compiled_system.hpp"
#include "model/inertia.hpp"

namespace taut {
namespace {

using formula::Origins;

/// Compilations that are kept: values that go back and forth between a few forms stay fast.
constexpr std::size_t most_compilations = 8;

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

System reading_from(const System& system, const Inputs& inputs) {
  const auto& compiled = static_cast<const CompiledSystem&>(system.implementation());
  return System{std::make_shared<const CompiledSystem>(compiled, inputs)};
}

System with_turns(const System& system, const std::shared_ptr<const std::vector<double>>& turns) {
  return System{static_cast<const CompiledSystem&>(system.implementation()).with_turns(turns)};
}

}  // namespace

ModelFamily::ModelFamily(const Model& model, std::shared_ptr<const Compilation> first)
    : model_{model}, compilations_{std::move(first)} {
  for (const Parameter& parameter : model.parameters) names_.push_back(parameter.name);
}

CompiledModel ModelFamily::first() const {
  const std::shared_ptr<const Compilation>& compilation = compilations_.front();
  CompiledModel result = compilation->model;
  auto binding = std::make_shared<ParameterBinding>();
  for (const formula::Number& parameter : compilation->parameters)
    binding->values.push_back(parameter.value());
  binding->family = shared_from_this();
  binding->compilation = compilation;
  result.binding = std::move(binding);
  return result;
}

std::optional<CompiledModel> ModelFamily::rebind(const std::shared_ptr<const Compilation>& from,
                                                 const std::vector<double>& values) const {
  Origins::Mask changed = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!from->is_number[i] || bits(values[i]) == bits(from->parameters[i].value())) continue;
    if (!std::isfinite(values[i]) || !from->tape) return {};
    changed |= Origins::bit(static_cast<int>(i));
  }
  auto point = std::make_shared<ParameterPoint>();
  point->parameters = values;
  point->changed = changed;
  if (from->tape && !from->tape->run(values, changed, point->values)) return {};

  CompiledModel result = from->model;
  auto binding = std::make_shared<ParameterBinding>();
  binding->family = shared_from_this();
  binding->compilation = from;
  const auto now = [&](int origin) { return point->values[static_cast<std::size_t>(origin)]; };
  for (const formula::Number& parameter : from->parameters)
    binding->values.push_back(from->tape && parameter.has_origin() ? now(parameter.origin())
                                                                   : parameter.value());
  if (changed != 0) {
    for (const KeptNumber<CompiledModel>& number : from->kept.in_model)
      if ((from->tape->mask(number.origin) & changed) != 0)
        number.place(result) = now(number.origin);
    const auto& compiled = static_cast<const CompiledSystem&>(from->model.system.implementation());
    result.system =
        System{std::make_shared<const CompiledSystem>(compiled, point, from->kept.in_structure)};
    if (!from->model.actions.empty())
      result.action_values = System{std::make_shared<const CompiledSystem>(
          static_cast<const CompiledSystem&>(from->model.action_values.implementation()), point,
          std::vector<KeptNumber<Structure>>{})};
    const State& before = from->model.given;
    const bool has_same_mass =
        (compiled.read_by_mass() & changed) == 0 &&
        (compiled.structure().mass_constant ||
         (before.q == result.given.q && before.v == result.given.v && before.t == result.given.t));
    if (!has_same_mass && !has_inertia(result.system, result.given)) return {};
  }
  result.binding = std::move(binding);
  return result;
}

CompiledModel ModelFamily::with(const std::shared_ptr<const Compilation>& near,
                                const std::vector<double>& values,
                                const std::vector<bool>& is_number, Problems& problems) const {
  if (near->is_number == is_number)
    if (auto found = rebind(near, values)) return std::move(*found);
  std::vector<std::shared_ptr<const Compilation>> others;
  {
    const std::lock_guard lock{changing_};
    others = compilations_;
  }
  for (const std::shared_ptr<const Compilation>& other : others)
    if (other != near && other->is_number == is_number)
      if (auto found = rebind(other, values)) return std::move(*found);

  const auto made =
      std::make_shared<const Compilation>(compile_with_tape(stated(values, is_number), problems));
  if (!problems.empty()) return {};
  auto found = rebind(made, values);
  assert(found);
  const std::lock_guard lock{changing_};
  compilations_.insert(compilations_.begin(), made);
  if (compilations_.size() > most_compilations) compilations_.pop_back();
  return std::move(*found);
}

Model ModelFamily::stated(const std::vector<double>& values,
                          const std::vector<bool>& is_number) const {
  Model model = model_;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (is_number[i]) model.parameters[i].value = Value{values[i], model.parameters[i].value.at()};
  return model;
}

System ModelFamily::expression(const ParameterBinding& binding, std::string_view text) const {
  Problems problems{model_.file};
  const Model model = stated(binding.values, binding.compilation->is_number);
  System system = compile_expression(model, text, problems);
  problems.throw_if_any();
  return system;
}

std::span<const std::string> CompiledModel::parameter_names() const {
  if (!binding) return {};
  return binding->family->names();
}

std::span<const double> CompiledModel::parameter_values() const {
  if (!binding) return {};
  return binding->values;
}

int CompiledModel::parameter_index(std::string_view name) const {
  const auto names = parameter_names();
  const auto it = std::find(names.begin(), names.end(), name);
  return it == names.end() ? -1 : static_cast<int>(it - names.begin());
}

CompiledModel CompiledModel::with_parameters(std::span<const ParameterValue> changes,
                                             Problems& problems) const {
  if (changes.empty() || !binding) {
    assert(changes.empty());
    return *this;
  }
  std::vector<double> values = binding->values;
  std::vector<bool> is_number = binding->compilation->is_number;
  for (const ParameterValue& parameter : changes) {
    const auto i = static_cast<std::size_t>(parameter.index);
    assert(i < values.size());
    values[i] = parameter.value;
    is_number[i] = true;
  }
  CompiledModel result = binding->family->with(binding->compilation, values, is_number, problems);
  if (!problems.empty()) return result;
  if (binding->inputs) result = result.with_inputs(binding->inputs);
  return binding->added ? with_addition(result, binding->added) : result;
}

CompiledModel CompiledModel::with_inputs(Inputs values) const {
  assert(values && values->size() == system.structure().inputs.size());
  CompiledModel result = *this;
  result.system = reading_from(formulas_of(*this), values);
  if (!actions.empty()) result.action_values = reading_from(action_values, values);
  auto own = std::make_shared<ParameterBinding>(*binding);
  own->inputs = std::move(values);
  own->added = nullptr;
  result.binding = std::move(own);
  return binding->added ? with_addition(result, binding->added) : result;
}

CompiledModel with_addition(const CompiledModel& model,
                            const std::function<System(const System&)>& add) {
  CompiledModel result = model;
  auto own = std::make_shared<ParameterBinding>(*model.binding);
  own->formulas = formulas_of(model);
  own->added = add;
  if (const auto& before = model.binding->added)
    own->added = [before, add](const System& system) { return add(before(system)); };
  result.system = add(model.system);
  result.binding = std::move(own);
  return result;
}

const System& formulas_of(const CompiledModel& model) {
  return model.binding && model.binding->added ? model.binding->formulas : model.system;
}

Expression CompiledModel::expression(std::string_view text) const {
  System read = binding->family->expression(*binding, text);
  if (binding->inputs) read = reading_from(read, binding->inputs);
  return Expression{binding->turns ? with_turns(read, binding->turns) : read};
}

CompiledModel reading_turns(const CompiledModel& model,
                            std::shared_ptr<const std::vector<double>> turns) {
  CompiledModel result = model;
  auto own = std::make_shared<ParameterBinding>(*model.binding);
  own->turns = std::move(turns);
  result.binding = std::move(own);
  return result;
}

double Expression::operator()(const Arguments& at, Evaluation& scratch) const {
  if (scratch.observable.size() != 1) system_.prepare(scratch);
  // not finite is an answer, too
  static_cast<void>(system_.evaluate(need(Target::observable), at, scratch));
  return scratch.observable[0];
}

double Expression::operator()(const State& at) const {
  Evaluation scratch;
  return (*this)({.t = at.t, .q = at.q, .v = at.v}, scratch);
}

CompiledModel CompiledModel::with_parameters(std::span<const ParameterValue> values) const {
  Problems problems;
  CompiledModel result = with_parameters(values, problems);
  problems.throw_if_any();
  return result;
}

CompiledModel CompiledModel::with_parameter(std::string_view name, double value) const {
  const int index = parameter_index(name);
  Problems problems;
  if (index < 0) {
    const auto names = parameter_names();
    const std::string near = nearest_name(name, {names.begin(), names.end()});
    problems.add({}, fmt::format("parameter {}", name), "there is no such parameter",
                 names.empty()  ? "the model has none"
                 : near.empty() ? fmt::format("parameters are: {}", fmt::join(names, ", "))
                                : fmt::format("did you mean '{}'?", near));
    problems.throw_if_any();
  }
  const ParameterValue one{index, value};
  return with_parameters({&one, 1});
}

}  // namespace taut
