// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "averaged_arguments.hpp"
#include "common.hpp"
#include "taut/statics/stability_sweep.hpp"

namespace taut::cli {

/// The reading whose equilibria are looked for: the one that was asked for, or the averaged one of
/// a model that vibrates.
[[nodiscard]] std::string reading_at_rest(const Loaded& loaded, Problems& problems);

/// A model in that reading, near its start.
[[nodiscard]] SweepCase read_at_rest(const CompiledModel& compiled, const std::string& reading,
                                     const AveragedArguments& averaging,
                                     std::vector<std::string>& notes);

/// Applies --at NAME=VALUE,NAME=VALUE to a state; mistakes go to `problems`.
void apply_at(const std::vector<std::string>& at, const Structure& structure, State& state,
              Problems& problems);

}  // namespace taut::cli
