// SPDX-License-Identifier: BSD-3-Clause
#include "taut/curves/completion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "completion_systems.hpp"
#include "curves/curve_integrator.hpp"
#include "curves/total_derivative.hpp"
#include "taut/curves/completed_form.hpp"

namespace taut {
namespace {

using formula::Sym;
using J = JetBuilder::Jets;
using test::completion_pendulum;
using test::completion_start_of;

struct CompletionRun {
  Vec p;
  double worst = 0.0;  // largest |f| after a step
};

CompletionRun completion_run(const JetSystem& system, const Completion& completion, double until,
                             CurveTableau tableau = CurveTableau::dop853) {
  const CurveForm form = completed_form(system, completion);
  EXPECT_EQ(form.reason, "");
  CurveIntegrator method{{.tableau = tableau, .tol = 1e-12}};
  CompletionRun run{.p = completion.p};
  EXPECT_EQ(method.start(form.curve, run.p), Status::ok);
  CurveEvaluation ev;
  form.curve.prepare(ev);
  for (int step = 0; step < 10000 && !method.landed(); ++step) {
    const Status status = method.advance(form.curve, until, run.p);
    EXPECT_EQ(status, Status::ok) << form.curve.explain(run.p);
    if (status != Status::ok) break;
    EXPECT_EQ(form.curve.value(run.p, ev), Status::ok);
    if (ev.f.size() > 0) run.worst = std::max(run.worst, ev.f.cwiseAbs().maxCoeff());
  }
  EXPECT_EQ(run.p[0], until);
  return run;
}

// --- total derivatives ---------------------------------------------------------------------------

TEST(TotalDerivative, AgreesWithTheChainRule) {
  // f = x y'^2 + sin(y z):  D f = y'^2 + 2 x y' y'' + cos(y z) (y' z + y z')
  const JetSystem system =
      JetBuilder{{"y", "z"}, 1}
          .equation(
              "f",
              [](const J& j) { return j.x * j.y[1][0] * j.y[1][0] + sin(j.y[0][0] * j.y[0][1]); })
          .build();
  JetSystem derived = system;
  TotalDerivative D{derived.graph, 2};
  const formula::NodeId once = D(derived.equations[0].node), twice = D(once);
  // its values along y = exp(2x), z = cos x are those of the derivative of f along it
  const auto value = [&](formula::NodeId node, double x) {
    derived.equations[0].node = node;
    formula::Derivatives inputs{derived.graph};
    std::vector<double> jets{x};
    for (int i = 0; i <= 3; ++i) {
      jets.push_back(std::pow(2.0, i) * std::exp(2 * x));
      jets.push_back(std::cos(x + i * std::acos(-1.0) / 2));
    }
    formula::Graph numbers;
    formula::Copier copier{derived.graph, numbers, [&](formula::Input in, formula::Graph& to) {
                             return to.constant(jets[static_cast<std::size_t>(in.index)]);
                           }};
    return numbers[copier(node)].value;
  };
  const auto f = [](double x) {
    const double slope = 2 * std::exp(2 * x);
    return x * slope * slope + std::sin(std::exp(2 * x) * std::cos(x));
  };
  const double x = 0.3, h = 1e-3;
  EXPECT_NEAR(value(once, x),
              (f(x - 2 * h) - 8 * f(x - h) + 8 * f(x + h) - f(x + 2 * h)) / (12 * h), 1e-8);
  EXPECT_NEAR(
      value(twice, x),
      (-f(x - 2 * h) + 16 * f(x - h) - 30 * f(x) + 16 * f(x + h) - f(x + 2 * h)) / (12 * h * h),
      1e-5);
  EXPECT_TRUE(derived.graph.is_constant(D(derived.graph.constant(3.0)), 0.0));
}

// --- systems that are completed ------------------------------------------------------------------

TEST(Completion, PendulumWithItsLengthAloneHasIndexThree) {
  const JetSystem system = completion_pendulum().start(0, {{1, 0}, {0, 1}}).build();
  const Completion c = complete(system);
  ASSERT_TRUE(c.completed()) << c.reason;
  EXPECT_EQ(c.index, 3);
  EXPECT_EQ(c.prolongations, 3);
  EXPECT_EQ(c.dimension, 2);
  EXPECT_EQ(c.order, 2);
  EXPECT_TRUE(c.structural);
  EXPECT_EQ(c.c, (std::vector<int>{0, 0, 2}));
  EXPECT_EQ(c.d, (std::vector<int>{2, 2, 0}));
  ASSERT_EQ(c.table.size(), 5u);
  const std::vector<Index> distribution{2, 2, 2, 1, 1}, freedom{4, 3, 2, 2, 2};
  for (std::size_t r = 0; r < c.table.size(); ++r) {
    EXPECT_EQ(c.table[r].distribution, distribution[r]) << r;
    EXPECT_EQ(c.table[r].freedom, freedom[r]) << r;
  }
  ASSERT_EQ(c.hidden.size(), 1u);
  EXPECT_EQ(c.hidden[0].name, "derivative of rod");
  EXPECT_EQ(c.hidden[0].formula, "x*x' + y*y'");
  EXPECT_NEAR(completion_start_of(c, "lambda"), 1.0, 1e-14);  // v²/l - gravity along the rod
  EXPECT_NEAR(completion_start_of(c, "y''"), -1.0, 1e-14);
}

TEST(Completion, CompletedPendulumMovesAsItsAngleDoes) {
  const JetSystem system = completion_pendulum().start(0, {{1, 0}, {0, 1}}).build();
  const CompletionRun run = completion_run(system, complete(system), 1.0);
  // values of the MEBDF test set, by another program
  EXPECT_NEAR(run.p[1], 0.867348640600439, 1e-11);
  EXPECT_NEAR(run.p[2], 0.497701050479673, 1e-11);
  EXPECT_LE(run.worst, 1e-11);
  CompletedUnknowns multiplier{system, complete(system)};
  ASSERT_EQ(multiplier.names(), (std::vector<std::string>{"lambda"}));
  Vec lambda(1);
  ASSERT_EQ(multiplier(run.p, lambda), Status::ok);
  EXPECT_NEAR(lambda[0], -0.493103151439019, 1e-10);
}

TEST(Completion, DoublePendulumHasIndexThreeAndFourDimensions) {
  const double g = 9.81;
  const auto system =
      JetBuilder{{"x1", "y1", "x2", "y2", "l1", "l2"}, 2}
          .equation("fx1",
                    [](const J& j) {
                      const auto& y = j.y[0];
                      return j.y[2][0] + y[4] * y[0] - y[5] * (y[2] - y[0]);
                    })
          .equation("fy1",
                    [g](const J& j) {
                      const auto& y = j.y[0];
                      return j.y[2][1] + y[4] * y[1] - y[5] * (y[3] - y[1]) + g;
                    })
          .equation("fx2",
                    [](const J& j) { return j.y[2][2] + j.y[0][5] * (j.y[0][2] - j.y[0][0]); })
          .equation("fy2",
                    [g](const J& j) { return j.y[2][3] + j.y[0][5] * (j.y[0][3] - j.y[0][1]) + g; })
          .equation("rod 1",
                    [](const J& j) { return j.y[0][0] * j.y[0][0] + j.y[0][1] * j.y[0][1] - 1.0; })
          .equation("rod 2",
                    [](const J& j) {
                      const Sym dx = j.y[0][2] - j.y[0][0], dy = j.y[0][3] - j.y[0][1];
                      return dx * dx + dy * dy - 1.0;
                    })
          .start(0, {{1, 0, 2, 0}, {0, -0.5, 0, 0.5}})
          .build();
  const Completion c = complete(system);
  ASSERT_TRUE(c.completed()) << c.reason;
  EXPECT_EQ(c.index, 3);
  EXPECT_EQ(c.dimension, 4);
  EXPECT_EQ(c.hidden.size(), 2u);
  // rods hold what turns about their ends: lambda2 = |v2 - v1|² + ..., from (3.9) by hand
  EXPECT_NEAR(completion_start_of(c, "l1"), 1.5, 1e-12);
  EXPECT_NEAR(completion_start_of(c, "l2"), 1.25, 1e-12);
  const CompletionRun run = completion_run(system, c, 1.0);
  EXPECT_LE(run.worst, 1e-11);
  // energy is no equation of the system
  const auto energy = [&](const Vec& p) { return p.tail(4).squaredNorm() / 2 + g * (p[2] + p[4]); };
  EXPECT_NEAR(energy(run.p), energy(c.p), 1e-9);
}

TEST(Completion, ChainOfIntegratorsHasIndexFourAndNoFreedom) {
  const auto link = [](std::size_t i) {
    return [i](const J& j) { return j.y[1][i] - j.y[0][i + 1]; };
  };
  const JetSystem system =
      JetBuilder{{"a", "b", "c", "d"}, 1}
          .equation("1", link(0))
          .equation("2", link(1))
          .equation("3", link(2))
          .equation("prescribed", [](const J& j) { return j.y[0][0] - sin(j.x); })
          .start(0.3, {{5, 5, 5, 5}})
          .build();
  const Completion c = complete(system);
  ASSERT_TRUE(c.completed()) << c.reason;
  EXPECT_EQ(c.index, 4);
  EXPECT_EQ(c.dimension, 0);
  EXPECT_NEAR(completion_start_of(c, "b"), std::cos(0.3), 1e-13);
  EXPECT_NEAR(completion_start_of(c, "d"), -std::cos(0.3), 1e-13);
  const CompletionRun run = completion_run(system, c, 2.0);
  EXPECT_NEAR(run.p[2], std::cos(2.0), 1e-11);
}

// (6.5) and the equation of pressure
JetBuilder completion_plug_flow() {
  const double R = 45.72, c1 = 44.017, c2 = 35545, c3 = 929940, c4 = 9090.9;
  return JetBuilder{{"y1", "y2", "y3"}, 1}
      .equation(
          "pressure",
          [](const J& j) { return j.y[0][2] * j.y[0][2] * j.y[1][0] + j.y[0][1] * j.y[0][1]; })
      .equation("core",
                [=](const J& j) {
                  const auto& y = j.y[0];
                  return y[0] * y[1] * (R - y[2]) * (R - y[2]) *
                             (2.5 * log(c1 * y[1] - 5.0) + 10.5) -
                         c2 * y[0] * y[2] - c3 * y[2];
                })
      .equation("annulus", [=](const J& j) {
        const auto& y = j.y[0];
        return y[1] * (2.5 * R - 1.25 * y[2]) * log(c1 * y[1] - 5.0) +
               y[1] * (3.0 * R - 2.125 * y[2]) - (13.6 * R + c1 * c4) / c1;
      });
}

TEST(Completion, PlugFlowIsCompletedAsPublishedAndPassesItsImpasse) {
  const JetSystem system = completion_plug_flow().start(0, {{13.78, 11.394, 4.8147}}).build();
  const Completion c = complete(system);
  ASSERT_TRUE(c.completed()) << c.reason;
  EXPECT_EQ(c.index, 1);
  EXPECT_EQ(c.dimension, 1);
  EXPECT_EQ(c.c, (std::vector<int>{0, 1, 1}));  // (6.6): core and annulus are differentiated
  EXPECT_EQ(c.d, (std::vector<int>{1, 1, 1}));
  EXPECT_FALSE(c.impasse);

  const CurveForm form = completed_form(system, c);
  CurveIntegrator method{{.tol = 1e-10, .max_step = 0.02}};
  Vec p = c.p;
  ASSERT_EQ(method.start(form.curve, p), Status::ok);
  Vec before = p;
  for (int step = 0; step < 5000 && p[1] > 0.0; ++step) {
    before = p;
    ASSERT_EQ(method.advance(form.curve, p), Status::ok);
  }
  // pressure falls through zero; x stands still there, as dx ~ y3² dy1
  EXPECT_LT(p[1], 0.0);
  EXPECT_NEAR(before[0], 1.0958051, 1e-6);
  EXPECT_NEAR(p[0], 1.0958051, 1e-6);
  EXPECT_GT(p[0], before[0]);

  // at the impasse itself A is singular and the direction is that of falling pressure alone
  const Completion at = complete(completion_plug_flow().start(1, {{0.0, 10.83, 0.0}}).build());
  ASSERT_TRUE(at.completed()) << at.reason;
  EXPECT_TRUE(at.impasse);
  EXPECT_NEAR(completion_start_of(at, "y2"), 10.8288, 1e-4);
  const CurveForm there = completed_form(system, at);
  CurveEvaluation ev;
  there.curve.prepare(ev);
  Vec V = Vec::Zero(4);
  ASSERT_EQ(there.curve.direction(at.p, ev, V), Status::ok);
  EXPECT_LT(std::abs(V[0]), 1e-12);
  ASSERT_EQ(there.curve.jacobian(at.p, ev), Status::ok);
  EXPECT_LT((ev.df * V).norm(), 1e-6 * ev.df.norm());
}

TEST(Completion, CircuitOfIndexOneKeepsItsNonlinearElement) {
  const JetSystem system =
      JetBuilder{{"y", "z"}, 1}
          .equation("capacitor", [](const J& j) { return j.y[1][0] + j.y[0][1]; })
          .equation(
              "element",
              [](const J& j) { return j.y[0][1] * j.y[0][1] * j.y[0][1] + j.y[0][1] - j.y[0][0]; })
          .start(0, {{2}})
          .build();
  const Completion c = complete(system);
  ASSERT_TRUE(c.completed()) << c.reason;
  EXPECT_EQ(c.index, 1);
  EXPECT_EQ(c.dimension, 1);
  EXPECT_NEAR(completion_start_of(c, "z"), 1.0, 1e-13);
  // in z alone: (3 z² + 1) z' = -z, so 3 z²/2 + log z + x is kept
  const CompletionRun run = completion_run(system, c, 1.5);
  const double z = run.p[2];
  EXPECT_NEAR(1.5 * z * z + std::log(z) + 1.5, 1.5, 1e-10);
}

TEST(Completion, EquationsBentInTheHighestDerivativeAreDifferentiatedOnceMore) {
  const JetSystem system =
      JetBuilder{{"y"}, 1}
          .equation("circle",
                    [](const J& j) { return j.y[1][0] * j.y[1][0] + j.y[0][0] * j.y[0][0] - 1.0; })
          .start(0, {{0.6}, {0.7}})
          .build();
  const Completion c = complete(system);
  ASSERT_TRUE(c.completed()) << c.reason;
  EXPECT_EQ(c.index, 0);
  EXPECT_EQ(c.c, (std::vector<int>{1}));
  EXPECT_NEAR(completion_start_of(c, "y'"), 0.8, 1e-13);
  // y = sin(x + a): past y = 1, where y' alone would be lost
  const CompletionRun run = completion_run(system, c, 2.0);
  EXPECT_NEAR(run.p[1], std::sin(2.0 + std::asin(0.6)), 1e-10);
}

JetBuilder completion_top() {
  return JetBuilder{{"a", "b", "c"}, 1}
      .equation("a'", [](const J& j) { return j.y[1][0] - 0.5 * j.y[0][1] * j.y[0][2]; })
      .equation("b'", [](const J& j) { return j.y[1][1] + 0.9 * j.y[0][0] * j.y[0][2]; })
      .equation("c'", [](const J& j) { return j.y[1][2] - 0.4 * j.y[0][0] * j.y[0][1]; });
}

Sym completion_square(const J& j) {
  return j.y[0][0] * j.y[0][0] + j.y[0][1] * j.y[0][1] + j.y[0][2] * j.y[0][2] - 1.0;
}

TEST(Completion, AnInvariantBesideItsEquationsIsKept) {
  const JetSystem system =
      completion_top().equation("size", completion_square).start(0, {{0.6, 0.0, 0.7}}).build();
  const Completion c = complete(system);
  ASSERT_TRUE(c.completed()) << c.reason;
  EXPECT_EQ(c.index, 0);
  EXPECT_EQ(c.dimension, 2);
  EXPECT_TRUE(c.structural);
  EXPECT_EQ(c.table.back().rank, c.table.back().equations - 1);  // its derivative says nothing new
  const CompletionRun run = completion_run(system, c, 3.0);
  EXPECT_NEAR(run.p.tail(3).norm(), 1.0, 1e-12);
}

TEST(Completion, AnEquationThatIsNoInvariantTakesFreedom) {
  // b = 0 is kept by none of the solutions but those with a c = 0
  const JetSystem system = completion_top()
                               .equation("size", completion_square)
                               .equation("plane", [](const J& j) { return j.y[0][1]; })
                               .start(0, {{0.9, 0.1, 0.05}})
                               .build();
  const Completion c = complete(system);
  ASSERT_TRUE(c.completed()) << c.reason;
  EXPECT_EQ(c.dimension, 0);
  EXPECT_NEAR(completion_start_of(c, "a") * completion_start_of(c, "c"), 0.0, 1e-10);
}

TEST(Completion, AnInvariantBesideConstraintsIsKept) {
  // energy has higher derivatives than the rod, and yet it is the rod that determines the motion
  for (const double speed : {1.0, 0.3}) {
    const JetSystem system =
        completion_pendulum()
            .equation("energy",
                      [speed](const J& j) {
                        const Sym &u = j.y[1][0], &v = j.y[1][1];
                        return u * u / 2.0 + v * v / 2.0 + j.y[0][1] - speed * speed / 2.0;
                      })
            .start(0, {{1, 0}, {0, speed}})
            .build();
    const Completion c = complete(system);
    ASSERT_TRUE(c.completed()) << c.reason;
    EXPECT_TRUE(c.structural);
    EXPECT_EQ(c.dimension, 1);
    EXPECT_EQ(c.c, (std::vector<int>{0, 0, 2, -1}));
    const CompletionRun run = completion_run(system, c, 1.0);
    EXPECT_LE(run.worst, 1e-12);
    if (speed != 1.0) continue;
    EXPECT_NEAR(run.p[1], 0.867348640600439, 1e-11);
    EXPECT_NEAR(run.p[2], 0.497701050479673, 1e-11);
  }
}

// --- where the structure does not tell -----------------------------------------------------------

TEST(Completion, SumsThatHideAnEquationAreFoundByRanks) {
  // a' + b' + a = sin x,  a + b = x²:  a = sin x - 2 x, b = x² - a
  const JetSystem system =
      JetBuilder{{"a", "b"}, 1}
          .equation("rates",
                    [](const J& j) { return j.y[1][0] + j.y[1][1] + j.y[0][0] - sin(j.x); })
          .equation("sum", [](const J& j) { return j.y[0][0] + j.y[0][1] - j.x * j.x; })
          .start(0.2, {{2, 0.5}})
          .build();
  const Completion c = complete(system);
  ASSERT_TRUE(c.completed()) << c.reason;
  EXPECT_FALSE(c.structural);
  EXPECT_EQ(c.index, 2);
  EXPECT_EQ(c.dimension, 0);
  ASSERT_EQ(c.hidden.size(), 1u);
  EXPECT_EQ(c.hidden[0].name, "rates and derivative of sum");
  EXPECT_EQ(c.hidden[0].formula, "sin(x) - (a + 2*x)");
  EXPECT_NEAR(completion_start_of(c, "a"), std::sin(0.2) - 0.4, 1e-12);
  const CompletionRun run = completion_run(system, c, 1.5);
  EXPECT_NEAR(run.p[1], std::sin(1.5) - 3.0, 1e-10);
  EXPECT_LE(run.worst, 1e-11);
}

// P (E z' + z - g) = 0 with z = Q y, E = diag(1, ..., 1, nilpotent blocks): all dynamics are
// z' = g - z, and a block of size s takes s derivatives
TEST(Completion, LinearSystemsHaveTheIndexOfTheirLargestNilpotentBlock) {
  struct Pencil {
    Index dynamic;
    std::vector<Index> blocks;
  };
  unsigned seed = 1;
  for (const Pencil& pencil :
       {Pencil{3, {}}, Pencil{2, {1}}, Pencil{2, {2}}, Pencil{1, {2, 1}}, Pencil{2, {3}},
        Pencil{0, {3, 2}}, Pencil{2, {4}}, Pencil{1, {3, 1, 1}}}) {
    Index n = pencil.dynamic, index = 0;
    for (const Index size : pencil.blocks) {
      n += size;
      index = std::max(index, size);
    }
    Mat E = Mat::Zero(n, n);
    E.diagonal().head(pencil.dynamic).setOnes();
    Index first = pencil.dynamic;
    for (const Index size : pencil.blocks) {
      for (Index i = 0; i + 1 < size; ++i) E(first + i, first + i + 1) = 1.0;
      first += size;
    }
    // fixed pseudo-random, well conditioned
    const auto mixed = [&] {
      Mat A = 1.5 * Mat::Identity(n, n);
      for (double& entry : A.reshaped()) {
        seed = 1664525u * seed + 1013904223u;
        entry += 0.8 * (static_cast<double>(seed) / 4294967296.0 - 0.5);
      }
      return A;
    };
    const Mat P = mixed(), Q = mixed();
    const Mat rates = P * E * Q, values = P * Q;
    std::vector<std::string> names;
    for (Index j = 0; j < n; ++j) names.push_back("y" + std::to_string(j + 1));
    JetBuilder builder{names, 1};
    for (Index i = 0; i < n; ++i)
      builder.equation("row " + std::to_string(i + 1), [&, i](const J& j) {
        Sym sum = 0.0;
        for (Index k = 0; k < n; ++k) {
          const auto unknown = static_cast<std::size_t>(k);
          sum += rates(i, k) * j.y[1][unknown] + values(i, k) * j.y[0][unknown];
          sum -= P(i, k) * cos(j.x + static_cast<double>(k));
        }
        return sum;
      });
    const JetSystem system = builder.start(0, {std::vector<double>(names.size(), 1.0)}).build();
    const Completion c = complete(system);
    ASSERT_TRUE(c.completed()) << c.reason;
    EXPECT_EQ(c.index, index);
    EXPECT_EQ(c.dimension, pencil.dynamic);
    if (pencil.dynamic == 0) continue;

    // z_1' = cos(x) - z_1:  z_1 = (cos x + sin x)/2 + (z_1(0) - 1/2) exp(-x)
    const CompletionRun run = completion_run(system, c, 1.0);
    const double before = Q.row(0).dot(c.p.segment(1, n)),
                 after = Q.row(0).dot(run.p.segment(1, n));
    EXPECT_NEAR(after, (std::cos(1.0) + std::sin(1.0)) / 2 + (before - 0.5) * std::exp(-1.0), 1e-9);
  }
}

TEST(Completion, ImplicitFormOfAPendulumInTurnedEquationsMovesAsThePendulum) {
  // rows mixed so that each reads every unknown: the structure is lost, the solutions are not
  const auto fx = [](const J& j) { return j.y[2][0] + j.y[0][2] * j.y[0][0]; };
  const auto fy = [](const J& j) { return j.y[2][1] + j.y[0][2] * j.y[0][1] + 1.0; };
  const auto rod = [](const J& j) { return j.y[0][0] * j.y[0][0] + j.y[0][1] * j.y[0][1] - 1.0; };
  const JetSystem system =
      JetBuilder{{"x", "y", "lambda"}, 2, "t"}
          .equation("1", [=](const J& j) { return fx(j) + fy(j) + rod(j); })
          .equation("2", [=](const J& j) { return fx(j) - fy(j) + 0.5 * rod(j); })
          .equation("3", [=](const J& j) { return fx(j) + 2.0 * fy(j) - rod(j); })
          .start(0, {{1, 0}, {0, 1}})
          .build();
  const Completion c = complete(system);
  ASSERT_TRUE(c.completed()) << c.reason;
  EXPECT_FALSE(c.structural);
  EXPECT_EQ(c.index, 3);
  EXPECT_EQ(c.dimension, 2);
  const CompletionRun run = completion_run(system, c, 1.0);
  EXPECT_NEAR(run.p[1], 0.867348640600439, 1e-9);
  EXPECT_NEAR(run.p[2], 0.497701050479673, 1e-9);
  EXPECT_LE(run.worst, 1e-11);
}

}  // namespace
}  // namespace taut
