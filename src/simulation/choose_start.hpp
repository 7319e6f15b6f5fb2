// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/core/note.hpp"
#include "taut/methods/method_info.hpp"
#include "taut/slow/slow_start.hpp"

namespace taut {

/// A start and what a user should know about it; the note is empty where nothing was chosen.
struct StartChoice {
  Start start;
  Note note;
};

/// What is said about the start of a run.
struct StartWish {
  double until = 0.0;
  double tol = 1e-8;       ///< of places; the default where a method has none
  bool keep = false;       ///< as given, whatever vibrates
  bool slow = false;       ///< where nothing vibrates fast; the failure of the run where it is not
  SlowStartOptions via{};  ///< how that is found
};

/// The start of a run with a method.
///
/// Rigid constraints are met by the smallest change (consistent_start). Beyond that the start is
/// the user's. A method that treats compliant constraints as equations steps over vibrations below
/// its tolerance: where all of them are (StartVibration), it begins on the smooth motion
/// (smooth_start), and no place is changed by more than the tolerance. Vibrations above it are
/// followed, and the note says what that costs; only `slow` removes them. What relaxes without
/// vibrating is never moved, nor is what a method takes for springs.
[[nodiscard]] StartChoice choose_start(const System& system, const State& given,
                                       const MethodInfo& method, const StartWish& wish);

}  // namespace taut
