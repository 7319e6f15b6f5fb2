// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "taut/core/state.hpp"
#include "taut/model/system.hpp"

namespace taut::bench {

/// A model with a start and, where it is known, its answer at the end of the run.
struct Problem {
  std::string name;
  System system;
  State start;
  double until = 0.0;  ///< [s]
  Vec q, v, lambda;    ///< at `until`; empty: not known beforehand
};

/// MODELS/FILE with some parameters replaced, as written, with its consistent start and no answer.
/// Throws when the model cannot be read or has no consistent start.
[[nodiscard]] Problem load(const std::string& models, const std::string& file,
                           const std::vector<std::pair<std::string, double>>& parameters = {});

/// The same from the text of a model.
[[nodiscard]] Problem from_text(const std::string& toml,
                                const std::vector<std::pair<std::string, double>>& parameters = {});

// With answers in more digits than a double has, recomputed in quadruple precision in another
// formulation.
[[nodiscard]] Problem pendulum(const std::string& models);
[[nodiscard]] Problem car_axis(const std::string& models);
[[nodiscard]] Problem andrews(const std::string& models);
[[nodiscard]] Problem pleiades(const std::string& models);

}  // namespace taut::bench
