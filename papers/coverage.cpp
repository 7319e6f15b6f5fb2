// SPDX-License-Identifier: BSD-3-Clause
#include "coverage.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "coverage_tables.hpp"
#include "registry.hpp"

namespace taut::papers {
namespace {

// "a, b" with each part between ` `
std::string as_code(std::string_view list) {
  std::string text;
  while (!list.empty()) {
    const std::size_t comma = list.find(", ");
    text += fmt::format("{}`{}`", text.empty() ? "" : ", ", list.substr(0, comma));
    list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 2);
  }
  return text;
}

}  // namespace

std::span<const Covered> coverage(std::string_view topic) {
  if (topic == "involutive") return involutive_coverage();
  if (topic == "slow-manifolds") return slow_manifolds_coverage();
  if (topic == "stiff-rk") return stiff_rk_coverage();
  if (topic == "variational") return variational_coverage();
  if (topic == "vibrations") return vibrations_coverage();
  return {};
}

std::string coverage_page(std::string_view topic) {
  std::string_view about, cite;
  for (const Topic& candidate : topics())
    if (candidate.name == topic) {
      about = candidate.about;
      cite = candidate.cite;
    }
  std::string text = fmt::format(
      "# {}: what of the paper is where\n\n"
      "Made by `./taut docs` from `taut paper {} --coverage`. The paper is {}: {}. Rows are "
      "computed by\n"
      "`taut paper {} ITEM`; what their verdicts rest on is in [the "
      "laboratory](../manual/{}-laboratory.md).\n\n"
      "| in the paper | what | in the code | items | not shown |\n|---|---|---|---|---|\n",
      topic, topic, cite, about, topic, topic);
  for (const Covered& row : coverage(topic))
    text += fmt::format("| {} | {} | {} | {} | {} |\n", row.what, row.about, as_code(row.where),
                        as_code(row.items), row.reason);
  text += "\nItems:\n\n";
  for (const Item& item : items())
    if (item.topic == topic) text += fmt::format("- `{}`: {}\n", item.name, item.about);
  return text;
}

}  // namespace taut::papers
