// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "taut/model/system.hpp"

namespace taut {

/// Of switched() or a reading of its rows: the compiled model with its switches frozen; of others
/// base_of(). Nothing where a switch slides: no formula says what it does then.
[[nodiscard]] std::optional<System> frozen_model(const System& reading);

}  // namespace taut
