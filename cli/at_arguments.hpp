// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "taut/core/problems.hpp"
#include "taut/model/system.hpp"

namespace taut::cli {

/// Applies --at NAME=VALUE,NAME=VALUE to a state; mistakes go to `problems`.
void apply_at(const std::vector<std::string>& at, const Structure& structure, State& state,
              Problems& problems);

}  // namespace taut::cli
