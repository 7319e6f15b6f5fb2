// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "model/element.hpp"
#include "taut/formula/program.hpp"

namespace taut {
namespace {

void compile(const Kinetic& kinetic, ElementContext& context) {
  const auto text = context.expression(kinetic.energy, "energy");
  if (!text) return;
  Trace trace = context.trace(time | positions | velocities, "energy");
  const auto T = trace.expression(*text);
  if (!T) return;
  trace.root(Role::kinetic, *T);
  // M = T_vv must not depend on v
  const formula::Program mass = formula::derive(trace.formula(), need(Target::mass));
  const bool is_quadratic = std::none_of(mass.inputs.begin(), mass.inputs.end(),
                                         [](const auto& input) { return input.slot == Slot::v; });
  if (!is_quadratic)
    context.refuse(text->at(), "energy", "is not quadratic in the velocities",
                   "write it as a sum of products of two velocities, such as m/2*v(q)^2");
  else if (mass.outputs.empty())
    context.refuse(text->at(), "energy", "contains no square of a velocity",
                   "a kinetic energy reads like m/2*v(q)^2; use [[potential]] for other energies");
  else
    trace.finish(context.label());
}

}  // namespace

template <>
const ElementDescriptor& describe<Kinetic>() {
  static const ElementDescriptor descriptor = make_descriptor<Kinetic>({
      .key = "kinetic",
      .meaning = "kinetic energy; mass matrix and inertial forces are derived from it",
      .fields = {{.name = "energy",
                  .holds = &Kinetic::energy,
                  .meaning = "energy",
                  .unit = "J",
                  .detail = ", an expression quadratic in the velocities",
                  .required = true}},
      .compile = compile,
      .others_need_it = true,  // a coordinate would be said to have no inertia
  });
  return descriptor;
}

}  // namespace taut
