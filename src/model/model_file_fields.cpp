// SPDX-License-Identifier: BSD-3-Clause
#include "model/model_file_fields.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/familiar_words.hpp"
#include "model/model_file_scan.hpp"
#include "model/quantity.hpp"

namespace taut::model_file {
namespace {

constexpr std::size_t max_text = 200;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// How to write a key, for remedies; `label` is the name that stands before `=`.
std::string example(const Key& key, std::string_view label) {
  switch (key.type) {
    case Type::number:
      return fmt::format("write {0} = 1.5, or {0} = \"2*a\"", label);
    case Type::vector:
      return fmt::format("write {} = [1, \"-g\"], or three for a point in space", label);
    case Type::number_or_vector:
      return fmt::format("write {0} = \"2*a\", or {0} = [1, \"-g\"] on a point", label);
    case Type::space_vector:
      return fmt::format("write {} = [0, 0, \"h/2\"]", label);
    case Type::inertia:
      return fmt::format(
          "write {} = [1, 2, \"2*a\"], or six: xx, yy, zz, xy, xz, yz; one in the plane", label);
    case Type::numbers:
      return fmt::format("write {} = [0, \"-a\"]", label);
    case Type::plain_numbers:
      return fmt::format("write {} = [0, 2.5]", label);
    case Type::matrix:
      return fmt::format("write {} = [[1, 2], [3, 4]]", label);
    case Type::assignments:
      return fmt::format("write {} = {{ \"bob.vx\" = \"-0.8*bob.vx\", k = 2 }}", label);
    case Type::markers:
      return fmt::format("write {} = {{ tip = [0, 0, \"h/2\"] }}", label);
    case Type::reference:
      return fmt::format("write {} = \"bob\"", label);
    case Type::references:
      return label == "unknowns" ? "write unknowns = [\"y\", \"z\"]"
                                 : fmt::format("write {} = [\"bob1\", \"bob2\"]", label);
    case Type::pair:
      return fmt::format("write {} = [\"origin\", \"bob\"]", label);
    case Type::patterns:
      return fmt::format("write {} = [\"bob*\"]", label);
    case Type::name:
    case Type::text:
      return fmt::format("write {} = \"...\"", label);
    case Type::choice:
      return fmt::format("write {} = \"{}\"", label, fmt::join(key.choices, "\" or \""));
    case Type::flag:
      return fmt::format("write {} = true", label);
    case Type::repeat:
      return "write repeat = { k = \"1:n\" }, or { i = \"1:n\", j = \"i+1:n\" }";
  }
  return {};
}

/// Why a text cannot refer to a point, an anchor or a coordinate, or to several points where `*` is
/// allowed; empty when it can.
std::string why_not_a_reference(std::string_view text, bool star) {
  if (text.empty()) return "is empty";
  int braces = 0;
  for (const char c : text) {
    if (c == '{') ++braces;
    if (c == '}') --braces;
    const bool fits =
        is_letter(c) || is_digit(c) || c == '.' || c == '}' || braces > 0 || (star && c == '*');
    if (!fits || braces < 0 || braces > 1) return "is not a name";
  }
  return braces == 0 ? "" : "has an open { without }";
}

/// Reads the parts of one field, and reports what does not fit.
class FieldReader {
 public:
  FieldReader(const Key& key, const Labels& labels, Problems& problems)
      : key_{key}, where_{labels.where}, label_{labels.key}, problems_{problems} {}

  std::optional<Field> read(const Node& node) {
    Field field{.key = &key_, .at = node.at, .values = {}, .names = {}, .repeat = {}};
    if (!fill(node, field)) return std::nullopt;
    return field;
  }

 private:
  bool fill(const Node& node, Field& field) {
    switch (key_.type) {
      case Type::number:
        return number(node, field);
      case Type::vector:
        return vector(node, {2, 3}, field);
      case Type::number_or_vector:
        return node.kind == Node::Kind::array ? vector(node, {1, 2, 3}, field)
                                              : number(node, field);
      case Type::space_vector:
        return vector(node, {3}, field);
      case Type::inertia:
        return node.kind == Node::Kind::array ? vector(node, {3, 6}, field) : number(node, field);
      case Type::numbers:
      case Type::plain_numbers:  // whoever takes them says what an expression should be instead
        return numbers(node, field);
      case Type::matrix:
        return matrix(node, field);
      case Type::assignments:
        return assignments(node, field);
      case Type::markers:
        return markers(node, field);
      case Type::reference:
        return reference(node, field);
      case Type::references:
        return node.kind == Node::Kind::array ? references(node, 1, max_values, field)
                                              : reference(node, field);
      case Type::pair:
        return references(node, 2, 2, field);
      case Type::patterns:
        return node.kind == Node::Kind::array ? references(node, 1, max_values, field)
                                              : reference(node, field);
      case Type::name:
        return name(node, field);
      case Type::text:
        return text(node, field);
      case Type::choice:
        return choice(node, field);
      case Type::flag:
        return flag(node, field);
      case Type::repeat:
        return repeat(node, field);
    }
    return false;
  }

