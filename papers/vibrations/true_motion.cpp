// SPDX-License-Identifier: BSD-3-Clause
#include "true_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "problem.hpp"

namespace taut::papers::vibrations {
namespace {

constexpr int per_period = 32;

// largest distance of q from its mean over a period, by the trapezoid; whole periods inside only
double amplitude(const std::vector<State>& states) {
  constexpr std::size_t half = per_period / 2;
  double largest = 0.0;
  for (std::size_t n = half; n + half < states.size(); ++n) {
    double mean = (states[n - half].q(0) + states[n + half].q(0)) / 2;
    for (std::size_t j = n - half + 1; j < n + half; ++j) mean += states[j].q(0);
    largest = std::max(largest, std::abs(states[n].q(0) - mean / per_period));
  }
  return largest;
}

}  // namespace

Differences differences(double omega) {
  // points at whole fractions of the interval, very nearly 32 in a period
  const int steps = static_cast<int>(std::lround(per_period * omega / (2 * std::numbers::pi)));
  const auto fast = motion(inverted_pendulum(omega), inverted_start(), steps, 1e-10);
  const auto slow = motion(averaged_pendulum(), inverted_start(), steps, 1e-14);
  Differences found{.amplitude = amplitude(fast)};
  for (std::size_t n = 0; n < fast.size(); ++n) {
    const double theta = omega * fast[n].t, lean = std::sin(slow[n].q(0)) / pendulum_length;
    const double s = -vmax / omega * std::cos(theta), v = vmax * std::sin(theta);
    const double q = fast[n].q(0) - slow[n].q(0), p = fast[n].v(0) - slow[n].v(0);
    if (std::isnan(q)) {
      constexpr double nan = std::numeric_limits<double>::quiet_NaN();
      return {nan, nan, nan, nan, nan};
    }
    found.q = std::max(found.q, std::abs(q));
    found.q_enslaved = std::max(found.q_enslaved, std::abs(q - s * lean));
    found.p = std::max(found.p, std::abs(p));
    found.p_enslaved = std::max(found.p_enslaved, std::abs(p - v * lean));
  }
  return found;
}

}  // namespace taut::papers::vibrations
