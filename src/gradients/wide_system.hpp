// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formula/freeze.hpp"
#include "model/parameter_directions.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// What a motion is differentiated by besides its start, as further coordinates e at rest at 0:
///
///   W(q, e) = system with the numbers  c(p) + Σ_j c_j e_j,     x = (q, e) (1)
///
/// so that every derivative of a system by coordinates is one by parameters, too: columns nq ... of
/// K, D, G, N and of observables. Its observables are those of the model, then
///
///   g''_r = G a + g_qq(v, v) + 2 g_qt v + g_tt      of each row r, with a as given (2)
///
/// then the guards of its switches, which keep the sides that `modes` says.
class WideSystem {
 public:
  /// A switch of the model.
  struct Switch {
    formula::Guard::Kind kind = formula::Guard::Kind::positive;
    Index observable = 0;  ///< its guard
    std::string label;     ///< the element that it belongs to
  };

  /// `parameters` and `inputs` by their numbers in the model. What has no derivative goes to
  /// `problems`.
  WideSystem(const CompiledModel& model, std::span<const int> parameters,
             std::span<const int> inputs, Problems& problems);

  [[nodiscard]] const System& system() const { return system_; }
  [[nodiscard]] Index nq() const { return nq_; }
  [[nodiscard]] Index ne() const { return ne_; }
  /// Observable of (2) of row 0.
  [[nodiscard]] Index first_of_rows() const { return first_of_rows_; }
  [[nodiscard]] const std::vector<Switch>& switches() const { return switches_; }
  /// Sides of the switches: they may be changed between evaluations.
  [[nodiscard]] std::vector<double>& modes() const { return *modes_; }
  /// What joints in space remember of their turns, which formulas read: whole quarters of turns,
  /// that follow the motion between steps (Turns) and have no derivatives.
  [[nodiscard]] std::vector<double>& turns() const { return *turns_; }
  [[nodiscard]] const ParameterDirections& directions() const { return directions_; }

  /// Outputs and quantities of elements as functions of the coordinates (q, e, a, λ of all rows).
  [[nodiscard]] const std::optional<System>& quantities() const { return quantities_; }
  /// The same of what events set: CompiledModel::action_values.
  [[nodiscard]] const std::optional<System>& actions() const { return actions_; }

 private:
  System system_;
  std::optional<System> quantities_, actions_;
  ParameterDirections directions_;
  Index nq_ = 0, ne_ = 0, first_of_rows_ = 0;
  std::vector<Switch> switches_;
  std::shared_ptr<std::vector<double>> modes_ = std::make_shared<std::vector<double>>();
  std::shared_ptr<std::vector<double>> turns_ = std::make_shared<std::vector<double>>();
};

}  // namespace taut
