// SPDX-License-Identifier: BSD-3-Clause
#include "model/element.hpp"

namespace taut {
namespace {

/// Equations belong to [jets], which compile_jets.cpp compiles.
void compile(const Equation&, ElementContext& context) {
  context.refuse(context.at(), {}, "stands in a model without [jets]",
                 "give [jets] with its unknowns, or write it as a [[constraint]]");
}

}  // namespace

template <>
const ElementDescriptor& describe<Equation>() {
  static const ElementDescriptor descriptor = make_descriptor<Equation>({
      .key = "equation",
      .meaning = "an equation of the system that [jets] states",
      .fields = {{.name = "zero",
                  .holds = &Equation::zero,
                  .meaning = "expression of the unknowns, their derivatives and the independent "
                             "variable that is kept at 0",
                  .required = true}},
      .compile = compile,
      .others_need_it = true,  // their number would be wrong
  });
  return descriptor;
}

}  // namespace taut
