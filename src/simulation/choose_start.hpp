// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/core/note.hpp"
#include "taut/methods/method_info.hpp"
#include "taut/model/start.hpp"

namespace taut {

/// A start and what a user should know about it; the note is empty where nothing was chosen.
struct StartChoice {
  Start start;
  Note note;
};

/// The start of a run with a method.
///
/// Rigid constraints are met by the smallest change (consistent_start). A method that treats
/// compliant constraints as equations steps over their vibrations: where the start is meant to be
/// smooth (near_smooth_motion), it is moved onto the manifold of smooth motion (smooth_start).
/// `keep` leaves it as given, vibrations included; so does a method for which they are springs.
[[nodiscard]] StartChoice choose_start(const System& system, const State& given,
                                       const MethodInfo& method, double until, bool keep = false);

}  // namespace taut
