// SPDX-License-Identifier: BSD-3-Clause
#include "model/element.hpp"

namespace taut {
namespace {

void compile(const Invariant& invariant, ElementContext& context) {
  context.add_observable(invariant.value, {.kind = Observable::Kind::invariant}, "value");
}

}  // namespace

template <>
const ElementDescriptor& describe<Invariant>() {
  static const ElementDescriptor descriptor = make_descriptor<Invariant>({
      .key = "invariant",
      .meaning = "a quantity that the motion keeps",
      .fields = {{.name = "value",
                  .holds = &Invariant::value,
                  .meaning = "expression of coordinates, velocities and t; with [jets], of "
                             "unknowns and their derivatives",
                  .required = true}},
      .compile = compile,
  });
  return descriptor;
}

}  // namespace taut
