// SPDX-License-Identifier: BSD-3-Clause
#include "model/element.hpp"

namespace taut {
namespace {

void compile(const Constraint& constraint, ElementContext& context) {
  const auto softness = context.softness(constraint.compliance, constraint.damping);
  const auto text = context.expression(constraint.zero, "zero");
  if (!text) return;
  Trace trace = context.trace(time | positions, "zero");
  const auto g = trace.expression(*text);
  if (!g || !softness) return;
  if (!trace.graph().depends_on(g->node(trace.graph()), Slot::q)) {
    context.refuse(text->at(), "zero", "depends on no coordinate",
                   "a constraint must contain a position");
    return;
  }
  context.add_row(trace, *g, *softness, context.label(),
                  trace.larger_magnitude(g->node(trace.graph())));
  trace.finish(context.label());
}

}  // namespace

template <>
const ElementDescriptor& describe<Constraint>() {
  static const ElementDescriptor descriptor = make_descriptor<Constraint>({
      .key = "constraint",
      .meaning = "an expression of coordinates and t that is kept at zero",
      .fields = {{.name = "zero",
                  .holds = &Constraint::zero,
                  .meaning = "the expression g that is kept at 0",
                  .required = true},
                 {.name = "compliance",
                  .holds = &Constraint::compliance,
                  .meaning = "g divided by its multiplier lambda",
                  .effect = ": rigid"},
                 {.name = "damping",
                  .holds = &Constraint::damping,
                  .meaning = "of a compliant constraint: what lambda gains per rate of g"}},
      .compile = compile,
  });
  return descriptor;
}

}  // namespace taut
