// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "taut/core/note.hpp"
#include "taut/simulation/plan.hpp"
#include "taut/statics/stability_sweep.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// The reading whose equilibria are looked for: the one that was asked for, or the averaged one of
/// a model that vibrates. Readings that never rest, or rest where others do, go to `problems`.
[[nodiscard]] Reading reading_at_rest(const PreparedModel& prepared,
                                      const AveragingOptions& averaging, Problems& problems);

/// A model in that reading, near its start; what a user should know of it goes to `notes`.
[[nodiscard]] SweepCase read_at_rest(const CompiledModel& compiled, const Reading& reading,
                                     std::vector<Note>& notes);

}  // namespace taut

#pragma GCC visibility pop
