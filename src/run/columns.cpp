// SPDX-License-Identifier: BSD-3-Clause
#include "taut/run/columns.hpp"

#include <cmath>

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

double BodyTurn::yaw() const { return std::atan2(columns[0][1], columns[0][0]); }
double BodyTurn::pitch() const {
  return std::atan2(-columns[0][2], std::hypot(columns[0][0], columns[0][1]));
}
double BodyTurn::roll() const { return std::atan2(columns[1][2], columns[2][2]); }

std::vector<BodyTurn> body_turns(std::span<const std::string> coordinates, const Vec& q,
                                 const Vec& v) {
  using Columns = std::array<std::array<double, 3>, 3>;
  struct Body {
    BodyTurn turn;
    Columns rate{};
    std::array<bool, 3> known{};
  };
  std::vector<Body> bodies;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const std::string_view name = coordinates[i];
    if (!is_rotation_entry(name)) continue;
    const std::string_view owner = name.substr(0, name.rfind('.'));
    if (bodies.empty() || bodies.back().turn.body != owner)
      bodies.push_back({.turn = {.body = std::string{owner}}});
    const auto row = static_cast<std::size_t>(name[name.size() - 2] - '1');
    const auto column = static_cast<std::size_t>(name[name.size() - 1] - '1');
    const auto at = static_cast<Index>(i);
    bodies.back().turn.columns[column][row] = q[at];
    if (at < v.size()) bodies.back().rate[column][row] = v[at];
    bodies.back().known[column] = true;
  }
  const auto add_cross = [](std::array<double, 3>& to, const auto& a, const auto& b, double part) {
    for (std::size_t i = 0; i < 3; ++i)
      to[i] += part * (a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3]);
  };
  std::vector<BodyTurn> turns;
  for (auto& [turn, rate, known] : bodies) {
    Columns& r = turn.columns;
    // across a flat body: r_c = r_a x r_b
    for (std::size_t c = 0; c < 3; ++c) {
      if (known[c]) continue;
      const std::size_t a = (c + 1) % 3, b = (c + 2) % 3;
      add_cross(r[c], r[a], r[b], 1.0);
      add_cross(rate[c], rate[a], r[b], 1.0);
      add_cross(rate[c], r[a], rate[b], 1.0);
    }
    for (std::size_t c = 0; c < 3; ++c) add_cross(turn.w, r[c], rate[c], 0.5);
    turns.push_back(std::move(turn));
  }
  return turns;
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
