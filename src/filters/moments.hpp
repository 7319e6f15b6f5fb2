// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/core/types.hpp"

namespace taut::detail {

/// Makes Σ w_j = 1 and Σ w_j j^k = 0 for k = 2, 4, ..., 2(conditions - 1) hold to rounding, the
/// sums over all |j| <= N of even weights w_0 ... w_N, by the change that is smallest in Σ
/// (Δw_j)²/d_j. Weights with d_j = 0 stay. False when the conditions are more than the weights that
/// may change.
[[nodiscard]] bool impose_moments(Vec& weights, const Vec& d, int conditions);

}  // namespace taut::detail
