// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "averaged/averaged.hpp"
#include "averaged/averaged_probe.hpp"
#include "averaged/averaged_system.hpp"

namespace taut {

/// All that micro-simulations of a vibrated system need to know but how fine they are.
struct AveragingRecipe {
  AveragingRecipe(double omega_, const VibrationProbe& probe, const AveragedOptions& options);

  /// Steps per period that all parts can be made of.
  [[nodiscard]] int rounded(double steps) const;
  /// The whole plan with that many micro-steps per period.
  [[nodiscard]] AveragingPlan plan(int steps) const;
  /// One part of it: the force found from `start`, to order 2 in h.
  [[nodiscard]] AveragingPlan one_phase(int steps, double start) const;
  /// A phase as far from the first one as it gets.
  [[nodiscard]] double other_phase() const;
  /// Order of the plan in h.
  [[nodiscard]] int order() const { return richardson ? 4 : 2; }

  double omega = 0.0;
  double period = 0.0;  ///< of the force [rad]; 0: none
  double unit = 0.0;    ///< phase of what is called a period
  int units = 1;        ///< periods until the force repeats itself
  double phase = 0.0;
  bool even = false, antithetic = false, richardson = false, use_evenness = false;
  std::optional<AveragingKernel> kernel = {};
  double periods = 1.0;

 private:
  [[nodiscard]] MicroWindow window(int steps, double start) const;
};

/// Weights of one side of a window: samples of the kernel by the trapezoidal rule, scaled so that
/// their sum is 1/2.
[[nodiscard]] Vec one_side(const AveragingKernel& kernel, Index steps);

}  // namespace taut
