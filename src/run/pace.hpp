// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <chrono>

namespace taut {

/// Looks at the clock about once in a millisecond, however short the steps of a run are: a look
/// costs as much as a tenth of a step of a small system.
class Pace {
 public:
  /// Whether it is time for anything that depends on the clock; to be asked after every step.
  [[nodiscard]] bool due() {
    if (++since_look_ < between_looks_) return false;
    const double now = seconds();
    const double passed = now - last_look_;
    if (passed < 0.5e-3) between_looks_ = std::min(2 * between_looks_, 4096);
    if (passed > 2e-3) between_looks_ = std::max(between_looks_ / 2, 1);
    since_look_ = 0;
    last_look_ = now;
    return true;
  }

  /// Wall time since the run began [s].
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double last_look_ = 0.0;
  int since_look_ = 0;
  int between_looks_ = 1;
};

}  // namespace taut
