// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "formula/derivative.hpp"
#include "model/element.hpp"
#include "model/elements/quantities.hpp"

namespace taut::elements {
namespace {

using formula::Seed;
using formula::Slot;

std::vector<Sym> cross(const std::vector<Sym>& a, const std::vector<Sym>& b) {
  std::vector<Sym> result;
  for (std::size_t i = 0; i < 3; ++i)
    result.push_back(a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3]);
  return result;
}

/// How coordinates of a body change when it moves by e_i, or turns about e_i and a place.
std::vector<Seed> virtual_motion(Trace& trace, const Symbols::MarkerEntry& on, std::size_t i,
                                 bool turn) {
  formula::Graph& graph = trace.graph();
  std::vector<Seed> seeds;
  const auto seed = [&](int coordinate, const Sym& value) {
    seeds.push_back({trace.coordinate(coordinate, Slot::q).node(graph), value.node(graph)});
  };
  if (!turn) {
    seed(on.body.first + static_cast<int>(i), 1.0);
    return seeds;
  }
  if (on.body.planar()) {
    const auto place = trace.position({.marker = &on}, 2);
    seed(on.body.first, place[1] - trace.coordinate(on.body.first + 1, Slot::q));
    seed(on.body.first + 1, trace.coordinate(on.body.first, Slot::q) - place[0]);
    seed(on.body.angle, 1.0);
    return seeds;
  }
  std::vector<Sym> e(3, Sym{0.0});
  e[i] = Sym{1.0};
  const auto place = trace.position({.marker = &on}, 3);
  std::vector<Sym> from_place;
  for (int k = 0; k < 3; ++k)
    from_place.push_back(trace.coordinate(on.body.first + k, Slot::q) -
                         place[static_cast<std::size_t>(k)]);
  const auto of_centre = cross(e, from_place);
  for (int k = 0; k < 3; ++k) seed(on.body.first + k, of_centre[static_cast<std::size_t>(k)]);
  for (std::size_t c = 0; c < 3; ++c) {
    if (on.body.column[c] < 0) continue;
    const auto of_column = cross(e, trace.column(on.body, c));
    for (int k = 0; k < 3; ++k) seed(on.body.column[c] + k, of_column[static_cast<std::size_t>(k)]);
  }
  return seeds;
}

}  // namespace

LineMotion line_motion(Trace& trace, const Ends& between) {
  const std::size_t dimension = dimension_of(between);
  const auto a = trace.position(between[0], dimension), b = trace.position(between[1], dimension);
  const auto v_a = trace.velocity(between[0], dimension);
  const auto v_b = trace.velocity(between[1], dimension);
  const Sym length = sqrt(squared_distance(Points{a}, Points{b}));
  Sym along = (a[0] - b[0]) * (v_a[0] - v_b[0]);
  for (std::size_t i = 1; i < dimension; ++i) along = along + (a[i] - b[i]) * (v_a[i] - v_b[i]);
  // where the ends meet there is no line: they are taken to be at rest there
  return {length, along / max(length, Sym{std::numeric_limits<double>::min()})};
}

void show_line(ElementContext& context, Trace& trace, const LineMotion& line, const Sym& force) {
  context.add_quantities(
      trace, {{"force", force}, {"length", line.length}, {"power", -(force * line.rate)}});
}

