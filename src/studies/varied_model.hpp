// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "taut/core/problems.hpp"
#include "taut/core/types.hpp"
#include "taut/model/model.hpp"
#include "taut/simulation/plan.hpp"

namespace taut {

/// A model as a function of some of its parameters, inputs and stated start values (start(NAME)).
class VariedModel {
 public:
  /// `study` begins the messages, which go to `problems`.
  VariedModel(const Model& model, const SimulationOptions& options, const std::string& study,
              const std::vector<std::string>& names, Problems& problems);

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// The values they have in the model.
  [[nodiscard]] const Vec& values() const { return values_; }
  [[nodiscard]] Model at(const Vec& values) const;
  /// Options of runs of these models: what they set is in the models.
  [[nodiscard]] const SimulationOptions& options() const { return options_; }

 private:
  Model model_;
  SimulationOptions options_;
  std::vector<std::string> names_;
  Vec values_;
  std::vector<std::pair<std::string, bool>> place_;  // of a start: its coordinate, velocity or not
};

}  // namespace taut
