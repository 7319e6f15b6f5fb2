// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "model/element.hpp"
#include "model/elements/space.hpp"

namespace taut {
namespace elements {

// A joint between two bodies, or a body and the ground. Both sides have a place c and directions
// d_1, d_2, d_3, fixed to them, at right angles, and equal at the start. With those of the second
// side primed,
//
//   ball:   c - c' = 0                                      three rows                       (1)
//   hinge:  (1),  d_3 . d_1' = 0,  d_3 . d_2' = 0           about d_3: five rows             (2)
//   fixed:  (1),  d_2 . d_3' = 0,  d_3 . d_1' = 0,  d_1 . d_2' = 0    six rows               (3)
//
// λ of (1) is the force of the first side on the second [N], in the axes of space. λ of the rows of
// (3) is its torque [N m] about d_1, d_2, d_3 in turn; the first row of (2) is the torque about
// d_2, the second that about -d_1. The rows of one joint are independent wherever they hold.

/// d . d', the cosine between two directions that stay at right angles.
template <class S>
[[nodiscard]] S right_angle(Point<S> d, Point<S> other) {
  return dot(d, other);
}

}  // namespace elements

namespace {

using elements::Vec3;

/// Two directions that make a right-handed system with a unit vector.
std::array<Vec3, 2> across(const Vec3& n) {
  // from the axis of space that is farthest from n
  Vec3 e{};
  const auto smaller = [](double a, double b) { return std::abs(a) < std::abs(b); };
  e[static_cast<std::size_t>(std::min_element(n.begin(), n.end(), smaller) - n.begin())] = 1.0;
  Vec3 u = elements::cross(e, n);
  const double length = elements::norm(u);
  for (double& x : u) x /= length;
  return {u, elements::cross(n, u)};
}

/// A body with a place on it and three directions in it, or the ground with the same in space.
/// Those of the two sides coincide at the start.
struct JointSide {
  std::optional<Symbols::MarkerEntry> place;  // on a body
  Vec3 at{};                                  // of the ground
  std::array<Vec3, 3> directions{};
  double size = 0.0;  // of the terms a place is the sum of

