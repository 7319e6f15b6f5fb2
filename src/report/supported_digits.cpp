// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>

#include "taut/report/writers.hpp"

namespace taut {

std::string supported_digits(double x, double error) {
  if (!std::isfinite(x) || !std::isfinite(error) || error == 0.0) return fmt::format("{}", x);
  const double unit = std::ceil(std::log10(error));
  const double first = x == 0.0 ? unit - 1 : std::floor(std::log10(std::abs(x)));
  const double digits = first - unit + 1;
  if (digits < 1.0) {
    // one digit, not rounded down
    const double most = std::abs(x) + error, power = std::pow(10.0, std::floor(std::log10(most)));
    return fmt::format("0 +- {:.0e}", std::ceil(most / power * (1 - 1e-12)) * power);
  }
  if (digits >= 17.0) return fmt::format("{}", x);
  // zeros before the point would look like digits
  if (unit > 0.0 || first < -5.0) return fmt::format("{:.{}e}", x, static_cast<int>(digits) - 1);
  return fmt::format("{:.{}f}", x, static_cast<int>(-unit));
}

}  // namespace taut
