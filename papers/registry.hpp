// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string_view>

#include "shown.hpp"

namespace taut::papers {

/// A paper whose tables and figures can be computed.
struct Topic {
  std::string_view name, about;
  std::string_view cite;  ///< key in docs/references.bib
};

/// One table or figure of it. compute() does the work when called and keeps nothing.
struct Item {
  std::string_view topic, name, about;
  Shown (*compute)();
};

/// In the order in which they are listed. A new item is one more line of the table in registry.cpp.
[[nodiscard]] std::span<const Topic> topics();
[[nodiscard]] std::span<const Item> items();

/// What an item shows, its rows with what independent programs have found for them.
[[nodiscard]] Shown computed(const Item& item);

}  // namespace taut::papers
