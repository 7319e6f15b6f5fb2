// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace taut {

/// Names as a sentence lists them: all of a few, and of many the first five: `a, b, c, d, e and 7
/// more`.
[[nodiscard]] inline std::string list_of_names(const std::vector<std::string>& names) {
  constexpr std::size_t most = 5;
  const std::size_t shown = names.size() <= most + 1 ? names.size() : most;
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (shown < names.size()) text += " and " + std::to_string(names.size() - shown) + " more";
  return text;
}

}  // namespace taut
