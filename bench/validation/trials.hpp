// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "problems.hpp"
#include "taut/core/counters.hpp"
#include "taut/core/status.hpp"

namespace taut::bench {

/// How an error is measured: the largest over the components x with the true value r of ...
enum class Measure : unsigned char {
  relative,  ///< |x - r| / |r|
  mixed,     ///< |x - r| / (1 + |r|), where some components are much smaller than others
};

struct Errors {
  double q = 0.0, v = 0.0, lambda = 0.0;
};

/// A problem, what is true at its end, and how far that can be trusted.
struct Trial {
  Problem problem;
  Measure measure = Measure::relative;
  std::string about;  ///< one sentence for the page
  Errors doubt;       ///< of a second method of another kind; 0 where the truth is known in print
};

/// One run as a user would start it: `taut run` with a tolerance, and a method or none.
struct TrialRun {
  double tol = 0.0;
  std::string method;
  bool chosen = false;  ///< by taut
  Status status = Status::ok;
  Errors errors;
  Counters cost;
  double seconds = 0.0;                 ///< of CPU time, from the start to the end
  double constraint = 0.0, rate = 0.0;  ///< largest |g| and |G v + g_t| in the output
};

/// Pendulum, car axis, Andrews' mechanism, Pleiades; the slider crank and the manipulator with a
/// reference computed here.
[[nodiscard]] std::vector<Trial> trials(const std::string& models);

/// The method taut chooses, then each of `methods`, at tolerances 1e-4, ..., 1e-11.
[[nodiscard]] std::vector<TrialRun> run_all(const Trial& trial,
                                            const std::vector<std::string>& methods, double repeat);

}  // namespace taut::bench
