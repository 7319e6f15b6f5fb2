// SPDX-License-Identifier: BSD-3-Clause
#include "model/parameter_directions.hpp"

#include <cmath>

#include <fmt/format.h>

#include "model/parameter_binding.hpp"

namespace taut {
namespace {

using formula::Origins;

/// Compiled a little beside the values, by other parts of each parameter: nothing is equal there
/// that is not always equal.
CompiledModel compiled_beside(const CompiledModel& model, std::span<const int> parameters,
                              double size, Problems& problems) {
  constexpr double golden = 0.6180339887498949;
  std::vector<ParameterValue> beside;
  for (std::size_t j = 0; j < parameters.size(); ++j) {
    const double value = model.parameter_values()[static_cast<std::size_t>(parameters[j])];
    const double part = 1.0 + std::fmod(golden * static_cast<double>(j + 1), 1.0);
    const double scale = value == 0.0 ? std::abs(size) : size * value;
    beside.push_back({parameters[j], value + part * scale});
  }
  return model.with_parameters(beside, problems);
}

void find_start(const Compilation& compilation, ParameterDirections& result) {
  CompiledModel place = compilation.model;
  const auto take = [&](const auto& value_of) {
    for (const KeptNumber<CompiledModel>& number : compilation.kept.in_model)
      number.place(place) = value_of(number.origin);
    return place.given;
  };
  result.given = take([&](int origin) { return result.values[static_cast<std::size_t>(origin)]; });
  for (const auto& column : result.derivatives) {
    place.given.q.setZero();
    place.given.v.setZero();
    place.given.t = 0.0;
    std::vector<double> by_origin(result.values.size(), 0.0);
    for (const auto& [origin, slope] : column) by_origin[static_cast<std::size_t>(origin)] = slope;
    result.start.push_back(
        take([&](int origin) { return by_origin[static_cast<std::size_t>(origin)]; }));

    if (compilation.model.system.structure().rows.empty()) {
      result.compliance.emplace_back(0);
      result.damping.emplace_back(0);
      continue;
    }
    Structure structure = compilation.model.system.structure();
    for (Row& row : structure.rows) row.compliance = row.damping = 0.0;
    for (const KeptNumber<Structure>& number : compilation.kept.in_structure)
      number.place(structure) = by_origin[static_cast<std::size_t>(number.origin)];
    const auto rows = static_cast<Index>(structure.rows.size());
    Vec& compliance = result.compliance.emplace_back(Vec::Zero(rows));
    Vec& damping = result.damping.emplace_back(Vec::Zero(rows));
    for (Index r = 0; r < rows; ++r) {
      compliance[r] = structure.rows[static_cast<std::size_t>(r)].compliance;
      damping[r] = structure.rows[static_cast<std::size_t>(r)].damping;
    }
  }
}

}  // namespace

ParameterDirections parameter_directions(const CompiledModel& model,
                                         std::span<const int> parameters, Problems& problems) {
  constexpr double a_little = 1e-5;
  ParameterDirections result;
  Problems above, below;
  CompiledModel beside = compiled_beside(model, parameters, a_little, above);
  if (!above.empty()) beside = compiled_beside(model, parameters, -a_little, below);
  if (!above.empty() && !below.empty()) {
    problems.add({}, "sensitivity",
                 "there is no derivative: the model cannot be compiled at values nearby",
                 "take a value inside the range that is allowed");
    return result;
  }
  const Compilation& compilation = *beside.binding->compilation;
  result.system =
      std::dynamic_pointer_cast<const CompiledSystem>(compilation.model.system.shared());
  if (!compilation.model.actions.empty())
    result.actions =
        std::dynamic_pointer_cast<const CompiledSystem>(compilation.model.action_values.shared());
  if (!compilation.tape || !result.system) {
    problems.add({}, "sensitivity", "is one of motions in time", "a model with [jets] has none");
    return result;
  }
  std::vector<double> values{model.parameter_values().begin(), model.parameter_values().end()};
  Origins::Mask changed = 0;
  for (const int parameter : parameters) changed |= Origins::bit(parameter);
  const Origins::Mask decided = compilation.tape->run_near(values, changed, result.values);
  if (decided != 0) {
    for (const int parameter : parameters)
      if ((decided & Origins::bit(parameter)) != 0) {
        problems.add({},
                     fmt::format("sensitivity to {}",
                                 model.parameter_names()[static_cast<std::size_t>(parameter)]),
                     "there is no derivative: the parameter decides what the model is made of, "
                     "such as a number of links, a table, or whether a body is flat",
                     "take parameters that only appear in formulas, or sweep this one");
        return result;
      }
  }
  for (const int parameter : parameters)
    result.derivatives.push_back(compilation.tape->derivatives(parameter, result.values));
  find_start(compilation, result);
  return result;
}

}  // namespace taut
