// SPDX-License-Identifier: BSD-3-Clause
#include "model/elements/spring.hpp"

#include "model/element.hpp"
#include "model/elements/quantities.hpp"

namespace taut {
namespace {

void compile(const Spring& spring, ElementContext& context) {
  const auto between = context.ends(spring.between);
  const auto k = context.number(spring.stiffness, "stiffness");
  const auto moving = context.moving(spring.length, "length");
  const auto length = moving ? Number{1.0} : context.length(spring.length, between);
  if (!between || !k || !length) return;
  context.join(*between);
  const std::size_t dimension = dimension_of(*between);
  Trace trace = context.trace(time | positions, moving ? "length" : "");
  const auto a = trace.position((*between)[0], dimension);
  const auto b = trace.position((*between)[1], dimension);
  const auto L = moving ? trace.expression(*moving) : std::nullopt;
  if (moving && !L) return;
  const Number at_start = L ? trace.value_at_start(L->node(trace.graph())) : *length;
  context.show({.name = context.label(), .kind = Scene::Line::Kind::spring}, *between,
               {{&Scene::Line::stiffness, *k}, {&Scene::Line::length, at_start}});
  if (L)
    trace.root(Role::potential, elements::spring(Points{a}, Points{b}, trace.parameter(*k), *L));
  else if (*length == 0.0)
    trace.root(Role::potential,
               elements::spring_of_no_length(Points{a}, Points{b}, trace.parameter(*k)));
  else
    trace.root(Role::potential, elements::spring(Points{a}, Points{b}, trace.parameter(*k),
                                                 trace.parameter(*length)));
  trace.finish(context.label());
  if (!context.shows_quantities()) return;
  Trace shown = context.trace(time | positions | velocities);
  const elements::LineMotion line = elements::line_motion(shown, *between);
  elements::show_line(context, shown, line,
                      shown.parameter(*k) * (line.length - shown.parameter(*length)));
}

}  // namespace

template <>
const ElementDescriptor& describe<Spring>() {
  static const ElementDescriptor descriptor = make_descriptor<Spring>({
      .key = "spring",
      .meaning = "linear spring with the energy stiffness/2 (distance - length)^2",
      .fields =
          {{.name = "between", .holds = &Spring::between, .meaning = two_ends, .required = true},
           {.name = "stiffness",
            .holds = &Spring::stiffness,
            .meaning = "stiffness",
            .unit = "N/m",
            .required = true},
           {.name = "length",
            .holds = &Spring::length,
            .meaning = "length at rest",
            .unit = "m",
            .detail = ", of t, inputs and coordinates where it changes",
            .absent = "the distance at the start"}},
      .compile = compile,
  });
  return descriptor;
}

}  // namespace taut
