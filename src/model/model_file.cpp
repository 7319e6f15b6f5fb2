// SPDX-License-Identifier: BSD-3-Clause
#include "taut/model/model_file.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/element_descriptor.hpp"
#include "model/familiar_words.hpp"
#include "model/mesh_file.hpp"
#include "model/model_file_fields.hpp"
#include "model/model_file_scan.hpp"
#include "model/model_file_schema.hpp"
#include "model/model_file_statistics.hpp"
#include "model/model_file_tables.hpp"
#include "model/model_file_toml.hpp"
#include "model/model_file_units.hpp"

namespace taut {
namespace model_file {
namespace {

/// From a table to a Model: one function for each named section.
class Reader {
 public:
  Reader(Model& model, Problems& problems) : model_{model}, problems_{problems} {}

  void read(const Node& root) {
    for (const Entry& entry : root.entries) section(entry);
    std::stable_sort(model_.elements.begin(), model_.elements.end(),
                     [](const Element& a, const Element& b) {
                       return std::pair{a.position.line, a.position.column} <
                              std::pair{b.position.line, b.position.column};
                     });
    check_indices();
    check_omega();
  }

 private:
  void section(const Entry& entry) {
    if (entry.key == "name") {
      static const Key key{"name", Type::text, false, "name of the model", {}};
      if (const auto field = read_field(entry.node, key, {"name", "name"}, problems_)) {
        model_.name = field->names.front().text;
      }
      return;
    }
    if (entry.key == "drawing") {
      drawing(entry);
      return;
    }
    const Section* known = find_section(entry.key);
    if (known == nullptr) known = meant_by(entry);
    if (known != nullptr) contents(entry, *known);
  }

  /// [drawing.points] and [[drawing.line]], which TOML gives as keys of one table.
  void drawing(const Entry& entry) {
    constexpr std::string_view remedy =
        "write [drawing.points] with a line for each point, and [[drawing.line]] with through";
    if (entry.node.kind != Node::Kind::table)
      problems_.add(entry.at, "drawing", fmt::format("is {}", describe(entry.node)),
                    std::string{remedy});
    for (const Entry& part : entry.node.entries) {
      const Section* known = find_section("drawing." + part.key);
      if (known == nullptr) {
        known = find_section("drawing." + nearest_name(part.key, {"points", "line"}));
        problems_.add(part.at, "drawing",
                      fmt::format("\"{}\" is not a part of it", shortened(part.key)),
                      known != nullptr ? fmt::format("did you mean {}?", heading(*known))
                                       : std::string{remedy});
      }
      if (known != nullptr) contents(part, *known);
    }
  }

  /// Reports an unknown section and gives the one that was meant, so that it is read all the same.
  const Section* meant_by(const Entry& entry) {
    std::vector<std::string> names{"name"};
    std::vector<std::string> headings{"name"};
    for (const Section& s : schema()) {
      names.emplace_back(s.name.substr(0, s.name.find('.')));
      headings.push_back(heading(s));
    }
    std::string near = nearest_name(entry.key, names);
    for (const std::string& name : names)  // points and joint, as they are
      if (name + "s" == entry.key || entry.key + "s" == name) near = name;
    const std::string familiar = familiar_section(entry.key);
    if (!familiar.empty()) near.clear();
    const Section* meant = find_section(near);
    std::string remedy = fmt::format("sections of a model: {}", fmt::join(headings, ", "));
    if (!familiar.empty()) {
      remedy = familiar;
    } else if (find_section("run")->find(entry.key) != nullptr) {
      remedy = fmt::format("put {} below [run]", entry.key);
    } else if (near == "drawing") {
      remedy = "did you mean [drawing.points] or [[drawing.line]]?";
    } else if (!near.empty()) {
      remedy = fmt::format("did you mean {}?", meant != nullptr ? heading(*meant) : near);
    }
    problems_.add(entry.at, "file",
                  fmt::format("\"{}\" is not a section of a model", shortened(entry.key)), remedy);
    return meant;
  }

  void contents(const Entry& entry, const Section& section) {
    const Node& node = entry.node;
    if (section.form == Form::elements) {
      elements(entry, section);
    } else if (node.kind == Node::Kind::array && node.items.size() == 1 &&
               node.items[0].kind == Node::Kind::table) {
      wrong_form(entry, section);
      table(node.items[0], section);
    } else if (node.kind != Node::Kind::table) {
      wrong_form(entry, section);
    } else {
      table(node, section);
    }
  }

