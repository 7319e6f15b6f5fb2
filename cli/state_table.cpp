// SPDX-License-Identifier: BSD-3-Clause
#include "state_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "taut/run/columns.hpp"

namespace taut::cli {
namespace {

constexpr int in_columns = 6;  // digits where many numbers stand beside one another

std::string owner_of(const std::string& name) { return name.substr(0, name.rfind('.')); }

}  // namespace

void print_more(std::size_t count, std::string_view where) {
  if (count > StateTable::most)
    fmt::print("    ... and {} more in {}\n", count - StateTable::most, where);
}

// Quantities of the last row, by what stands before and behind the last dot.
StateTable::StateTable(const Motion& motion, const std::vector<std::string>& coordinates,
                       std::string_view where_more)
    : where_more_{where_more}, coordinates_{coordinates} {
  const std::size_t count = motion.quantities.size();
  for (std::size_t k = 0; motion.rows() > 0 && k < count; ++k) {
    const std::string& name = motion.quantities[k];
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos) continue;
    const std::string owner = name.substr(0, dot);
    if (values_.find(owner) == values_.end()) owners_.push_back(owner);
    // no minus before a zero
    values_[owner][name.substr(dot + 1)] = motion.quantity[(motion.rows() - 1) * count + k] + 0.0;
  }
}

bool StateTable::has(const std::string& owner, std::string_view what) const {
  const auto it = values_.find(owner);
  return it != values_.end() && it->second.contains(what);
}

bool StateTable::hides_coordinate(const std::string& name) const { return is_rotation_entry(name); }

bool StateTable::hides_row(const std::string& row) const {
  const std::size_t axes = row.rfind(" axes ");
  if (axes != std::string::npos &&
      std::any_of(coordinates_.begin(), coordinates_.end(), [&](const std::string& name) {
        return is_rotation_entry(name) && owner_of(name) == row.substr(0, axes);
      }))
    return true;
  for (std::size_t space = row.find(' '); space != std::string::npos;
       space = row.find(' ', space + 1))
    if (has(row.substr(0, space), "tz")) return true;
  return false;
}

// a line for each owner that has all that are needed, and the columns that any of them has
void StateTable::print(const char* title, std::initializer_list<const char*> needed,
                       std::vector<const char*> columns, int most_digits) const {
  std::vector<std::string> of;
  for (const std::string& owner : owners_)
    if (std::all_of(needed.begin(), needed.end(),
                    [&](const char* column) { return has(owner, column); }))
      of.push_back(owner);
  if (of.empty()) return;
  std::erase_if(columns, [&](const char* column) {
    return std::none_of(of.begin(), of.end(),
                        [&](const std::string& owner) { return has(owner, column); });
  });
  fmt::print("\n    {:<18}", title);
  for (const char* column : columns) fmt::print(" {:>13}", column);
  fmt::print("\n");
  for (std::size_t i = 0; i < std::min(of.size(), most); ++i) {
    fmt::print("    {:<18}", of[i]);
    for (const char* column : columns)
      fmt::print(" {:>13}", has(of[i], column)  // in the plane there are fewer
                                ? fmt::format("{:.{}g}", values_.at(of[i]).find(column)->second,
                                              std::min(most_digits, in_columns))
                                : std::string{});
    fmt::print("\n");
  }
  print_more(of.size(), where_more_);
}

void StateTable::print(int most_digits) const {
  print("body", {"yaw"}, {"yaw", "pitch", "roll", "wx", "wy", "wz"}, most_digits);
  print("element", {"force"}, {"force", "length", "power"}, most_digits);
  print("joint", {"angle"}, {"angle", "rate", "second_angle", "second_rate", "drive_torque"},
        most_digits);
  print("joint", {"travel"}, {"travel", "speed", "second_travel", "second_speed", "drive_force"},
        most_digits);
  print("joint", {"fx", "tz"}, {"fx", "fy", "fz", "tx", "ty", "tz"}, most_digits);
}

}  // namespace taut::cli
