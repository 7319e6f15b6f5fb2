// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "model/element.hpp"
#include "model/elements/joint_coordinate.hpp"
#include "model/elements/joint_rows.hpp"
#include "model/elements/quantities.hpp"
#include "model/elements/space.hpp"

namespace taut {
namespace {

using elements::NumberVec3;
using Kind = Joint::Kind;
using elements::plain_kind;
using JointSide = Symbols::JointSide;

/// Whether it needs one.
bool has_axis(Kind kind, std::size_t dimension) {
  switch (kind) {
    case Kind::ball:
    case Kind::fixed:
    case Kind::point_on_curve:
      return false;
    case Kind::hinge:
      return dimension == 3;
    default:
      return true;
  }
}

/// An axis of both sides by which a ball has an angle.
bool may_have_axis(Kind kind, std::size_t dimension) {
  return kind == Kind::ball && dimension == 3;
}

bool exists_in_the_plane(Kind kind) {
  return kind == Kind::hinge || kind == Kind::fixed || kind == Kind::slider ||
         kind == Kind::point_on_line || kind == Kind::point_on_curve;
}

/// Two directions that make a right-handed system with a unit vector.
std::array<NumberVec3, 2> across(const NumberVec3& n) {
  // from the axis of space that is farthest from n
  NumberVec3 e{};
  const auto smaller = [](const Number& a, const Number& b) { return abs(a) < abs(b); };
  e[static_cast<std::size_t>(std::min_element(n.begin(), n.end(), smaller) - n.begin())] = 1.0;
  NumberVec3 u = elements::cross(e, n);
  const Number length = elements::norm(u);
  for (Number& x : u) x = x / length;
  return {u, elements::cross(n, u)};
}

/// What a name of `between` stands for.
struct NamedSide {
  std::optional<Symbols::BodyEntry> body;
  std::optional<Symbols::PointEntry> point;  // a mass
  std::optional<std::vector<Number>> at;     // where a joint here sits that has no place of its own