  void wrong_form(const Entry& entry, const Section& section) {
    problems_.add(
        entry.at, std::string{section.name},
        fmt::format("is {}; must be written {}", describe(entry.node), heading(section)),
        fmt::format("write {} on a line of its own, and its keys below", heading(section)));
  }

  // [[...]] ---------------------------------------------------------------------------------------

  void elements(const Entry& entry, const Section& section) {
    const Node& node = entry.node;
    if (node.kind == Node::Kind::table) {
      wrong_form(entry, section);
      element(node, section);
      return;
    }
    if (node.kind != Node::Kind::array) {
      wrong_form(entry, section);
      return;
    }
    for (const Node& item : node.items) element(item, section);
  }

  void element(const Node& node, const Section& section) {
    const int number = ++counts_[section.name];
    const Fields fields{node, section, fmt::format("{} {}", section.name, number), problems_};
    note_repeat(fields);
    model_.incomplete |= fields.unread("markers");
    if (!fields.complete()) {
      // others would be blamed for what is missing: inertia, names of points, equations
      model_.incomplete |= section.element != nullptr && section.element->others_need_it;
      return;
    }
    if (is_statistic(section)) {
      model_.statistics.push_back(make_statistic(section, fields));
      model_.statistics.back().position = node.at;
      return;
    }
    if (section.name == "drawing.line") {
      model_.drawing.lines.push_back(
          {fields.names("through"), node.at, fields.repeat(), fields.name("load")});
      return;
    }
    Element element = make_element(*section.element, fields);
    element.position = node.at;
    if (auto* const body = std::get_if<Body>(&element.what); body != nullptr && !body->mesh.empty())
      body->surface = read_mesh_file(model_.file, body->mesh, fields.where() + ": mesh",
                                     fields.at("mesh"), problems_);
    const auto name = fields.name("name");
    if (name && element.repeat.ranges.empty() && !fields.unread("repeat")) {
      const auto [first, is_new] = element_names_.try_emplace(name->text, name->at);
      if (!is_new) {
        problems_.add(name->at, fields.where() + ": name",
                      fmt::format("\"{}\" is the name of another element (line {})", name->text,
                                  first->second.line),
                      "give every element its own name, or none");
      }
    }
    model_.elements.push_back(std::move(element));
  }

  // [...] -----------------------------------------------------------------------------------------

  void table(const Node& node, const Section& section) {
    if (section.name == "run") {
      run(Fields{node, section, "run", problems_});
    } else if (section.name == "vibration") {
      const Fields fields{node, section, "vibration", problems_};
      model_.vibration = Vibration{.omega = fields.number("omega", 1.0),
                                   .phase = fields.number("phase", 0.0),
                                   .position = node.at};
    } else if (section.name == "jets") {
      jets(Fields{node, section, "jets", problems_}, node.at);
    } else if (section.name == "box") {
      const Fields fields{node, section, "box", problems_};
      if (fields.complete()) model_.box = Box{.size = fields.numbers("size"), .position = node.at};
    } else if (section.name == "thermostat") {
      const Fields fields{node, section, "thermostat", problems_};
      if (!fields.complete()) return;
      model_.thermostat = make_thermostat(fields);
      model_.thermostat->position = node.at;
    } else if (section.name == "start") {
      for (const Entry& entry : node.entries) {
        // a coordinate of this name has a number
        if (entry.key == "slow" && entry.node.kind == Node::Kind::boolean)
          model_.slow_start = entry.node.number != 0.0;
        else if (entry.key == "from" && entry.node.kind == Node::Kind::string)
          start_from(entry.node);
        else
          start(entry, section);
      }
    } else {
      for (const Entry& entry : node.entries) named(entry, section);
    }
  }

  void run(const Fields& fields) {
    RunSettings& run = model_.run;
    run.from = fields.number("from");
    run.until = fields.number("until");
    run.step = fields.number("step");
    run.tol = fields.number("tol");
    run.max_step = fields.number("max_step");
    run.every = fields.number("every");
    run.omega = fields.number("omega");
    run.reading = fields.name("reading");
    run.method = fields.name("method");
    run.error_estimate = fields.flag("error_estimate");
    run.at_impasse = fields.name("at_impasse");
    run.columns = fields.name("columns");
  }

