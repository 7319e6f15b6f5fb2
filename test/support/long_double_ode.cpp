// SPDX-License-Identifier: BSD-3-Clause
#include "long_double_ode.hpp"

#include <cmath>
#include <cstddef>

namespace taut::test {
namespace {

constexpr int columns = 8;

// the modified midpoint rule with n substeps; its error is a series in (H/n)²
LongVec midpoint(const LongOde& F, const LongVec& y0, long double t, long double H, int n) {
  const long double h = H / n;
  LongVec before = y0, now = y0, dy(y0.size());
  F(t, y0, dy);
  for (std::size_t i = 0; i < y0.size(); ++i) now[i] += h * dy[i];
  for (int k = 1; k < n; ++k) {
    F(t + k * h, now, dy);
    for (std::size_t i = 0; i < y0.size(); ++i) {
      const long double next = before[i] + 2 * h * dy[i];
      before[i] = now[i];
      now[i] = next;
    }
  }
  F(t + H, now, dy);
  for (std::size_t i = 0; i < y0.size(); ++i) now[i] = (now[i] + before[i] + h * dy[i]) / 2;
  return now;
}

LongVec extrapolated_step(const LongOde& F, const LongVec& y, long double t, long double H) {
  std::vector<LongVec> table;
  for (int j = 0; j < columns; ++j) {
    table.push_back(midpoint(F, y, t, H, 2 * (j + 1)));
    // Aitken-Neville in (1/n)²; table[k] becomes the entry that uses substep numbers k .. j
    for (int k = j - 1; k >= 0; --k) {
      const long double ratio = static_cast<long double>(j + 1) / (k + 1);
      LongVec& low = table[static_cast<std::size_t>(k)];
      const LongVec& high = table[static_cast<std::size_t>(k + 1)];
      for (std::size_t i = 0; i < y.size(); ++i)
        low[i] = high[i] + (high[i] - low[i]) / (ratio * ratio - 1);
    }
  }
  return table.front();
}

}  // namespace

LongVec solve(const LongOde& F, LongVec y, long double t0, long double t1, long double step) {
  if (t0 == t1) return y;
  const int n = static_cast<int>(std::ceil(std::abs(t1 - t0) / step));
  const long double H = (t1 - t0) / n;
  for (int k = 0; k < n; ++k) y = extrapolated_step(F, y, t0 + k * H, H);
  return y;
}

}  // namespace taut::test
