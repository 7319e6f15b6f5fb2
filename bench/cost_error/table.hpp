// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "taut/core/counters.hpp"
#include "taut/core/status.hpp"

namespace taut::bench {

/// One run: a method at one tolerance or step size.
struct Result {
  std::string problem, method;
  double tol = 0.0;   ///< of adaptive methods
  double step = 0.0;  ///< of stepping methods [s]
  Status status = Status::ok;
  Counters cost;
  double seconds = 0.0;                   ///< of CPU time, best of the repetitions
  double q = 0.0, v = 0.0, lambda = 0.0;  ///< largest relative errors at the end
};

void print_runs(const std::vector<Result>& results);

/// For each method and accuracy of q and v the cheapest run from which on every more accurate one
/// of the same method also meets it, and how many times the cheapest method's time that is.
void print_time_to_accuracy(const std::vector<Result>& results);

void print_json(const std::vector<Result>& results);

}  // namespace taut::bench
