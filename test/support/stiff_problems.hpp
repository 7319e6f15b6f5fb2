// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "methods/radau.hpp"
#include "models.hpp"
#include "taut/core/counters.hpp"
#include "taut/core/status.hpp"

namespace taut::test {

/// A model given as text with the start as given there, only rigid constraints made to hold.
/// Throws ModelError, or std::runtime_error when there is no consistent start.
[[nodiscard]] Loaded from_text(const std::string& toml);

/// A unit mass on a rod of unit length and compliance eps² under gravity 1: g = |y| - 1. At t = 0
/// its angle to the downward vertical is 1.2, its angular velocity 0.7, and nothing vibrates.
[[nodiscard]] Loaded smooth_pendulum(double eps);

/// The same with a second mass on a second rod, which begins with the angle 0.4 and turns with
/// -0.5.
[[nodiscard]] Loaded smooth_double_pendulum(double eps);

/// How a run of Radau ended.
struct RadauRun {
  Status status = Status::ok;
  State state;
  Vec a, lambda;
  Counters counters;
  double max_g = 0.0, max_Gv = 0.0;  ///< over the ends of all steps

  [[nodiscard]] std::int64_t accepted() const { return counters.steps - counters.rejected; }
};
[[nodiscard]] RadauRun run_radau(const System& system, const State& start, double until,
                                 RadauOptions options);

/// The end of the same motion by Dormand and Prince's method of order 8, compliant constraints as
/// springs: every vibration is followed. Throws std::runtime_error when it fails.
[[nodiscard]] State resolved_end(const System& system, const State& start, double until,
                                 double tol = 1e-12);

/// Multipliers of all rows at a point of that motion.
[[nodiscard]] Vec resolved_multipliers(const System& system, const State& at);

}  // namespace taut::test
