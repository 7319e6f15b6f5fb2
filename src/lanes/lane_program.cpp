// SPDX-License-Identifier: BSD-3-Clause
#include "lanes/lane_program.hpp"

#include <cstdint>
#include <utility>

namespace taut::lanes {

LaneProgram::LaneProgram(formula::Program program)
    : kernel_{formula::make_busy_kernel(std::move(program), width)} {
  constexpr std::size_t line = 8;  // numbers
  const auto count =
      static_cast<std::size_t>(kernel_->program().registers) * static_cast<std::size_t>(width);
  storage_.assign(count + line, 0.0);
  const auto address = reinterpret_cast<std::uintptr_t>(storage_.data());
  registers_ = storage_.data() + (64 - address % 64) % 64 / sizeof(double);
  kernel_->load_constants(registers_);
}

}  // namespace taut::lanes
