// SPDX-License-Identifier: BSD-3-Clause
#include "at_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common.hpp"

namespace taut::cli {

void apply_at(const std::vector<std::string>& at, const Structure& structure, State& state,
              Problems& problems) {
  for (const std::string& item : at) {
    const std::size_t equal = item.find('=');
    const Value value = parse_value(equal == std::string::npos ? "" : item.substr(equal + 1));
    if (equal == 0 || !value.is_number() || !std::isfinite(value.number())) {
      problems.add({}, "--at " + item, "is not of the form NAME=VALUE with a number",
                   "write --at q=0, or --at bob.x=0,bob.y=1");
      continue;
    }
    const std::string name = item.substr(0, equal);
    const auto found = std::find(structure.coordinates.begin(), structure.coordinates.end(), name);
    if (found == structure.coordinates.end()) {
      const std::string near = nearest_name(name, structure.coordinates);
      problems.add({}, "--at " + name, fmt::format("there is no coordinate '{}'", name),
                   near.empty()
                       ? fmt::format("coordinates are: {}", fmt::join(structure.coordinates, ", "))
                       : fmt::format("did you mean '{}'?", near));
      continue;
    }
    state.q[found - structure.coordinates.begin()] = value.number();
  }
}

}  // namespace taut::cli
