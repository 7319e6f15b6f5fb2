// SPDX-License-Identifier: BSD-3-Clause
#include "taut/run/columns.hpp"

#include <fmt/format.h>

#include "taut/core/problems.hpp"

namespace taut {

std::string ColumnGroup::column(std::size_t k) const {
  if (kind == Kind::one) return std::string{name};
  return kind == Kind::plain ? (*names)[k] : fmt::format("{}({})", name, (*names)[k]);
}

Column ColumnGroup::operator[](std::size_t k) const {
  return width() == 0 ? Column{} : Column{values.data() + k, values.size() / width(), width()};
}

bool is_rotation_entry(std::string_view coordinate) {
  const std::size_t dot = coordinate.rfind('.');
  if (dot == std::string_view::npos) return false;
  const std::string_view entry = coordinate.substr(dot + 1);
  const auto is_index = [](char c) { return c >= '1' && c <= '3'; };
  return entry.size() == 3 && entry[0] == 'r' && is_index(entry[1]) && is_index(entry[2]);
}

Column find_column(std::span<const ColumnGroup> groups, std::string_view name) {
  std::vector<std::string> known;
  // names of the model go before those of single columns
  for (const bool named : {true, false})
    for (const ColumnGroup& group : groups)
      for (std::size_t k = 0; named == (group.names != nullptr) && k < group.width(); ++k) {
        known.push_back(group.column(k));
        if (known.back() == name || (named && (*group.names)[k] == name)) return group[k];
      }
  const std::string near = nearest_name(name, known);
  Problems problems;
  problems.add({}, fmt::format("column '{}'", name), "the motion has no column of this name",
               near.empty() ? fmt::format("columns are: {}", fmt::join(known, ", "))
                            : fmt::format("did you mean '{}'?", near));
  throw ModelError{problems};
}

}  // namespace taut
