// SPDX-License-Identifier: BSD-3-Clause
#include "run/recorder.hpp"

#include <cassert>

namespace taut {

Recorder::Recorder(std::int64_t max_rows, std::int64_t expected_steps) : max_rows_{max_rows} {
  assert(max_rows >= 2);
  while (expected_steps / stride_ + 1 > max_rows_) stride_ *= 2;
}

}  // namespace taut
