// SPDX-License-Identifier: BSD-3-Clause
// What is said of systems that cannot be completed, of starts that do not fit, and whatever the
// units.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "allocation_counter.hpp"
#include "completion_systems.hpp"
#include "taut/curves/completed_form.hpp"
#include "taut/simulation/choose_form.hpp"

namespace taut {
namespace {

using formula::Sym;
using J = JetBuilder::Jets;
using test::completion_pendulum;
using test::completion_start_of;
using Verdict = Completion::Verdict;
using std::numbers::pi;

bool completion_says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Completion, StatedNumbersStayAsFarAsTheEquationsAllow) {
  // lambda is wrong, all else is right: it alone moves
  const Completion wrong_multiplier =
      complete(completion_pendulum().start(0, {{0.6, -0.8, 7.0}, {0.8, 0.6}}).build());
  ASSERT_TRUE(wrong_multiplier.completed());
  EXPECT_EQ(completion_start_of(wrong_multiplier, "x"), 0.6);
  EXPECT_EQ(completion_start_of(wrong_multiplier, "y'"), 0.6);
  EXPECT_NEAR(completion_start_of(wrong_multiplier, "lambda"), 1.8, 1e-13);

  // velocities are wrong: positions stay
  const Completion wrong_velocity =
      complete(completion_pendulum().start(0, {{0.6, -0.8}, {1.0, 0.0}}).build());
  ASSERT_TRUE(wrong_velocity.completed());
  EXPECT_EQ(completion_start_of(wrong_velocity, "x"), 0.6);
  EXPECT_EQ(completion_start_of(wrong_velocity, "y"), -0.8);
  EXPECT_NEAR(completion_start_of(wrong_velocity, "x'"), 0.64, 1e-12);  // the part along the circle
  EXPECT_NEAR(completion_start_of(wrong_velocity, "y'"), 0.48, 1e-12);

  // positions are wrong: the nearest point of the circle
  const Completion wrong_position =
      complete(completion_pendulum().start(0, {{0.66, -0.88}}).build());
  ASSERT_TRUE(wrong_position.completed());
  EXPECT_NEAR(completion_start_of(wrong_position, "x"), 0.6, 1e-9);
  EXPECT_NEAR(completion_start_of(wrong_position, "y"), -0.8, 1e-9);
}

// k x^2 + y^2 = R^2, as an equation and as an invariant that fits, or does not
JetSystem completion_ellipse(double k, double R, double rate, double x, double y) {
  return JetBuilder{{"y"}, 1}
      .equation("rate", [=](const J& j) { return j.y[0][0] * j.y[1][0] + rate * k * j.x; })
      .equation("ellipse",
                [=](const J& j) { return j.y[0][0] * j.y[0][0] + k * j.x * j.x - R * R; })
      .start(x, {{y}})
      .build();
}

TEST(Completion, HoweverCurvedAnInvariantIsItFitsOrDoesNot) {
  const std::vector<std::pair<double, double>> ellipses = {
      {1, 1}, {1e6, 1}, {1e12, 1}, {1e-6, 1}, {1, 1e-9}, {1, 1e-6}, {1, 1e6}, {1e4, 1e-4}};
  for (const auto& [k, R] : ellipses)
    for (const double angle : {0.5 * pi, 1.0, -2.5}) {
      SCOPED_TRACE(testing::Message() << "k = " << k << ", R = " << R << ", angle " << angle);
      const double x = R / std::sqrt(k) * std::cos(angle), y = R * std::sin(angle);
      const Completion fits = complete(completion_ellipse(k, R, 1.0, x, y));
      EXPECT_TRUE(fits.completed()) << fits.reason;
      EXPECT_EQ(fits.dimension, 0);
      EXPECT_NEAR(completion_start_of(fits, "y"), y, 1e-9 * R);
      // refused as a contradiction, or as a point that is not found
      if (k < 1) continue;  // flat for thousands of units: beside the start it hardly differs
      for (const double wrong : {2.0, 1.1, -1.0}) {
        const Completion c = complete(completion_ellipse(k, R, wrong, x, y));
        EXPECT_TRUE(c.verdict == Verdict::inconsistent || c.verdict == Verdict::undecided)
            << wrong << ": " << c.reason;
      }
    }
}

TEST(Completion, NeitherUnitsNorTimeScalesChangeTheVerdict) {
  for (int decade = -12; decade <= 12; decade += 2) {
    SCOPED_TRACE(decade);
    const double k = std::pow(10.0, decade);
    // y' = z, z' = -k y
    const Completion oscillator =
        complete(JetBuilder{{"y", "z"}, 1, "t"}
                     .equation("1", [](const J& j) { return j.y[1][0] - j.y[0][1]; })
                     .equation("2", [k](const J& j) { return j.y[1][1] + k * j.y[0][0]; })
                     .start(0, {{1, 0}})
                     .build());
    ASSERT_TRUE(oscillator.completed()) << oscillator.reason;
    EXPECT_EQ(oscillator.index, 0);
    EXPECT_EQ(oscillator.dimension, 2);
    EXPECT_EQ(completion_start_of(oscillator, "y"), 1.0);
    EXPECT_EQ(completion_start_of(oscillator, "z'"), -k);

    // a spring k with a force of its own on 10 g
    const Completion spring =
        complete(JetBuilder{{"x", "F"}, 2, "t"}
                     .equation("newton", [](const J& j) { return 0.01 * j.y[2][0] + j.y[0][1]; })
                     .equation("spring", [k](const J& j) { return j.y[0][1] - k * j.y[0][0]; })
                     .start(0, {{1e-3}, {0.0}})
                     .build());
    ASSERT_TRUE(spring.completed()) << spring.reason;
    EXPECT_EQ(spring.index, 1);
    EXPECT_EQ(spring.dimension, 2);
    EXPECT_EQ(completion_start_of(spring, "x"), 1e-3);
    EXPECT_NEAR(completion_start_of(spring, "F"), 1e-3 * k, 1e-15 * k);

    // a source, a resistor of 1 kOhm and a capacitor of k farad
    const JetSystem circuit =
        JetBuilder{{"uC", "i", "uR"}, 1, "t"}
            .equation("capacitor", [k](const J& j) { return k * j.y[1][0] - j.y[0][1]; })
            .equation("ohm", [](const J& j) { return j.y[0][2] - 1000.0 * j.y[0][1]; })
            .equation("loop",
                      [](const J& j) { return 5.0 * sin(314.0 * j.x) - j.y[0][2] - j.y[0][0]; })
            .start(0, {{1}})
            .build();
    const Completion charged = complete(circuit);
    ASSERT_TRUE(charged.completed()) << charged.reason;
    EXPECT_EQ(charged.index, 1);
    EXPECT_EQ(charged.dimension, 1);
    EXPECT_EQ(completion_start_of(charged, "uC"), 1.0);

    // the same with rows mixed, so that the structure does not tell
    const Completion mixed = complete(
        JetBuilder{{"y", "z"}, 1, "t"}
            .equation("1", [k](const J& j) { return j.y[1][0] + j.y[1][1] + k * j.y[0][0]; })
            .equation("2", [](const J& j) { return j.y[0][0] + j.y[0][1]; })
            .start(0, {{0, 0}})
            .build());
    ASSERT_TRUE(mixed.completed()) << mixed.reason;
    EXPECT_FALSE(mixed.structural);
    EXPECT_EQ(mixed.index, 2);
    EXPECT_EQ(mixed.dimension, 0);
  }
}

// --- systems that have no solution, or too many --------------------------------------------------

TEST(Completion, ContradictionsAreNamedWithTheDerivativesTheyComeFrom) {
  const Completion c =
      complete(JetBuilder{{"y"}, 1}
                   .equation("equation 1", [](const J& j) { return j.y[1][0]; })
                   .equation("equation 2", [](const J& j) { return j.y[0][0] - j.x; })
                   .start(0, {{1}})
                   .build());
  EXPECT_EQ(c.verdict, Verdict::inconsistent);
  EXPECT_EQ(c.status, Status::constraints_contradict);
  EXPECT_TRUE(completion_says(c.reason, "equation 1 and derivative of equation 2")) << c.reason;
  EXPECT_TRUE(completion_says(c.reason, "y' = 0 and 1 - y' = 0")) << c.reason;
  EXPECT_NE(completed_form(JetSystem{}, c).reason, "");

  const Completion sums =
      complete(JetBuilder{{"y", "z"}, 0}
                   .equation("one", [](const J& j) { return j.y[0][0] + j.y[0][1]; })
                   .equation("two", [](const J& j) { return j.y[0][0] + j.y[0][1] - 1.0; })
                   .start(0, {{1, 2}})
                   .build());
  EXPECT_EQ(sums.verdict, Verdict::inconsistent);
  EXPECT_TRUE(completion_says(sums.reason, "one and two")) << sums.reason;

  const Completion square =
      complete(JetBuilder{{"y"}, 0}
                   .equation("square", [](const J& j) { return j.y[0][0] * j.y[0][0] + 1.0; })
                   .start(0, {{1}})
                   .build());
  EXPECT_EQ(square.verdict, Verdict::inconsistent);
  EXPECT_TRUE(completion_says(square.reason, "square cannot hold")) << square.reason;

  // energy of an oscillator with friction
  const Completion friction = complete(
      JetBuilder{{"y", "z"}, 1}
          .equation("1", [](const J& j) { return j.y[1][0] - j.y[0][1]; })
          .equation("2", [](const J& j) { return j.y[1][1] + j.y[0][0] + 0.1 * j.y[0][1]; })
          .equation("energy",
                    [](const J& j) { return j.y[0][0] * j.y[0][0] + j.y[0][1] * j.y[0][1] - 1.25; })
          .start(0, {{1, 0.5}})
          .build());
  EXPECT_EQ(friction.verdict, Verdict::inconsistent);
  EXPECT_TRUE(completion_says(friction.reason, "'energy' (its rate is -0.05) is not kept"))
      << friction.reason;
}

TEST(ChooseForm, StartIsThatOfTheCompletionAndSaysAllThatChanged) {
  // y' = z, y = z - z³/3: stated z gives way, whatever the form
  const JetSystem relaxation =
      JetBuilder{{"y", "z"}, 1}
          .equation("slow", [](const J& j) { return j.y[1][0] - j.y[0][1]; })
          .equation("fast",
                    [](const J& j) {
                      const Sym& z = j.y[0][1];
                      return j.y[0][0] - z + z * z * z / 3.0;
                    })
          .start(0, {{0.6, 2.0}})
          .build();
  const FormChoice automatic = choose_form(relaxation);
  const FormChoice asked = choose_form(relaxation, FormKind::invariants);
  ASSERT_EQ(automatic.status, Status::ok) << automatic.message;
  ASSERT_EQ(asked.status, Status::ok) << asked.message;
  EXPECT_EQ(automatic.start.p, asked.start.p);
  EXPECT_EQ(asked.start.p[1], 0.6);

  // a multiplier is no coordinate, and yet stated
  const FormChoice pendulum = choose_form(completion_pendulum().start(0, {{1, 0, 5}, {0}}).build());
  ASSERT_EQ(pendulum.status, Status::ok) << pendulum.message;
  ASSERT_EQ(pendulum.start.moved.size(), 1u);
  EXPECT_EQ(pendulum.start.moved[0].first, "lambda");
  EXPECT_NEAR(pendulum.start.moved[0].second, -5.0, 1e-12);
  EXPECT_EQ(pendulum.start.unknowns.front().first, "lambda");
  // y' is not stated and free
  EXPECT_TRUE(pendulum.start.found.empty());
  ASSERT_EQ(pendulum.start.taken.size(), 1u);
  EXPECT_EQ(pendulum.start.taken[0].first, "y'");

  EXPECT_EQ(choose_form(completion_pendulum().start(0, {{1, 0}}).build(), FormKind::general).status,
            Status::not_supported);
}

TEST(Completion, UndeterminedDerivativesAreNamed) {
  const Completion one =
      complete(JetBuilder{{"y", "z"}, 1}
                   .equation("rate", [](const J& j) { return j.y[1][0] - j.y[0][1]; })
                   .start(0, {{1, 2}})
                   .build());
  EXPECT_EQ(one.verdict, Verdict::underdetermined);
  EXPECT_EQ(one.status, Status::singular_matrix);
  EXPECT_EQ(one.free, (std::vector<std::string>{"z'"}));
  EXPECT_TRUE(completion_says(one.reason, "distribution of dimension 2: nothing determines z'"))
      << one.reason;

  // as many equations as unknowns, one of which follows from the other
  const Completion two =
      complete(JetBuilder{{"y", "z"}, 1}
                   .equation("rates", [](const J& j) { return j.y[1][0] + j.y[1][1] - 2.0 * j.x; })
                   .equation("sum", [](const J& j) { return j.y[0][0] + j.y[0][1] - j.x * j.x; })
                   .start(0, {{1, 2}})
                   .build());
  EXPECT_EQ(two.verdict, Verdict::underdetermined);
  EXPECT_EQ(two.free, (std::vector<std::string>{"y'", "z'"}));
}

TEST(Completion, SingularPointsAreToldFromImpassePointsAndFromMissingEquations) {
  const auto product = [](double rest) {
    return [rest](const J& j) { return j.y[0][0] * j.y[1][0] - (rest == 0.0 ? j.x : Sym{rest}); };
  };
  // y y' = x at (0, 0): two solutions cross
  const Completion crossing =
      complete(JetBuilder{{"y"}, 1}.equation("e", product(0.0)).start(0, {{0}}).build());
  EXPECT_EQ(crossing.verdict, Verdict::singular);
  EXPECT_TRUE(completion_says(crossing.reason, "rank 0 here, and 1 near by")) << crossing.reason;
  EXPECT_TRUE(complete(JetBuilder{{"y"}, 1}.equation("e", product(0.0)).start(1, {{0.5}}).build())
                  .completed());
  // x y' = 2 y at (0, 0), where all parabolas meet: its coefficients vanish for this x alone
  const Completion node =
      complete(JetBuilder{{"y"}, 1}
                   .equation("e", [](const J& j) { return j.x * j.y[1][0] - 2.0 * j.y[0][0]; })
                   .start(0, {{0}})
                   .build());
  EXPECT_EQ(node.verdict, Verdict::singular) << node.reason;
  // y y' = 1 at y = 0: a curve that turns back, x = y²/2
  const JetSystem system = JetBuilder{{"y"}, 1}.equation("e", product(1.0)).start(0, {{0}}).build();
  const Completion impasse = complete(system);
  ASSERT_TRUE(impasse.completed()) << impasse.reason;
  EXPECT_TRUE(impasse.impasse);
  const CurveForm form = completed_form(system, impasse);
  CurveEvaluation ev;
  form.curve.prepare(ev);
  Vec V{{0.0, 1.0}};
  ASSERT_EQ(form.curve.direction(impasse.p, ev, V), Status::ok);
  EXPECT_NEAR(V[0], 0.0, 1e-15);
  EXPECT_NEAR(V[1], 1.0, 1e-15);
}

TEST(Completion, FormulasWithoutAValueAreSaidToHaveNone) {
  const Completion c =
      complete(JetBuilder{{"y"}, 1}
                   .equation("e", [](const J& j) { return j.y[1][0] - log(j.x - 5.0); })
                   .start(0, {{1}})
                   .build());
  EXPECT_EQ(c.verdict, Verdict::undecided);
  EXPECT_EQ(c.status, Status::non_finite);
  EXPECT_TRUE(completion_says(c.reason, "e has no finite value at the start")) << c.reason;
  // so are coefficients that have none at this x alone
  const Completion quotient =
      complete(JetBuilder{{"y"}, 1}
                   .equation("quotient", [](const J& j) { return j.y[1][0] - 1.0 / j.x; })
                   .start(0, {{1}})
                   .build());
  EXPECT_EQ(quotient.verdict, Verdict::undecided);
  EXPECT_TRUE(completion_says(quotient.reason, "quotient has no finite value")) << quotient.reason;
  EXPECT_EQ(complete(JetSystem{}).verdict, Verdict::undecided);
}

TEST(Completion, LargeSystemsAreJudgedByTheirStructure) {
  const JetSystem system = completion_pendulum().start(0, {{1, 0}, {0, 1}}).build();
  const Completion c = complete(system, {.most_jets = 10});
  ASSERT_TRUE(c.completed()) << c.reason;
  EXPECT_EQ(c.index, 3);
  EXPECT_EQ(c.dimension, 2);
  EXPECT_TRUE(c.table.empty());
  EXPECT_FALSE(c.notes.empty());
}

// --- the curve -----------------------------------------------------------------------------------

TEST(CompletedForm, DerivativesAgreeWithDifferences) {
  const JetSystem system = completion_pendulum().start(0, {{0.6, -0.8}, {0.8, 0.6}}).build();
  const CurveForm form = completed_form(system, complete(system));
  CurveEvaluation ev, other;
  form.curve.prepare(ev);
  form.curve.prepare(other);
  const Vec p{{0.1, 0.5, -0.9, 0.7, 0.3}}, mu{{0.4, -1.3}};
  ASSERT_EQ(form.curve.jacobian(p, ev), Status::ok);
  ASSERT_EQ(form.curve.hessian(p, mu, ev), Status::ok);
  const double h = 1e-5;
  for (Index j = 0; j < p.size(); ++j) {
    Vec more = p, less = p;
    more[j] += h;
    less[j] -= h;
    ASSERT_EQ(form.curve.jacobian(more, other), Status::ok);
    const Vec f_more = other.f, slope_more = Mat{other.df}.transpose() * mu;
    ASSERT_EQ(form.curve.jacobian(less, other), Status::ok);
    EXPECT_LT((Mat{ev.df}.col(j) - (f_more - other.f) / (2 * h)).norm(), 1e-9);
    const Vec slope_less = Mat{other.df}.transpose() * mu;
    EXPECT_LT((Mat{ev.d2f}.col(j) - (slope_more - slope_less) / (2 * h)).norm(), 1e-9);
  }
}

TEST(CompletedForm, DirectionIsAsSolvedByHandAndAllocatesNothing) {
  const JetSystem system = completion_pendulum().start(0, {{0.6, -0.8}, {0.8, 0.6}}).build();
  const Completion c = complete(system);
  const CurveForm form = completed_form(system, c);
  CurveEvaluation ev;
  form.curve.prepare(ev);
  Vec V = Vec::Zero(5);
  ASSERT_EQ(form.curve.direction(c.p, ev, V), Status::ok);
  // lambda = v² - g y, with unit length and gravity
  const double lambda = 1.0 + 0.8;
  Vec exact{{1.0, 0.8, 0.6, -lambda * 0.6, lambda * 0.8 - 1.0}};
  EXPECT_LT((V - exact.normalized()).norm(), 1e-14);

  const auto before = test::allocations();
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(form.curve.jacobian(c.p, ev), Status::ok);
    ASSERT_EQ(form.curve.direction(c.p, ev, V), Status::ok);
  }
  EXPECT_EQ(test::allocations(), before);
}

}  // namespace
}  // namespace taut
