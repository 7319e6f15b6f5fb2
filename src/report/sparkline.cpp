// SPDX-License-Identifier: BSD-3-Clause
#include "taut/report/sparkline.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <string_view>

namespace taut {
namespace {

constexpr std::array<std::string_view, 8> blocks{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::array<std::string_view, 8> letters{"_", ".", ",", "-", "=", "+", "*", "#"};

// of each part of the time the value to be drawn; NaN where there is none
std::vector<double> by_part(const std::vector<double>& t, const std::vector<double>& y,
                            const SparklineOptions& options) {
  std::vector<double> parts(static_cast<std::size_t>(options.width),
                            std::numeric_limits<double>::quiet_NaN());
  const double length = t.back() - t.front();
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double value = std::abs(y[k]);
    if (!std::isfinite(value)) continue;
    const double place = length > 0.0 ? (t[k] - t.front()) / length * options.width : 0.0;
    double& part = parts[std::min(static_cast<std::size_t>(place), parts.size() - 1)];
    if (std::isnan(part) || (options.keep_least ? value < part : value > part)) part = value;
  }
  for (std::size_t i = 1; i < parts.size(); ++i)
    if (std::isnan(parts[i])) parts[i] = parts[i - 1];
  return parts;
}

}  // namespace

Sparkline sparkline(const std::vector<double>& t, const std::vector<double>& y,
                    const SparklineOptions& options) {
  assert(t.size() == y.size() && options.width > 0);
  Sparkline result;
  if (t.empty()) return result;
  const std::vector<double> parts = by_part(t, y, options);
  double least = std::numeric_limits<double>::infinity(), greatest = 0.0;
  for (const double value : parts) {
    if (!(value > 0.0)) continue;
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
  if (greatest == 0.0) return result;
  result.least = least;
  result.greatest = greatest;
  const auto& characters = options.unicode ? blocks : letters;
  constexpr int highest = static_cast<int>(blocks.size()) - 1;
  const double range = std::log(greatest / least);
  for (const double value : parts) {
    if (std::isnan(value)) {
      result.line += ' ';
      continue;
    }
    // a constant is drawn half way up
    const double height = value == 0.0 ? 0.0 : range > 0.0 ? std::log(value / least) / range : 0.5;
    result.line += characters[static_cast<std::size_t>(std::lround(height * highest))];
  }
  return result;
}

}  // namespace taut
