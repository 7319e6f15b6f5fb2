// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "cases.hpp"
#include "taut/formula/program.hpp"

namespace taut::formula {
namespace {

using namespace testing;

constexpr int targets = static_cast<int>(Target::observable_t) + 1;
constexpr Needs everything = (Needs{1} << targets) - 1;

bool is_third_order(Target target) {
  return target == Target::stiffness || target == Target::damping ||
         target == Target::constraint_stiffness || target == Target::third;
}

template <class Case>
Point random_point(Random& random) {
  Point x;
  for (int i = 0; i < Case::coordinates; ++i) {
    x.q.push_back(uniform(random, -1.0, 1.0) + 0.7 * i);
    x.v.push_back(uniform(random, -1.0, 1.0));
    x.a.push_back(uniform(random, -1.0, 1.0));
  }
  for (int i = 0; i < Case::rows; ++i) x.lambda.push_back(uniform(random, -1.0, 1.0));
  for (int i = 0; i < Case::parameters; ++i) x.parameter.push_back(uniform(random, 0.5, 1.5));
  x.t = uniform(random, -1.0, 1.0);
  x.theta = uniform(random, -1.0, 1.0);
  return x;
}

/// Everything a program gives, against the dual numbers; what it leaves out must be zero.
void expect_agreement(const Values& values, const Values& truth, Needs needs) {
  double scale = 1.0;
  for (const auto& [place, value] : truth) scale = std::fmax(scale, std::fabs(value));
  for (const auto& [place, value] : values) {
    EXPECT_TRUE(truth.contains(place)) << "target " << static_cast<int>(std::get<0>(place));
  }
  for (const auto& [place, expected] : truth) {
    const auto [target, row, column] = place;
    if ((needs & need(target)) == 0) {
      EXPECT_FALSE(values.contains(place));
      continue;
    }
    const auto found = values.find(place);
    const double value = found == values.end() ? 0.0 : found->second;
    const double tolerance = is_third_order(target) ? 2e-7 * scale : 1e-11 * scale;
    EXPECT_NEAR(value, expected, tolerance)
        << "target " << static_cast<int>(target) << " (" << row << ", " << column << ")";
  }
}

template <class Case>
void check(const Case& given, Random& random, int points) {
  const Formula formula = record(given);
  std::vector<Point> at;
  std::vector<Values> truth;
  for (int k = 0; k < points; ++k) {
    at.push_back(random_point<Case>(random));
    truth.push_back(Truth<Case>{given, at.back()}.values());
  }
  for (int target = -1; target < targets; ++target) {
    const Needs needs = target < 0 ? everything : Needs{1} << target;
    const Program program = derive(formula, needs);
    for (std::size_t k = 0; k < at.size(); ++k) {
      const Values values = run(program, at[k]);
      expect_agreement(values, truth[k], needs);
      if (::testing::Test::HasFailure()) return;
    }
    // the lanes give what the scalar interpreter gives
    for (const auto& kernel : make_every_kernel(program)) {
      ASSERT_EQ(run(*kernel, at[0], kernel->width() - 1), run(program, at[0]));
    }
  }
}

template <class Case>
class Targets : public ::testing::Test {};
using Cases = ::testing::Types<Rod<2>, Rod<3>, Pair, Dihedral, Pendulum, Moving, Driven>;
TYPED_TEST_SUITE(Targets, Cases);

TYPED_TEST(Targets, AgreeWithDualNumbers) {
  Random random{42};
  check(TypeParam{}, random, 5);
}

TEST(RandomTargets, AgreeWithDualNumbers) {
  Random random{4711};
  for (int k = 0; k < 150 && !::testing::Test::HasFailure(); ++k) {
    SCOPED_TRACE(k);
    check(RandomRoots::make(random, 1 + k % 4), random, 2);
  }
}

// A third opinion that knows no rule of differentiation: differences of plain values.
template <class Case>
void expect_gradient_by_differences(const Case& given, Random& random) {
  const Formula formula = record(given);
  const Point x = random_point<Case>(random);
  const Values values = run(derive(formula, needs(Target::potential_energy, Target::force,
                                                  Target::constraint, Target::constraint_jacobian)),
                            x);
  const auto at = [&](const Point& p) {
    Arguments<double> arguments{p.q, p.v, p.parameter, p.t, p.theta};
    return given(arguments);
  };
  const std::vector<RootInfo> infos = given.roots();
  for (std::size_t j = 0; j < x.q.size(); ++j) {
    constexpr double h = 1e-5;
    Point up = x, down = x;
    up.q[j] += h;
    down.q[j] -= h;
    const std::vector<double> plus = at(up), minus = at(down);
    for (std::size_t k = 0; k < infos.size(); ++k) {
      const double slope = (plus[k] - minus[k]) / (2.0 * h);
      const int column = static_cast<int>(j);
      if (infos[k].role == Role::potential) {
        EXPECT_NEAR(-(values.at({Target::force, column, 0})), slope,
                    1e-7 * (1.0 + std::fabs(slope)));
      }
      if (infos[k].role == Role::constraint) {
        EXPECT_NEAR((values.at({Target::constraint_jacobian, infos[k].target, column})), slope,
                    1e-7 * (1.0 + std::fabs(slope)));
      }
    }
  }
}

TEST(FirstDerivatives, AgreeWithDifferencesOfPlainValues) {
  Random random{3};
  expect_gradient_by_differences(Rod<2>{}, random);
  expect_gradient_by_differences(Rod<3>{}, random);
  expect_gradient_by_differences(Pair{}, random);
  expect_gradient_by_differences(Dihedral{}, random);
}

TEST(Structure, MassHasItsStructuralEntriesAndNoVelocity) {
  const Program program = derive(record(Pendulum{}), need(Target::mass));
  EXPECT_EQ(program.outputs.size(), 4u);
  EXPECT_EQ(program.outputs[1].reg, program.outputs[2].reg);  // both triangles are one number
  for (const Input& input : program.inputs) EXPECT_NE(input.slot, Slot::v);
}

TEST(Structure, RodHessianIsThreeNumbersWithSigns) {
  Formula formula = record(Rod<2>{});
  std::erase_if(formula.roots, [](const Root& r) { return r.role != Role::potential; });
  const Program program = derive(formula, need(Target::stiffness));
  EXPECT_EQ(program.outputs.size(), 16u);
  std::vector<std::int32_t> registers;
  for (const Output& o : program.outputs) registers.push_back(o.reg);
  std::sort(registers.begin(), registers.end());
  registers.erase(std::unique(registers.begin(), registers.end()), registers.end());
  EXPECT_EQ(registers.size(), 3u);
}

TEST(Structure, OutputsAreSortedAndZerosLeftOut) {
  const Program program = derive(record(Moving{}), everything);
  for (std::size_t k = 1; k < program.outputs.size(); ++k) {
    const Output &a = program.outputs[k - 1], &b = program.outputs[k];
    EXPECT_LT(std::tie(a.target, a.row, a.column), std::tie(b.target, b.row, b.column));
  }
  // row 1 does not read q_1
  for (const Output& o : program.outputs) {
    const bool row_1 = o.target == Target::constraint_jacobian && o.row == 1;
    EXPECT_FALSE(row_1 && o.column == 1);
  }
}

TEST(Structure, NoNeedsGiveAnEmptyProgram) {
  const Program program = derive(record(Pendulum{}), 0);
  EXPECT_TRUE(program.code.empty());
  EXPECT_TRUE(program.outputs.empty());
  EXPECT_EQ(program.registers, 0);
}

/// d/dx of one formula of one coordinate at one point.
double slope(double at, Sym (*f)(Sym)) {
  Formula formula;
  formula.coordinates = 1;
  formula.observables = 1;
  const Sym x{formula.graph, formula.graph.input({Slot::q, 0})};
  formula.roots = {{Role::observable, f(x).node(formula.graph), 0}};
  Point p;
  p.q = {at};
  const Values values = run(derive(formula, need(Target::observable_q)), p);
  const auto found = values.find({Target::observable_q, 0, 0});
  return found == values.end() ? 0.0 : found->second;
}

TEST(Rules, HoldWhereFormulasHaveCorners) {
  EXPECT_EQ(slope(0.0, [](Sym x) { return abs(x); }), 0.0);
  EXPECT_EQ(slope(-2.0, [](Sym x) { return abs(x); }), -1.0);
  EXPECT_EQ(slope(0.5, [](Sym x) { return floor(x) + sign(x); }), 0.0);
  EXPECT_EQ(slope(0.0, [](Sym x) { return pow(x, 3.0); }), 0.0);
  EXPECT_EQ(slope(0.0, [](Sym x) { return pow(x, 1.25); }), 0.0);
  EXPECT_EQ(slope(0.0, [](Sym x) { return pow(x * x, 2.0 + x); }), 0.0);
  // |x|^2 has a derivative at 0 although its root has none
  EXPECT_EQ(slope(0.0, [](Sym x) { return pow(sqrt(x * x + 0.0), 2.0); }), 0.0);
  EXPECT_EQ(slope(2.0, [](Sym x) { return min(x, 3.0 * x); }), 1.0);
  EXPECT_EQ(slope(2.0, [](Sym x) { return max(x, 3.0 * x); }), 3.0);
  // the branch not taken is NaN, and stays out of the derivative
  EXPECT_EQ(slope(-1.0, [](Sym x) { return select(less(0.0, x), sqrt(x) * x, 2.0 * x); }), 2.0);
  EXPECT_TRUE(std::isinf(slope(0.0, [](Sym x) { return sqrt(x); })));
}

TEST(Rules, GuardsHoldInSeveralVariables) {
  Formula formula;
  formula.coordinates = 2;
  const Sym x{formula.graph, formula.graph.input({Slot::q, 0})};
  const Sym y{formula.graph, formula.graph.input({Slot::q, 1})};
  const Sym s = x * y;
  const Sym U = 3.0 * select(less(0.0, s), sqrt(s) * x, y * y * x);
  formula.roots = {{Role::potential, U.node(formula.graph), 0}};
  Point p;
  p.q = {-1.0, 2.0};
  const Values values = run(derive(formula, needs(Target::force, Target::stiffness)), p);
  EXPECT_EQ((values.at({Target::force, 0, 0})), -12.0);     // -3 y^2
  EXPECT_EQ((values.at({Target::force, 1, 0})), 12.0);      // -6 x y
  EXPECT_EQ((values.at({Target::stiffness, 0, 1})), 12.0);  // 6 y
  EXPECT_EQ((values.at({Target::stiffness, 1, 1})), -6.0);  // 6 x
}

/// A merged formula of many elements: cost and size grow with the number of elements.
TEST(MergedFormula, HasSparseDerivatives) {
  constexpr int n = 3000;
  Formula f;
  f.coordinates = n + 1;
  f.rows = n;
  const auto q = [&](int i) { return Sym{f.graph, f.graph.input({Slot::q, i})}; };
  const auto v = [&](int i) { return Sym{f.graph, f.graph.input({Slot::v, i})}; };
  for (int i = 0; i < n; ++i) {
    const Sym d = q(i + 1) - q(i);
    f.roots.push_back({Role::constraint, (sqrt(1.0 + d * d) - sin(q(i))).node(f.graph), i});
    f.roots.push_back({Role::kinetic, ((1.0 + 0.1 * cos(d)) * v(i) * v(i)).node(f.graph), 0});
    f.roots.push_back({Role::potential, (d * d * d * d).node(f.graph), 0});
  }
  f.roots.push_back({Role::kinetic, (v(n) * v(n)).node(f.graph), 0});
  const Program program =
      derive(f, needs(Target::mass, Target::force, Target::constraint, Target::constraint_jacobian,
                      Target::constraint_curvature, Target::stiffness, Target::damping));
  EXPECT_LT(program.code.size(), std::size_t{150} * n);
  EXPECT_LT(program.outputs.size(), std::size_t{20} * n);
}

}  // namespace
}  // namespace taut::formula