  [[nodiscard]] std::size_t dimension() const {  // 0: the ground has any
    if (body) return body->dimension();
    return point ? static_cast<std::size_t>(point->dimension) : 0;
  }
};

std::optional<NamedSide> named_side(const Name& name, ElementContext& context) {
  const auto text = context.name(name, "between");
  if (!text) return {};
  if (*text == "ground") return NamedSide{};
  const Symbols& symbols = context.symbols();
  NamedSide side;
  if (const auto it = symbols.bodies.find(*text); it != symbols.bodies.end()) {
    side.body = it->second;
    return side;
  }
  if (const auto end = find_end(symbols, *text); end && end->anchor == nullptr) {
    side.at = context.position_at_start(*end);
    if (end->marker != nullptr)
      side.body = end->marker->body;
    else
      side.point = *end->point;
    return side;
  }
  if (context.incomplete()) return {};
  std::vector<std::string> candidates{"ground"};
  for (const auto& [known, entry] : symbols.bodies) candidates.push_back(known);
  for (const auto& [known, entry] : symbols.points) candidates.push_back(known);
  for (const auto& [known, entry] : symbols.markers) candidates.push_back(known);
  std::sort(candidates.begin(), candidates.end());
  constexpr std::array at_rest{"world", "origin", "earth", "frame", "base", "inertial", "fixed"};
  const std::string near = std::find(at_rest.begin(), at_rest.end(), *text) != at_rest.end()
                               ? "ground"
                               : nearest_name(*text, candidates);
  context.refuse(
      name.at, "between", fmt::format("there is no body '{}'", *text),
      near.empty() ? "name a [[body]], or ground" : fmt::format("did you mean '{}'?", near));
  return {};
}

/// With its place and directions in the axes of the body; what is lost in rounding becomes 0, and
/// keeps formulas short.
JointSide placed(const NamedSide& named, const NumberVec3& at,
                 const std::array<NumberVec3, 3>& directions, ElementContext& context) {
  JointSide side{.at = at, .directions = directions, .size = elements::norm(at)};
  side.point = named.point;
  if (!named.body) return side;
  const Symbols::BodyEntry& body = *named.body;
  NumberVec3 from_centre{}, centre{};
  for (std::size_t i = 0; i < body.dimension(); ++i) {
    centre[i] = context.start_of(body.first + static_cast<int>(i));
    from_centre[i] = at[i] - centre[i];
  }
  const auto turned = [&](const NumberVec3& d, const Number& rounding) {
    NumberVec3 in_body{};
    for (std::size_t c = 0; c < 3; ++c) {
      in_body[c] = elements::dot(context.column_at_start(body, c), d);
      if (elements::is_negligible(in_body[c], rounding)) in_body[c] = 0.0;
    }
    return in_body;
  };
  constexpr double roundings = 4 * std::numeric_limits<double>::epsilon();
  side.size = elements::norm(centre) + elements::norm(from_centre);
  side.place = Symbols::MarkerEntry{.body = body, .at = turned(from_centre, roundings * side.size)};
  for (std::size_t k = 0; k < 3; ++k) side.directions[k] = turned(directions[k], roundings);
  return side;
}

/// Directions of both sides at the start; nothing where they have mistakes.
std::optional<std::array<NumberVec3, 3>> directions_of(const Joint& joint, Kind kind,
                                                       std::size_t dimension,
                                                       ElementContext& context) {
  const auto axis = context.space_vector(joint.axis, "axis", dimension);
  const auto other = context.space_vector(joint.second_axis, "second_axis", dimension);
  const bool needs_axis =
      has_axis(kind, dimension) || (may_have_axis(kind, dimension) && !joint.axis.empty());
  if (!needs_axis && !joint.axis.empty()) {
    context.refuse(joint.axis.front().at(), "axis",
                   dimension == 2 ? "in the plane a hinge turns about its place"
                                  : "only a hinge, a slider and the like have an axis",
                   "leave it out, or make the joint a hinge or a slider");
    return {};
  }
  if (!joint.second_axis.empty() && kind != Kind::universal && kind != Kind::planar)
    context.refuse(joint.second_axis.front().at(), "second_axis",
                   "only universal and planar joints have a second axis", "leave it out");
  if (!axis || !other) return {};
  std::array<NumberVec3, 3> d{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  if (!needs_axis) return d;
  const auto unit = [](NumberVec3 u) {
    const Number length = elements::norm(u);
    for (Number& x : u) x = x / length;
    return u;
  };
  if (elements::norm(*axis) == 0.0) {
    context.refuse(
        context.at(), "axis", "this joint needs the direction of its axis",
        dimension == 3 ? "give three numbers, not all zero" : "give two numbers, not both zero");
    return {};
  }
  d[2] = unit(*axis);
  if (dimension == 2) {
    d[0] = {-d[2][1], d[2][0], 0.0};
    d[1] = {0.0, 0.0, 1.0};
  } else if (kind == Kind::universal) {
    constexpr double rounding = 1e-6;
    if (elements::norm(*other) == 0.0 || abs(elements::dot(unit(*other), d[2])) > rounding) {
      context.refuse(context.at(), "second_axis", "a universal joint is a cross of two axes",
                     "give axis, fixed to the first side, and second_axis, fixed to the second, at "
                     "right angles at the start");
      return {};
    }
    d[1] = unit(elements::cross(d[2], *other));
    d[0] = elements::cross(d[1], d[2]);
  } else if (kind == Kind::planar && !joint.second_axis.empty()) {
    constexpr double rounding = 1e-6;
    if (elements::norm(*other) == 0.0 || std::abs(elements::dot(unit(*other), d[2])) > rounding) {
      context.refuse(joint.second_axis.front().at(), "second_axis", "does not lie in the plane",
                     "give the direction of the first travel, across axis");
      return {};
    }
    d[1] = unit(elements::cross(d[2], *other));
    d[0] = elements::cross(d[1], d[2]);
  } else {
    const auto others = across(d[2]);
    d[0] = others[0];
    d[1] = others[1];
  }
  return d;
}

std::string name_of_parameter(ElementContext& context) { return context.label() + ".s"; }

void declare(const Joint& joint, const Element& /*element*/, ElementContext& context) {
  if (joint.kind == Kind::point_on_curve) context.add_own_coordinate(name_of_parameter(context));
}

/// Where a curve is nearest to the place of its joint, from the parameter that is given on, and how
/// fast that moves:  s <- s + (p - c) . c' / |c'|²,  s' = p' . c' / |c'|².
bool follow_curve(const Joint& joint, const Number& start, Symbols::JointEntry& entry,
                  ElementContext& context) {
  for (const Value& component : joint.curve) {
    const auto text = context.expression(component, "curve");
    if (!text) return false;
    Trace trace = context.trace(nothing, "curve");
    trace.scope().own_name("s", trace.graph().input({Slot::t, 0}));
    if (!trace.expression(*text)) return false;
    entry.curve.push_back(*text);
  }
  entry.along = context.symbols().coordinates.find(name_of_parameter(context))->second;
  context.set_start(entry.along, start, 0.0);
  const auto along_tangent = [&](bool velocity) {
    Trace trace = context.trace(positions | velocities);
    const auto on = trace.scope().on_curve(entry, trace.graph());
    Sym across = 0.0, square = 0.0;
    for (std::size_t i = 0; i < on.curve.size(); ++i) {
      const Sym apart =
          velocity
              ? trace.symbol(trace.scope().rate(on.point[i].node(trace.graph()), trace.graph()))
              : on.point[i] - on.curve[i];
      across += apart * on.tangent[i];
      square += on.tangent[i] * on.tangent[i];
    }
    return trace.value_at_start((across / square).node(trace.graph()));
  };
  constexpr int enough = 30;
  Number s = start;
  for (int k = 0; k < enough; ++k) {
    s = s + along_tangent(false);
    if (!isfinite(s)) {
      context.refuse(joint.curve.front().at(), "curve", "has no direction where the joint sits",
                     "give start, the parameter s of a point near it where it has one");
      return false;
    }
    context.set_start(entry.along, s, 0.0);
  }
  context.set_start(entry.along, s, along_tangent(true));
  return true;
}

/// What gives the parameter of a curve inertia, and is zero along every motion, with its
/// derivatives: κ/2 (|c'|² s' - c' . p')², where κ |c'|² is a mass at the start.
void add_curve_inertia(const Symbols::JointEntry& entry, ElementContext& context) {
  Trace trace = context.trace(positions | velocities);
  const auto on = trace.scope().on_curve(entry, trace.graph());
  const auto rate = [&](const Sym& x) {
    return trace.symbol(trace.scope().rate(x.node(trace.graph()), trace.graph()));
  };
  Sym slip = 0.0, square = 0.0;
  for (std::size_t i = 0; i < on.curve.size(); ++i) {
    square += on.tangent[i] * on.tangent[i];
    slip -= on.tangent[i] * rate(on.point[i]);
  }
  slip += square * trace.symbol(trace.graph().input({Slot::v, trace.scope().local(entry.along)}));
  const Number size = trace.value_at_start(square.node(trace.graph()));
  trace.root(Role::kinetic, 0.5 / trace.parameter(size) * slip * slip);
  trace.finish(context.label() + " (parameter)");
}

/// Draws a curve: between the limits of its parameter, once around where it closes after a turn,
/// else on both sides of its point, half as far again as anything in the model is from there.
void show_curve(const Joint& joint, const Symbols::JointEntry& entry, ElementContext& context) {
  using Place = std::array<Number, 3>;
  const auto at = [&](double s) {
    Trace trace = context.trace(nothing, "curve");
    trace.scope().own_name("s", trace.graph().constant(s));
    Place c{};
    for (std::size_t i = 0; i < entry.curve.size(); ++i)
      if (const auto value = trace.expression(entry.curve[i]))
        c[i] = trace.value_at_start(value->node(trace.graph()));
    return c;
  };
  // a picture: its extent may be that of other parameters
  const auto apart = [](const Place& a, const Place& b) {
    return std::hypot(a[0].value() - b[0].value(), a[1].value() - b[1].value(),
                      a[2].value() - b[2].value());
  };
  constexpr double turn = 2.0 * std::numbers::pi, rounding = 1e-9;
  const double start = context.start_of(entry.along).value();
  const Place here = at(start);
  double low = start - turn / 2.0, high = start + turn / 2.0;
  const double width = apart(at(start + turn / 2.0), here);
  const bool closes = width > 0.0 && apart(at(start + turn), here) < rounding * width;
  const auto limits = context.numbers(joint.limits, "limits");
  if (limits && limits->size() == 2) {
    low = (*limits)[0].value();
    high = (*limits)[1].value();
  } else if (!closes) {
    const double far = 1.5 * context.widest_at_start(entry.side[1].at).value();
    const auto end = [&](double way) {
      constexpr int most = 400;
      double s = start, length = 0.0;
      Place last = here;
      for (int k = 0; k < most && length < far; ++k) {
        const Place next = at(s + way);
        const double step = apart(next, last);
        if (!std::isfinite(step)) break;
        if (step > far / 20.0) {  // too long a step
          way /= 2.0;
          continue;
        }
        s += way;
        length += step;
        last = next;
        if (step < far / 80.0) way *= 2.0;
      }
      return s;
    };
    low = end(-turn / 64.0);
    high = end(turn / 64.0);
  }
  constexpr int pieces = 96;
  ShownOutline outline{.name = context.label(), .closed = false};
  if (entry.side[0].place) outline.body = entry.side[0].place->body;
  for (int k = 0; k <= pieces; ++k) {
    const Place corner = at(low + (high - low) * k / pieces);
    if (std::isfinite(apart(corner, here))) outline.corners.push_back(corner);
  }
  if (outline.corners.size() > 1) context.show_outline(std::move(outline));
}

/// Draws the axis about which it turns, the line or the plane on which it slides, fixed to the
/// first side, and the other axis of a cross, fixed to the second; as parts of how far the model
/// goes.
void show_axes(Kind kind, const Symbols::JointEntry& entry, ElementContext& context) {
  constexpr double of_axis = 0.08, of_line = 0.4, of_plane = 0.2;
  const JointSide& first = entry.side[0];
  const Number wide = context.widest_at_start(first.at);
  const auto show = [&](const JointSide& side, double half,
                        std::initializer_list<std::array<double, 2>> corners, std::size_t k,
                        std::size_t l) {
    ShownOutline outline{.name = context.label(), .closed = corners.size() > 2};
    if (side.place) outline.body = side.place->body;
    for (const auto& [a, b] : corners) {
      std::array<Number, 3> corner{};
      for (std::size_t i = 0; i < 3; ++i) {
        corner[i] = side.place ? side.place->at[i] : side.at[i];
        corner[i] += half * wide * (a * side.directions[k][i] + b * side.directions[l][i]);
      }
      outline.corners.push_back(corner);
    }
    context.show_outline(std::move(outline));
  };
  const auto along = [&](const JointSide& side, std::size_t k, double half) {
    show(side, half, {{-1.0, 0.0}, {1.0, 0.0}}, k, k);
  };
  if (kind == Kind::planar || kind == Kind::point_on_plane)
    show(first, of_plane, {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, 0, 1);
  else if (entry.slides && entry.along < 0)
    along(first, 2, of_line);
  else if (entry.dimension == 3 && (entry.turns || kind == Kind::universal))
    along(first, 2, of_axis);
  if (kind == Kind::universal) along(entry.side[1], 0, of_axis);
}

void relate(const Joint& joint, ElementContext& context) {
  const auto first = named_side(joint.between[0], context);
  const auto second = named_side(joint.between[1], context);
  if (joint.between[0].text == joint.between[1].text)
    context.refuse(joint.between[1].at, "between", "both sides are the same body",
                   "join two different bodies, or a body and ground");
  const auto start = context.number(joint.start, "start");
  if (!first || !second || joint.between[0].text == joint.between[1].text) return;
  const std::size_t dimension = std::max(first->dimension(), second->dimension());
  if (dimension == 0 || (first->dimension() != 0 && second->dimension() != 0 &&
                         first->dimension() != second->dimension())) {
    context.refuse(joint.between[0].at, "between",
                   dimension == 0 ? "nothing here can move"
                                  : "one side moves in the plane, the other in space",
                   "join bodies in space, or bodies in the plane");
    return;
  }
  const Kind kind = plain_kind(joint.kind, dimension);
  if (dimension == 2 && !exists_in_the_plane(kind)) {
    context.refuse(context.at(), "kind", "exists in space only",
                   "in the plane there are hinge, slider, fixed, point-on-line and point-on-curve");
    return;
  }
  const bool has_points = first->point.has_value() || second->point.has_value();
  const bool place_only = kind == Kind::ball || (dimension == 2 && kind == Kind::hinge);
  const bool on_curve = kind == Kind::point_on_curve;
  const bool on_line = kind == Kind::point_on_line || kind == Kind::point_on_plane || on_curve;
  if (has_points && kind == Kind::ball && !joint.axis.empty()) {
    context.refuse(joint.axis.front().at(), "axis", "a point has no directions", "leave it out");
    return;
  }
  if (has_points && !place_only && !(on_line && !first->point)) {
    context.refuse(joint.between[0].at, "between", "a point has no directions",
                   on_line ? "name the side that has the line first, and the point second"
                           : "join it with a ball (in the plane: a hinge), or let it slide with "
                             "point-on-line");
    return;
  }
  const auto directions = directions_of(joint, kind, dimension, context);
  const auto given = context.space_vector(joint.at, "at", dimension);
  const auto& implied = second->at ? second->at : first->at;
  if (joint.at.empty() && !implied) {
    context.refuse(context.at(), "at", "is missing",
                   "say where the joint sits at the start, or name markers or points in between");
    return;
  }
  if (joint.curve.empty() == on_curve) {
    context.refuse(
        context.at(), "curve", on_curve ? "is missing" : "only a point on a curve has one",
        on_curve ? "give its components as expressions of s, such as [\"cos(s)\", \"sin(s)\"]"
                 : "leave it out, or make the joint a point-on-curve");
    return;
  }
  if (on_curve && joint.curve.size() != dimension) {
    context.refuse(joint.curve.front().at(), "curve",
                   fmt::format("has {} components", joint.curve.size()),
                   dimension == 3 ? "give three, this point moves in space"
                                  : "give two, this point moves in the plane");
    return;
  }
  if (!directions || !given || !start) return;
  NumberVec3 at = *given;
  if (joint.at.empty()) std::copy(implied->begin(), implied->end(), at.begin());
  Symbols::JointEntry entry;
  entry.dimension = dimension;
  entry.side = {placed(*first, at, *directions, context),
                placed(*second, at, *directions, context)};
  entry.turns = kind == Kind::cylindrical || kind == Kind::screw || kind == Kind::universal ||
                kind == Kind::planar || (kind == Kind::hinge && !has_points);
  entry.slides = kind == Kind::slider || kind == Kind::cylindrical || kind == Kind::screw ||
                 kind == Kind::planar || kind == Kind::point_on_line || on_curve;
  entry.tilts = kind == Kind::ball && !joint.axis.empty();
  if (kind == Kind::planar) entry.across = 0;
  if (on_curve && !follow_curve(joint, *start, entry, context)) return;
  (entry.turns ? entry.angle_at_start : entry.travel_at_start) = *start;
  if (dimension == 2)
    for (const std::size_t k : {0, 1})
      if (entry.side[k].place)
        entry.angle_at_start +=
            (k == 0 ? 1.0 : -1.0) * context.start_of(entry.side[k].place->body.angle);
  const auto& d = *directions;
  if (kind == Kind::universal) {
    // about d_1' of the second side, from the first:  cos = d_3' . d_3,  sin = d_2' . d_3
    Symbols::JointEntry other;
    NumberVec3 back = d[0];
    for (Number& x : back) x = -x;
    other.side = {placed(*second, at, {d[2], d[1], back}, context),
                  placed(*first, at, {d[2], d[0], d[1]}, context)};
    other.turns = other.is_second = true;
    context.add_joint(std::move(entry), std::move(other));
  } else if (kind == Kind::planar) {
    Symbols::JointEntry other = entry;
    other.turns = false;
    other.is_second = true;
    other.across = 1;
    context.add_joint(std::move(entry), std::move(other));
  } else {
    context.add_joint(std::move(entry));
  }
}

/// Of its rows; nothing where they have mistakes. What has no coordinate may say damping for
/// compliance_damping.
std::optional<elements::JointSoftness> softness_of(const Joint& joint, Kind kind,
                                                   ElementContext& context) {
  const bool of_rows = elements::damps_its_rows(kind) && joint.damping.size() == 1;
  const bool twice = of_rows && !(joint.compliance_damping.is_number() &&
                                  joint.compliance_damping.number() == 0.0);
  if (twice)
    context.refuse(joint.damping.front().at(), "damping", "is given beside compliance_damping",
                   "leave out one of the two");
  const Value& damping = of_rows ? joint.damping.front() : joint.compliance_damping;
  const auto places = context.softness(joint.compliance, damping,
                                       {"compliance", of_rows ? "damping" : "compliance_damping"});
  if (!places || twice) return {};
  if (!joint.rotational_compliance && !joint.rotational_damping)
    return elements::JointSoftness{*places, *places};
  const auto turns = context.softness(joint.rotational_compliance.value_or(joint.compliance),
                                      joint.rotational_damping.value_or(0.0),
                                      {"rotational_compliance", "rotational_damping"});
  if (!turns) return {};
  return elements::JointSoftness{*places, *turns};
}

void compile(const Joint& joint, ElementContext& context) {
  const auto it = context.symbols().joints.find(context.label());
  if (it == context.symbols().joints.end()) return;
  const Symbols::JointEntry& entry = it->second;
  const Kind kind = plain_kind(joint.kind, entry.dimension);
  const auto softness = softness_of(joint, kind, context);
  if (!softness) return;
  const auto& place = entry.side[entry.side[0].place ? 0 : 1].place;
  if (place) context.show_joint(*place);
  show_axes(kind, entry, context);
  context.record_rows();
  elements::add_rows(joint, kind, entry, *softness, context);
  elements::WordsOnCoordinate{joint, kind, entry, *softness, context}.add();
  if (entry.along >= 0) {
    add_curve_inertia(entry, context);
    show_curve(joint, entry, context);
  }
  if (!place) {
    context.forget_rows();
    return;
  }
  const auto& moved = entry.side[entry.side[1].place ? 1 : 0];
  elements::show_wrench(context,
                        {.on = *moved.place,
                         .sign = entry.side[1].place ? 1.0 : -1.0,
                         .direction = [&](Trace& trace, std::size_t k) {
                           std::vector<Sym> d;
                           for (std::size_t i = 0; i < 3; ++i)
                             d.push_back(trace.symbol(trace.scope().direction(
                                 entry.side[entry.side[1].point ? 0 : 1], k, i, trace.graph())));
                           return d;
                         }});
}

}  // namespace

template <>
const ElementDescriptor& describe<Joint>() {
  using model_file::Type;
  static const ElementDescriptor descriptor = make_descriptor<Joint>({
      .key = "joint",
      .meaning = "joint between two bodies, a body and a point, or one of them and the ground",
      .fields = {{.name = "kind",
                  .holds = &Joint::kind,
                  .meaning = "what it leaves free",
                  .detail = "; the last four are other words for ball, hinge, hinge and slider",
                  .required = true,
                  .choices = {"ball", "hinge", "fixed", "slider", "cylindrical", "universal",
                              "planar", "screw", "point-on-line", "point-on-plane",
                              "point-on-curve", "spherical", "revolute", "pin", "prismatic"},
                  .familiar = {{"rotational", "hinge"},
                               {"rotary", "hinge"},
                               {"translational", "slider"},
                               {"linear", "slider"},
                               {"cylinder", "cylindrical"},
                               {"weld", "fixed"},
                               {"rigid", "fixed"},
                               {"bracket", "fixed"},
                               {"cardan", "universal"},
                               {"hooke", "universal"},
                               {"helical", "screw"},
                               {"inline", "point-on-line"},
                               {"inplane", "point-on-plane"},
                               {"plane", "planar"}},
                  // of its coordinate: the first unit is that of an angle
                  .unit_of_choice = {0, 0, -1, 1, -1, 0, -1, 0, 1, -1, -1, 0, 0, 0, 1}},
                 {.name = "between",
                  .holds = &Joint::between,
                  .meaning = "bodies, their markers, points, or \"ground\"",
                  .required = true},
                 {.name = "at",
                  .holds = &Joint::at,
                  .meaning = "where it sits at the start",
                  .unit = "m",
                  .absent = "at the marker or point in between"},
                 {.name = "axis",
                  .holds = &Joint::axis,
                  .meaning = "direction at the start, fixed to the first side: about which it "
                             "turns, along which it slides, across a plane; a ball with one has "
                             "an angle, that between the axes of both sides"},
                 {.name = "second_axis",
                  .holds = &Joint::second_axis,
                  .meaning = "across axis: of a universal joint, fixed to the second side; of a "
                             "planar one, fixed to the first, the direction of its travel"},
                 {.name = "pitch",
                  .holds = &Joint::pitch,
                  .meaning = "of a screw: travel of one turn",
                  .unit = "m"},
                 {.name = "curve",
                  .holds = &Joint::curve,
                  .meaning = "of point-on-curve: components along the axes of the first side from "
                             "its centre, or of space, as expressions of s",
                  .unit = "m"},
                 {.name = "compliance",
                  .holds = &Joint::compliance,
                  .meaning = "of each of its rows",
                  .unit = "m/N, 1/(N m)",
                  .effect = ": rigid"},
                 {.name = "rotational_compliance",
                  .holds = &Joint::rotational_compliance,
                  .meaning = "of those that hold angles",
                  .unit = "1/(N m)",
                  .absent = "compliance"},
                 {.name = "compliance_damping",
                  .holds = &Joint::compliance_damping,
                  .meaning = "of rows with a compliance",
                  .unit = "N s/m, N m s",
                  .effect = ": none"},
                 {.name = "rotational_damping",
                  .holds = &Joint::rotational_damping,
                  .meaning = "of those that hold angles",
                  .unit = "N m s",
                  .absent = "compliance_damping, or none beside a rotational_compliance"},
                 {.name = "start",
                  .holds = &Joint::start,
                  .meaning = "its coordinate at the start: the angle of what turns, the travel of "
                             "what slides",
                  .unit = "rad, m",
                  .unit_is_chosen = true},
                 {.name = "stiffness",
                  .holds = &Joint::stiffness,
                  .meaning = "of a spring on its coordinate",
                  .unit = "N m, N/m",
                  .absent = "none",
                  .type = Type::number_or_vector,
                  .unit_is_chosen = true},
                 {.name = "rest",
                  .holds = &Joint::rest,
                  .meaning = "where that spring is at rest",
                  .unit = "rad, m",
                  .absent = "start",
                  .type = Type::number_or_vector,
                  .unit_is_chosen = true},
                 {.name = "damping",
                  .holds = &Joint::damping,
                  .meaning = "of its coordinate",
                  .unit = "N m s, N s/m",
                  .absent = "none",
                  .type = Type::number_or_vector,
                  .unit_is_chosen = true},
                 {.name = "torque",
                  .holds = &Joint::torque,
                  .meaning = "of a motor, of the first side on the second; an expression",
                  .unit = "N m",
                  .absent = "none"},
                 {.name = "force",
                  .holds = &Joint::force,
                  .meaning = "the same along the axis of what slides",
                  .unit = "N",
                  .absent = "none"},
                 {.name = "angle",
                  .holds = &Joint::angle,
                  .meaning = "prescribed motion, an expression of t",
                  .unit = "rad",
                  .absent = "free"},
                 {.name = "travel",
                  .holds = &Joint::travel,
                  .meaning = "the same of what slides",
                  .unit = "m",
                  .absent = "free"},
                 {.name = "friction",
                  .holds = &Joint::friction,
                  .meaning = "largest torque or force F of F tanh(rate/friction_speed)",
                  .unit = "N m, N",
                  .detail = ", a number or an expression as 0.3*abs(lambda(rail across))",
                  .absent = "none",
                  .type = Type::number_or_vector,
                  .unit_is_chosen = true},
                 {.name = "friction_speed",
                  .holds = &Joint::friction_speed,
                  .meaning = "at which most of it acts",
                  .unit = "rad/s, m/s",
                  .absent = "1e-3",
                  .type = Type::number_or_vector,
                  .unit_is_chosen = true},
                 {.name = "limits",
                  .holds = &Joint::limits,
                  .meaning = "lowest and highest value, where stops begin",
                  .unit = "rad, m",
                  .absent = "none",
                  .type = Type::numbers,
                  .unit_is_chosen = true},
                 {.name = "limit_stiffness",
                  .holds = &Joint::limit_stiffness,
                  .meaning = "of the stops",
                  .unit = "N m, N/m",
                  .type = Type::number_or_vector,
                  .unit_is_chosen = true},
                 {.name = "limit_damping",
                  .holds = &Joint::limit_damping,
                  .meaning = "c of the force c u u' of a stop that is pressed by u",
                  .unit = "N m s, N s/m^2",
                  .absent = "none",
                  .type = Type::number_or_vector,
                  .unit_is_chosen = true}},
      .compile = compile,
      .declare = declare,
      .relate = relate,
  });
  return descriptor;
}

}  // namespace taut
