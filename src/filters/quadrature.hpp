// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

namespace taut::detail {

/// ∫ f between points[0] and the last of the ascending `points`, adaptively by Gauss's formula with
/// 8 points on halved intervals, to a few roundings of ∫ |f|. Kinks and jumps at `points` cost
/// nothing, others some bisections. NaN where f is not finite or so rough that a million values do
/// not do.
[[nodiscard]] double integral(const std::function<double(double)>& f,
                              const std::vector<double>& points);

}  // namespace taut::detail
