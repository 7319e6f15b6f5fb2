// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "taut/core/problems.hpp"
#include "taut/simulation/at_rest.hpp"

namespace taut::cli {

/// What --at NAME=VALUE,NAME=VALUE says; mistakes go to `problems`.
[[nodiscard]] NamedPlaces read_at(const std::vector<std::string>& at, Problems& problems);

}  // namespace taut::cli
