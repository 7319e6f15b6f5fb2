// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "taut/core/types.hpp"

namespace taut {

/// A vector that has a part in every direction, the same in every run.
inline Vec any_direction(Index n) {
  Vec x(n);
  std::uint64_t random = 1;
  for (double& entry : x) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    entry = static_cast<double>(random >> 11) * 0x1p-53 - 0.5;
  }
  return x;
}

}  // namespace taut
