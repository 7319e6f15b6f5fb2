// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "taut/model/model.hpp"
#include "taut/simulation/simulate.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// Where a motion passes a surface `zero` = 0 from below: Poincaré's section. Of a motion that is
/// driven with the frequency w, "sin(w*t)" is passed once in each period.
struct Section {
  std::string zero;  ///< expression of the model
  std::vector<std::string> coordinates, velocities;
  std::vector<double> t;
  Mat q, v;  ///< a row for each passage
};

/// Adds the surface to a model, before it is compiled.
void add_section(const std::string& zero, Model& model);

/// Takes its passages out of the events of the run.
[[nodiscard]] Section take_section(const std::string& zero, Result& result);

/// Sections have as many points as a run has room for, SimulationOptions has none for that.
void make_room_for_section(Plan& plan);

}  // namespace taut

#pragma GCC visibility pop
