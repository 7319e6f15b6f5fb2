// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "gradients/read_numbers.hpp"
#include "gradients/sensitivities.hpp"
#include "taut/gradients/gradient.hpp"

namespace taut {

/// A measure with its names resolved: `number` in AdjointWanted::numbers, `event` in
/// Structure::observables, with the time at which it happens; NaN: it does not.
struct AdjointMeasure {
  struct Datum {
    double t = 0.0;
    Index number = 0;
    double value = 0.0, sigma = 1.0;
  };
  MotionMeasure::Of of = MotionMeasure::Of::end;
  Index number = -1;
  std::vector<Datum> data{};
  int event = -1;
  double time = std::numeric_limits<double>::quiet_NaN();
};

struct AdjointWanted {
  std::vector<ReadNumbers::Place> numbers;
  std::vector<AdjointMeasure> measures;
  int ended_by = -1;  ///< event that has ended the run; -1: none
  double memory = 256e6;
  bool curves = false;
  Vec scale_of_e;  ///< sizes of what e changes
};

/// Fills value, by, ... of a gradient.
[[nodiscard]] Status find_adjoint(const MotionToDifferentiate& motion,
                                  const std::vector<Variable>& by, const WideSystem& wide,
                                  const std::vector<int>& column_of, const AdjointWanted& wanted,
                                  Gradient& result);

}  // namespace taut
