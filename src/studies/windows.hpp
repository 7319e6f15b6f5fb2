// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/studies/signals.hpp"

namespace taut {

/// w_j, j = 0 ... n - 1, with u = j / n.
[[nodiscard]] Vec window_values(Window window, std::size_t n);

/// At u in [0, 1].
[[nodiscard]] double window_at(Window window, double u);

/// How many lines on either side a vibration reaches.
[[nodiscard]] double main_lobe(Window window);

}  // namespace taut
