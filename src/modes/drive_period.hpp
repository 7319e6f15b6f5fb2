// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "taut/core/state.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// The period with which time appears in the formulas of a model, read off their graphs: of every
/// node whether
///
///   f(t + T) = f(t) + r T     for all T that are whole numbers of periods 2 pi / w             (1)
///
/// with one rate r and a set of frequencies w; t has r = 1 and none, sin f adds |r|, floor f adds
/// 2 pi |r|, sums add both, a constraint may have a rate that whole turns of angles make up for,
/// and what else is not linear in f is only known where r = 0. T is the shortest period that all
/// frequencies have in common; nothing where formulas do not tell it.
[[nodiscard]] std::optional<double> drive_period(const System& system);

/// Whether it is seen of the formulas that nothing takes energy out of the motion: no force reads a
/// velocity, no row is damped, and there are no states of first order. A motion does not settle
/// then.
[[nodiscard]] bool nothing_damps(const System& system);

/// Whether forces, constraints and masses at (q + shift, t + period) are those at (q, t), to
/// rounding, at places around `at`; false also where the period is below 0. No shift is one by 0.
[[nodiscard]] bool repeats(const System& system, const State& at, double period,
                           const Vec& shift = {});

/// The coordinates that are angles: the model is the same at q + 2 pi, and not at q + 1.
[[nodiscard]] std::vector<Index> angles_of(const System& system, const State& at);

/// What whole turns of angles have changed between two places of a motion that takes `period`,
/// 0 for other coordinates: they, and time, leave the model as it was.
[[nodiscard]] Vec whole_turns(const System& system, const State& from, const Vec& to,
                              double period);

}  // namespace taut
