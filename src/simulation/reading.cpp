// SPDX-License-Identifier: BSD-3-Clause
#include "taut/simulation/reading.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace taut {
namespace {

// in the order of the enumeration
constexpr std::array<std::string_view, 5> all_names{"as-written", "rigid", "penalized", "slow",
                                                    "averaged"};

}  // namespace

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
  const auto found = std::find(all_names.begin(), all_names.end(), name);
  if (found == all_names.end()) return {};
  return Reading{static_cast<Kind>(found - all_names.begin())};
}

std::span<const std::string_view> Reading::names() { return all_names; }

std::string_view Reading::name() const { return all_names[static_cast<std::size_t>(kind_)]; }

}  // namespace taut
