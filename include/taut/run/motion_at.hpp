// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/core/state.hpp"
#include "taut/model/system.hpp"
#include "taut/run/motion.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// What is known about one state of a system, its accelerations, multipliers, energies, outputs and
/// quantities of elements: a motion of one row; of none where they cannot be computed.
[[nodiscard]] Motion motion_at(const System& system, const State& state);

}  // namespace taut

#pragma GCC visibility pop
