// SPDX-License-Identifier: BSD-3-Clause
#include "model/table_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "model/file_beside.hpp"

namespace taut {
namespace {

constexpr int most_mistakes = 5;  // of one file: what follows is noise

/// The parts of a line: by the first kind of separator it has, blanks last.
std::vector<std::string_view> parts_of(std::string_view line) {
  line = line.substr(0, line.find('#'));
  const auto trimmed = [](std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\f\v");
    if (first == std::string_view::npos) return std::string_view{};
    return text.substr(first, text.find_last_not_of(" \t\r\f\v") - first + 1);
  };
  std::vector<std::string_view> parts;
  line = trimmed(line);
  if (line.empty()) return parts;
  const char separator = line.find(';') != std::string_view::npos   ? ';'
                         : line.find(',') != std::string_view::npos ? ','
                                                                    : ' ';
  if (separator == ' ') {
    while (!line.empty()) {
      const auto end = std::min(line.find_first_of(" \t"), line.size());
      parts.push_back(line.substr(0, end));
      line = trimmed(line.substr(end));
    }
    return parts;
  }
  for (;;) {
    const auto end = line.find(separator);
    parts.push_back(trimmed(line.substr(0, end)));
    if (end == std::string_view::npos) break;
    line.remove_prefix(end + 1);
  }
  return parts;
}

class Reader {
 public:
  Reader(Table& table, const std::vector<int>& columns, const std::string& where,
         Problems& problems)
      : table_{table}, columns_{columns}, where_{where}, problems_{problems} {}

  void read(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    for (int line = 1; !text.empty() && mistakes_ < most_mistakes; ++line) {
      const auto end = std::min(text.find('\n'), text.size());
      take(text.substr(0, end), line);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (mistakes_ > 0) return;
    if (rows_.size() < 2)
      return refuse(0, fmt::format("has {} points", rows_.size()), "give it two points or more");
    rows_.front().number.size() == 2 ? line() : grid();
  }

  void refuse(int line, const std::string& what, const std::string& remedy) {
    ++mistakes_;
    table_.unread = true;
    const std::string place =
        line > 0 ? fmt::format("{}, line {}: ", table_.file, line) : table_.file + " ";
    problems_.add(table_.position, where_, place + what, remedy);
  }

 private:
  struct Row {
    std::vector<double> number;
    int line = 0;
  };

  void take(std::string_view line, int number) {
    std::vector<std::string_view> parts = parts_of(line);
    if (parts.empty()) return;
    const std::size_t found = parts.size();
    if (!columns_.empty()) {
      std::vector<std::string_view> chosen;
      for (const int column : columns_) {
        if (static_cast<std::size_t>(column) > found)
          return refuse(number, fmt::format("has {} columns, no column {}", found, column),
                        "correct the line, or columns in the model");
        chosen.push_back(parts[static_cast<std::size_t>(column) - 1]);
      }
      parts = std::move(chosen);
    } else if (found != 2 && found != 3) {
      return refuse(number, fmt::format("has {} column{}", found, found == 1 ? "" : "s"),
                    "give two columns, x and y, or three, x, y and z; or choose among more with "
                    "columns = [1, 3]");
    }
    if (!rows_.empty() && parts.size() != rows_.front().number.size())
      return refuse(number,
                    fmt::format("has {} columns, the line {} has {}", parts.size(),
                                rows_.front().line, rows_.front().number.size()),
                    "give every line the same columns");
    Row row{.number = {}, .line = number};
    for (const std::string_view part : parts) {
      const auto value = number_in<double>(part);
      if (!value) {
        // the names of the columns
        if (rows_.empty() && !headed_ && std::none_of(parts.begin(), parts.end(), [](auto p) {
              return number_in<double>(p).has_value();
            })) {
          headed_ = true;
          return;
        }
        return refuse(number, fmt::format("\"{}\" is not a number", quoted(part)),
                      "write numbers with a decimal point, such as 0.25 or 1e-3");
      }
      if (!std::isfinite(*value))
        return refuse(number, fmt::format("{} is not finite", quoted(part)),
                      "leave the line out, or give a finite number");
      row.number.push_back(*value);
    }
    if (rows_.size() >= max_table_size)
      return refuse(number, fmt::format("is beyond the {} points of a table", max_table_size),
                    "take every second point, or every tenth");
    rows_.push_back(std::move(row));
  }

  void line() {
    for (const Row& row : rows_) {
      if (!table_.x.empty() && !(row.number[0] > table_.x.back()))
        return refuse(
            row.line,
            fmt::format("x is {}, not more than {} before it", row.number[0], table_.x.back()),
            "sort the lines by x and give each x once");
      table_.x.push_back(row.number[0]);
      table_.y.push_back(row.number[1]);
    }
  }

  void grid() {
    const auto knots = [&](std::size_t column) {
      std::vector<double> all;
      for (const Row& row : rows_) all.push_back(row.number[column]);
      std::sort(all.begin(), all.end());
      all.erase(std::unique(all.begin(), all.end()), all.end());
      return all;
    };
    table_.x = knots(0);
    table_.y = knots(1);
    std::map<std::pair<double, double>, int> line_of;
    table_.z.assign(std::min(table_.x.size() * table_.y.size(), rows_.size()), 0.0);
    for (const Row& row : rows_) {
      const auto [first, is_new] = line_of.try_emplace({row.number[0], row.number[1]}, row.line);
      if (!is_new)
        return refuse(row.line,
                      fmt::format("the point ({}, {}) stands in line {} already", row.number[0],
                                  row.number[1], first->second),
                      "give every pair of an x and a y once");
    }
    for (const double x : table_.x)
      for (const double y : table_.y)
        if (!line_of.contains({x, y}))
          return refuse(0, fmt::format("has no point ({}, {})", x, y),
                        "give a value for every x with every y: the points must fill a grid");
    const auto place = [](const std::vector<double>& sorted, double x) {
      return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), x) -
                                      sorted.begin());
    };
    for (const Row& row : rows_)
      table_.z[place(table_.x, row.number[0]) * table_.y.size() + place(table_.y, row.number[1])] =
          row.number[2];
  }

  Table& table_;
  const std::vector<int>& columns_;
  const std::string& where_;
  Problems& problems_;
  std::vector<Row> rows_;
  int mistakes_ = 0;
  bool headed_ = false;
};

}  // namespace

void read_table_file(const std::string& model_file, const std::vector<int>& columns,
                     const std::string& where, Table& table, Problems& problems) {
  Reader reader{table, columns, where, problems};
  std::string text;
  if (std::string why =
          read_file_beside(model_file, table.file, max_table_file_size, "a file of numbers", text);
      !why.empty()) {
    table.unread = true;
    problems.add(table.position, where, std::move(why), put_file_beside);
    return;
  }
  reader.read(text);
}

}  // namespace taut
