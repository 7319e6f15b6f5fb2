// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace taut {

inline constexpr double student_95 = 2.131449545559323;  // of the 15 degrees of freedom of 16 parts

/// Mean and sum of squares about it, one number after the other.
struct Moments {
  std::size_t count = 0;
  double mean = 0.0, squares = 0.0;
  void add(double x) {
    ++count;
    const double before = x - mean;
    mean += before / static_cast<double>(count);
    squares += before * (x - mean);
  }
  [[nodiscard]] double variance() const {
    return count > 1 ? squares / static_cast<double>(count - 1) : 0.0;
  }
};

}  // namespace taut