  bool refuse(const Node& node, const std::string& why) {
    problems_.add(node.at, where_, why, example(key_, label_));
    return false;
  }
  bool wrong_type(const Node& node) {
    return refuse(node, fmt::format("is {}; must be {}", describe(node), describe(key_)));
  }

  bool number(const Node& node, Field& field) {
    if (node.kind == Node::Kind::number) {
      if (!std::isfinite(node.number)) {
        return refuse(node, fmt::format("is {}; must be finite", describe(node)));
      }
      field.values.emplace_back(node.number, node.at);
      return true;
    }
    constexpr std::string_view rule = "must be a number or an expression in quotes";
    if (node.kind != Node::Kind::string) {
      return refuse(node, fmt::format("is {}; {}", describe(node), rule));
    }
    if (node.text.find_first_not_of(" \t\r\n") == std::string::npos) {
      return refuse(node, fmt::format("is an empty text; {}", rule));
    }
    field.values.emplace_back(node.text, node.text_at);
    return true;
  }

  bool vector(const Node& node, std::initializer_list<std::size_t> sizes, Field& field) {
    if (node.kind != Node::Kind::array) return wrong_type(node);
    if (std::find(sizes.begin(), sizes.end(), node.items.size()) == sizes.end()) {
      return refuse(
          node, fmt::format("has {} components; must be {}", node.items.size(), describe(key_)));
    }
    bool good = true;
    for (const Node& item : node.items) good = number(item, field) && good;
    return good;
  }

  bool numbers(const Node& node, Field& field) {
    if (node.kind != Node::Kind::array) return wrong_type(node);
    if (node.items.empty())
      return refuse(node, fmt::format("is empty; must be {}", describe(key_)));
    bool good = true;
    for (const Node& item : node.items) good = number(item, field) && good;
    return good;
  }

  bool matrix(const Node& node, Field& field) {
    if (node.kind != Node::Kind::array || node.items.empty()) return wrong_type(node);
    for (const Node& row : node.items) {
      if (row.kind != Node::Kind::array || row.items.empty()) return wrong_type(row);
      if (row.items.size() != node.items.front().items.size())
        return refuse(row, fmt::format("has a row of {} numbers behind one of {}", row.items.size(),
                                       node.items.front().items.size()));
      for (const Node& item : row.items)
        if (item.kind != Node::Kind::number || !number(item, field)) return wrong_type(item);
    }
    return true;
  }

  /// `bob.vx = 1` without quotes is a table `bob` with a key `vx`.
  bool assignments(const Node& node, Field& field, const std::string& owner = {}) {
    if (node.kind != Node::Kind::table) return wrong_type(node);
    if (node.entries.empty()) return refuse(node, "changes nothing");
    bool good = true;
    for (const Entry& entry : node.entries) {
      const std::string name = owner + entry.key;
      if (entry.node.kind == Node::Kind::table && owner.empty()) {
        good = assignments(entry.node, field, name + ".") && good;
        continue;
      }
      if (std::any_of(field.names.begin(), field.names.end(),
                      [&](const Name& other) { return other.text == name; })) {
        problems_.add(entry.at, where_, fmt::format("sets '{}' twice", shortened(name)),
                      "give each name one value");
        good = false;
      }
      field.names.push_back({name, entry.at});
      if (entry.node.kind == Node::Kind::boolean)
        field.values.emplace_back(entry.node.number, entry.node.at);
      else
        good = number(entry.node, field) && good;
    }
    return good;
  }

