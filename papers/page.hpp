// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "registry.hpp"

namespace taut::papers {

/// An item as one HTML file that needs nothing else: its figures made again, its rows beside them.
[[nodiscard]] std::string paper_page(const Topic& topic, const Item& item, const Shown& shown);

/// A page of a folder of them.
struct IndexEntry {
  const Item* item = nullptr;
  std::string file;
  Counts counts{};
};
/// The page that leads to them.
[[nodiscard]] std::string index_page(const std::vector<IndexEntry>& entries);

}  // namespace taut::papers
