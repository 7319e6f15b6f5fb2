// SPDX-License-Identifier: BSD-3-Clause
#include "averaged/averaged_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace taut {
namespace {

constexpr double turn = 2.0 * std::numbers::pi;

}  // namespace

Vec one_side(const AveragingKernel& kernel, Index steps) {
  Vec weights(steps + 1);
  for (Index j = 0; j <= steps; ++j)
    weights[j] = kernel(static_cast<double>(j) / static_cast<double>(steps));
  weights[0] /= 2;
  weights[steps] /= 2;
  return weights / (2.0 * weights.sum());
}

AveragingRecipe::AveragingRecipe(double omega_, const VibrationProbe& probe,
                                 const AveragedOptions& options)
    : omega{omega_},
      period{probe.period()},
      phase{probe.phase()},
      even{probe.even()},
      antithetic{options.antithetic && probe.periodic()},
      richardson{options.richardson},
      use_evenness{options.use_evenness},
      kernel{options.kernel},
      periods{options.periods} {
  if (!probe.periodic() && !kernel) kernel = exponential_kernel(5.0);
  units = std::max(1, static_cast<int>(std::lround(period / turn)));
  unit = probe.periodic() ? period / units : turn;
}

int AveragingRecipe::rounded(double steps) const {
  // whole half windows, also with steps twice as long
  const int quantum = richardson ? 4 : 2;
  return quantum * std::max(1, static_cast<int>(std::ceil(steps / quantum - 1e-9)));
}

double AveragingRecipe::other_phase() const { return phase + (period > 0.0 ? period : turn) / 2; }

MicroWindow AveragingRecipe::window(int steps, double start) const {
  MicroWindow result{.h = unit / (omega * steps), .start = start, .unit = unit, .per = steps};
  const Index half = kernel ? std::max<Index>(2, std::lround(periods * steps / 2))
                            : static_cast<Index>(units) * steps / 2;
  result.weights = one_side(kernel.value_or(AveragingKernel{}), half);
  // a force without period is even about one phase only
  const bool symmetric = even && (period > 0.0 || start == phase);
  result.even = symmetric && use_evenness;
  result.cycle = period > 0.0 ? units * steps : 0;
  // at rest at a phase that is no extreme the micro-simulation would drift, and a window of one
  // period takes the drift for a force
  result.enslaved = !symmetric && !kernel;
  return result;
}

AveragingPlan AveragingRecipe::one_phase(int steps, double start) const {
  return {.parts = {{.window = window(steps, start), .factor = 1.0}}};
}

AveragingPlan AveragingRecipe::plan(int steps) const {
  AveragingPlan result;
  const auto add = [&](double start, double share) {
    if (!richardson) {
      result.parts.push_back({.window = window(steps, start), .factor = share});
      return;
    }
    // errors of order h^2 cancel
    result.parts.push_back({.window = window(steps, start), .factor = share * 4.0 / 3.0});
    result.parts.push_back({.window = window(steps / 2, start), .factor = -share / 3.0});
  };
  add(phase, antithetic ? 0.5 : 1.0);
  if (antithetic) add(other_phase(), 0.5);
  return result;
}

}  // namespace taut
