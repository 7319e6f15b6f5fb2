// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/core/types.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// Where a system is: time [s], positions and velocities. A plain value.
struct State {
  double t = 0.0;
  Vec q;
  Vec v;
};

}  // namespace taut

#pragma GCC visibility pop
