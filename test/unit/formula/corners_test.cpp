// SPDX-License-Identifier: BSD-3-Clause
// Derivatives at corners: finite wherever those of the formula are.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "run_program.hpp"
#include "taut/formula/formula.hpp"
#include "taut/formula/program.hpp"
#include "taut/formula/sym.hpp"

namespace taut::formula {
namespace {

using namespace testing;

struct Corner {
  std::string name;
  std::function<Sym(const Sym& x, const Sym& y)> energy;
  /// At x = 0, y = 0 unless said otherwise: -dU/dx and d2U/dx2.
  double force, curvature;
  double x = 0.0, y = 0.0;
};

Values derivatives_of(const Corner& corner) {
  Formula formula;
  formula.coordinates = 2;
  const Sym x{formula.graph, formula.graph.input({Slot::q, 0})};
  const Sym y{formula.graph, formula.graph.input({Slot::q, 1})};
  const NodeId root = corner.energy(x, y).node(formula.graph);
  formula.roots.push_back({.role = Role::potential, .node = root});
  Point at;
  at.q = {corner.x, corner.y};
  at.v = {0.0, 0.0};
  at.a = {0.0, 0.0};
  return run(derive(formula, needs(Target::force, Target::stiffness, Target::potential_energy)),
             at);
}

double value(const Values& values, Target target, int row, int column) {
  const auto found = values.find({target, row, column});
  return found == values.end() ? 0.0 : found->second;
}

TEST(Corners, DerivativesAreFiniteWhereTheMathematicsIs) {
  const auto positive = [](const Sym& u) { return max(Sym{0.0}, u); };
  const std::vector<Corner> corners{
      {"max(0, x)^2.5", [&](auto& x, auto&) { return pow(positive(x), 2.5); }, 0.0, 0.0},
      {"max(0, x)^2.5 before", [&](auto& x, auto&) { return pow(positive(x), 2.5); }, 0, 0, -1.0},
      {"max(0, x)^2.5 inside", [&](auto& x, auto&) { return pow(positive(x), 2.5); },
       -2.5 * std::pow(0.3, 1.5), 3.75 * std::sqrt(0.3), 0.3},
      {"max(0, x)^1.5 before", [&](auto& x, auto&) { return pow(positive(x), 1.5); }, 0, 0, -1.0},
      {"max(0, x)^1.3 before", [&](auto& x, auto&) { return pow(positive(x), 1.3); }, 0, 0, -1.0},
      {"max(0, x)^2 sqrt(max(0, x))",
       [&](auto& x, auto&) { return positive(x) * positive(x) * sqrt(positive(x)); }, 0.0, 0.0},
      {"sqrt(max(0, x)) before", [&](auto& x, auto&) { return sqrt(positive(x)); }, 0, 0, -1.0},
      {"3 max(0, 2 x)^2.5 before",
       [&](auto& x, auto&) { return 3.0 * pow(positive(2.0 * x), 2.5); }, 0.0, 0.0, -1.0},
      {"|x|^2.5", [](auto& x, auto&) { return pow(abs(x), 2.5); }, 0.0, 0.0},
      {"sqrt(x^2)", [](auto& x, auto&) { return sqrt(x * x); }, 0.0, 0.0},
      {"sqrt(4 x^2)", [](auto& x, auto&) { return sqrt(4.0 * x * x); }, -2.0, 0.0, 0.1},
      {"sqrt(4 x^2) at 0", [](auto& x, auto&) { return sqrt(4.0 * x * x); }, 0.0, 0.0},
      {"(x^2)^1.5", [](auto& x, auto&) { return pow(x * x, 1.5); }, 0.0, 0.0},
      {"(x^2 + y^2)^1.5", [](auto& x, auto& y) { return pow(x * x + y * y, 1.5); }, 0.0, 0.0},
      {"(x^2 + y^2)^1.5 beside", [](auto& x, auto& y) { return pow(x * x + y * y, 1.5); },
       -3.0 * 0.3 * 0.5, 3.0 * (0.5 + 0.09 / 0.5), 0.3, 0.4},
      {"hypot(x, y)^3", [](auto& x, auto& y) { return pow(sqrt(x * x + y * y), 3.0); }, 0.0, 0.0},
  };
  for (const Corner& corner : corners) {
    SCOPED_TRACE(corner.name);
    const Values values = derivatives_of(corner);
    EXPECT_NEAR(value(values, Target::force, 0, 0), corner.force, 1e-14);
    EXPECT_NEAR(value(values, Target::stiffness, 0, 0), corner.curvature, 1e-13);
    for (const auto& [place, number] : values) EXPECT_TRUE(std::isfinite(number));
  }
}

// The force exists, its derivative does not.
TEST(Corners, ForceOfAPowerBelowTwoIsFiniteAtZero) {
  for (const double exponent : {1.5, 1.3, 1.001}) {
    const Values values =
        derivatives_of({"", [=](auto& x, auto&) { return pow(abs(x), exponent); }, 0.0, 0.0});
    EXPECT_EQ(value(values, Target::force, 0, 0), 0.0);
    EXPECT_FALSE(std::isfinite(value(values, Target::stiffness, 0, 0)));
  }
}

}  // namespace
}  // namespace taut::formula
