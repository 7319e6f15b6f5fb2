// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "modes/linear_point.hpp"

namespace taut {

/// linearize() in its steps: parameters that are asked for as inputs become some, then the model is
/// prepared, a point is found (linear_point()), and there it is linearised. Of a large model only
/// the equations in all coordinates are made.
[[nodiscard]] PreparedModel prepare_linear(const Model& model, const SimulationOptions& options,
                                           const std::vector<std::string>& inputs,
                                           Problems& problems);
[[nodiscard]] LinearModel linearize_at(const LinearPoint& point, const PreparedModel& prepared,
                                       const LinearizeOptions& options, Problems& problems);

}  // namespace taut
