// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "filters/filter.hpp"
#include "slow/iterated_projection.hpp"
#include "taut/core/state.hpp"

namespace taut::papers::slow_manifolds {

/// Steps on each side of the window L = 6π with six micro-steps to a period 2π/ω.
inline constexpr int published_steps = 18;

/// Section 5.2: the piecewise cubic kernel, micro-steps h = (2π/ω)/6. `steps` micro-steps on each
/// side are the half window L = π steps/3.
[[nodiscard]] FilterChoice published_filter(double omega, int steps = published_steps);

/// 1e-9, but 1e-7 for ω = 100.
[[nodiscard]] double published_tolerance(double omega);

/// The algorithm on the double pendulum as section 5.2 has it: taut's IteratedProjection with the
/// options of the paper and the test (14) on g and g' themselves.
struct Recipe {
  double omega = 0.0;
  int steps = published_steps;
  double tol = 0.0;  ///< 0: published_tolerance()
  std::function<void(int, const State&)> observer{};
};
[[nodiscard]] Status start(IteratedProjection& projection, const Recipe& recipe);

/// A projected state; without a status of ok it is NaN, so that rows made from it have failed.
struct Projected {
  Status status = Status::ok;
  std::string reason;
  State state;
  int iterations = 0;
  std::int64_t evaluations = 0;
};
[[nodiscard]] Projected project(const Recipe& recipe, const State& from);

/// Where section 6 starts: (31)-(32) projected.
[[nodiscard]] State published_slow_point(double omega);

/// Norms of the differences in q and in p.
struct Errors {
  double q = 0.0, p = 0.0;
};
[[nodiscard]] Errors errors(const State& state, const State& exact);

/// State of NaN.
[[nodiscard]] State no_state(Index nq = 4);

}  // namespace taut::papers::slow_manifolds
