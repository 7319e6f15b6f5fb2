// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "taut/core/archive.hpp"

namespace taut {

/// A list whose items `each` describes. As many as were stored are read, each, and so checked,
/// before the next is made room for: no input makes it allocate more than its own size.
template <class Item, class Each>
void archive_list(Archive& archive, std::vector<Item>& items, Each each) {
  auto count = static_cast<std::int64_t>(items.size());
  archive(count);
  if (archive.loading()) items.clear();
  for (std::int64_t k = 0; k < count; ++k) {
    if (archive.loading()) items.emplace_back();
    each(items[static_cast<std::size_t>(k)]);
  }
}

inline void archive_list(Archive& archive, std::vector<std::string>& names) {
  archive_list(archive, names, [&](std::string& name) { archive(name); });
}

}  // namespace taut
