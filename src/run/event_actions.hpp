// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "taut/core/archive.hpp"
#include "taut/model/start.hpp"
#include "taut/run/motion.hpp"
#include "taut/run/run_options.hpp"

namespace taut {

/// What the events of a run do: values before an event give those behind it, all at once,
///
///   (q, v, z, p, u)+ = r((q, v, a, λ, z, p, u)-, t)                                          (1)
///
/// with parameters p and inputs u. What is not named stays. Positions and velocities are then made
/// consistent by whoever moves them, those that were named being kept.
class EventActions {
 public:
  /// Of RunOptions::acting; without it no event acts.
  explicit EventActions(const std::shared_ptr<const ActingModel>& acting);

  [[nodiscard]] bool any() const { return acting_ != nullptr; }
  /// As it is now.
  [[nodiscard]] const CompiledModel& model() const { return model_; }
  [[nodiscard]] System system() const { return acting_->read(model_); }
  /// Changed from outside.
  void take(const CompiledModel& model);

  struct Change {
    State state;
    Kept kept;
    bool parameters = false;  ///< system() is another one
    bool inputs = false;
  };
  /// (1) for one event. On failure nothing has changed, and problem() says what was wrong.
  [[nodiscard]] Status act(int event, const Frame& before, Change& change);
  [[nodiscard]] const std::string& problem() const { return problem_; }

  /// What (1) has changed of parameters and inputs since the start, with the values now.
  [[nodiscard]] std::vector<std::pair<std::string, double>> changed() const;

  /// Values of parameters and inputs; true where those that were read are others.
  [[nodiscard]] bool archive(Archive& archive);

 private:
  [[nodiscard]] Status find_rows(const Frame& before,
                                 const std::vector<const CompiledAction*>& rows, Change& change);
  [[nodiscard]] Status set_parameters(const std::vector<ParameterValue>& values);

  std::shared_ptr<const ActingModel> acting_;
  CompiledModel model_;
  std::shared_ptr<std::vector<double>> inputs_;
  std::vector<double> first_parameters_, first_inputs_;
  Evaluation values_;
  Vec mu_;
  std::string problem_;
};

}  // namespace taut
