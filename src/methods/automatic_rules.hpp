// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "taut/core/types.hpp"

/// By which numbers Automatic decides: of its steps with dop853, whoever takes them.
namespace taut::automatic_rules {

constexpr double stable = 4.0;         // h rate up to which dop853 is stable, oscillations included
constexpr double cheap_steps = 500.0;  // explicit steps that are not worth a thought
constexpr double separated = 100.0;    // rate of a vibration compared with that of the motion
constexpr std::int64_t sure_after = 15;  // steps
constexpr std::int64_t look_every = 50;
constexpr std::int64_t surest = 1 << 20;
constexpr std::int64_t try_after = 200;  // explicit steps
constexpr std::int64_t more_seldom = 4;  // after a try that has shown nothing
constexpr double worth_trying = 0.5;     // h rate: below, accuracy bounds the steps alone
constexpr double tighter = 0.1;  // errors of many small steps add up; those of few long ones less

/// From |a|/|v| and |v|/|q|: how fast a motion itself changes.
[[nodiscard]] inline double rate_of_change(const Vec& place, const Vec& velocity, const Vec& a) {
  const double v = velocity.norm(), q = place.norm();
  const double turning = v > 0.0 ? a.norm() / v : 0.0;
  const double falling = q > 0.0 ? std::sqrt(a.norm() / q) : 0.0;
  return std::max({v > 0.0 && q > 0.0 ? v / q : 0.0, std::min(turning, falling), falling / 10});
}

}  // namespace taut::automatic_rules
