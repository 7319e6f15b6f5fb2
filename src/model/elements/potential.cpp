// SPDX-License-Identifier: BSD-3-Clause
#include "model/element.hpp"

namespace taut {
namespace {

void compile(const Potential& potential, ElementContext& context) {
  context.add_formula(Role::potential, potential.energy, time | positions, "energy");
}

}  // namespace

template <>
const ElementDescriptor& describe<Potential>() {
  static const ElementDescriptor descriptor = make_descriptor<Potential>({
      .key = "potential",
      .meaning = "potential energy",
      .fields = {{.name = "energy",
                  .holds = &Potential::energy,
                  .meaning = "energy",
                  .unit = "J",
                  .detail = ", an expression of coordinates and t",
                  .required = true}},
      .compile = compile,
  });
  return descriptor;
}

}  // namespace taut
