// SPDX-License-Identifier: BSD-3-Clause
#include "model/symbols.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "formula/derivative.hpp"
#include "taut/formula/sym.hpp"

namespace taut {
namespace {

using formula::Graph;
using formula::NodeId;
using formula::Number;
using formula::Slot;
using formula::Sym;

constexpr std::array<std::string_view, 3> position_suffix{"x", "y", "z"};
constexpr std::array<std::string_view, 3> velocity_suffix{"vx", "vy", "vz"};

/// Which component a suffix names, 0 to 2; 3 when it names none.
std::size_t component_number(std::string_view suffix, const std::array<std::string_view, 3>& list) {
  return static_cast<std::size_t>(std::find(list.begin(), list.end(), suffix) - list.begin());
}

/// Row and column of a rotation matrix that r12 names; nothing for another suffix.
std::optional<std::array<std::size_t, 2>> matrix_entry(std::string_view suffix) {
  constexpr std::string_view numbers = "123";
  if (suffix.size() != 3 || suffix[0] != 'r') return {};
  const std::size_t row = numbers.find(suffix[1]), column = numbers.find(suffix[2]);
  if (row == std::string_view::npos || column == std::string_view::npos) return {};
  return std::array{row, column};
}

std::string allowed(unsigned allow) {
  if ((allow & multipliers) != 0 && (allow & states) != 0)
    return "parameters, t, positions, velocities, states and multipliers";
  if ((allow & multipliers) != 0) return "parameters, t, positions, velocities and multipliers";
  if ((allow & states) != 0) return "parameters, t, positions, velocities and states";
  if ((allow & velocities) != 0) return "parameters, t, positions and velocities";
  if ((allow & positions) != 0) return "parameters, t and positions";
  if ((allow & time) != 0) return "parameters and t";
  return "parameters";
}

}  // namespace

std::vector<std::string> Symbols::names() const {
  constexpr std::size_t enough = 20000;  // of a repeated name any copy will do as a suggestion
  std::vector<std::string> list{"t", "pi", "e"};
  if (vibrates) list.emplace_back("theta");
  for (const auto& [name, value] : parameters) list.push_back(name);
  for (const auto& [name, value] : inputs) list.push_back(name);
  for (const auto& [name, table] : tables) list.push_back(name);
  for (const auto& [name, index] : coordinates) list.push_back(name);
  for (const auto& [name, index] : states) list.push_back(name);
  for (const auto& definition : definitions) list.push_back(definition.name);
  const auto components = [&](const std::string& name, std::size_t dimension) {
    for (std::size_t i = 0; i < dimension && list.size() < enough; ++i) {
      list.push_back(fmt::format("{}.{}", name, position_suffix[i]));
      list.push_back(fmt::format("{}.{}", name, velocity_suffix[i]));
    }
  };
  for (const auto& [name, point] : points)
    components(name, static_cast<std::size_t>(point.dimension));
  for (const auto& [name, anchor] : anchors) components(name, anchor.at.size());
  for (const auto& [name, marker] : markers) components(name, marker.body.dimension());
  for (const auto& [name, body] : bodies)
    if (body.planar()) list.push_back(name + ".angle");
  for (const auto& [name, joint] : joints)
    if (!joint.is_second) list.push_back(name);
  for (const auto& [name, body] : bodies)
    for (const char row : {'1', '2', '3'})
      for (const char column : {'1', '2', '3'})
        if (list.size() < enough) list.push_back(fmt::format("{}.r{}{}", name, row, column));
  for (const auto& [name, body] : bodies)
    for (const std::string_view what : rotation_names)
      if (list.size() < enough && (!body.planar() || what == "wz"))
        list.push_back(fmt::format("{}.{}", name, what));
  std::sort(list.begin(), list.end());  // hash maps have no order; messages should
  return list;
}

int Symbols::coordinate(std::string_view name) const {
  if (const auto it = coordinates.find(name); it != coordinates.end()) return it->second;
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return -1;
  const std::string_view owner = name.substr(0, dot), suffix = name.substr(dot + 1);
  const std::size_t i = component_number(suffix, position_suffix);
  if (const auto it = points.find(owner);
      it != points.end() && i < static_cast<std::size_t>(it->second.dimension))
    return it->second.first + static_cast<int>(i);
  const auto body = bodies.find(owner);
  if (body != bodies.end() && suffix == "angle") return body->second.angle;
  const auto entry = matrix_entry(suffix);
  if (body == bodies.end() || !entry || body->second.planar()) return -1;
  const int column = body->second.column[(*entry)[1]];
  return column < 0 ? -1 : column + static_cast<int>((*entry)[0]);
}

int Symbols::ReadMultipliers::number(std::string_view name, const std::string& where, Position at) {
  const auto known =
      std::find_if(all.begin(), all.end(), [name](const Use& use) { return use.name == name; });
  const auto number = static_cast<int>(known - all.begin());
  if (known == all.end()) all.push_back({std::string{name}, where, at});
  return number;
}

std::optional<NodeId> LocalScope::name(std::string_view name, Position at, Graph& graph) {
  if (!own_name_.empty() && name == own_name_) return own_node_;
  if (bindings_ != nullptr)
    for (const auto& [index, value] : *bindings_)
      if (index == name) return graph.constant(value);
  if (const auto it = symbols_.parameters.find(name); it != symbols_.parameters.end())
    return graph.constant(it->second);
  for (std::size_t i = 0; i < symbols_.inputs.size(); ++i) {
    if (symbols_.inputs[i].first != name) continue;
    if (!permit(time, name, at)) return graph.constant(1.0);
    return graph.input({Slot::input, static_cast<int>(i)});
  }
  if (name == "t" || (name == "theta" && symbols_.vibrates)) {
    if (!permit(time, name, at)) return graph.constant(1.0);
    return graph.input({name == "t" ? Slot::t : Slot::theta, 0});
  }
  if (const auto it = symbols_.coordinates.find(name); it != symbols_.coordinates.end())
    return coordinate(it->second, false, name, at, graph);
  if (const auto it = symbols_.states.find(name); it != symbols_.states.end()) {
    if (!permit(states, name, at)) return graph.constant(1.0);
    return graph.input({Slot::v, local(it->second)});
  }
  if (const auto it = symbols_.definition_of_name.find(name);
      it != symbols_.definition_of_name.end())
    return definition(it->second, graph);
  const auto found = component(name, at, graph);
  if (!found && !symbols_.incomplete && names_a_result(name, at)) return graph.constant(1.0);
  return or_excuse(found, graph);
}

bool LocalScope::names_a_result(std::string_view name, Position at) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return false;
  const std::string_view owner = name.substr(0, dot), suffix = name.substr(dot + 1);
  const auto is_one_of = [suffix](std::initializer_list<std::string_view> list) {
    return std::find(list.begin(), list.end(), suffix) != list.end();
  };
  const auto refuse = [&](std::string what, std::string remedy) {
    refused_ = true;
    problems_.add(at, where_, std::move(what), std::move(remedy));
    return true;
  };
  const std::string unknown = fmt::format("unknown name '{}'", name);
  const std::string column =
      fmt::format("'{}' is a column of the results, no name of formulas", name);
  const auto body = symbols_.bodies.find(owner);
  const bool is_body = body != symbols_.bodies.end();
  if (symbols_.joints.contains(owner)) {
    if (is_one_of({"angle", "rate", "travel", "speed", "second_angle", "second_rate",
                   "second_travel", "second_speed"}))
      return refuse(unknown, fmt::format("write {}({})", suffix, owner));
    if (is_one_of({"fx", "fy", "fz", "tx", "ty", "tz", "f1", "f2", "f3", "t1", "t2", "t3"}))
      return refuse(
          column,
          fmt::format("formulas read multipliers of its rows, such as lambda({} x)", owner));
  }
  if (is_body && is_one_of({"omega", "w", "spin", "rate"}))
    return refuse(unknown, body->second.planar()
                               ? fmt::format("write v({}.angle)", owner)
                               : fmt::format("write {0}.w1, {0}.w2, {0}.w3 along its own axes, "
                                             "{0}.wx, {0}.wy, {0}.wz along those of space",
                                             owner));
  if (is_one_of({"ax", "ay", "az"}) && (is_body || symbols_.points.contains(owner)))
    return refuse(column, "formulas read positions, velocities and multipliers");
  if (is_one_of({"force", "power", "penetration"}) && !is_body && !symbols_.points.contains(owner))
    return refuse(column, "write it with positions and velocities, or read lambda(...) of a rod");
  return false;
}

