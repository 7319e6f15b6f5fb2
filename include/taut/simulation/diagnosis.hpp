// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "taut/model/start.hpp"
#include "taut/simulation/plan.hpp"
#include "taut/slow/slow_start.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// What a mechanical model is, in its reading.
struct Diagnosis {
  Index coordinates = 0;
  Index states = 0;                ///< of first order
  Index rigid = 0, compliant = 0;  ///< constraints of either kind
  Index rank = 0;                  ///< of the rigid ones at the start
  Index freedom = 0;               ///< coordinates less rank
  std::vector<Redundancy> redundant;
  std::vector<double> frequencies;  ///< of vibrations about the start [rad/s], the fastest first
  double growth = 0.0;              ///< rate at which small changes grow there [1/s]
  bool mass_constant = true, mass_diagonal = true;
  bool conservative = true;  ///< T + U is kept, but for a heat bath
  bool force_uses_velocity = false, force_uses_time = false, constraint_uses_time = false;
  Start start;  ///< where the rest was found; or why there is none
};
[[nodiscard]] Diagnosis diagnose(const PreparedModel& prepared);

/// The consistent start of a model in its reading.
[[nodiscard]] Start consistent_start(const PreparedModel& prepared);

/// The start nearby from which compliant constraints do not vibrate.
[[nodiscard]] SlowStart slow_start(const PreparedModel& prepared, const SlowOptions& options = {});

}  // namespace taut

#pragma GCC visibility pop
