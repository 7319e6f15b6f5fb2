// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "row.hpp"

namespace taut::papers {

/// A paper whose tables and figures can be computed.
struct Topic {
  std::string_view name, about;
  std::string_view cite;  ///< key in docs/references.bib
};

/// One table or figure of it. compute() does the work when called and keeps nothing.
struct Item {
  std::string_view topic, name, about;
  std::vector<Row> (*compute)();
};

/// In the order in which they are listed. A new item is one more line of the table in registry.cpp.
[[nodiscard]] std::span<const Topic> topics();
[[nodiscard]] std::span<const Item> items();

}  // namespace taut::papers
