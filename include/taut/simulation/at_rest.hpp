// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
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

/// Coordinates and first-order states, by name.
using NamedPlaces = std::vector<std::pair<std::string, double>>;

/// The start of a model as it is given, with these places in it. Names that do not exist go to
/// `problems`.
[[nodiscard]] State given_at(const CompiledModel& compiled, const NamedPlaces& at,
                             Problems& problems);

/// A model in that reading, near its start with these places.
[[nodiscard]] SweepCase read_at_rest(const CompiledModel& compiled, const Reading& reading,
                                     const NamedPlaces& at, std::vector<Note>& notes,
                                     Problems& problems);

/// For sweep_stability(): the model at values of the axes' parameters, in that reading, near its
/// start there with these coordinates. Refers to `prepared`.
[[nodiscard]] MakeSweepCase cases_at_rest(const PreparedModel& prepared, const Reading& reading,
                                          std::vector<SweepAxis> axes, NamedPlaces at);

}  // namespace taut

#pragma GCC visibility pop
