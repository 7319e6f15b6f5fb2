// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "taut/run/motion.hpp"

namespace taut::cli {

/// How many more lines there are than are shown, and where; nothing where all are.
void print_more(std::size_t count, std::string_view where);

/// What people are shown of the last row of a motion besides coordinates: bodies by their angles
/// and spin, what elements and joints do; and which coordinates and rows that makes needless.
class StateTable {
 public:
  static constexpr std::size_t most = 12;  ///< lines of a list

  StateTable(const Motion& motion, const std::vector<std::string>& coordinates,
             std::string_view where_more = "summary.json");

  /// Entries of rotation matrices.
  [[nodiscard]] bool hides_coordinate(const std::string& name) const;
  /// Rows that keep a body in shape, and those of joints, whose loads are shown as vectors.
  [[nodiscard]] bool hides_row(const std::string& name) const;

  void print(int most_digits) const;

 private:
  [[nodiscard]] bool has(const std::string& owner, std::string_view what) const;
  void print(const char* title, std::initializer_list<const char*> needed,
             std::vector<const char*> columns, int most_digits) const;

  std::string where_more_;
  std::vector<std::string> owners_;
  std::map<std::string, std::map<std::string, double, std::less<>>, std::less<>> values_;
  std::vector<std::string> coordinates_;
};

}  // namespace taut::cli
