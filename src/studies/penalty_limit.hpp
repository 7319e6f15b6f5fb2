// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "taut/core/status.hpp"
#include "taut/run/motion.hpp"

namespace taut {

/// The motion to which those with stiff springs tend, row by row as in Motion; or why it is
/// unknown.
struct PenaltyLimit {
  Status status = Status::ok;
  std::string reason;
  std::vector<double> t;
  std::vector<double> q, v, lambda;  ///< row after row
  double q_error = 0.0;              ///< largest change that the smallest omega has made: an
  double v_error = 0.0;              ///< estimate that is too large
  double lambda_error = 0.0;
};

/// The rigid motion from motions of penalized(system, omega) at several omega, by Neville's scheme
/// in 1/omega²,
///
///   x(ω) = x + c₂/ω² + c₄/ω⁴ + ...,      x: q, v and λ at one instant (1)
///
/// All motions have the same times (RunOptions::every, or equal steps) and are resolved: with their
/// own errors far below c₂/ω². From starts with g = 0 the springs vibrate, with amplitudes of 1/ω²
/// in q, whose phases have no limit: (1) then holds for the slow part of q only, and two motions
/// gain a factor of some ten; v and λ gain nothing. From smooth starts (smooth_start) it holds for
/// all three, and every further omega gains. Fails with not_supported where motions do not fit
/// each other. Where forces alone are known: extrapolate_multipliers().
[[nodiscard]] PenaltyLimit penalty_limit(const std::vector<double>& omegas,
                                         const std::vector<Motion>& motions);

}  // namespace taut
