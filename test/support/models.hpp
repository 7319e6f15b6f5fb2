// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "taut/core/state.hpp"
#include "taut/model/system.hpp"

namespace taut::test {

/// A model of the gallery, all constraints as the file has them, with its consistent start.
struct Loaded {
  System system;
  State start;
};

/// Reads models/NAME.toml with some parameters replaced; throws ModelError, or std::runtime_error
/// when there is no consistent start.
[[nodiscard]] Loaded load(const std::string& name,
                          const std::vector<std::pair<std::string, double>>& parameters = {});

}  // namespace taut::test
