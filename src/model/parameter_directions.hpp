// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/compiled_system.hpp"
#include "taut/model/compile.hpp"

namespace taut {

/// The numbers of a model as functions of some of its parameters, to first order.
///
/// A compilation at special values has lost what is 0 or 1 there, and has joined what is equal: a
/// damper of 0 is no term any more. So the model is compiled a little beside its values, where
/// nothing is special, and the tape of that compilation is run at the values themselves:
///
///   c(p + e) = c(p) + Σ_j c_j e_j + O(e²)     for every number c of the compilation (1)
struct ParameterDirections {
  std::shared_ptr<const CompiledSystem> system;   ///< beside the values; its numbers have origins
  std::shared_ptr<const CompiledSystem> actions;  ///< likewise; null: no event acts
  std::vector<double> values;                     ///< c(p) by origin
  std::vector<std::vector<std::pair<int, double>>> derivatives;  ///< of each j: c_j by origin

  State given;  ///< the start as stated
  /// Of each parameter: derivatives of the start as stated, and of compliances and dampings of all
  /// rows.
  std::vector<State> start;
  std::vector<Vec> compliance, damping;

  /// c(p) of a number of the compilation.
  [[nodiscard]] double value(double recorded, int origin) const {
    return origin < 0 ? recorded : values[static_cast<std::size_t>(origin)];
  }
};

/// `parameters` are indices of CompiledModel::parameter_names(). What of them decides about the
/// structure of the model, so that there is no derivative, goes to `problems`.
[[nodiscard]] ParameterDirections parameter_directions(const CompiledModel& model,
                                                       std::span<const int> parameters,
                                                       Problems& problems);

}  // namespace taut
