// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string_view>

#include "taut/filters/frequency_band.hpp"
#include "taut/slow/smooth_start.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// Ways onto the slow manifold.
///
///   filter     iterated projection: short micro-solutions, averaged (IteratedProjection). Needs
///              forces only, and a band of frequencies
///   newton     bounded derivatives by Newton's method on a few Verlet steps (micro_newton)
///   expansion  in powers of the compliance (smooth_start)
enum class SlowVia : unsigned char { automatic, filter, newton, expansion };
[[nodiscard]] std::string_view name(SlowVia via);

struct SlowStartOptions {
  SlowVia via = SlowVia::automatic;
  std::optional<Band> band;  ///< of the fast vibrations; absent: found from the model
  double tol = 0.0;          ///< that a slow reading is meant for; 0: as accurate as it can be
};

/// A start on the slow manifold; for `newton` and `filter`, `order` is that of their error in
/// 1/omega.
struct SlowStart : SmoothStart {
  SlowVia via = SlowVia::automatic;  ///< the way it was found
  Band band;                         ///< that was damped; zeros for the expansion
};

/// From a given state to one nearby from which the system does not vibrate fast. Every way begins
/// at the consistent point (consistent_start) where there are constraints, and ends at the slow
/// point that belongs to it; where the filter is used, its velocity along the constraints changes
/// by the order of the compliance, since what it averages is a motion.
///
/// automatic: the expansion where constraints are compliant, which treats everything a model may
/// have and costs least; the filter where the stiffness is that of a potential. Fails as they do;
/// the state is then as given, and the reason says why and which other way there is.
[[nodiscard]] SlowStart slow_start(const System& equations, const State& given,
                                   const SlowStartOptions& options = {});

}  // namespace taut

#pragma GCC visibility pop
