// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "formula/kernel.hpp"

namespace taut::lanes {

/// Systems that go through a program at the same time.
inline constexpr int width = formula::narrow_lanes;

/// One program with registers of its own: value i of a lane l stands at row(i)[l].
class LaneProgram {
 public:
  LaneProgram() = default;
  explicit LaneProgram(formula::Program program);
  LaneProgram(LaneProgram&&) = default;
  LaneProgram& operator=(LaneProgram&&) = default;

  void run() { kernel_->run(registers_); }
  [[nodiscard]] double* row(int reg) {
    return registers_ + static_cast<std::size_t>(reg) * static_cast<std::size_t>(width);
  }
  [[nodiscard]] std::size_t bytes() const { return storage_.size() * sizeof(double); }

 private:
  std::shared_ptr<const formula::Kernel> kernel_;
  std::vector<double> storage_;
  double* registers_ = nullptr;
};

}  // namespace taut::lanes
