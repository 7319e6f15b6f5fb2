// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "taut/run/motion.hpp"

namespace taut {

/// Further outputs of a motion that is complete, behind those it has: `rows` has a row for each of
/// its rows. Between rows nothing is known of them: extremes are those of the row.
void add_outputs(Motion& motion, const std::vector<std::string>& names,
                 const std::vector<std::vector<double>>& rows);

}  // namespace taut
