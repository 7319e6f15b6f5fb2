// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "cases.hpp"
#include "taut/formula/program.hpp"

namespace taut::formula {
namespace {

using namespace testing;

/// The parameters of `hoisted`: those given, and what the prelude makes of them.
std::vector<double> extended(const Hoisted& hoisted, const Formula& formula, const Point& x) {
  std::vector<double> parameters = x.parameter;
  parameters.resize(static_cast<std::size_t>(hoisted.formula.parameters));
  for (const auto& [place, value] : run(hoisted.prelude, x)) {
    EXPECT_EQ(std::get<0>(place), Target::observable);
    parameters.at(static_cast<std::size_t>(formula.parameters + std::get<1>(place))) = value;
  }
  return parameters;
}

template <class Case>
void expect_same_values(const Case& given) {
  using enum Target;
  Random random{5};
  const Formula formula = record(given);
  const Hoisted hoisted = hoist(formula);
  EXPECT_EQ(hoisted.prelude.outputs.size(),
            static_cast<std::size_t>(hoisted.formula.parameters - formula.parameters));
  Point x;
  for (int i = 0; i < formula.coordinates; ++i) {
    x.q.push_back(uniform(random, -1.0, 1.0) + 0.7 * i);
    x.v.push_back(uniform(random, -1.0, 1.0));
    x.a.push_back(uniform(random, -1.0, 1.0));
  }
  for (int i = 0; i < formula.parameters; ++i) x.parameter.push_back(uniform(random, 0.5, 1.5));
  x.lambda.assign(static_cast<std::size_t>(formula.rows), 0.7);
  const Needs needs = taut::formula::needs(force, mass, potential_energy, constraint,
                                           constraint_jacobian, constraint_curvature, stiffness);
  const Values direct = run(derive(formula, needs), x);
  Point y = x;
  y.parameter = extended(hoisted, formula, x);
  const Program program = derive(hoisted.formula, needs);
  const Values values = run(program, y);
  for (const auto& [place, value] : direct) {
    ASSERT_TRUE(values.contains(place));
    EXPECT_NEAR(values.at(place), value, 1e-12 * (1.0 + std::fabs(value)));
  }
  EXPECT_EQ(values.size(), direct.size());
  EXPECT_LE(program.code.size(), derive(formula, needs).code.size());
}

TEST(Hoisting, ChangesNoValue) {
  expect_same_values(Rod<2>{});
  expect_same_values(Pair{});
  expect_same_values(Pendulum{});
  expect_same_values(Driven{});
}

TEST(Hoisting, TakesTheDivisionOutOfARod) {
  const Hoisted hoisted = hoist(record(Rod<3>{}));
  const Program program =
      derive(hoisted.formula, needs(Target::constraint, Target::constraint_jacobian));
  for (const Instruction& i : program.code) EXPECT_NE(i.code, Code::div);
  EXPECT_FALSE(hoisted.prelude.code.empty());
  for (const Input& input : hoisted.prelude.inputs) EXPECT_EQ(input.slot, Slot::parameter);
}

TEST(Hoisting, LeavesAFormulaWithoutParametersAlone) {
  const Formula formula = record(Moving{});
  Formula fixed = formula;
  fixed.parameters = 0;
  const Sym x{fixed.graph, fixed.graph.input({Slot::q, 0})};
  fixed.roots = {{Role::potential, (3.0 * x * x).node(fixed.graph), 0}};
  const Hoisted hoisted = hoist(fixed);
  EXPECT_EQ(hoisted.formula.parameters, 0);
  EXPECT_TRUE(hoisted.prelude.code.empty());
  EXPECT_EQ(key(hoisted.formula), key(fixed));
}

}  // namespace
}  // namespace taut::formula
