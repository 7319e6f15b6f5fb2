// SPDX-License-Identifier: BSD-3-Clause
#include "at_arguments.hpp"

#include <cmath>

#include "common.hpp"

namespace taut::cli {

NamedPlaces read_at(const std::vector<std::string>& at, Problems& problems) {
  NamedPlaces places;
  for (const std::string& item : at) {
    const std::size_t equal = item.find('=');
    const Value value = parse_value(equal == std::string::npos ? "" : item.substr(equal + 1));
    if (equal == 0 || !value.is_number() || !std::isfinite(value.number()))
      problems.add({}, "--at " + item, "is not of the form NAME=VALUE with a number",
                   "write --at q=0, or --at bob.x=0,bob.y=1");
    else
      places.emplace_back(item.substr(0, equal), value.number());
  }
  return places;
}

}  // namespace taut::cli
