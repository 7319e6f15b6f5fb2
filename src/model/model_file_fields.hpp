// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/model_file_schema.hpp"
#include "model/model_file_toml.hpp"
#include "taut/model/value.hpp"

namespace taut::model_file {

/// What a key of the file holds; which member is filled depends on its type.
struct Field {
  const Key* key = nullptr;
  Position at;
  std::vector<Value> values;
  std::vector<Name> names;
  Repeat repeat;
};

/// One table of the file, checked against its section of the schema: unknown keys, wrong types and
/// missing keys are reported, what could be read is kept. A misspelt key is reported and then read
/// as the one that was meant, so that it does not cause a second report.
class Fields {
 public:
  /// `where` names the table in messages, such as `rod 2`. A node that is not a table stands for
  /// the section's shorthand key.
  Fields(const Node& node, const Section& section, std::string where, Problems& problems);

  /// True when every required key was read.
  [[nodiscard]] bool complete() const { return complete_; }
  /// True when the key is there but could not be read.
  [[nodiscard]] bool unread(std::string_view key) const;
  [[nodiscard]] const std::string& where() const { return where_; }
  [[nodiscard]] Position at(std::string_view key) const;

  /// The field as it was read; null where it was not.
  [[nodiscard]] const Field* find(std::string_view key) const;
  [[nodiscard]] std::optional<Value> number(std::string_view key) const;
  [[nodiscard]] Value number(std::string_view key, double absent) const;
  [[nodiscard]] std::optional<bool> flag(std::string_view key) const;
  [[nodiscard]] std::vector<Value> numbers(std::string_view key) const;
  [[nodiscard]] std::vector<Name> names(std::string_view key) const;
  [[nodiscard]] std::optional<Name> name(std::string_view key) const;
  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] Repeat repeat() const;

 private:
  const Key* meant_by(const Entry& entry, const Node& table, const Section& section,
                      Problems& problems) const;

  std::string where_;
  std::vector<Field> fields_;
  std::vector<const Key*> unread_;
  bool complete_ = true;
};

/// A text of the file as messages show it: on one line, and not too long.
[[nodiscard]] std::string shortened(std::string_view text);

/// What stands in the file, for messages: `"abc"`, `3`, `an array of 4`, `a table`.
[[nodiscard]] std::string describe(const Node& node);

/// How messages call a field: where it stands, and what stands before its `=`.
struct Labels {
  std::string where;
  std::string_view key;
};

/// Reads a node as `key`; nothing when it does not fit, which is then reported.
[[nodiscard]] std::optional<Field> read_field(const Node& node, const Key& key,
                                              const Labels& labels, Problems& problems);

/// Why a text cannot name a point, a coordinate, ...; none when it can. Names in a repeated table
/// may contain {k}.
struct NameFault {
  enum class Kind : unsigned char { none, form, needs_repeat, reserved };
  Kind kind = Kind::none;
  std::string why{};
  [[nodiscard]] bool any() const { return kind != Kind::none; }
};
[[nodiscard]] NameFault fault_of_name(std::string_view text, bool repeated);

}  // namespace taut::model_file
