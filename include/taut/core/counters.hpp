// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#pragma GCC visibility push(default)

namespace taut {

/// What a method did. Evaluations that output needs are counted apart, in the summary.
struct Counters {
  std::int64_t steps = 0;                   ///< steps tried: accepted and rejected
  std::int64_t rejected = 0;                ///< steps refused by error control or by a failed solve
  std::int64_t force_evaluations = 0;       ///< evaluations of f (with M, G where needed)
  std::int64_t constraint_evaluations = 0;  ///< evaluations of g alone, or of g and G
  std::int64_t jacobian_evaluations = 0;    ///< evaluations of second derivatives
  std::int64_t factorisations = 0;
  std::int64_t newton_iterations = 0;

  Counters& operator+=(const Counters& more) {
    steps += more.steps;
    rejected += more.rejected;
    force_evaluations += more.force_evaluations;
    constraint_evaluations += more.constraint_evaluations;
    jacobian_evaluations += more.jacobian_evaluations;
    factorisations += more.factorisations;
    newton_iterations += more.newton_iterations;
    return *this;
  }
};

}  // namespace taut

#pragma GCC visibility pop
