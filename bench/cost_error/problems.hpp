// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "taut/core/state.hpp"
#include "taut/model/system.hpp"

namespace taut::bench {

/// A model of the gallery with its answer at the end of the run, known to more digits than a double
/// has (recomputed in quadruple precision in another formulation).
struct Problem {
  std::string name;
  System system;
  State start;
  double until = 0.0;  ///< [s]
  Vec q, v, lambda;    ///< at `until`
};

/// Pendulum, car axis and Andrews' mechanism. Throws when a model cannot be read.
[[nodiscard]] std::vector<Problem> problems(const std::string& models);

}  // namespace taut::bench
