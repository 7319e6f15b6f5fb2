// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace taut {

struct SparklineOptions {
  int width = 60;           ///< characters
  bool unicode = true;      ///< block characters; else ASCII
  bool keep_least = false;  ///< of the values in one character: the least, not the greatest
};

/// The course of a quantity as one line of characters.
struct Sparkline {
  std::string line = {};
  double least = 0.0, greatest = 0.0;  ///< what the lowest and the highest character stand for
};

/// Draws log|y| over t, which does not decrease. Each character stands for an equal part of the
/// time; a part without a value looks like the one before. Zeros are as low as the least value that
/// has a logarithm; what is not finite is left out. Where nothing is left the line is empty.
[[nodiscard]] Sparkline sparkline(const std::vector<double>& t, const std::vector<double>& y,
                                  const SparklineOptions& options = {});

}  // namespace taut

#pragma GCC visibility pop