std::optional<NodeId> LocalScope::or_excuse(std::optional<NodeId> found, Graph& graph) {
  if (found || !symbols_.incomplete) return found;
  refused_ = true;
  return graph.constant(1.0);
}

std::optional<NodeId> LocalScope::velocity(std::string_view name, Position at, Graph& graph) {
  if (const auto it = symbols_.coordinates.find(name); it != symbols_.coordinates.end())
    return coordinate(it->second, true, name, at, graph);
  if (symbols_.states.contains(name)) {
    refused_ = true;
    problems_.add(at, where_, fmt::format("'{}' is a first-order state and has no velocity", name),
                  "write the expression of its rate instead");
    return graph.constant(1.0);
  }
  // v(bob.x) is another spelling of bob.vx
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return or_excuse({}, graph);
  return or_excuse(
      component(fmt::format("{}.v{}", name.substr(0, dot), name.substr(dot + 1)), at, graph),
      graph);
}

NodeId LocalScope::instance_number(double value, Graph& graph) { return parameter(value, graph); }

std::vector<std::string> LocalScope::candidates() const {
  std::vector<std::string> list = symbols_.names();
  if (bindings_ != nullptr)
    for (const auto& [index, value] : *bindings_) list.push_back(index);
  if (!own_name_.empty()) list.push_back(own_name_);
  return list;
}

