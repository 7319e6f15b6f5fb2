// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "filters/filter.hpp"
#include "filters/moments.hpp"

namespace taut {

FilterChoice sampled_filter(const AveragingKernel& kernel, int steps) {
  // a condition for each even moment below μ, and one weight at least that they leave free
  const int conditions = (kernel.mu() + 1) / 2;
  constexpr double rounding = 1e-13;  // of a formula that is zero at 1 but for it
  const bool ends_in_zero = std::abs(kernel(1.0)) <= rounding * std::abs(kernel(0.0));
  const int fewest = conditions + (ends_in_zero ? 1 : 0);
  if (steps < fewest)
    return {.status = Status::not_supported,
            .reason = fmt::format("the kernel '{}' with {} vanishing moments on {} steps each way: "
                                  "at least {} are needed",
                                  kernel.name(), kernel.mu(), steps, fewest)};
  if (steps > most_filter_steps)
    return {.status = Status::not_supported,
            .reason = fmt::format("the kernel '{}' on {} steps each way: {} are the most",
                                  kernel.name(), steps, most_filter_steps)};

  // beyond this smoothness the change is below what any use of the filter shows
  constexpr int smooth = 4;
  const int s = std::min(kernel.nu() - 1, smooth);
  Vec weights(steps + 1), d(steps + 1);
  for (int j = 0; j <= steps; ++j) {
    const double t = static_cast<double>(j) / steps;
    weights[j] = kernel(t) / steps;
    d[j] = std::pow((1.0 - t) * (1.0 + t), s);
  }
  weights[steps] = ends_in_zero ? 0.0 : weights[steps] / 2;
  d[steps] = ends_in_zero ? 0.0 : d[steps] / 2;
  if (!weights.allFinite())
    return {.status = Status::non_finite,
            .reason = fmt::format("the kernel '{}' is not finite at one of {} steps", kernel.name(),
                                  steps)};
  if (!detail::impose_moments(weights, d, conditions))
    return {.status = Status::not_supported,
            .reason = fmt::format("the kernel '{}' on {} steps each way: {} vanishing moments "
                                  "cannot be had to rounding; take more steps",
                                  kernel.name(), steps, kernel.mu())};
  return {.filter = Filter{std::move(weights), kernel.name(), kernel.nu()}};
}

}  // namespace taut
