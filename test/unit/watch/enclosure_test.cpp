// SPDX-License-Identifier: BSD-3-Clause
#include "formula/enclosure.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "formula/freeze.hpp"
#include "random_tree.hpp"
#include "run/tube.hpp"

namespace taut::formula {
namespace {

using testing::pick;
using testing::Random;
using testing::TreePtr;
using testing::uniform;

NodeId build(const TreePtr& tree, Graph& graph) {
  if (tree->op == Op::constant) return graph.constant(tree->value);
  if (tree->op == Op::input) return graph.input(tree->input);
  std::vector<NodeId> at{no_node, no_node, no_node};
  for (std::size_t i = 0; i < tree->operands.size(); ++i) at[i] = build(tree->operands[i], graph);
  return graph.make(tree->op, at[0], at[1], at[2]);
}

// q_0 = a + b s + c s², q_1 = d + e s over s = -r ... r
struct Curves {
  double a, b, c, d, e;
  [[nodiscard]] std::vector<double> at(double s) const {
    return {a + b * s + c * s * s, d + e * s};
  }
  [[nodiscard]] std::vector<Enclosure> on(double r) const {
    const double way = std::abs(b) * r, bend = c * r * r;
    const double rounding = 1e-15 * (std::abs(a) + way + std::abs(bend) + std::abs(d) + r);
    return {{.value = {a - way + std::min(bend, 0.0) - rounding,
                       a + way + std::max(bend, 0.0) + rounding},
             .rate = {b - 2 * std::abs(c) * r, b + 2 * std::abs(c) * r},
             .middle = a},
            {.value = {d - std::abs(e) * r - rounding, d + std::abs(e) * r + rounding},
             .rate = {e, e},
             .middle = d}};
  }
};

TEST(Enclosure, HoldsEveryValueOfEveryNode) {
  Random random{4711};
  const std::vector<Input> inputs{{Slot::q, 0}, {Slot::q, 1}};
  int finite = 0;
  for (int n = 0; n < 4000; ++n) {
    Graph graph;
    const NodeId root = build(testing::random_tree(random, inputs, 5), graph);
    if (graph.is_constant(root)) continue;
    const EnclosedGraph enclosed{graph, std::span{&root, 1}};
    const Curves curves{uniform(random, -2, 2), uniform(random, -1, 1), uniform(random, -1, 1),
                        uniform(random, -2, 2), uniform(random, -1, 1)};
    const double r = std::pow(10.0, uniform(random, -4, 0));
    std::vector<Enclosure> in;
    for (const Input& input : enclosed.inputs())
      in.push_back(curves.on(r)[static_cast<std::size_t>(input.index)]);
    std::vector<Enclosure> all;
    enclosed.enclose(in, r, all);
    std::vector<double> before;
    std::size_t sound_before = 0;  // nodes whose operands had values
    for (int k = -50; k <= 50; ++k) {
      const double s = r * k / 50;
      std::vector<double> point, values;
      for (const Input& input : enclosed.inputs())
        point.push_back(curves.at(s)[static_cast<std::size_t>(input.index)]);
      enclosed.values(point, values);
      std::size_t sound = 0;
      for (std::size_t i = 0; i < values.size(); ++i) {
        // outside of its domain a formula has no value to hold
        if (!std::isfinite(values[i]) || !std::isfinite(all[i].middle)) break;
        ASSERT_TRUE(all[i].value.contains(values[i]))
            << "tree " << n << " node " << i << ": " << values[i] << " in [" << all[i].value.lo
            << ", " << all[i].value.hi << "]";
        ++finite;
        sound = i + 1;
        // the mean of a rate lies in its range
        if (i >= sound_before) continue;
        // across a pole it does not
        if (!std::isfinite(all[i].value.width())) continue;
        const double rate = (values[i] - before[i]) / (r / 50);
        const double slack = 1e-9 * (1 + std::abs(values[i])) / (r / 50);
        ASSERT_TRUE(rate >= all[i].rate.lo - slack && rate <= all[i].rate.hi + slack)
            << "tree " << n << " node " << i << ": rate " << rate << " in [" << all[i].rate.lo
            << ", " << all[i].rate.hi << "]";
      }
      before = values;
      sound_before = sound;
    }
  }
  EXPECT_GT(finite, 100000);
}

// with the other input held anywhere, also where numbers overflow on the way
TEST(Enclosure, EffectsBoundWhatOneInputChanges) {
  Random random{1892};
  const std::vector<Input> inputs{{Slot::q, 0}, {Slot::q, 1}};
  int bounded = 0, told = 0;
  for (int n = 0; n < 10000; ++n) {
    Formula formula;
    formula.coordinates = 2;
    Graph& graph = formula.graph;
    const NodeId root = build(testing::random_tree(random, inputs, 5), graph);
    formula.roots = {{Role::potential, root, 0}};
    if (graph.is_constant(root) || has_switches(formula)) continue;
    const EnclosedGraph enclosed{graph, std::span{&root, 1}};
    const double scale = n % 4 == 0 ? 1e3 : 1.0;
    std::vector<Interval> box;
    for (std::size_t i = 0; i < enclosed.inputs().size(); ++i) {
      const double a = scale * uniform(random, -2, 2);
      box.push_back({a, a + scale * std::pow(10.0, uniform(random, -4, 0))});
    }
    std::vector<Enclosure> all;
    enclosed.ranges(box, all);
    EnclosedGraph::Weights of;
    of.weight.assign(enclosed.size(), 0.0);
    of.weight[static_cast<std::size_t>(enclosed.place(root))] = 1.0;
    enclosed.sensitivities(all, of);
    for (std::size_t i = 0; i < box.size(); ++i) {
      const double effect =
          of.effect[static_cast<std::size_t>(enclosed.place(enclosed.inputs()[i]))];
      ASSERT_FALSE(std::isnan(effect)) << n;
      for (int k = 0; k < 10; ++k) {
        std::vector<double> a, values;
        for (const Interval& x : box) a.push_back(uniform(random, x.lo, x.hi));
        enclosed.values(a, values);
        const double first = values[static_cast<std::size_t>(enclosed.place(root))];
        a[i] = uniform(random, box[i].lo, box[i].hi);
        bool defined = std::isfinite(first);
        for (const double x : values) defined &= !std::isnan(x);
        enclosed.values(a, values);
        const double last = values[static_cast<std::size_t>(enclosed.place(root))];
        for (const double x : values) defined &= !std::isnan(x);
        if (!defined || !std::isfinite(last)) continue;
        ASSERT_LE(std::abs(last - first), effect * (1 + 1e-9) + 1e-12 * (1 + std::abs(first)))
            << "tree " << n << " input " << i;
        ++told;
        bounded += effect < 1e3;
      }
    }
  }
  EXPECT_GT(told, 20000);
  EXPECT_GT(bounded, told / 2);
}

TEST(Enclosure, BoundsBeyondTheLargestNumberStayBounds) {
  const Interval large = exp(Interval{800.0, 900.0}), all = exp(Interval{-800.0, 900.0});
  EXPECT_TRUE(std::isfinite(large.lo) && large.lo > 1e300);
  EXPECT_EQ(large.hi, formula::unbounded);
  const Interval inverse = point(1.0) / (point(1.0) + large);
  EXPECT_TRUE(inverse.contains(0.0) && inverse.hi < 1e-300);
  const Interval bell = point(1.0) / square(cosh(Interval{-1e4, -800.0}));
  EXPECT_TRUE(bell.contains(0.0) && bell.hi < 1e-300);
  EXPECT_TRUE((point(1.0) / (point(1.0) + all)).contains(0.5));
  EXPECT_TRUE((-large * large).hi < -1e300);
}

TEST(Enclosure, IsTightWhereTermsCancel) {
  Graph graph;
  const NodeId x = graph.input({Slot::q, 0});
  const NodeId root = graph.make(Op::sub, graph.make(Op::exp, x), graph.make(Op::mul, x, x));
  const EnclosedGraph enclosed{graph, std::span{&root, 1}};
  std::vector<Enclosure> all;
  const double r = 1e-3;
  const std::vector<Enclosure> in{{.value = {1 - r, 1 + r}, .rate = {1, 1}, .middle = 1.0}};
  enclosed.enclose(in, r, all);
  EXPECT_LT(all.back().value.width(), 2.05 * r * (std::exp(1.0) - 2) + 20 * r * r);
}

TEST(Enclosure, AnAngleGoesOnThroughItsCutWhereTurnsDoNotCount) {
  Graph graph;
  const NodeId x = graph.input({Slot::q, 0}), y = graph.input({Slot::q, 1});
  const NodeId angle = graph.make(Op::atan2, y, x, no_node);
  const NodeId root = graph.make(Op::cos, graph.make(Op::mul, graph.constant(3.0), angle, no_node),
                                 no_node, no_node);
  EnclosedGraph enclosed{graph, std::span{&root, 1}};
  // x = -1 + s/2, y = s
  const Curves curves{-1.0, 0.5, 0.0, 0.0, 1.0};
  constexpr double r = 0.1;
  std::vector<Enclosure> in, all;
  for (const Input& input : enclosed.inputs())
    in.push_back(curves.on(r)[static_cast<std::size_t>(input.index)]);
  enclosed.enclose(in, r, all);
  EXPECT_GT(all.back().value.width(), 1.9);  // every angle
  enclosed.unwind(enclosed.place(angle));
  enclosed.enclose(in, r, all);
  EXPECT_LT(all.back().value.width(), 0.2);
  EXPECT_LT(all[static_cast<std::size_t>(enclosed.place(angle))].rate.width(), 0.5);
  for (int k = -50; k <= 50; ++k) {
    const std::vector<double> at = curves.at(r * k / 50);
    EXPECT_TRUE(all.back().value.contains(std::cos(3 * std::atan2(at[1], at[0])))) << k;
  }
}

TEST(Enclosure, TheDegreeIsThatInOneInput) {
  Graph graph;
  const NodeId x = graph.input({Slot::q, 0}), y = graph.input({Slot::q, 1});
  NodeId power = x, both = graph.make(Op::mul, x, y, no_node);
  for (int k = 0; k < 7; ++k) power = graph.make(Op::mul, power, x, no_node);
  both = graph.make(Op::mul, both, both, no_node);
  const std::vector<NodeId> roots{power, both};
  const EnclosedGraph enclosed{graph, roots};
  EXPECT_EQ(enclosed.degree(enclosed.place(power)), 8);
  EXPECT_EQ(enclosed.degree(enclosed.place(both)), 2);
}

// q = sin t: the quintic misses (h/2)^6 / 720 of it, the cubic is widened by what it misses
TEST(Enclosure, TubesHoldTheMotionOfAStep) {
  const auto at = [](double t) {
    return Knot{.state = {t, Vec::Constant(1, std::sin(t)), Vec::Constant(1, std::cos(t))},
                .a = Vec::Constant(1, -std::sin(t))};
  };
  const double h = 0.8;
  for (const double t0 : {0.0, 0.7, 1.3, 4.1}) {
    const Knot begin = at(t0), middle = at(t0 + h / 2), end = at(t0 + h);
    Tube quintic, cubic, ends;
    quintic.through(begin, end);
    cubic.through(begin.state, end.state, &middle.state);
    ends.through(begin.state, end.state, nullptr);
    for (int j = 0; j <= 40; ++j) {
      const double xi = -1.0 + j / 20.0, t = t0 + h / 2 * (1 + xi);
      EXPECT_NEAR(quintic.q(0, xi, 0.0).middle, std::sin(t), std::pow(h / 2, 6) / 720);
      EXPECT_NEAR(quintic.v(0, xi, 0.0).middle, std::cos(t), std::pow(h / 2, 5) / 120);
      for (const Tube* tube : {&cubic, &ends})
        for (const double r : {1e-3, 0.1}) {
          const double c = std::clamp(xi, -1.0 + r, 1.0 - r);
          EXPECT_TRUE(tube->q(0, c, r).value.contains(std::sin(t))) << t << ' ' << r;
          EXPECT_TRUE(tube->v(0, c, r).value.contains(std::cos(t))) << t << ' ' << r;
        }
    }
  }
}

TEST(Freeze, IsTheFormulaWhereModesAreWhatTheGuardsSay) {
  Random random{815};
  const std::vector<Input> inputs{{Slot::q, 0}, {Slot::q, 1}};
  int switches = 0;
  for (int n = 0; n < 2000; ++n) {
    Formula formula;
    formula.coordinates = 2;
    const NodeId root = build(testing::random_tree(random, inputs, 5), formula.graph);
    formula.roots = {{Role::potential, root, 0}};
    if (!has_switches(formula)) continue;
    const Frozen frozen = freeze(formula);
    ASSERT_FALSE(frozen.guards.empty());
    const NodeId to = frozen.formula.roots[0].node;
    const std::vector<double> q{uniform(random, -2, 2), uniform(random, -2, 2)};
    // guards read modes of those before them
    std::vector<double> modes(frozen.guards.size(), 0.0);
    bool defined = true;
    const auto value = [&](const Graph& graph, NodeId node) {
      const EnclosedGraph one{graph, std::span{&node, 1}};
      std::vector<double> point, values;
      for (const Input& input : one.inputs())
        point.push_back(
            (input.slot == Slot::mode ? modes : q)[static_cast<std::size_t>(input.index)]);
      one.values(point, values);
      return values.back();
    };
    for (std::size_t k = 0; k < modes.size(); ++k) {
      const double g = value(frozen.formula.graph, frozen.guards[k].node);
      modes[k] = frozen.guards[k].kind == Guard::Kind::positive ? (g > 0.0 ? 1.0 : 0.0)
                 : frozen.guards[k].kind == Guard::Kind::sign   ? (g > 0.0) - (g < 0.0)
                                                                : std::floor(g);
      ++switches;
      defined &= std::isfinite(g);
    }
    if (!defined) continue;  // a side of nothing
    const double live = value(formula.graph, root), now = value(frozen.formula.graph, to);
    if (!std::isfinite(live)) continue;
    ASSERT_NEAR(live, now, 1e-12 * (1 + std::abs(live))) << n;
  }
  EXPECT_GT(switches, 500);
}

}  // namespace
}  // namespace taut::formula