  bool markers(const Node& node, Field& field) {
    if (node.kind != Node::Kind::table) return wrong_type(node);
    if (node.entries.empty()) return refuse(node, "has no point");
    bool good = true;
    for (const Entry& entry : node.entries) {
      if (const NameFault fault = fault_of_name(entry.key, false); fault.any()) {
        problems_.add(entry.at, where_,
                      fmt::format("the name \"{}\" {}", shortened(entry.key), fault.why),
                      fault.kind == NameFault::Kind::reserved
                          ? fmt::format("choose another name, such as {}1", entry.key)
                          : "names are made of letters, digits and _, such as tip_1");
        good = false;
      }
      field.names.push_back({entry.key, entry.at});
      good = vector(entry.node, {1, 2, 3}, field) && good;
      if (entry.node.items.size() != node.entries.front().node.items.size())
        good = refuse(entry.node, "has another number of components than the first");
    }
    return good;
  }

  bool reference(const Node& node, Field& field) {
    if (node.kind != Node::Kind::string) return wrong_type(node);
    if (const std::string why = why_not_a_reference(node.text, key_.type == Type::patterns);
        !why.empty()) {
      return refuse(node, fmt::format("\"{}\" {}", shortened(node.text), why));
    }
    field.names.push_back({node.text, node.text_at});
    return true;
  }

  bool references(const Node& node, std::size_t at_least, std::size_t at_most, Field& field) {
    if (node.kind != Node::Kind::array) return wrong_type(node);
    if (node.items.size() < at_least || node.items.size() > at_most) {
      return refuse(node,
                    fmt::format("has {} names; must be {}", node.items.size(), describe(key_)));
    }
    bool good = true;
    for (const Node& item : node.items) good = reference(item, field) && good;
    return good;
  }

  bool name(const Node& node, Field& field) {
    if (node.kind != Node::Kind::string) return wrong_type(node);
    // whether the table is repeated is not known here: its {k} are checked when they are expanded
    if (const NameFault fault = fault_of_name(node.text, true); fault.any()) {
      return refuse(node, fmt::format("\"{}\" {}", shortened(node.text), fault.why));
    }
    field.names.push_back({node.text, node.text_at});
    return true;
  }

  bool text(const Node& node, Field& field) {
    if (node.kind != Node::Kind::string) return wrong_type(node);
    if (node.text.empty() || node.text.size() > max_text) {
      return refuse(
          node, fmt::format("is {} characters long; must be 1 to {}", node.text.size(), max_text));
    }
    if (std::any_of(node.text.begin(), node.text.end(),
                    [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; })) {
      return refuse(node, "contains a control character");
    }
    field.names.push_back({node.text, node.text_at});
    return true;
  }

  bool choice(const Node& node, Field& field) {
    if (node.kind != Node::Kind::string) return wrong_type(node);
    if (std::find(key_.choices.begin(), key_.choices.end(), node.text) == key_.choices.end()) {
      std::string near = nearest_name(node.text, key_.choices);
      for (const auto& [word, meant] : key_.familiar)
        if (word == node.text) near = meant;
      problems_.add(
          node.at, where_,
          fmt::format("is \"{}\"; must be {}", shortened(node.text), describe(key_)),
          near.empty() ? example(key_, label_) : fmt::format("did you mean \"{}\"?", near));
      return false;
    }
    field.names.push_back({node.text, node.text_at});
    return true;
  }

  bool flag(const Node& node, Field& field) {
    if (node.kind != Node::Kind::boolean) return wrong_type(node);
    field.values.emplace_back(node.number, node.at);
    return true;
  }

  bool repeat(const Node& node, Field& field) {
    if (node.kind != Node::Kind::table) return wrong_type(node);
    if (node.entries.empty()) return refuse(node, "has no index");
    bool good = true;
    for (const Entry& entry : node.entries) good = range(entry, field.repeat) && good;
    return good;
  }

  bool range(const Entry& entry, Repeat& repeat) {
    const Node& node = entry.node;
    if (const NameFault fault = fault_of_name(entry.key, false); fault.any()) {
      problems_.add(entry.at, where_,
                    fmt::format("the index \"{}\" {}", shortened(entry.key), fault.why),
                    "call it i, j or k");
      return false;
    }
    if (node.kind != Node::Kind::string) return wrong_type(node);
    const auto colon = top_level_colon(node.text);
    const auto blank = [](std::string_view s) {
      return s.find_first_not_of(" \t") == std::string_view::npos;
    };
    const std::string_view all{node.text};
    if (!colon || blank(all.substr(0, *colon)) || blank(all.substr(*colon + 1))) {
      return refuse(node, fmt::format("\"{}\" is not a range; must be first:last, both included",
                                      shortened(node.text)));
    }
    const Position after{node.text_at.line, node.text_at.column + static_cast<int>(*colon) + 1};
    repeat.ranges.push_back({entry.key, Value{node.text.substr(0, *colon), node.text_at},
                             Value{node.text.substr(*colon + 1), after}});
    return true;
  }

