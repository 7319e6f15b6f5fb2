// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <limits>

#include "model/element.hpp"
#include "model/elements/quantities.hpp"

namespace taut {
namespace elements {

/// A linear damper along the line between two points. With d = a - b the force on a is
///
///   F_a = -s d,   F_b = s d,   s = c (d . (v_a - v_b)) / |d|²                                (1)
///
/// Returns s. Where the ends meet there is no line, and no force: |d|² is not taken below the
/// smallest number, so that s is 0 there.
template <class S>
[[nodiscard]] S damper(Point<S> a, Point<S> b, Point<S> v_a, Point<S> v_b, const S& c) {
  S rate = (a[0] - b[0]) * (v_a[0] - v_b[0]);
  for (std::size_t i = 1; i < a.size(); ++i) rate = rate + (a[i] - b[i]) * (v_a[i] - v_b[i]);
  return c * rate / max(squared_distance(a, b), S{std::numeric_limits<double>::min()});
}

}  // namespace elements

namespace {

void compile(const Damper& damper, ElementContext& context) {
  const auto between = context.ends(damper.between);
  const auto c = context.number(damper.damping, "damping");
  if (!between || !c) return;
  if (*c < 0.0)
    context.refuse(context.at(), "damping", fmt::format("{} is negative", c->value()),
                   "give 0 for none, or a positive damping; what feeds energy in is a [[force]]");
  context.show({.name = context.label(), .kind = Scene::Line::Kind::damper}, *between);
  const std::size_t dimension = dimension_of(*between);
  Trace trace = context.trace(time | positions | velocities);
  const auto a = trace.position((*between)[0], dimension);
  const auto b = trace.position((*between)[1], dimension);
  const auto v_a = trace.velocity((*between)[0], dimension);
  const auto v_b = trace.velocity((*between)[1], dimension);
  const Sym s =
      elements::damper(Points{a}, Points{b}, Points{v_a}, Points{v_b}, trace.parameter(*c));
  std::vector<Sym> on_a, on_b;
  for (std::size_t i = 0; i < dimension; ++i) {
    const Sym component = s * (a[i] - b[i]);
    on_a.push_back(-component);
    on_b.push_back(component);
  }
  trace.force((*between)[0], on_a);
  trace.force((*between)[1], on_b);
  trace.finish(context.label());
  if (!context.shows_quantities()) return;
  Trace shown = context.trace(time | positions | velocities);
  const elements::LineMotion line = elements::line_motion(shown, *between);
  elements::show_line(context, shown, line, shown.parameter(*c) * line.rate);
}

}  // namespace

template <>
const ElementDescriptor& describe<Damper>() {
  static const ElementDescriptor descriptor = make_descriptor<Damper>({
      .key = "damper",
      .meaning = "linear damper along the line between two points",
      .fields =
          {{.name = "between", .holds = &Damper::between, .meaning = two_ends, .required = true},
           {.name = "damping",
            .holds = &Damper::damping,
            .meaning = "damping",
            .unit = "N s/m",
            .required = true}},
      .compile = compile,
  });
  return descriptor;
}

}  // namespace taut
