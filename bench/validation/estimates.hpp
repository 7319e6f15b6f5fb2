// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "taut/core/status.hpp"
#include "taut/run/summary.hpp"

namespace taut::bench {

/// A run with its estimate of global errors, and the truth.
struct EstimatedRun {
  double tol = 0.0;
  std::string method;
  Status status = Status::ok;
  std::string missing;                           ///< why there is no estimate
  ErrorEstimate::Sizes true_end, true_along;     ///< largest errors
  ErrorEstimate::Sizes found_end, found_along;   ///< as estimated
  double seconds = 0.0, estimate_seconds = 0.0;  ///< of the run, and of its estimate
};

/// A problem and how its truth is found.
struct EstimatedProblem {
  std::string name, truth;
  bool constrained = true;
  ErrorEstimate::Sizes doubt;  ///< largest difference of the truth to a second opinion
  std::vector<EstimatedRun> runs;
};

/// Pendulum, car axis, Andrews' mechanism, Pleiades, stiff double pendulum, chain of 40 and zigzag
/// as `taut run` takes them, at tolerances 1e-4, ..., 1e-10.
[[nodiscard]] std::vector<EstimatedProblem> estimates(const std::string& models);

/// Their section of the page.
void print_estimates(const std::vector<EstimatedProblem>& problems);

}  // namespace taut::bench