  void jets(const Fields& fields, Position at) {
    note_repeat(fields);
    model_.incomplete |= !fields.complete();
    Jets jets{.unknowns = fields.names("unknowns"),
              .order = fields.number("order"),
              .position = at,
              .repeat = fields.repeat()};
    if (const auto independent = fields.name("independent")) {
      jets.independent = independent->text;
      // t is the usual name of it, and means nothing else here
      if (const NameFault fault = fault_of_name(jets.independent, false);
          fault.any() && jets.independent != "t")
        problems_.add(independent->at, "jets: independent",
                      fmt::format("the name \"{}\" {}", shortened(independent->text), fault.why),
                      "names are made of letters, digits and _, such as x or s");
    }
    const bool repeated = !jets.repeat.ranges.empty() || fields.unread("repeat");
    for (const Name& unknown : jets.unknowns)
      if (const NameFault fault = fault_of_name(unknown.text, repeated); fault.any())
        problems_.add(unknown.at, "jets: unknowns",
                      fmt::format("the name \"{}\" {}", shortened(unknown.text), fault.why),
                      name_remedy(unknown.text, fault.kind, "y or u_1") +
                          (fault.kind == NameFault::Kind::reserved
                               ? "; t, pi, e, v and the functions have a meaning in expressions"
                               : ""));
    model_.jets = std::move(jets);
  }

  void named(const Entry& entry, const Section& section) {
    // [points] holds points: what messages call one of them
    const std::string kind{section.name.substr(0, section.name.size() - 1)};
    const Fields fields{entry.node, section, fmt::format("{} {}", kind, shortened(entry.key)),
                        problems_};
    note_repeat(fields);
    if (!declare(entry, kind, fields)) return;
    const Repeat repeat = fields.repeat();
    if (kind == "parameter") {
      model_.parameters.push_back({entry.key, fields.number("value", 1.0)});
    } else if (kind == "input") {
      model_.inputs.push_back({entry.key, fields.number("value", 0.0)});
    } else if (kind == "definition") {
      model_.definitions.push_back({entry.key, fields.number("value", 0.0), repeat});
    } else if (kind == "output") {
      model_.outputs.push_back({entry.key, fields.number("value", 0.0), repeat});
    } else if (kind == "anchor") {
      model_.anchors.push_back({entry.key, place(fields), entry.at, repeat});
    } else if (kind == "drawing.point") {
      model_.drawing.points.push_back({entry.key, place(fields), entry.at, repeat});
    } else if (kind == "table") {
      model_.tables.push_back(make_table(entry, fields, model_.file, problems_));
    } else if (kind == "point") {
      point(entry, fields);
    } else if (kind == "state") {
      model_.states.push_back(
          {entry.key, fields.number("at", 0.0), fields.number("rate", 0.0), entry.at, repeat});
    } else {
      model_.coordinates.push_back({.name = entry.key,
                                    .mass = fields.number("mass", 0.0),
                                    .at = fields.number("at", 0.0),
                                    .velocity = fields.number("velocity"),
                                    .keep = fields.flag("keep").value_or(false),
                                    .position = entry.at,
                                    .repeat = repeat});
    }
  }

  /// Where a point or an anchor is; at the origin when that could not be read.
  static std::vector<Value> place(const Fields& fields) {
    auto at = fields.numbers("at");
    if (at.size() < 2) at.assign(2, Value{0.0});
    return at;
  }

  void point(const Entry& entry, const Fields& fields) {
    PointMass point{.name = entry.key,
                    .mass = fields.number("mass", 0.0),
                    .at = place(fields),
                    .velocity = fields.numbers("velocity"),
                    .charge = fields.number("charge", 0.0),
                    .keep = fields.flag("keep").value_or(false),
                    .position = entry.at,
                    .repeat = fields.repeat()};
    const std::size_t given = point.velocity.size();
    if (given != 0 && fields.complete() && given != point.at.size()) {
      problems_.add(
          fields.at("velocity"), fields.where() + ": velocity",
          fmt::format("has {} components; must have {} as at has", given, point.at.size()),
          "give at and velocity equally many numbers");
    }
    point.velocity.resize(given == 0 ? 0 : point.at.size(), Value{0.0});
    model_.points.push_back(std::move(point));
  }

