// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "model/element.hpp"
#include "taut/formula/program.hpp"

namespace taut {
namespace {

void compile(const Rolling& rolling, ElementContext& context) {
  const auto text = context.expression(rolling.zero, "zero");
  if (!text) return;
  Trace trace = context.trace(time | positions | velocities, "zero");
  const auto value = trace.expression(*text);
  if (!value) return;
  const formula::NodeId node = value->node(trace.graph());
  if (!trace.graph().depends_on(node, Slot::v)) {
    context.refuse(text->at(), "zero", "contains no velocity",
                   "write A*v(q) + b, or state a condition on positions as [[constraint]]");
    return;
  }
  // A must not depend on v
  formula::Formula probe = trace.formula();
  probe.roots = {{formula::Role::rolling, node, 0}};
  const formula::Program A = formula::derive(probe, need(Target::constraint_jacobian));
  if (std::any_of(A.inputs.begin(), A.inputs.end(),
                  [](const auto& input) { return input.slot == Slot::v; })) {
    context.refuse(text->at(), "zero", "is not affine in the velocities",
                   "write a sum of velocities times expressions of coordinates and t");
    return;
  }
  context.add_velocity_row(trace, *value, context.label());
  trace.finish(context.label());
}

}  // namespace

template <>
const ElementDescriptor& describe<Rolling>() {
  static const ElementDescriptor descriptor = make_descriptor<Rolling>({
      .key = "rolling",
      .meaning = "a condition on velocities that is kept: wheels without slip, skates",
      .fields = {{.name = "zero",
                  .holds = &Rolling::zero,
                  .meaning = "expression that is kept at 0, affine in the velocities",
                  .required = true}},
      .compile = compile,
  });
  return descriptor;
}

}  // namespace taut