std::optional<NodeId> LocalScope::node(const Value& value, Graph& graph) {
  if (value.is_number()) {
    if (std::isfinite(value.number())) return graph.constant(value.number());
    problems_.add(value.at(), where_, fmt::format("{} is not a finite number", value.number()),
                  "give a finite number");
    return {};
  }
  const auto node =
      formula::parse(value.text(), {.at = value.at(), .where = where_}, *this, graph, problems_);
  return refused_ ? std::nullopt : node;
}

std::optional<NodeId> LocalScope::anchor(const Symbols::AnchorEntry& anchor, std::size_t i,
                                         bool velocity, Graph& graph) {
  if (!anchor.fixed.empty())
    return velocity ? graph.constant(0.0) : parameter(anchor.fixed[i], graph);
  const auto position = node(anchor.at[i], graph);
  if (!position || !velocity) return position;
  formula::Derivatives derivatives{graph};
  const std::array seeds{
      formula::Seed{graph.input({Slot::t, 0}), graph.constant(1.0)},
      formula::Seed{graph.input({Slot::theta, 0}), graph.constant(symbols_.theta_rate)}};
  derivatives.direction(seeds);
  return derivatives.along(*position);
}

NodeId LocalScope::column(const Symbols::BodyEntry& body, std::size_t c, std::size_t i,
                          bool velocity, Graph& graph) {
  if (body.planar()) {
    // r_1 = (cos a, sin a, 0), r_2 = (-sin a, cos a, 0), r_3 = (0, 0, 1)
    if (c == 2 || i == 2) return graph.constant(c == i && !velocity ? 1.0 : 0.0);
    const Sym a{graph, graph.input({Slot::q, local(body.angle)})};
    const Sym entry = c == i ? cos(a) : (c == 0 ? sin(a) : -sin(a));
    if (!velocity) return entry.node(graph);
    const Sym rate{graph, graph.input({Slot::v, local(body.angle)})};
    return (rate * (c == i ? -sin(a) : (c == 0 ? cos(a) : -cos(a)))).node(graph);
  }
  const auto own = [&](std::size_t column, std::size_t row, Slot slot) {
    return Sym{graph,
               graph.input({slot, local(body.column[column % 3] + static_cast<int>(row % 3))})};
  };
  if (body.column[c] >= 0) return own(c, i, velocity ? Slot::v : Slot::q).node(graph);
  // r_c = r_a x r_b, and its derivative
  const auto cross = [&](Slot a, Slot b) {
    return own(c + 1, i + 1, a) * own(c + 2, i + 2, b) -
           own(c + 1, i + 2, a) * own(c + 2, i + 1, b);
  };
  if (!velocity) return cross(Slot::q, Slot::q).node(graph);
  return (cross(Slot::v, Slot::q) + cross(Slot::q, Slot::v)).node(graph);
}

