// SPDX-License-Identifier: BSD-3-Clause
#include "filters/band.hpp"

#include <fmt/format.h>

#include <cmath>

namespace taut::detail {

std::string wrong_with(const Band& band) {
  if (!std::isfinite(band.lowest) || !std::isfinite(band.highest))
    return fmt::format("a band from {} to {} rad/s is not finite", band.lowest, band.highest);
  if (band.lowest <= 0.0)
    return fmt::format(
        "the lowest frequency of a band, {:.6g} rad/s, must be positive: what does not vibrate "
        "cannot be told from slow motion",
        band.lowest);
  if (band.highest < band.lowest)
    return fmt::format("a band from {:.6g} to {:.6g} rad/s ends before it begins", band.lowest,
                       band.highest);
  return {};
}

}  // namespace taut::detail
