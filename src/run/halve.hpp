// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace taut {

/// Keeps groups 0, 2, 4, ... of `width` numbers.
inline void halve(std::vector<double>& column, std::size_t width) {
  if (width == 0) return;
  const std::size_t rows = column.size() / width;
  for (std::size_t from = 2; from < rows; from += 2)
    std::copy_n(column.begin() + static_cast<std::ptrdiff_t>(from * width), width,
                column.begin() + static_cast<std::ptrdiff_t>(from / 2 * width));
  column.resize((rows + 1) / 2 * width);
}

/// Keeps the groups of `width` numbers whose number is marked.
inline void keep_groups(std::vector<double>& column, std::size_t width,
                        const std::vector<bool>& kept) {
  std::size_t to = 0;
  for (std::size_t from = 0; width > 0 && from < kept.size(); ++from) {
    if (!kept[from]) continue;
    std::copy_n(column.begin() + static_cast<std::ptrdiff_t>(from * width), width,
                column.begin() + static_cast<std::ptrdiff_t>(to * width));
    ++to;
  }
  column.resize(to * width);
}

}  // namespace taut
