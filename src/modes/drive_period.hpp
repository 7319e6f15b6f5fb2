// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "taut/core/state.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// The period with which time appears in the formulas of a model, read off their graphs: of every
/// node whether
///
///   f(t + T) = f(t) + r T     for all T that are whole numbers of periods 2 pi / w             (1)
///
/// with one rate r and a set of frequencies w; t has r = 1 and none, sin f adds |r|, floor f adds
/// 2 pi |r|, sums add both, and what else is not linear in f is only known where r = 0. T is the
/// shortest period that all frequencies have in common; nothing where formulas do not tell it.
[[nodiscard]] std::optional<double> drive_period(const System& system);

/// Whether forces, constraints and masses at t + period are those at t, to rounding, at places
/// around `at`; false also where the period is none.
[[nodiscard]] bool repeats(const System& system, const State& at, double period);

}  // namespace taut
