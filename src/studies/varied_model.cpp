// SPDX-License-Identifier: BSD-3-Clause
#include "studies/varied_model.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "taut/gradients/sensitivities.hpp"

namespace taut {

VariedModel::VariedModel(const Model& model, const SimulationOptions& options,
                         const std::string& study, const std::vector<std::string>& names,
                         Problems& problems)
    : model_{model}, options_{options}, names_{names} {
  // there may be mistakes of what is asked already: those of the model are told with them
  Problems of_model{problems.file()};
  const PreparedModel prepared = prepare(model, options, of_model);
  for (const Problem& one : of_model.sorted())
    problems.add(one.at, one.where, one.what, one.remedy);
  if (!of_model.empty()) return;
  if (prepared.compiled.jets) {
    problems.add({}, study, "is one of motions in time", "a model with [jets] has none");
    return;
  }
  model_ = prepared.model;  // with what was set
  options_.set.clear();
  if (!options_.tol && !prepared.compiled.run.tol) options_.tol = Value{1e-9};
  const CompiledModel& compiled = prepared.compiled;
  const Structure& structure = compiled.system.structure();
  const std::vector<std::string> known = names_to_differentiate_by(compiled);
  values_.setZero(static_cast<Index>(names.size()));
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string& name = names[k];
    double value = 0.0;
    std::pair<std::string, bool> place;
    if (const int index = compiled.parameter_index(name); index >= 0)
      value = compiled.parameter_values()[static_cast<std::size_t>(index)];
    else if (std::find(known.begin(), known.end(), name) == known.end()) {
      const std::string near = nearest_name(name, known);
      problems.add({}, fmt::format("{} of {}", study, name),
                   "there is no parameter, input or start value of this name",
                   near.empty() ? "start values are called start(NAME)"
                                : fmt::format("did you mean '{}'?", near));
      continue;
    } else {
      const auto places = static_cast<std::size_t>(structure.places());
      for (const SystemInput& input : structure.inputs)
        if (input.name == name) value = input.initial;
      for (std::size_t i = 0; i < structure.velocities.size(); ++i) {
        if (i < places && name == fmt::format("start({})", structure.coordinates[i])) {
          value = compiled.given.q[static_cast<Index>(i)];
          place = {structure.coordinates[i], false};
        }
        if (name != fmt::format("start({})", structure.velocities[i])) continue;
        value = compiled.given.v[static_cast<Index>(i)];
        // a first-order state is a velocity without a place
        place = i < places ? std::pair{structure.coordinates[i], true}
                           : std::pair{structure.velocities[i], false};
      }
    }
    values_[static_cast<Index>(k)] = value;
    place_.push_back(place);
  }
}

Model VariedModel::at(const Vec& values) const {
  Model model = model_;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const double value = values[static_cast<Index>(i)];
    const auto& [coordinate, velocity] = place_[i];
    if (coordinate.empty()) {
      model.set(names_[i], Value{value});
      continue;
    }
    auto start = std::find_if(
        model.start.begin(), model.start.end(),
        [&, &wanted = coordinate](const StartValue& one) { return one.coordinate == wanted; });
    if (start == model.start.end())
      start = model.start.insert(model.start.end(), StartValue{.coordinate = coordinate});
    (velocity ? start->velocity : start->at) = Value{value};
  }
  return model;
}

}  // namespace taut