// ω = Σ r_c x r_c' / 2, and R = R_z(yaw) R_y(pitch) R_x(roll)
std::optional<NodeId> LocalScope::rotation(const Symbols::BodyEntry& body, std::string_view what,
                                           Graph& graph) {
  if (body.planar()) {
    if (what != "wz") return {};
    return graph.input({Slot::v, local(body.angle)});
  }
  const auto entry = [&](std::size_t i, std::size_t c, bool velocity = false) {
    return Sym{graph, column(body, c, i % 3, velocity, graph)};
  };
  if (what == "yaw") return atan2(entry(1, 0), entry(0, 0)).node(graph);
  if (what == "pitch")
    return atan2(-entry(2, 0), sqrt(entry(0, 0) * entry(0, 0) + entry(1, 0) * entry(1, 0)))
        .node(graph);
  if (what == "roll") return atan2(entry(2, 1), entry(2, 2)).node(graph);
  constexpr std::string_view axes = "xyz123";
  if (what.size() != 2 || what[0] != 'w' || axes.find(what[1]) == std::string_view::npos) return {};
  const auto along = [&](std::size_t i) {
    Sym sum{0.0};
    for (std::size_t c = 0; c < 3; ++c)
      sum +=
          (entry(i + 1, c) * entry(i + 2, c, true) - entry(i + 2, c) * entry(i + 1, c, true)) / 2.0;
    return sum;
  };
  const std::size_t axis = axes.find(what[1]);
  if (axis < 3) return along(axis).node(graph);
  Sym sum{0.0};
  for (std::size_t i = 0; i < 3; ++i) sum += entry(i, axis - 3) * along(i);
  return sum.node(graph);
}

NodeId LocalScope::marker(const Symbols::MarkerEntry& marker, std::size_t i, bool velocity,
                          Graph& graph) {
  const int centre = local(marker.body.first + static_cast<int>(i));
  Sym sum{graph, graph.input({velocity ? Slot::v : Slot::q, centre})};
  for (std::size_t c = 0; c < 3; ++c) {
    if (marker.at[c] == 0.0) continue;
    const Sym r{graph, column(marker.body, c, i, velocity, graph)};
    sum += Sym{graph, parameter(marker.at[c], graph)} * r;
  }
  return sum.node(graph);
}

int LocalScope::local(int coordinate) {
  const auto [it, is_new] =
      local_of_coordinate_.try_emplace(coordinate, static_cast<int>(coordinates_.size()));
  if (is_new) coordinates_.push_back(coordinate);
  return it->second;
}

NodeId LocalScope::parameter(const Number& value, Graph& graph) {
  if (allow_ == nothing) return graph.constant(value);  // a plain number is wanted
  parameters_.push_back(value);
  return graph.input({Slot::parameter, static_cast<int>(parameters_.size()) - 1});
}

