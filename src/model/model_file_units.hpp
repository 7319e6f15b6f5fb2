// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/model_file_toml.hpp"
#include "taut/core/problems.hpp"

namespace taut::model_file {

/// Replaces every number with a unit, "30 deg" or "2.5 kN/m", by the number in SI units, where it
/// is of the dimension that its key has, which the description of the key says in brackets. Keys
/// without one (parameters, plain coordinates) take any. A unit whose name the model gives to
/// something else is none.
void convert_units(Node& root, Problems& problems);

}  // namespace taut::model_file
