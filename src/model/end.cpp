// SPDX-License-Identifier: BSD-3-Clause
#include "model/end.hpp"

#include <algorithm>

namespace taut {

std::optional<End> find_end(const Symbols& symbols, std::string_view name) {
  if (const auto it = symbols.points.find(name); it != symbols.points.end())
    return End{.point = &it->second};
  if (const auto it = symbols.anchors.find(name); it != symbols.anchors.end())
    return End{.anchor = &it->second};
  if (const auto it = symbols.markers.find(name); it != symbols.markers.end())
    return End{.marker = &it->second};
  return {};
}

std::vector<std::string> names_of_ends(const Symbols& symbols) {
  std::vector<std::string> names;
  for (const auto& [known, entry] : symbols.points) names.push_back(known);
  for (const auto& [known, entry] : symbols.markers) names.push_back(known);
  for (const auto& [known, entry] : symbols.anchors) names.push_back(known);
  std::sort(names.begin(), names.end());  // hash maps have no order; messages should
  return names;
}

}  // namespace taut