void show_wrench(ElementContext& context, const Wrench& wrench) {
  if (!context.shows_quantities()) return;
  Trace trace = context.trace(time | positions);
  formula::Graph& graph = trace.graph();
  std::vector<formula::NodeId> rows;
  std::vector<Sym> multipliers;
  for (std::size_t k = 0; k < context.recorded_rows(); ++k) {
    rows.push_back(context.recorded_row(k, trace).node(graph));
    multipliers.push_back(trace.multiplier(context.recorded_number(k)));
  }
  // (2)
  const auto component = [&](std::size_t i, bool turn) {
    formula::Derivatives derivatives{graph};
    const std::vector<Seed> seeds = virtual_motion(trace, wrench.on, i, turn);
    derivatives.direction(seeds);
    Sym sum{0.0};
    for (std::size_t k = 0; k < rows.size(); ++k)
      sum -= multipliers[k] * Sym{graph, derivatives.along(rows[k])};
    return Sym{wrench.sign} * sum;
  };
  ElementContext::Quantities shown;
  if (wrench.on.body.planar()) {
    shown = {{"fx", component(0, false)}, {"fy", component(1, false)}, {"tz", component(2, true)}};
    context.add_quantities(trace, shown);
    context.forget_rows();
    return;
  }
  std::vector<Sym> force, torque;
  for (std::size_t i = 0; i < 3; ++i) {
    force.push_back(component(i, false));
    torque.push_back(component(i, true));
  }
  constexpr std::string_view xyz = "xyz";
  for (const auto& [letter, vector] : {std::pair{'f', &force}, std::pair{'t', &torque}})
    for (std::size_t i = 0; i < 3; ++i)
      shown.emplace_back(std::string{letter, xyz[i]}, (*vector)[i]);
  for (const auto& [letter, vector] : {std::pair{'f', &force}, std::pair{'t', &torque}})
    for (std::size_t k = 0; k < 3; ++k) {
      const auto d = wrench.direction(trace, k);
      shown.emplace_back(std::string{letter, static_cast<char>('1' + k)},
                         dot(Points{d}, Points{*vector}));
    }
  context.add_quantities(trace, shown);
  context.forget_rows();
}

bool is_called(std::string_view kind, const ElementContext& context) {
  std::string_view label = context.label();
  if (!label.starts_with(kind)) return true;
  label.remove_prefix(kind.size());
  return !label.starts_with(' ') || label.find_first_not_of("0123456789", 1) != label.npos;
}

bool may_stick(const Sym& value, Trace& trace) {
  using formula::NodeId;
  using formula::Op;
  const formula::Graph& graph = trace.graph();
  std::vector<NodeId> stack{value.node(trace.graph())};
  std::vector<bool> seen(static_cast<std::size_t>(graph.size()), false);
  while (!stack.empty()) {
    const NodeId id = stack.back();
    stack.pop_back();
    if (id == formula::no_node || seen[static_cast<std::size_t>(id)]) continue;
    seen[static_cast<std::size_t>(id)] = true;
    const formula::Node& node = graph[id];
    const bool jumps = node.op == Op::sign || node.op == Op::less || node.op == Op::floor;
    if (jumps && graph.depends_on(id, Slot::v)) return true;
    for (const NodeId operand : {node.a, node.b, node.c}) stack.push_back(operand);
  }
  return false;
}

void show_applied(ElementContext& context, Trace& trace, std::string_view what,
                  const std::vector<Sym>& values, const std::vector<Sym>& rates) {
  if (std::any_of(values.begin(), values.end(),
                  [&](const Sym& value) { return may_stick(value, trace); }))
    return;
  constexpr std::string_view xyz = "xyz";
  ElementContext::Quantities shown;
  Sym power{0.0};
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::string name{what};
    if (what.size() == 1) name += what == "t" && values.size() == 1 ? 'z' : xyz[i];
    shown.emplace_back(std::move(name), values[i]);
    power += values[i] * rates[i];
  }
  shown.emplace_back("power", power);
  context.add_quantities(trace, shown);
}

std::vector<Sym> angular_velocity(Trace& trace, const Symbols::BodyEntry& body) {
  if (body.planar()) return {trace.coordinate(body.angle, Slot::v)};
  std::vector<Sym> omega;
  for (const std::string_view what : {"wx", "wy", "wz"})
    omega.push_back(trace.symbol(*trace.scope().rotation(body, what, trace.graph())));
  return omega;
}

void show_rotation(ElementContext& context, const Symbols::BodyEntry& body) {
  if (!context.shows_quantities()) return;
  Trace trace = context.trace(positions | velocities);
  ElementContext::Quantities shown;
  for (const std::string_view what : rotation_names)
    shown.emplace_back(what, trace.symbol(*trace.scope().rotation(body, what, trace.graph())));
  context.add_quantities(trace, shown);
}

}  // namespace taut::elements
