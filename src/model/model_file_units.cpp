// SPDX-License-Identifier: BSD-3-Clause
#include "model/model_file_units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "model/element_descriptor.hpp"
#include "model/model_file_fields.hpp"
#include "model/model_file_schema.hpp"
#include "model/quantity.hpp"

namespace taut::model_file {
namespace {

/// What stands in the first brackets of a description, [kg] or [N, N m]; empty where nothing does.
std::string_view unit_in(std::string_view meaning) {
  for (std::size_t at = meaning.find('['); at != std::string_view::npos;
       at = meaning.find('[', at + 1)) {
    if (meaning.substr(at).starts_with("[[")) {
      at = meaning.find("]]", at);
      if (at == std::string_view::npos) return {};
      continue;
    }
    const std::size_t end = meaning.find(']', at);
    if (end == std::string_view::npos) return {};
    const std::string_view unit = meaning.substr(at + 1, end - at - 1);
    const std::string_view first = unit.substr(0, unit.find(','));
    if (dimension_of(first)) return unit;
  }
  return {};
}

/// Unit `number` of those that are separated by commas.
std::string_view part(std::string_view units, int number) {
  for (; number > 0; --number) units.remove_prefix(units.find(',') + 2);
  return units.substr(0, units.find(','));
}

bool holds_numbers(Type type) {
  switch (type) {
    case Type::number:
    case Type::vector:
    case Type::number_or_vector:
    case Type::space_vector:
    case Type::inertia:
    case Type::numbers:
    case Type::plain_numbers:
    case Type::matrix:
    case Type::markers:
    case Type::assignments:
      return true;
    default:
      return false;
  }
}

class Converter {
 public:
  explicit Converter(Problems& problems) : problems_{problems} {}

  void convert(Node& root) {
    for (const Entry& entry : root.entries)
      if (const Section* section = find_section(entry.key);
          section != nullptr && section->form == Form::named && section->name != "start")
        for (const Entry& named : entry.node.entries) names_.insert(named.key);
    for (Entry& entry : root.entries) {
      if (entry.key == "drawing") {
        for (Entry& part : entry.node.entries)
          if (const Section* section = find_section("drawing." + part.key))
            contents(part.node, *section);
      } else if (const Section* section = find_section(entry.key)) {
        contents(entry.node, *section);
      }
    }
  }

 private:
  void contents(Node& node, const Section& section) {
    if (node.kind == Node::Kind::array) {
      for (Node& item : node.items) fields(item, section);
      return;
    }
    if (section.form != Form::named) {
      fields(node, section);
      return;
    }
    for (Entry& entry : node.entries) {
      where_ = fmt::format("{} {}", section.name.substr(0, section.name.size() - 1), entry.key);
      if (section.name == "start") where_ = "start " + shortened(entry.key);
      if (entry.node.kind == Node::Kind::table)
        fields(entry.node, section);
      else if (const Key* key = section.find(section.shorthand))
        field(entry.node, *key, section);
    }
  }

  void fields(Node& table, const Section& section) {
    if (table.kind != Node::Kind::table) return;
    if (section.form != Form::named) where_ = std::string{section.name};
    chosen_ = unit_chosen_in(table, section);
    for (Entry& entry : table.entries) {
      const Key* key = section.find(entry.key);
      // bob.x = 1 below [start], which TOML gives as a table
      if (key == nullptr && section.name == "start") key = section.find(section.shorthand);
      if (key != nullptr) field(entry.node, *key, section);
    }
  }

  /// Which of several units a choice in this table leaves; -1: any.
  static int unit_chosen_in(const Node& table, const Section& section) {
    for (const Entry& entry : table.entries) {
      const Key* key = section.find(entry.key);
      if (key == nullptr || key->unit_of_choice.empty()) continue;
      const auto found = std::find(key->choices.begin(), key->choices.end(), entry.node.text);
      if (found != key->choices.end())
        return key->unit_of_choice[static_cast<std::size_t>(found - key->choices.begin())];
    }
    return -1;
  }

  void field(Node& node, const Key& key, const Section& section) {
    if (!holds_numbers(key.type)) return;
    if (node.kind == Node::Kind::array) {
      for (Node& item : node.items) field(item, key, section);
    } else if (node.kind == Node::Kind::table) {
      for (Entry& entry : node.entries) field(entry.node, key, section);
    } else if (node.kind == Node::Kind::string) {
      number(node, key, section);
    }
  }

  void number(Node& node, const Key& key, const Section& section) {
    const std::optional<Quantity> found = read_quantity(node.text);
    if (!found || names_.contains(found->first_name)) return;
    const std::string where = fmt::format("{}: {}", where_, key.name);
    if (section.element != nullptr && section.element->own_units) {
      problems_.add(node.at, where, fmt::format("\"{}\" has a unit", shortened(node.text)),
                    "models of molecules have units of their own: write the number alone");
    } else if (std::string_view units = unit_in(key.meaning); !units.empty()) {
      if (key.unit_is_chosen && chosen_ >= 0) units = part(units, chosen_);
      check(node, *found, units, where);
    }
    // the value is known: no second mistake follows from the first
    node.kind = Node::Kind::number;
    node.number = found->value;
    node.text.clear();
  }

  void check(const Node& node, const Quantity& found, std::string_view units,
             const std::string& where) {
    std::string_view rest = units;
    for (;;) {
      const std::size_t comma = rest.find(',');
      const std::optional<Dimension> wanted = dimension_of(rest.substr(0, comma));
      if (wanted && fits(found.dimension, *wanted)) return;
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
    problems_.add(node.at, where,
                  fmt::format("\"{}\" is {}; must be in {}", shortened(node.text),
                              taut::describe(found.dimension), units),
                  fmt::format("give it in {}, or in a multiple of that", units));
  }

  Problems& problems_;
  std::string where_;
  int chosen_ = -1;
  std::set<std::string, std::less<>> names_;  // that the model gives
};

}  // namespace

void convert_units(Node& root, Problems& problems) { Converter{problems}.convert(root); }

}  // namespace taut::model_file
