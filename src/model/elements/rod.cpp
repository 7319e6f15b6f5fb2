// SPDX-License-Identifier: BSD-3-Clause
#include "model/elements/rod.hpp"

#include <fmt/format.h>

#include "model/element.hpp"
#include "model/elements/quantities.hpp"

namespace taut {
namespace elements {

/// Kinetic energy of a uniform straight bar of mass m whose ends move with v_a and v_b:
///
///   T = m/6 (v_a . v_a + v_a . v_b + v_b . v_b)                                              (1)
///
/// the integral of |velocity|²/2 over the bar. M is constant: the bar's inertia needs no angle.
template <class S>
[[nodiscard]] S uniform_bar(Point<S> v_a, Point<S> v_b, const S& m) {
  return m / 6.0 * (dot(v_a, v_a) + dot(v_a, v_b) + dot(v_b, v_b));
}

void add_rod(ElementContext& context, const Ends& between, const Number& length, Softness softness,
             const std::string& name, const Number& mass, const std::optional<Value>& moving) {
  context.join(between);
  context.show({.name = name, .kind = Scene::Line::Kind::rod, .row = context.next_row()}, between,
               {{&Scene::Line::mass, mass}});
  const std::size_t dimension = dimension_of(between);
  Trace trace = context.called(name).trace(time | positions, moving ? "length" : "");
  const auto a = trace.position(between[0], dimension);
  const auto b = trace.position(between[1], dimension);
  const auto L = moving ? trace.expression(*moving) : trace.parameter(length);
  if (!L) return;
  if (moving)
    if (const Number at_start = trace.value_at_start(L->node(trace.graph())); !(at_start > 0.0)) {
      context.refuse(moving->at(), "length",
                     fmt::format("is {} at the start, not > 0", at_start.value()),
                     "give a length that stays positive");
      return;
    }
  const int row = context.next_row();
  context.add_row(trace, rod(Points{a}, Points{b}, *L), softness, name);
  trace.finish(name);
  // a rigid rod without mass has its multiplier, and nothing else that changes
  if (!context.shows_quantities() || (mass == 0.0 && softness.compliance == 0.0)) return;
  ElementContext own = context.called(name);
  Trace shown = own.trace(time | positions | velocities);
  show_line(own, shown, line_motion(shown, between), shown.multiplier(row));
}

}  // namespace elements

namespace {

void compile(const Rod& rod, ElementContext& context) {
  const auto between = context.ends(rod.between);
  const auto softness = context.softness(rod.compliance, rod.damping);
  const auto moving = context.moving(rod.length, "length");
  const auto length = moving ? Number{1.0} : context.length(rod.length, between);
  const auto mass = context.number(rod.mass.value_or(0.0), "mass");
  if (length && !(*length > 0.0))
    context.refuse(rod.length->at(), "length", fmt::format("{} is not > 0", length->value()),
                   "give a positive length; for two points that coincide use [[constraint]]");
  if (mass && *mass < 0.0)
    context.refuse(rod.mass->at(), "mass", fmt::format("{} is negative", mass->value()),
                   "give a mass >= 0");
  if (mass && *mass > 0.0 && between &&
      ((*between)[0].marker != nullptr || (*between)[1].marker != nullptr))
    context.refuse(rod.mass->at(), "mass", "a bar with a mass ends on a body",
                   "join a massless rod, or give the bar's ends points of [points]");
  if (!between || !softness || !length || !mass || !(*length > 0.0)) return;
  elements::add_rod(context, *between, *length, *softness, context.label(), *mass, moving);
  if (*mass == 0.0) return;

  // a uniform bar: its kinetic energy, and half of its weight on each end
  const std::size_t dimension = dimension_of(*between);
  Trace trace = context.trace(time | velocities);
  const auto v_a = trace.velocity((*between)[0], dimension);
  const auto v_b = trace.velocity((*between)[1], dimension);
  trace.root(Role::kinetic,
             elements::uniform_bar(Points{v_a}, Points{v_b}, trace.parameter(*mass)));
  trace.finish(context.label() + " (bar)");
  for (const End& end : *between)
    if (end.point != nullptr) context.add_weight(*end.point, *mass / 2.0);
}

}  // namespace

template <>
const ElementDescriptor& describe<Rod>() {
  static const ElementDescriptor descriptor = make_descriptor<Rod>({
      .key = "rod",
      .meaning = "keeps two points at a distance, rigidly or as a stiff spring",
      .fields = {{.name = "between", .holds = &Rod::between, .meaning = two_ends, .required = true},
                 {.name = "length",
                  .holds = &Rod::length,
                  .meaning = "length",
                  .unit = "m",
                  .detail = ", of t, inputs and coordinates where it changes",
                  .absent = "the distance at the start"},
                 {.name = "compliance",
                  .holds = &Rod::compliance,
                  .meaning = "compliance",
                  .unit = "m/N",
                  .effect = ": rigid"},
                 {.name = "damping",
                  .holds = &Rod::damping,
                  .meaning = "damping of a compliant rod",
                  .unit = "N s/m",
                  .effect = ": none"},
                 {.name = "mass",
                  .holds = &Rod::mass,
                  .meaning = "mass of the uniform bar",
                  .unit = "kg",
                  .absent = "massless"}},
      .compile = compile,
  });
  return descriptor;
}

}  // namespace taut
