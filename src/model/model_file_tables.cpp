// SPDX-License-Identifier: BSD-3-Clause
#include "model/model_file_tables.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <vector>

#include "model/table_file.hpp"

namespace taut::model_file {

Table make_table(const Entry& entry, const Fields& fields, const std::string& model_file,
                 Problems& problems) {
  Table table{.name = entry.key, .file = fields.text("file"), .position = entry.at};
  const auto fault = [&](std::string_view key, std::string what, std::string remedy) {
    table.unread = true;
    problems.add(key.empty() ? entry.at : fields.at(key),
                 key.empty() ? fields.where() : fmt::format("{}: {}", fields.where(), key),
                 std::move(what), std::move(remedy));
  };
  const auto plain = [&](std::string_view key) {
    std::vector<double> numbers;
    for (const Value& value : fields.numbers(key)) {
      if (!value.is_number()) {
        fault(key, fmt::format("\"{}\" is an expression", shortened(value.text())),
              "give numbers, and scale the table where it is used: 2*a*road(t/T)");
        return numbers;
      }
      numbers.push_back(value.number());
    }
    return numbers;
  };
  for (const std::string_view key : {"file", "columns", "x", "y", "z", "kind", "outside"})
    table.unread |= fields.unread(key);
  const auto is = [&](std::string_view key, std::string_view choice) {
    return fields.text(key) == choice;
  };
  table.kind = is("kind", "cubic")      ? Table::Kind::cubic
               : is("kind", "monotone") ? Table::Kind::monotone
                                        : Table::Kind::linear;
  table.outside = is("outside", "hold")     ? Table::Outside::hold
                  : is("outside", "extend") ? Table::Outside::extend
                                            : Table::Outside::refuse;
  table.periodic = fields.flag("periodic").value_or(false);
  const bool inline_numbers =
      fields.find("x") != nullptr || fields.find("y") != nullptr || fields.find("z") != nullptr;
  std::vector<int> columns;
  for (const double column : plain("columns")) {
    if (!(column >= 1.0 && column <= 1000.0 && column == std::floor(column)))
      fault("columns", fmt::format("{} is not the number of a column", column),
            "count them from 1 on: columns = [1, 3]");
    else
      columns.push_back(static_cast<int>(column));
  }
  if (fields.find("columns") != nullptr && !table.unread && columns.size() != 2 &&
      columns.size() != 3)
    fault("columns", fmt::format("has {} numbers", columns.size()),
          "choose two, x and y, or three: x, y and z");
  if (table.unread) return table;
  if (!table.file.empty()) {
    if (inline_numbers)
      fault("", "has both a file and numbers of its own", "give file, or x and y");
    else
      read_table_file(model_file, columns, fields.where(), table, problems);
    return table;
  }
  if (fields.find("x") == nullptr || fields.find("y") == nullptr) {
    fault("", "has no numbers", "give file = \"road.csv\", or x = [...] and y = [...]");
    return table;
  }
  if (!columns.empty()) fault("columns", "belongs to a file", "leave it out");
  table.x = plain("x");
  table.y = plain("y");
  for (const Value& value : fields.numbers("z")) table.z.push_back(value.number());
  return table;
}

}  // namespace taut::model_file
