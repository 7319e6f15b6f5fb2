// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "taut/core/problems.hpp"

namespace taut::model_file {

struct Entry;

/// A value of a TOML file with its place. Tables keep the order of the file, and everything below a
/// table is a plain value: no other part of the reader knows the TOML library.
struct Node {
  enum class Kind : unsigned char { table, array, string, number, boolean, date };
  Kind kind = Kind::table;
  Position at;
  Position text_at;            ///< of a string: of its first character, after the quotes
  double number = 0.0;         ///< of a number; of a boolean 0 or 1
  std::string text;            ///< of a string
  std::vector<Node> items;     ///< of an array
  std::vector<Entry> entries;  ///< of a table, in file order
  bool damaged = false;        ///< of a table: a line of it was left out
};

struct Entry {
  std::string key;
  Position at;
  Node node;
};

inline constexpr int max_syntax_errors = 10;

struct Document {
  Node root;
  bool incomplete = false;  ///< something could not be read as TOML and was left out
};

/// Reads TOML. Each syntax error is reported, the smallest part of the file that contains it is
/// left out (its line, or its section) and the rest is read all the same.
[[nodiscard]] Document read_toml(std::string_view text, Problems& problems);

}  // namespace taut::model_file
