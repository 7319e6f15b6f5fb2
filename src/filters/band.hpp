// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "filters/filter.hpp"

namespace taut::detail {

/// What makes a band none, in words; empty when nothing does.
[[nodiscard]] std::string wrong_with(const Band& band);

/// ω h = largest_turn at the highest frequency.
[[nodiscard]] inline double largest_step(const Band& band) { return largest_turn / band.highest; }

}  // namespace taut::detail
