// SPDX-License-Identifier: BSD-3-Clause
#include "taut/formula/graph.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>

#include "random_tree.hpp"
#include "run_program.hpp"
#include "taut/formula/formula.hpp"
#include "taut/formula/sym.hpp"

namespace taut::formula {
namespace {

using namespace testing;

class GraphTest : public ::testing::Test {
 protected:
  Graph graph;
  NodeId x = graph.input({Slot::q, 0});
  NodeId y = graph.input({Slot::q, 1});
  NodeId p = graph.input({Slot::parameter, 0});

  NodeId number(double value) { return graph.constant(value); }
  NodeId make(Op op, NodeId a, NodeId b = no_node, NodeId c = no_node) {
    return graph.make(op, a, b, c);
  }
  NodeId minus(NodeId a) { return make(Op::neg, a); }
};

TEST_F(GraphTest, DropsZerosAndOnes) {
  EXPECT_EQ(make(Op::add, x, number(0)), x);
  EXPECT_EQ(make(Op::sub, x, number(0)), x);
  EXPECT_EQ(make(Op::sub, number(0), x), minus(x));
  EXPECT_EQ(make(Op::mul, number(1), x), x);
  EXPECT_EQ(make(Op::mul, x, number(0)), number(0));
  EXPECT_EQ(make(Op::div, number(0), x), number(0));
  EXPECT_EQ(make(Op::div, x, number(1)), x);
  EXPECT_EQ(make(Op::sub, x, x), number(0));
  EXPECT_EQ(make(Op::pow, x, number(1)), x);
  EXPECT_EQ(make(Op::pow, x, number(0)), number(1));
}

TEST_F(GraphTest, SharesUpToSign) {
  EXPECT_EQ(make(Op::sub, x, y), minus(make(Op::sub, y, x)));
  EXPECT_EQ(make(Op::mul, minus(x), y), minus(make(Op::mul, x, y)));
  EXPECT_EQ(make(Op::mul, minus(x), minus(y)), make(Op::mul, y, x));
  EXPECT_EQ(make(Op::div, x, minus(y)), minus(make(Op::div, x, y)));
  EXPECT_EQ(make(Op::add, minus(x), minus(y)), minus(make(Op::add, x, y)));
  EXPECT_EQ(make(Op::add, minus(x), y), make(Op::sub, y, x));
  EXPECT_EQ(make(Op::mul, number(-2), x), minus(make(Op::mul, number(2), x)));
  EXPECT_EQ(make(Op::sin, minus(x)), minus(make(Op::sin, x)));
  EXPECT_EQ(make(Op::cos, minus(x)), make(Op::cos, x));
  EXPECT_EQ(make(Op::abs, minus(x)), make(Op::abs, x));
  EXPECT_EQ(make(Op::atan2, minus(x), y), minus(make(Op::atan2, x, y)));
  EXPECT_EQ(make(Op::min, minus(x), minus(y)), minus(make(Op::max, x, y)));
  EXPECT_EQ(minus(minus(x)), x);
}

TEST_F(GraphTest, CollectsFactors) {
  const NodeId two_x = make(Op::mul, number(2), x);
  EXPECT_EQ(make(Op::add, x, x), two_x);
  EXPECT_EQ(make(Op::mul, number(0.5), two_x), x);
  EXPECT_EQ(make(Op::div, two_x, number(4)), make(Op::mul, number(0.5), x));
  EXPECT_EQ(make(Op::sub, two_x, x), x);
  EXPECT_EQ(make(Op::add, two_x, make(Op::mul, number(2), y)),
            make(Op::mul, number(2), make(Op::add, x, y)));
  EXPECT_EQ(make(Op::mul, make(Op::mul, p, x), x), make(Op::mul, p, make(Op::mul, x, x)));
  EXPECT_EQ(make(Op::mul, make(Op::mul, x, y), y), make(Op::mul, x, make(Op::mul, y, y)));
  // a division by what reads parameters alone becomes a product with its reciprocal
  EXPECT_EQ(make(Op::div, x, p), make(Op::mul, x, make(Op::div, number(1), p)));
}

TEST_F(GraphTest, ExpandsSmallPowers) {
  const NodeId x2 = make(Op::mul, x, x);
  EXPECT_EQ(make(Op::pow, x, number(2)), x2);
  EXPECT_EQ(make(Op::pow, x, number(4)), make(Op::mul, x2, x2));
  EXPECT_EQ(make(Op::pow, x, number(0.5)), make(Op::sqrt, x));
  EXPECT_EQ(make(Op::pow, x, number(-1)), make(Op::div, number(1), x));
  EXPECT_EQ(graph[make(Op::pow, x, number(1.0 / 3.0))].op, Op::pow);
  EXPECT_EQ(make(Op::sqrt, x2), make(Op::abs, x));
  // a root squared is undone only where the root surely exists
  const NodeId r = make(Op::sqrt, make(Op::add, x2, make(Op::mul, y, y)));
  EXPECT_EQ(make(Op::mul, r, r), make(Op::add, x2, make(Op::mul, y, y)));
  EXPECT_NE(make(Op::mul, make(Op::sqrt, x), make(Op::sqrt, x)), x);
}

TEST_F(GraphTest, KeepsNonFiniteConstants) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(number(nan), number(-nan));
  EXPECT_TRUE(std::isnan(graph[make(Op::add, number(nan), number(1))].value));
  EXPECT_TRUE(std::isnan(graph[make(Op::sub, number(inf), number(inf))].value));
  EXPECT_EQ(graph[make(Op::div, number(1), number(0))].value, inf);
  for (const double c : {inf, -inf, nan, 1e308, 5e-324}) {
    for (const Op op : {Op::add, Op::sub, Op::mul, Op::div, Op::pow, Op::min, Op::atan2}) {
      const NodeId left = make(op, number(c), x), right = make(op, x, number(c));
      EXPECT_GE(make(op, left, right), 0);
      EXPECT_GE(make(op, make(Op::mul, number(c), left), make(Op::mul, number(c), x)), 0);
    }
  }
}

TEST_F(GraphTest, KnowsWhatItReads) {
  const NodeId v = graph.input({Slot::v, 3});
  const NodeId f = make(Op::sin, make(Op::mul, x, make(Op::add, v, number(1))));
  EXPECT_TRUE(graph.depends_on(f, Slot::q));
  EXPECT_TRUE(graph.depends_on(f, Slot::v));
  EXPECT_FALSE(graph.depends_on(f, Slot::t));
}

TEST_F(GraphTest, DegreeIsReadOffTheStructure) {
  const NodeId v = graph.input({Slot::v, 0}), w = graph.input({Slot::v, 1});
  const NodeId T =
      make(Op::add, make(Op::mul, make(Op::mul, x, v), w), make(Op::div, make(Op::mul, v, v), y));
  EXPECT_EQ(degree(graph, T, Slot::v), 2);
  EXPECT_EQ(degree(graph, make(Op::add, T, v), Slot::v), -1);
  EXPECT_EQ(degree(graph, make(Op::sin, v), Slot::v), -1);
  EXPECT_EQ(degree(graph, x, Slot::v), 0);
}

TEST_F(GraphTest, ClearKeepsNothing) {
  const NodeId before = make(Op::add, x, y);
  graph.clear();
  EXPECT_EQ(graph.size(), 0);
  EXPECT_EQ(graph.input({Slot::q, 0}), 0);
  EXPECT_EQ(graph.input({Slot::q, 1}), 1);
  EXPECT_EQ(graph.input({Slot::q, 0}), 0);
  EXPECT_LE(make(Op::add, 0, 1), before);
}

TEST(Copier, SubstitutesInputsAndSharesWhatIsShared) {
  Graph from, to;
  const Sym a{from, from.input({Slot::q, 0})};
  const Sym root = sin(a) * sin(a) + 3.0 * a;
  const NodeId copied = copy(
      from, root.node(from),
      [](Input input, Graph& g) {
        return g.input({Slot::q, input.index + 7});
      },
      to);
  Graph direct;
  const Sym b{direct, direct.input({Slot::q, 7})};
  const NodeId expected = (sin(b) * sin(b) + 3.0 * b).node(direct);
  EXPECT_EQ(copied, expected);
  EXPECT_EQ(to.size(), direct.size());
}

TEST(FormulaKey, IsEqualForEqualFormulasOnly) {
  const auto rod = [](double factor, bool with_dead_code) {
    Formula f;
    f.coordinates = 2;
    if (with_dead_code) f.graph.make(Op::exp, f.graph.input({Slot::q, 1}));
    const Sym x{f.graph, f.graph.input({Slot::q, 0})};
    const Sym y{f.graph, f.graph.input({Slot::q, 1})};
    f.roots = {{Role::constraint, (factor * x * x - y).node(f.graph), 0}};
    return f;
  };
  EXPECT_EQ(key(rod(2.0, false)), key(rod(2.0, false)));
  EXPECT_NE(key(rod(2.0, false)), key(rod(3.0, false)));
  Formula other = rod(2.0, false);
  other.roots[0].target = 1;
  EXPECT_NE(key(rod(2.0, false)), key(other));
}

NodeId build(const Tree& x, Graph& graph) {
  if (x.op == Op::constant) return graph.constant(x.value);
  if (x.op == Op::input) return graph.input(x.input);
  NodeId operand[3] = {no_node, no_node, no_node};
  for (std::size_t k = 0; k < x.operands.size(); ++k) operand[k] = build(*x.operands[k], graph);
  return graph.make(x.op, operand[0], operand[1], operand[2]);
}

// The truth is the tree as it was written, evaluated in plain arithmetic.
TEST(Simplification, KeepsTheValueOfRandomExpressions) {
  Random random{20240711};
  const std::vector<Input> inputs{{Slot::q, 0}, {Slot::q, 1}, {Slot::parameter, 0}, {Slot::t, 0}};
  int compared = 0;
  for (int k = 0; k < 20000; ++k) {
    const TreePtr x = random_tree(random, inputs, 1 + pick(random, 6));
    Point point;
    for (int i = 0; i < 2; ++i) point.q.push_back(uniform(random, -2.0, 2.0));
    point.parameter = {uniform(random, -2.0, 2.0)};
    point.t = uniform(random, -2.0, 2.0);
    const Bounded truth = evaluate_bounded(*x, [&](Input input) { return point[input]; });
    Formula formula;
    formula.observables = 1;
    formula.roots = {{Role::observable, build(*x, formula.graph), 0}};
    const Values values = run(derive(formula, need(Target::observable)), point);
    if (truth.unsure) continue;
    ++compared;
    const auto place = values.find({Target::observable, 0, 0});
    const double value = place == values.end() ? 0.0 : place->second;
    ASSERT_NEAR(value, truth.value, 16.0 * truth.error + 1e-300) << "expression " << k;
  }
  EXPECT_GT(compared, 8000);
}

/// Long sums, deep nesting and repeated squaring: each has few nodes and many paths.
TEST(Simplification, LargeExpressionsStayLinear) {
  constexpr int n = 100000;
  Formula f;
  f.coordinates = n;
  const auto q = [&](int i) { return Sym{f.graph, f.graph.input({Slot::q, i})}; };
  Sym sum = 0.0, nested = q(0), doubled = q(1);
  for (int i = 0; i < n; ++i) {
    sum += sin(q(i)) * q((i + 1) % n);
    nested = sin(nested + 0.1);
  }
  for (int i = 0; i < 60; ++i) doubled = 0.5 * doubled * doubled + doubled;  // 2^60 paths
  f.roots = {{Role::potential, (sum + nested + doubled).node(f.graph), 0}};
  EXPECT_LT(f.graph.size(), 10 * n);
  const Program program = derive(f, needs(Target::potential_energy, Target::force));
  EXPECT_LT(program.code.size(), std::size_t{12} * n);
  EXPECT_EQ(program.outputs.size(), std::size_t{n} + 1);
}

}  // namespace
}  // namespace taut::formula
