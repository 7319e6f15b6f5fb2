// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/symbols.hpp"

namespace taut {

/// A point as an element sees it: a mass with coordinates, an anchor, or a point of a body.
struct End {
  const Symbols::PointEntry* point = nullptr;
  const Symbols::AnchorEntry* anchor = nullptr;
  const Symbols::MarkerEntry* marker = nullptr;

  [[nodiscard]] bool moves() const { return anchor == nullptr; }
  [[nodiscard]] std::size_t dimension() const {
    if (marker != nullptr) return marker->body.dimension();
    return point != nullptr ? static_cast<std::size_t>(point->dimension) : anchor->at.size();
  }
  [[nodiscard]] bool fits(std::size_t dimension) const {
    return this->dimension() == dimension || (anchor != nullptr && anchor->any_dimension);
  }
  [[nodiscard]] bool operator==(const End&) const = default;
};

/// The two ends of a rod, a spring, a damper.
using Ends = std::array<End, 2>;

/// Dimension in which two ends are connected; the origin takes that of the other.
[[nodiscard]] inline std::size_t dimension_of(const Ends& between) {
  return between[0].moves() ? between[0].dimension() : between[1].dimension();
}

[[nodiscard]] std::optional<End> find_end(const Symbols& symbols, std::string_view name);

/// Names of all points, markers and anchors, sorted.
[[nodiscard]] std::vector<std::string> names_of_ends(const Symbols& symbols);

}  // namespace taut
