// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

namespace taut::test {

using LongVec = std::vector<long double>;
using LongOde = std::function<void(long double t, const LongVec& y, LongVec& dy)>;

/// y(t1) of y' = F(t, y) in extended precision, by Gragg's extrapolation of order 16 with steps of
/// at most `step`: the truth of tests, independent of everything in taut.
[[nodiscard]] LongVec solve(const LongOde& F, LongVec y, long double t0, long double t1,
                            long double step);

}  // namespace taut::test