  /// Place of the only colon outside of brackets; nothing when there is none, or another one.
  static std::optional<std::size_t> top_level_colon(std::string_view text) {
    std::optional<std::size_t> found;
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '(' || text[i] == '{') ++depth;
      if (text[i] == ')' || text[i] == '}') --depth;
      if (text[i] != ':' || depth != 0) continue;
      if (found) return std::nullopt;
      found = i;
    }
    return found;
  }

  const Key& key_;
  const std::string& where_;
  std::string_view label_;
  Problems& problems_;
};

}  // namespace

std::string shortened(std::string_view text) {
  constexpr std::size_t shown = 40;
  std::string clean{text.substr(0, shown)};
  std::replace_if(
      clean.begin(), clean.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return text.size() > shown ? clean + "..." : clean;
}

std::string describe(const Node& node) {
  switch (node.kind) {
    case Node::Kind::table:
      return "a table";
    case Node::Kind::array:
      return fmt::format("an array of {}", node.items.size());
    case Node::Kind::string:
      return fmt::format("the text \"{}\"", shortened(node.text));
    case Node::Kind::number:
      return fmt::format("{}", node.number);
    case Node::Kind::boolean:
      return node.number != 0.0 ? "true" : "false";
    case Node::Kind::date:
      return "a date or time";
  }
  return {};
}

std::optional<Field> read_field(const Node& node, const Key& key, const Labels& labels,
                                Problems& problems) {
  return FieldReader{key, labels, problems}.read(node);
}

NameFault fault_of_name(std::string_view text, bool repeated) {
  using Kind = NameFault::Kind;
  if (text.empty()) return {Kind::form, "is empty"};
  if (text.size() > max_text)
    return {Kind::form, fmt::format("is longer than {} characters", max_text)};
  if (!is_letter(text[0])) return {Kind::form, "does not begin with a letter"};
  bool in_braces = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '{' && !repeated)
      return {Kind::needs_repeat, "contains {...}, which only repeat gives a meaning"};
    if (in_braces && c == '}' && text[i - 1] == '{') return {Kind::form, "contains an empty {}"};
    if (c == '{' ? in_braces : c == '}' ? !in_braces : false)
      return {Kind::form, "has { and } that do not match"};
    if (c == '{' || c == '}') {
      in_braces = c == '{';
    } else if (!in_braces && !is_letter(c) && !is_digit(c)) {
      return {Kind::form, "contains a character that is not a letter, a digit or _"};
    }
  }
  if (in_braces) return {Kind::form, "has { and } that do not match"};
  const auto& reserved = reserved_names();
  if (std::find(reserved.begin(), reserved.end(), text) != reserved.end()) {
    return {Kind::reserved, "is a reserved name"};
  }
  return {};
}

Fields::Fields(const Node& node, const Section& section, std::string where, Problems& problems)
    : where_{std::move(where)} {
  const auto read = [&](const Node& value, const Key& key) {
    // a shorthand is called by the name it stands for, which is the last word of `where`
    const bool shorthand = &value == &node;
    const Labels labels =
        shorthand ? Labels{where_, std::string_view{where_}.substr(where_.find(' ') + 1)}
                  : Labels{fmt::format("{}: {}", where_, key.name), key.name};
    if (auto field = read_field(value, key, labels, problems)) {
      fields_.push_back(std::move(*field));
    } else {
      unread_.push_back(&key);
      complete_ = complete_ && !key.required;
    }
  };

  if (node.kind != Node::Kind::table) {
    if (const Key* key = section.find(section.shorthand)) {
      read(node, *key);
    } else {
      problems.add(
          node.at, where_, fmt::format("is {}; must be a table", describe(node)),
          fmt::format("keys of {}: {}", heading(section), fmt::join(section.key_names(), ", ")));
      complete_ = false;
    }
    return;
  }

  std::vector<const Key*> given;
  for (const Entry& entry : node.entries) {
    const Key* key = section.find(entry.key);
    if (key == nullptr) key = meant_by(entry, node, section, problems);
    if (key == nullptr) continue;
    given.push_back(key);
    read(entry.node, *key);
  }
  for (const Key& key : section.keys) {
    if (!key.required || std::find(given.begin(), given.end(), &key) != given.end()) continue;
    complete_ = false;
    if (node.damaged) continue;  // it may have stood in a line that is reported already
    problems.add(node.at, where_, fmt::format("{} is missing ({})", key.name, key.meaning),
                 example(key, key.name));
  }
}