  // [start] ---------------------------------------------------------------------------------------

  /// What stands behind the name of a point or a body: bob.x, arm.angle, arm.r11.
  static bool is_of_place(std::string_view component) {
    const auto digit = [](char c) { return c >= '1' && c <= '3'; };
    return component == "x" || component == "y" || component == "z" || component == "angle" ||
           (component.size() == 3 && component[0] == 'r' && digit(component[1]) &&
            digit(component[2]));
  }

  /// `q = 1`, `q = { at = 1, velocity = 2 }`, `"bob.x" = 1`, and `bob.x = 1`, which TOML gives as a
  /// table `bob` with a key `x`.
  void start(const Entry& entry, const Section& section) {
    const auto& inner = entry.node.entries;
    const bool has_components =
        entry.node.kind == Node::Kind::table &&
        std::any_of(inner.begin(), inner.end(), [](const Entry& e) { return is_of_place(e.key); });
    if (!has_components) {
      start_value(entry.key, entry, section);
      return;
    }
    for (const Entry& component : inner) {
      if (is_of_place(component.key)) {
        start_value(entry.key + "." + component.key, component, section);
      } else {
        problems_.add(
            component.at, "start " + shortened(entry.key),
            fmt::format("\"{}\" is not a coordinate of a point or a body",
                        shortened(component.key)),
            fmt::format("write {0}.x = 1, or {0}.x = {{ at = 1, velocity = 2 }}", entry.key));
      }
    }
  }

  void start_from(const Node& node) {
    if (node.text == "equilibrium")
      model_.start_at_rest = true;
    else
      problems_.add(node.at, "start: from",
                    fmt::format("is \"{}\"; must be \"equilibrium\"", shortened(node.text)),
                    "write from = \"equilibrium\", or leave it out");
  }

  void start_value(const std::string& coordinate, const Entry& entry, const Section& section) {
    const std::string where = "start " + shortened(coordinate);
    const auto dot = coordinate.find('.');
    const std::string owner = coordinate.substr(0, dot);
    const std::string component = dot == std::string::npos ? "x" : coordinate.substr(dot + 1);
    const Fields fields{entry.node, section, where, problems_};
    note_repeat(fields);
    const bool repeated = !fields.repeat().ranges.empty() || fields.unread("repeat");
    if (const NameFault fault = fault_of_name(owner, repeated);
        fault.any() || !is_of_place(component)) {
      problems_.add(
          entry.at, where,
          !fault.any() ? "is not the name of a coordinate or an unknown"
                       : fmt::format("the name \"{}\" {}", shortened(owner), fault.why),
          fault.kind == NameFault::Kind::reserved || fault.kind == NameFault::Kind::needs_repeat
              ? name_remedy(owner, fault.kind, {})
              : "write q = 1, or \"bob.x\" = 1 for a coordinate of a point, \"arm.angle\" = 1 "
                "for one of a body; a derivative of an unknown y as y = { at = 1, derivatives = "
                "[2] }");
      return;
    }
    const auto same = [&](const StartValue& s) { return s.coordinate == coordinate; };
    if (std::any_of(model_.start.begin(), model_.start.end(), same)) {
      problems_.add(entry.at, where, "is given twice", "remove one of the two");
      return;
    }
    model_.start.push_back({coordinate, fields.number("at"), fields.number("velocity"),
                            fields.numbers("derivatives"), fields.flag("keep").value_or(false),
                            entry.at, fields.repeat()});
  }

  // names -----------------------------------------------------------------------------------------

  /// What to do about a name that is none, for a fault of fault_of_name().
  static std::string name_remedy(std::string_view name, NameFault::Kind fault,
                                 std::string_view example) {
    if (fault == NameFault::Kind::needs_repeat) return "add repeat = { k = \"1:n\" }";
    if (fault == NameFault::Kind::reserved)
      return fmt::format("choose another name, such as {}1", name);
    return fmt::format("names are made of letters, digits and _, such as {}", example);
  }