  [[nodiscard]] std::vector<Sym> position(Trace& trace) const {
    if (place) return trace.position({.marker = &*place}, 3);
    return {trace.parameter(at[0]), trace.parameter(at[1]), trace.parameter(at[2])};
  }
  [[nodiscard]] std::vector<Sym> direction(Trace& trace, std::size_t k) const {
    const Vec3& d = directions[k];
    std::vector<Sym> sum(3);
    for (std::size_t c = 0; c < 3; ++c) {
      if (!place) sum[c] = trace.parameter(d[c]);
      if (!place || d[c] == 0.0) continue;
      const auto r = trace.column(place->body, c);
      const Sym component = trace.parameter(d[c]);
      for (std::size_t i = 0; i < 3; ++i) sum[i] += component * r[i];
    }
    return sum;
  }
};

std::optional<JointSide> joint_side(const Name& name, const Vec3& at,
                                    const std::array<Vec3, 3>& directions,
                                    ElementContext& context) {
  const auto text = context.name(name, "between");
  if (!text) return {};
  if (*text == "ground")
    return JointSide{.place = {}, .at = at, .directions = directions, .size = elements::norm(at)};
  const auto& bodies = context.symbols().bodies;
  const auto it = bodies.find(*text);
  if (it == bodies.end()) {
    if (context.incomplete()) return {};
    std::vector<std::string> candidates{"ground"};
    for (const auto& [known, entry] : bodies) candidates.push_back(known);
    std::sort(candidates.begin(), candidates.end());
    const std::string near = nearest_name(*text, candidates);
    context.refuse(
        name.at, "between", fmt::format("there is no body '{}'", *text),
        near.empty() ? "name a [[body]], or ground" : fmt::format("did you mean '{}'?", near));
    return {};
  }

  // into the axes of the body; what is lost in rounding becomes 0, and keeps formulas short
  const Symbols::BodyEntry& body = it->second;
  Vec3 from_centre{}, centre{};
  for (std::size_t i = 0; i < 3; ++i) {
    centre[i] = context.start_of(body.first + static_cast<int>(i));
    from_centre[i] = at[i] - centre[i];
  }
  const double size = elements::norm(centre) + elements::norm(from_centre);
  const auto turned = [&](const Vec3& d, double rounding) {
    Vec3 in_body{};
    for (std::size_t c = 0; c < 3; ++c) {
      in_body[c] = elements::dot(context.column_at_start(body, c), d);
      if (std::abs(in_body[c]) <= rounding) in_body[c] = 0.0;
    }
    return in_body;
  };
  constexpr double roundings = 4 * std::numeric_limits<double>::epsilon();
  JointSide side;
  side.size = size;
  side.place = Symbols::MarkerEntry{.body = body, .at = turned(from_centre, roundings * size)};
  for (std::size_t k = 0; k < 3; ++k) side.directions[k] = turned(directions[k], roundings);
  return side;
}

void compile(const Joint& joint, ElementContext& context) {
  const auto softness = context.softness(joint.compliance);
  const auto at = context.space_vector(joint.at, "at");
  const auto axis = context.space_vector(joint.axis, "axis");
  const bool is_hinge = joint.kind == Joint::Kind::hinge;
  if (axis && is_hinge && elements::norm(*axis) == 0.0)
    context.refuse(context.at(), "axis", "a hinge needs the direction of its axis",
                   "give three numbers, not all zero");
  if (!is_hinge && !joint.axis.empty())
    context.refuse(joint.axis.front().at(), "axis", "only a hinge has an axis",
                   "leave it out, or make the joint a hinge");
  std::array<Vec3, 3> directions{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  if (is_hinge && axis && elements::norm(*axis) > 0.0) {
    Vec3& d = directions[2] = *axis;
    const double length = elements::norm(d);
    for (double& x : d) x /= length;
    const auto others = across(d);
    directions[0] = others[0];
    directions[1] = others[1];
  }
  if (joint.between[0].text == joint.between[1].text)
    context.refuse(joint.between[1].at, "between", "both sides are the same body",
                   "join two different bodies, or a body and ground");
  const auto first = joint_side(joint.between[0], at.value_or(Vec3{}), directions, context);
  const auto second = joint_side(joint.between[1], at.value_or(Vec3{}), directions, context);
  if (!softness || !at || !axis || !first || !second || (!first->place && !second->place)) return;
  context.show_joint(first->place ? *first->place : *second->place);

  constexpr std::string_view xyz = "xyz";
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string label = fmt::format("{} {}", context.label(), xyz[i]);
    Trace trace = context.called(label).trace(positions);
    context.add_row(trace, first->position(trace)[i] - second->position(trace)[i], *softness, label,
                    first->size + second->size);
    trace.finish(label);
  }
  // (2) or (3) above: which direction of each side
  struct RightAngle {
    std::size_t first, second;
    std::string name;
  };
  std::vector<RightAngle> angles;
  if (is_hinge) angles = {{2, 0, "tilt 1"}, {2, 1, "tilt 2"}};
  if (joint.kind == Joint::Kind::fixed)
    angles = {{1, 2, "turn x"}, {2, 0, "turn y"}, {0, 1, "turn z"}};
  for (const RightAngle& angle : angles) {
    const std::string label = fmt::format("{} {}", context.label(), angle.name);
    Trace trace = context.called(label).trace(positions);
    const auto d = first->direction(trace, angle.first);
    const auto other = second->direction(trace, angle.second);
    context.add_row(trace, elements::right_angle(Points{d}, Points{other}), *softness, label,
                    elements::scale_of_axes);
    trace.finish(label);
  }
}

}  // namespace

template <>
const ElementDescriptor& describe<Joint>() {
  using model_file::Type;
  static const ElementDescriptor descriptor = make_descriptor<Joint>({
      .key = "joint",
      .meaning = "joint between two bodies, or a body and the ground",
      .fields = {{.name = "kind",
                  .holds = &Joint::kind,
                  .meaning = "what it leaves free: every turn, that about an axis, nothing",
                  .required = true,
                  .choices = {"ball", "hinge", "fixed"}},
                 {.name = "between",
                  .holds = &Joint::between,
                  .meaning = "two bodies, or a body and \"ground\"",
                  .required = true},
                 {.name = "at",
                  .holds = &Joint::at,
                  .meaning = "where it sits at the start, in space",
                  .unit = "m",
                  .required = true,
                  .type = Type::space_vector},
                 {.name = "axis",
                  .holds = &Joint::axis,
                  .meaning = "direction of a hinge at the start, in space",
                  .type = Type::space_vector},
                 {.name = "compliance",
                  .holds = &Joint::compliance,
                  .meaning = "of each of its rows",
                  .unit = "m/N, 1/(N m)",
                  .effect = ": rigid"}},
      .compile = compile,
  });
  return descriptor;
}

}  // namespace taut
