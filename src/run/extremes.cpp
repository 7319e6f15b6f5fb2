// SPDX-License-Identifier: BSD-3-Clause
#include "taut/run/extremes.hpp"

#include <algorithm>
#include <limits>

namespace taut {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

void Extremes::open(std::size_t width) {
  low.resize(low.size() + width, infinity);
  high.resize(high.size() + width, -infinity);
}

void Extremes::halve(std::size_t width) {
  if (empty()) return;
  const std::size_t groups = low.size() / width, left = groups / 2 + 1;
  for (std::size_t group = 1; group < left; ++group)
    for (std::size_t i = 0; i < width; ++i) {
      const std::size_t to = group * width + i, a = (2 * group - 1) * width + i;
      const std::size_t b = 2 * group < groups ? a + width : a;
      low[to] = std::min(low[a], low[b]);
      high[to] = std::max(high[a], high[b]);
    }
  low.resize(left * width);
  high.resize(left * width);
}

void Extremes::merge(std::size_t width, const std::vector<bool>& rows) {
  if (empty()) return;
  const std::size_t groups = low.size() / width;
  std::size_t to = 0;
  for (std::size_t group = 0; group < groups; ++group) {
    double* const low_to = low.data() + to * width;
    double* const high_to = high.data() + to * width;
    const double* const low_from = low.data() + group * width;
    const double* const high_from = high.data() + group * width;
    const bool first = group == 0 || rows[group - 1];
    for (std::size_t i = 0; i < width; ++i) {
      low_to[i] = first ? low_from[i] : std::min(low_to[i], low_from[i]);
      high_to[i] = first ? high_from[i] : std::max(high_to[i], high_from[i]);
    }
    // the last group is that of no row
    if (group >= rows.size() || rows[group]) ++to;
  }
  low.resize(to * width);
  high.resize(to * width);
}

void Extremes::close(std::size_t width) {
  if (empty()) return;
  low.resize(low.size() - width);
  high.resize(high.size() - width);
  for (std::size_t i = 0; i < low.size(); ++i)
    if (low[i] > high[i]) low[i] = high[i] = std::numeric_limits<double>::quiet_NaN();
}

}  // namespace taut
