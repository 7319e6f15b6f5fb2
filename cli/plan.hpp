// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "motion_arguments.hpp"
#include "taut/methods/method.hpp"
#include "taut/run/run_options.hpp"
#include "taut/run/summary.hpp"

namespace taut::cli {

/// Everything about a run that is settled before it begins.
struct Plan {
  System system;  ///< what the method integrates
  Start start;
  MethodInfo method;
  std::string reason;
  double tol = 1e-8;
  std::optional<HeatBath> bath;
  RunOptions options;
  std::vector<std::string> notes;
};

/// Reading, method, start, steps. Mistakes go to `problems`; the plan may only be used when there
/// is none.
[[nodiscard]] Plan make_plan(const MotionArguments& arguments, const Loaded& loaded,
                             Problems& problems);

/// "methods that fit: " and their names.
[[nodiscard]] std::string methods_that_fit(const Structure& structure);

/// What the bits of a run depend on.
[[nodiscard]] RunIdentity identity(const MotionArguments& arguments, const Loaded& loaded,
                                   const Plan& plan);

/// Carries a plan out; what it knows and integrate() does not goes into the summary, too.
[[nodiscard]] Summary carry_out(const MotionArguments& arguments, const Loaded& loaded,
                                const Plan& plan, Motion& motion);

}  // namespace taut::cli