  /// Checks a new name; false when something else has it, so that the first one stays.
  bool declare(const Entry& entry, const std::string& kind, const Fields& fields) {
    const bool repeated = !fields.repeat().ranges.empty() || fields.unread("repeat");
    if (const NameFault fault = fault_of_name(entry.key, repeated); fault.any()) {
      problems_.add(entry.at, fields.where(),
                    fmt::format("the name \"{}\" {}", shortened(entry.key), fault.why),
                    name_remedy(entry.key, fault.kind, "bob_1"));
    }
    const auto [first, is_new] = names_.try_emplace(entry.key, Declared{kind, entry.at});
    if (!is_new) {
      problems_.add(
          entry.at, fields.where(),
          fmt::format("the name \"{}\" is already that of the {} in line {}", shortened(entry.key),
                      first->second.kind, first->second.at.line),
          "give every parameter, point, anchor, coordinate, definition and output its own "
          "name");
    }
    return is_new;
  }

  void note_repeat(const Fields& fields) {
    model_.incomplete |= fields.unread("repeat");
    for (const auto& range : fields.repeat().ranges) {
      indices_.push_back({range.index, fields.where() + ": repeat", range.from.at()});
    }
  }

  void check_indices() {
    for (const Index& index : indices_) {
      const auto found = names_.find(index.name);
      if (found == names_.end()) continue;
      problems_.add(index.at, index.where,
                    fmt::format("the index {} is also the name of the {} in line {}", index.name,
                                found->second.kind, found->second.at.line),
                    "call the index i, j or k, or anything else that is not a name of the model");
    }
  }

  /// With [vibration], expressions know its frequency as omega: another omega would be a trap.
  void check_omega() {
    const auto found = names_.find("omega");
    if (!model_.vibration || found == names_.end()) return;
    const Value& omega = model_.vibration->omega;
    if (found->second.kind == "parameter" && !omega.is_number() && omega.text() == "omega") return;
    problems_.add(found->second.at, found->second.kind + " omega",
                  "is also what expressions call the frequency of [vibration]",
                  "choose another name, or write omega = \"omega\" below [vibration]");
  }

  struct Declared {
    std::string kind;
    Position at;
  };
  struct Index {
    std::string name, where;
    Position at;
  };

  Model& model_;
  Problems& problems_;
  std::map<std::string, Declared, std::less<>> names_;
  std::map<std::string_view, int> counts_;  // elements of each kind so far
  std::map<std::string, Position, std::less<>> element_names_;
  std::vector<Index> indices_;
};

}  // namespace
}  // namespace model_file

namespace {

Model read_text(std::string_view toml, std::string file, Problems& problems) {
  Model model;
  model.file = std::move(file);
  model_file::Document document = model_file::read_toml(toml, problems);
  model.incomplete = document.incomplete;
  model_file::convert_units(document.root, problems);
  model_file::Reader{model, problems}.read(document.root);
  return model;
}

}  // namespace

Model read_model(std::string_view toml, Problems& problems) {
  return read_text(toml, problems.file(), problems);
}

Model read_model_file(const std::string& file, Problems& problems) {
  const auto unreadable = [&](const std::string& why) {
    problems.add({}, "file", why, "check the path, and that it is a readable file");
    Model model;
    model.file = file;
    model.incomplete = true;
    return model;
  };

  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) return unreadable(fmt::format("{} does not exist", file));
  if (std::filesystem::is_directory(status))
    return unreadable(fmt::format("{} is not a file", file));
  std::ifstream in{file, std::ios::binary};
  if (!in) return unreadable(fmt::format("{} cannot be opened", file));
  // one byte more than is allowed, so that the reader itself says what the limit is; of a pipe the
  // size is not known in advance
  std::string text;
  constexpr std::size_t piece = 1 << 16;
  while (in && text.size() <= model_file::max_file_size) {
    const std::size_t before = text.size();
    text.resize(std::min<std::size_t>(before + piece, model_file::max_file_size + 1));
    in.read(text.data() + before, static_cast<std::streamsize>(text.size() - before));
    text.resize(before + static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) return unreadable(fmt::format("{} cannot be read", file));

  Model model = read_text(text, file, problems);
  model.text = std::move(text);
  return model;
}

}  // namespace taut