std::optional<NodeId> LocalScope::component(std::string_view name, Position at, Graph& graph) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return {};
  const std::string_view owner = name.substr(0, dot);
  const std::string_view suffix = name.substr(dot + 1);
  const bool is_velocity = component_number(suffix, position_suffix) == position_suffix.size();
  const std::size_t i = component_number(suffix, is_velocity ? velocity_suffix : position_suffix);
  if (const auto it = symbols_.points.find(owner); it != symbols_.points.end()) {
    if (i >= static_cast<std::size_t>(it->second.dimension))
      return body_component(owner, suffix, at, graph);
    return coordinate(it->second.first + static_cast<int>(i), is_velocity, name, at, graph);
  }
  if (const auto it = symbols_.anchors.find(owner); it != symbols_.anchors.end()) {
    if (i >= it->second.at.size()) return {};
    if (it->second.fixed.empty() && !permit(time, name, at)) return graph.constant(1.0);
    return anchor(it->second, i, is_velocity, graph);
  }
  return body_component(owner, suffix, at, graph);
}

std::optional<NodeId> LocalScope::body_component(std::string_view owner, std::string_view suffix,
                                                 Position at, Graph& graph) {
  const bool is_velocity = suffix.starts_with('v');
  const std::string name = fmt::format("{}.{}", owner, suffix);
  if (const auto it = symbols_.markers.find(owner); it != symbols_.markers.end()) {
    const std::size_t i = component_number(suffix, is_velocity ? velocity_suffix : position_suffix);
    if (i >= it->second.body.dimension()) return {};
    if (!permit(is_velocity ? velocities : positions, name, at)) return graph.constant(1.0);
    return marker(it->second, i, is_velocity, graph);
  }
  const auto it = symbols_.bodies.find(owner);
  if (it != symbols_.bodies.end() && it->second.planar() &&
      (suffix == "angle" || suffix == "vangle"))
    return coordinate(it->second.angle, is_velocity, name, at, graph);
  if (it == symbols_.bodies.end()) return {};
  if (const auto found = rotation(it->second, suffix, graph)) {
    if (!permit(suffix.starts_with('w') ? velocities : positions, name, at))
      return graph.constant(1.0);
    return found;
  }
  const auto entry = matrix_entry(is_velocity ? suffix.substr(1) : suffix);
  if (!entry) return {};
  if (!permit(is_velocity ? velocities : positions, name, at)) return graph.constant(1.0);
  return column(it->second, (*entry)[1], (*entry)[0], is_velocity, graph);
}

std::optional<NodeId> LocalScope::definition(int index, Graph& graph) {
  return symbols_.definition(
      index, parsed_definitions_, graph,
      [&](const Symbols::DefinitionEntry& entry) { return node(entry.value, graph); });
}

NodeId LocalScope::coordinate(int index, bool is_velocity, std::string_view name, Position at,
                              Graph& graph) {
  if (!permit(is_velocity ? velocities : positions, name, at)) return graph.constant(1.0);
  return graph.input({is_velocity ? Slot::v : Slot::q, local(index)});
}

bool LocalScope::permit(unsigned what, std::string_view name, Position at) {
  if ((allow_ & what) != 0) return true;
  refused_ = true;
  const std::string_view kind = what == time          ? "changes in time"
                                : what == positions   ? "is a coordinate"
                                : what == states      ? "is a first-order state"
                                : what == multipliers ? "is a multiplier"
                                                      : "is a velocity";
  problems_.add(at, where_, fmt::format("'{}' {}, which cannot be used here", name, kind),
                fmt::format("use {} only", allowed(allow_)));
  return false;
}

std::optional<Number> number(const Value& value, const Symbols& symbols, const std::string& where,
                             Problems& problems, const Bindings* bindings) {
  if (value.is_number() && std::isfinite(value.number())) return value.number();
  Graph graph;
  LocalScope scope{symbols, nothing, where, problems};
  scope.use(bindings);
  const auto node = scope.node(value, graph);
  if (!node) return {};
  if (graph.is_constant(*node) && isfinite(graph.number(*node))) return graph.number(*node);
  problems.add(value.at(), where, fmt::format("\"{}\" does not give a finite number", value.text()),
               "check divisions by zero, roots and logarithms of the parameters it uses");
  return {};
}

}  // namespace taut
