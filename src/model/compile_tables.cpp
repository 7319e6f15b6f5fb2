// SPDX-License-Identifier: BSD-3-Clause
// Tables of a model: their numbers are checked, and become functions that expressions call.
#include <cmath>

#include <fmt/format.h>

#include "formula/table.hpp"
#include "model/compiler.hpp"
#include "model/table_file.hpp"

namespace taut {
namespace {

formula::TableKind kind_of(Table::Kind kind) {
  switch (kind) {
    case Table::Kind::cubic:
      return formula::TableKind::cubic;
    case Table::Kind::monotone:
      return formula::TableKind::monotone;
    case Table::Kind::linear:
      break;
  }
  return formula::TableKind::linear;
}

formula::Outside outside_of(Table::Outside outside) {
  switch (outside) {
    case Table::Outside::hold:
      return formula::Outside::hold;
    case Table::Outside::extend:
      return formula::Outside::extend;
    case Table::Outside::refuse:
      break;
  }
  return formula::Outside::refuse;
}

/// What is wrong with the numbers of a table; empty when nothing is.
struct Fault {
  std::string what, remedy;
};

Fault fault_of_knots(const std::vector<double>& knots, std::string_view letter) {
  if (knots.size() < 2)
    return {fmt::format("{} has {} number{}", letter, knots.size(), knots.size() == 1 ? "" : "s"),
            "give it two points or more"};
  for (std::size_t i = 0; i < knots.size(); ++i) {
    if (!std::isfinite(knots[i]))
      return {fmt::format("number {} of {} is not finite", i + 1, letter), "give finite numbers"};
    if (i > 0 && !(knots[i] > knots[i - 1]))
      return {fmt::format("number {} of {} is {}, not more than {} before it", i + 1, letter,
                          knots[i], knots[i - 1]),
              fmt::format("sort the points by {} and give each once", letter)};
    // the slope between two points must be a number
    if (i > 0 && !std::isfinite(1.0 / (knots[i] - knots[i - 1])))
      return {fmt::format("numbers {} and {} of {} are too close together", i, i + 1, letter),
              "leave one of them out"};
  }
  if (!std::isfinite(knots.back() - knots.front()))
    return {fmt::format("{} is too wide", letter), "give numbers of a smaller size"};
  return {};
}

Fault fault_of(const Table& table) {
  const bool two = !table.z.empty();
  if (Fault fault = fault_of_knots(table.x, "x"); !fault.what.empty()) return fault;
  if (two)
    if (Fault fault = fault_of_knots(table.y, "y"); !fault.what.empty()) return fault;
  const std::vector<double>& values = two ? table.z : table.y;
  const std::size_t wanted = two ? table.x.size() * table.y.size() : table.x.size();
  if (values.size() != wanted)
    return {fmt::format("has {} values at {} points", values.size(), wanted),
            two ? "give z a row for each x, with a number for each y"
                : "give x and y equally many numbers"};
  if (wanted > max_table_size)
    return {fmt::format("has {} points; at most {} are allowed", wanted, max_table_size),
            "take every second point, or every tenth"};
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      return {fmt::format("value {} is not finite", i + 1), "give finite numbers"};
  if (two && table.kind == Table::Kind::monotone)
    return {"is monotone in two variables, which no such surface is for all values",
            "write kind = \"linear\" or \"cubic\""};
  if (table.periodic) {
    const std::size_t row = two ? table.y.size() : 1, last = values.size() - row;
    for (std::size_t j = 0; j < row; ++j)
      if (values[j] != values[last + j])
        return {fmt::format("is periodic, but ends with {} where it begins with {}",
                            values[last + j], values[j]),
                "give the last point the value of the first, one period behind it"};
  }
  return {};
}

}  // namespace

void Compiler::compile_tables() {
  for (const Table& table : model_.tables) {
    const std::string where = "table " + table.name;
    declare(table.name, where, table.position);
    Fault fault;
    if (!table.unread) fault = fault_of(table);
    if (!fault.what.empty()) problems_.add(table.position, where, fault.what, fault.remedy);
    formula::Table::Content content{.name = table.name,
                                    .kind = kind_of(table.kind),
                                    .outside = outside_of(table.outside),
                                    .periodic = table.periodic,
                                    .x = table.x,
                                    .y = table.z.empty() ? std::vector<double>{} : table.y,
                                    .values = table.z.empty() ? table.y : table.z};
    int number = static_cast<int>(symbols_.tables.size());
    if (table.unread || !fault.what.empty()) {
      // a stand-in, so that its mistake is reported once and not at every use
      content = {.name = table.name, .x = {0.0, 1.0}, .values = {1.0, 1.0}};
      number = formula::Table::stand_in;
    }
    symbols_.tables.try_emplace(table.name,
                                std::make_shared<const formula::Table>(std::move(content), number));
  }
}

}  // namespace taut
