// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "taut/core/counters.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/methods/method.hpp"
#include "taut/model/system.hpp"

namespace taut::bench {

/// CPU time of this thread [s]: what other programs do at the same time hardly counts.
[[nodiscard]] double cpu_seconds();

/// A method at one tolerance or step size, and how long it may take.
struct RunSpec {
  std::string method;
  double tol = 0.0;            ///< of adaptive methods
  double step = 0.0;           ///< of stepping methods [s]
  double repeat = 0.0;         ///< CPU time spent on repeating the run [s]; the fastest counts
  std::int64_t max_steps = 0;  ///< accepted ones; 0: no limit
  double max_seconds = 0.0;    ///< of CPU time, for one run; 0: no limit
};

struct Measured {
  Status status = Status::ok;
  State end;
  Counters cost;
  double seconds = 0.0;  ///< of CPU time, of the fastest run
};

/// Runs a method from `start` to `until` and measures what that costs; scratch is allocated before
/// the clock counts, as it is when a method is used again. The system is given as the method wants
/// it: see as_wanted(). Throws where no method has this name.
[[nodiscard]] Measured measure(const System& system, const State& start, double until,
                               const RunSpec& spec);

/// Compliant rows as equations for a method that treats them so, as springs for others.
[[nodiscard]] System as_wanted(const System& system, const MethodInfo& method);

/// The claims of a method; throws where there is none of this name.
[[nodiscard]] MethodInfo method_info(const std::string& name);

}  // namespace taut::bench
