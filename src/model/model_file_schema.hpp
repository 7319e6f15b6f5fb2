// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace taut {
struct ElementDescriptor;
}

namespace taut::model_file {

/// How a section is written.
enum class Form : unsigned char {
  table,     ///< [run]: the keys below
  named,     ///< [points]: NAME = { the keys below }, one line for each name
  elements,  ///< [[rod]]: the keys below, as often as there are elements
};

/// What a key holds.
enum class Type : unsigned char {
  number,            ///< a number or an expression
  vector,            ///< two or three of them
  number_or_vector,  ///< one, two or three of them
  space_vector,      ///< three of them
  inertia,           ///< one, three or six of them
  numbers,           ///< one or more of them
  plain_numbers,     ///< one or more numbers
  matrix,            ///< rows of plain numbers, equally long
  assignments,       ///< { "bob.vx" = "-0.8*bob.vx" }: names, with a number or expression each
  markers,           ///< { tip = [0, 0, 1] }: names, with as many of them each
  reference,         ///< name of a point, an anchor or a coordinate
  references,        ///< one or more
  pair,              ///< two
  patterns,          ///< one or more names of points, in which * stands for any characters
  name,              ///< a new name, fit for expressions
  text,              ///< any words
  choice,            ///< one of Key::choices
  flag,              ///< true or false
  repeat,            ///< { k = "1:n" }
};

struct Key {
  std::string_view name;
  Type type = Type::number;
  bool required = false;
  std::string meaning;  ///< one line, as the manual prints it
  std::vector<std::string> choices = {};
  /// Words for a choice that are used elsewhere: the hint names the choice.
  std::vector<std::pair<std::string_view, std::string_view>> familiar = {};
  /// For each choice, which of the units of keys with `unit_is_chosen` it leaves; -1: any.
  std::vector<int> unit_of_choice = {};
  bool unit_is_chosen = false;
};

struct Section {
  std::string_view name;
  Form form = Form::table;
  std::string_view meaning;
  std::vector<Key> keys;
  std::string_view shorthand =
      {};  ///< of named sections: `NAME = x` means `NAME = { shorthand = x }`
  const ElementDescriptor* element = nullptr;  ///< what states it; null where it is none

  [[nodiscard]] const Key* find(std::string_view key) const;
  [[nodiscard]] std::vector<std::string> key_names() const;
};

/// The format of model files: every section with every key. The reader accepts what stands here and
/// nothing else; docs/manual/model-file.md is tested against it.
[[nodiscard]] const std::vector<Section>& schema();
[[nodiscard]] const Section* find_section(std::string_view name);

/// How a section is written: `[points]`, `[[rod]]`.
[[nodiscard]] std::string heading(const Section& section);

/// What a key may hold, in words.
[[nodiscard]] std::string describe(const Key& key);

/// Names that mean something in every expression and cannot be given to anything else.
[[nodiscard]] const std::vector<std::string>& reserved_names();

}  // namespace taut::model_file
