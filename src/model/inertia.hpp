// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/core/state.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// Whether M is finite and positive definite at a state. Where it is finite and is not, `defect`
/// gets the first coordinate without inertia; where it is not finite, -1.
[[nodiscard]] bool has_inertia(const System& system, const State& at, Index* defect = nullptr);

}  // namespace taut
