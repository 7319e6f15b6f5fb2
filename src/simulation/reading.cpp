// SPDX-License-Identifier: BSD-3-Clause
#include "taut/simulation/reading.hpp"

#include <algorithm>
#include <utility>

namespace taut {

Reading Reading::penalized(std::optional<Value> omega) {
  Reading reading{Kind::penalized};
  reading.omega_ = std::move(omega);
  return reading;
}

Reading Reading::slow(SlowOptions options, std::optional<Value> omega) {
  Reading reading{Kind::slow};
  reading.slow_ = std::move(options);
  reading.omega_ = std::move(omega);
  return reading;
}

Reading Reading::averaged(AveragingOptions options) {
  Reading reading{Kind::averaged};
  reading.averaging_ = options;
  return reading;
}

std::optional<Reading> Reading::named(std::string_view name) {
  const auto found = std::find(reading_names.begin(), reading_names.end(), name);
  if (found == reading_names.end()) return {};
  return Reading{static_cast<Kind>(found - reading_names.begin())};
}

std::span<const std::string_view> Reading::names() { return reading_names; }

}  // namespace taut
