// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cases.hpp"
#include "taut/core/status.hpp"

namespace taut::bench {

/// Errors of q and v at which methods are compared.
inline constexpr std::array targets{1e-4, 1e-6, 1e-8};

struct ScanSettings {
  double repeat = 0.05;             ///< CPU time spent on repeating each run [s]
  double limit = 3.0;               ///< CPU time after which a run is given up [s]
  std::int64_t max_steps = 300000;  ///< and accepted steps
};

/// One run of a scan.
struct Sample {
  double tol = 0.0;
  Status status = Status::ok;
  double error = 0.0;
  double seconds = 0.0;
  std::int64_t steps = 0;  ///< tried
};

/// A method over tolerances that fall by half a digit, until it is twice more accurate than any
/// target. A run that fails or meets a limit is followed by one with a tolerance 1.5 digits
/// smaller: what fails with a loose one may succeed with a tight one. Four such runs end the scan.
struct Scan {
  std::string method;
  std::vector<Sample> samples;
};

[[nodiscard]] Scan scan(const Case& c, const std::string& method, const ScanSettings& settings);

/// What a method needs for an accuracy, or why it cannot be had.
struct Need {
  bool reached = false;
  double seconds = 0.0;  ///< not reached and Status::time_limit or step_limit: more than that
  double steps = 0.0;
  Status status = Status::ok;  ///< not reached: how the last run ended
};

/// Of the runs that came to their end: the one from which on all with a smaller tolerance meet the
/// target too, and the one before it; time and steps between them, interpolated in the logarithms
/// of cost and error.
[[nodiscard]] Need need(const Scan& scan, double target);

}  // namespace taut::bench
