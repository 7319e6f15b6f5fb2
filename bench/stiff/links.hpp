// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "taut/core/status.hpp"

namespace taut::bench {

/// What a step of a long chain costs.
struct LinkCost {
  bool rigid = false;
  int links = 0;
  int steps = 0;  ///< tried
  double seconds_per_link_and_step = 0.0;
  Status status = Status::ok;
};

/// The stiff and the rigid chain with 1000 and with 10 000 links over its first 20 steps.
[[nodiscard]] std::vector<LinkCost> link_costs(const std::string& models,
                                               const std::string& method);

}  // namespace taut::bench
