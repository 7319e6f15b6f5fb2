// SPDX-License-Identifier: BSD-3-Clause
// Places, directions and coordinates of joints, as formulas.
#include <fmt/format.h>

#include "formula/derivative.hpp"
#include "model/symbols.hpp"
#include "taut/formula/sym.hpp"

namespace taut {

using formula::Graph;
using formula::NodeId;
using formula::Slot;
using formula::Sym;

NodeId LocalScope::place(const Symbols::JointSide& side, std::size_t i, Graph& graph) {
  if (side.place) return marker(*side.place, i, false, graph);
  if (side.point) return graph.input({Slot::q, local(side.point->first + static_cast<int>(i))});
  return parameter(side.at[i], graph);
}

NodeId LocalScope::direction(const Symbols::JointSide& side, std::size_t k, std::size_t i,
                             Graph& graph) {
  const auto& d = side.directions[k];
  if (!side.place) return parameter(d[i], graph);
  Sym sum{0.0};
  for (std::size_t c = 0; c < 3; ++c) {
    if (d[c] == 0.0) continue;
    sum += Sym{graph, parameter(d[c], graph)} *
           Sym{graph, column(side.place->body, c, i, false, graph)};
  }
  return sum.node(graph);
}

NodeId LocalScope::offset(const Symbols::JointEntry& joint, std::size_t k, Graph& graph) {
  Sym sum{0.0};
  for (std::size_t i = 0; i < joint.dimension; ++i) {
    const Sym apart =
        Sym{graph, place(joint.side[1], i, graph)} - Sym{graph, place(joint.side[0], i, graph)};
    sum += Sym{graph, direction(joint.side[0], k, i, graph)} * apart;
  }
  return sum.node(graph);
}

// d_1' = cos d_1 + sin d_2 where the second side has turned about d_3
std::array<NodeId, 2> LocalScope::turn(const Symbols::JointEntry& joint, Graph& graph) {
  std::array<Sym, 2> along{0.0, 0.0};
  for (std::size_t i = 0; i < 3; ++i) {
    const Sym other{graph, direction(joint.side[1], 0, i, graph)};
    for (std::size_t k = 0; k < 2; ++k)
      along[k] += Sym{graph, direction(joint.side[0], k, i, graph)} * other;
  }
  return {along[0].node(graph), along[1].node(graph)};
}

// In space an angle is known from cosine and sine but for whole turns: w is what a run remembers,
// an angle from which it is no half a turn away, and
//
//   angle = start + w + atan2(s cos w - c sin w, c cos w + s sin w)                            (1)
//
// has the derivatives of atan2(s, c), and the same value for all such w.
NodeId LocalScope::angle(const Symbols::JointEntry& joint, Graph& graph) {
  const Sym start{graph, parameter(joint.angle_at_start, graph)};
  if (joint.dimension == 3)
    return (start + Sym{graph, remembered_turn(joint, graph)} + Sym{graph, turn_from(joint, graph)})
        .node(graph);
  // in the plane angles are coordinates, and count turns
  Sym difference = start;
  for (const std::size_t k : {0, 1}) {
    const auto& place = joint.side[k].place;
    if (!place) continue;
    const Sym own{graph, graph.input({Slot::q, local(place->body.angle)})};
    difference = k == 0 ? difference - own : difference + own;
  }
  return difference.node(graph);
}

NodeId LocalScope::remembered_turn(const Symbols::JointEntry& joint, Graph& graph) const {
  return graph.input({Slot::input, static_cast<int>(symbols_.inputs.size()) + joint.turn});
}

NodeId LocalScope::turn_from(const Symbols::JointEntry& joint, Graph& graph) {
  const auto [c, s] = turn(joint, graph);
  const Sym w{graph, remembered_turn(joint, graph)}, cosine{graph, c}, sine{graph, s};
  return atan2(sine * cos(w) - cosine * sin(w), cosine * cos(w) + sine * sin(w)).node(graph);
}

NodeId LocalScope::angle_in_turn(const Symbols::JointEntry& joint, Graph& graph) {
  if (joint.dimension == 2) return angle(joint, graph);
  const auto [c, s] = turn(joint, graph);
  return atan2(Sym{graph, s}, Sym{graph, c}).node(graph);
}

NodeId LocalScope::turn_rate(const Symbols::JointEntry& joint, Graph& graph) {
  return rate(angle_in_turn(joint, graph), graph);
}

NodeId LocalScope::travel(const Symbols::JointEntry& joint, Graph& graph) {
  if (joint.along >= 0) return graph.input({Slot::q, local(joint.along)});
  return (Sym{graph, parameter(joint.travel_at_start, graph)} +
          Sym{graph, offset(joint, joint.across, graph)})
      .node(graph);
}

// With unit vectors d and d' at the angle x, |d - d'| = 2 sin(x/2) and |d + d'| = 2 cos(x/2). x²
// is smooth where they coincide, and its derivatives are found there, too, since the root is that
// of more than 0.
NodeId LocalScope::tilt(const Symbols::JointEntry& joint, Graph& graph) {
  constexpr double tiny = 1e-24;  // [rad²]
  Sym apart{tiny}, together{tiny};
  for (std::size_t i = 0; i < 3; ++i) {
    const Sym d{graph, direction(joint.side[0], 2, i, graph)};
    const Sym other{graph, direction(joint.side[1], 2, i, graph)};
    apart += (d - other) * (d - other);
    together += (d + other) * (d + other);
  }
  return (2.0 * atan2(sqrt(apart), sqrt(together))).node(graph);
}

std::array<Sym, 3> LocalScope::relative_spin(const Symbols::JointEntry& joint, Graph& graph) {
  std::array<Sym, 3> spin{0.0, 0.0, 0.0};
  constexpr std::array<std::string_view, 3> names{"wx", "wy", "wz"};
  for (const std::size_t k : {0, 1})
    if (const auto& place = joint.side[k].place)
      for (std::size_t i = 0; i < 3; ++i) {
        const Sym w{graph, *rotation(place->body, names[i], graph)};
        spin[i] = k == 0 ? spin[i] - w : spin[i] + w;
      }
  return spin;
}

LocalScope::OnCurve LocalScope::on_curve(const Symbols::JointEntry& joint, Graph& graph) {
  OnCurve on;
  const NodeId s = graph.input({Slot::q, local(joint.along)});
  own_name("s", s);
  formula::Derivatives derivatives{graph};
  const std::array seeds{formula::Seed{s, graph.constant(1.0)}};
  derivatives.direction(seeds);
  for (const Value& component : joint.curve) {
    // mistakes have been reported
    const NodeId c = node(component, graph).value_or(s);
    on.curve.emplace_back(graph, c);
    on.tangent.emplace_back(graph, derivatives.along(c));
  }
  own_name({});
  const auto& body = joint.side[0].place;
  for (std::size_t k = 0; k < joint.dimension; ++k) {
    if (!body) {
      on.point.emplace_back(graph, place(joint.side[1], k, graph));
      continue;
    }
    Sym sum{0.0};
    for (std::size_t i = 0; i < joint.dimension; ++i) {
      const NodeId centre = graph.input({Slot::q, local(body->body.first + static_cast<int>(i))});
      sum += Sym{graph, column(body->body, k, i, false, graph)} *
             (Sym{graph, place(joint.side[1], i, graph)} - Sym{graph, centre});
    }
    on.point.push_back(sum);
  }
  return on;
}

NodeId LocalScope::rate(NodeId of, Graph& graph) {
  std::vector<formula::Seed> seeds;
  for (std::size_t i = 0; i < coordinates_.size(); ++i) {
    const int number = static_cast<int>(i);
    seeds.push_back({graph.input({Slot::q, number}), graph.input({Slot::v, number})});
  }
  formula::Derivatives derivatives{graph};
  derivatives.direction(seeds);
  return derivatives.along(of);
}

std::vector<std::string> LocalScope::functions_of_names() const {
  return {"angle",        "rate",        "travel",        "speed",       "lambda",
          "second_angle", "second_rate", "second_travel", "second_speed"};
}

std::optional<NodeId> LocalScope::of_name(std::string_view function, std::string_view name,
                                          Position at, Graph& graph) {
  if (function == "lambda") {
    if (!permit(multipliers, fmt::format("lambda({})", name), at)) return graph.constant(1.0);
    return graph.input({Slot::mu, symbols_.multipliers->number(name, where_, at)});
  }
  if (symbols_.joints_with_mistakes.contains(name)) {
    refused_ = true;
    return graph.constant(1.0);
  }
  const auto it = symbols_.joints.find(name);
  if (it == symbols_.joints.end()) return or_excuse({}, graph);
  const std::string whole = fmt::format("{}({})", function, name);
  const Symbols::JointEntry* joint = &it->second;
  constexpr std::string_view other = "second_";
  const bool of_second = function.starts_with(other);
  if (of_second) {
    function.remove_prefix(other.size());
    const auto second = symbols_.joints.find(joint->second);
    joint = second == symbols_.joints.end() ? nullptr : &second->second;
  }
  const bool of_turn = function == "angle" || function == "rate";
  if (joint == nullptr || !(of_turn ? joint->turns || joint->tilts : joint->slides)) {
    refused_ = true;
    problems_.add(
        at, where_,
        of_second ? fmt::format("joint '{}' has no second {}", name, of_turn ? "angle" : "travel")
                  : fmt::format("joint '{}' does not {}", name, of_turn ? "turn" : "slide"),
        of_second ? "universal joints have a second angle, planar ones a second travel"
        : of_turn ? "angle and rate are those of hinges, cylinders, screws, universal and "
                    "planar joints, and of a ball that has an axis"
                  : "travel and speed are those of sliders, cylinders, screws and planar "
                    "joints");
    return graph.constant(1.0);
  }
  const bool is_rate = function == "rate" || function == "speed";
  if (!permit(is_rate ? velocities : positions, whole, at)) return graph.constant(1.0);
  if (of_turn && joint->tilts) {
    const NodeId x = tilt(*joint, graph);
    return is_rate ? rate(x, graph) : x;
  }
  if (function == "rate") return turn_rate(*joint, graph);
  const NodeId coordinate = of_turn ? angle(*joint, graph) : travel(*joint, graph);
  return is_rate ? rate(coordinate, graph) : coordinate;
}

}  // namespace taut
