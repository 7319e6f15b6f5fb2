// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "taut/core/archive.hpp"

namespace taut {

/// Whether x still gets on along a curve: (2) of follow.hpp.
class Stall {
 public:
  /// After every step, with the length so far and |V_x| there. `resolution`: an advance that does
  /// not count. True when what is left of the way has been less for two doublings of s.
  [[nodiscard]] bool operator()(double s, double slope, double resolution) {
    if (s_ == 0.0) {
      mark(s, slope);
      return false;
    }
    if (s < 2 * s_) return false;
    stalled_ = left(s, slope) < resolution ? stalled_ + 1 : 0;
    mark(s, slope);
    return stalled_ >= 2;
  }

  /// R of (2), from the last mark on; infinite where nothing says that x ends.
  [[nodiscard]] double left(double s, double slope) const {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    if (s_ == 0.0 || !(s > 1.1 * s_) || !(slope < slope_)) return infinite;
    if (slope == 0.0) return 0.0;
    const double b = std::log(slope_ / slope) / std::log(s / s_);
    return b > 1.05 ? slope * s / (b - 1.0) : infinite;
  }

  void archive(Archive& archive) { archive(s_, slope_, stalled_); }

 private:
  void mark(double s, double slope) {
    s_ = s;
    slope_ = slope;
  }

  double s_ = 0.0, slope_ = 0.0;
  int stalled_ = 0;
};

}  // namespace taut