namespace {

/// The key that a longer or shorter word for it begins with: tolerance is tol.
std::string shortened_or_lengthened(std::string_view word, const Section& section) {
  constexpr std::size_t telling = 3;
  std::string found;
  for (const Key& key : section.keys) {
    const bool alike = word.size() >= telling && key.name.size() >= telling &&
                       (word.starts_with(key.name) || key.name.starts_with(word));
    if (!alike) continue;
    if (!found.empty()) return {};
    found = key.name;
  }
  return found;
}

}  // namespace

/// Reports an unknown key and gives the one that was meant, when it is not there already.
const Key* Fields::meant_by(const Entry& entry, const Node& table, const Section& section,
                            Problems& problems) const {
  const auto is_there = [&](std::string_view key) {
    return std::any_of(table.entries.begin(), table.entries.end(),
                       [&](const Entry& e) { return e.key == key; });
  };
  const auto fits = [&](const Key& key) {
    Problems ignored;
    return read_field(entry.node, key, {where_, key.name}, ignored).has_value();
  };
  std::string near{familiar_key(section.name, entry.key)};
  const bool familiar = section.find(near) != nullptr;
  if (!familiar) near = nearest_name(entry.key, section.key_names());
  if (near.empty()) near = shortened_or_lengthened(entry.key, section);
  // the only key that must be there and is not
  std::vector<const Key*> missing;
  for (const Key& key : section.keys)
    if (key.required && !is_there(key.name)) missing.push_back(&key);
  const Key* const meant = section.find(near);
  if ((meant == nullptr || !fits(*meant)) && missing.size() == 1 && fits(*missing.front()))
    near = missing.front()->name;
  problems.add(entry.at, where_,
               fmt::format("\"{}\" is not a key of {}", shortened(entry.key), heading(section)),
               near.empty() ? fmt::format("keys of {}: {}", heading(section),
                                          fmt::join(section.key_names(), ", "))
                            : fmt::format("did you mean {}?", near));
  // what stands there as others write it would be a mistake of its own
  if (familiar && (!fits(*section.find(near)) || read_quantity(entry.node.text))) return nullptr;
  return near.empty() || is_there(near) ? nullptr : section.find(near);
}

bool Fields::unread(std::string_view key) const {
  return std::any_of(unread_.begin(), unread_.end(), [&](const Key* k) { return k->name == key; });
}

const Field* Fields::find(std::string_view key) const {
  const auto found = std::find_if(fields_.begin(), fields_.end(),
                                  [&](const Field& f) { return f.key->name == key; });
  return found == fields_.end() ? nullptr : &*found;
}

Position Fields::at(std::string_view key) const {
  const Field* field = find(key);
  return field != nullptr ? field->at : Position{};
}

std::optional<Value> Fields::number(std::string_view key) const {
  const Field* field = find(key);
  if (field == nullptr || field->values.empty()) return std::nullopt;
  return field->values.front();
}

Value Fields::number(std::string_view key, double absent) const {
  return number(key).value_or(Value{absent});
}

std::optional<bool> Fields::flag(std::string_view key) const {
  const std::optional<Value> value = number(key);
  return value ? std::optional{value->number() != 0.0} : std::nullopt;
}

std::vector<Value> Fields::numbers(std::string_view key) const {
  const Field* field = find(key);
  return field != nullptr ? field->values : std::vector<Value>{};
}

std::vector<Name> Fields::names(std::string_view key) const {
  const Field* field = find(key);
  return field != nullptr ? field->names : std::vector<Name>{};
}

std::optional<Name> Fields::name(std::string_view key) const {
  const Field* field = find(key);
  if (field == nullptr || field->names.empty()) return std::nullopt;
  return field->names.front();
}

std::string Fields::text(std::string_view key) const {
  const auto found = name(key);
  return found ? found->text : std::string{};
}

Repeat Fields::repeat() const {
  const Field* field = find("repeat");
  return field != nullptr ? field->repeat : Repeat{};
}

}  // namespace taut::model_file
