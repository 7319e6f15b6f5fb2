// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace taut::papers {

/// One thing a paper has: a table, figure, algorithm, theorem or displayed method.
struct Covered {
  std::string_view what;   ///< "Table 1", "(38)"
  std::string_view about;  ///< in a few words
  std::string_view
      where;  ///< files or folders of this repository, separated by ", "; empty: nowhere
  std::string_view items;     ///< of the topic, separated by ", "; empty: none shows it
  std::string_view reason{};  ///< why nothing shows it, or what is not shown
};

/// Everything in the paper of a topic, in its order; empty for a topic that does not exist.
[[nodiscard]] std::span<const Covered> coverage(std::string_view topic);

/// The page of a topic in the documentation, docs/papers/TOPIC.md.
[[nodiscard]] std::string coverage_page(std::string_view topic);

}  // namespace taut::papers
