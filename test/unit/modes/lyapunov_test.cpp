// SPDX-License-Identifier: BSD-3-Clause
#include "taut/modes/lyapunov.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "models.hpp"

namespace taut::test {
namespace {

LyapunovRun exponents_of(const std::string& text, double until, int count = 0) {
  SimulationOptions options;
  options.until = until;
  return lyapunov(linear_test_model(text), options, count);
}

TEST(Lyapunov, ExponentsOfALinearMotionAreItsRates) {
  for (const char* const text : {R"toml(
[coordinates]
x = { mass = 2, at = 1 }
[[potential]]
energy = "3*x^2"
[[force]]
on = "x"
value = "-8*v(x)"
)toml",
                                 R"toml(
[points]
bob = { mass = 2, at = [1, 0, 0] }
[[constraint]]
zero = "bob.y - 2*bob.z"
[[constraint]]
zero = "bob.y"
[[constraint]]
zero = "3*bob.z"
[[potential]]
energy = "3*bob.x^2"
[[force]]
on = "bob.x"
value = "-8*bob.vx"
)toml"}) {
    const LyapunovRun run = exponents_of(text, 100);
    ASSERT_TRUE(run.lyapunov.good()) << run.lyapunov.reason;
    EXPECT_EQ(run.lyapunov.dimension, 2);
    ASSERT_EQ(run.lyapunov.exponents.size(), 2u);
    EXPECT_NEAR(run.lyapunov.exponents[0], -1, 1e-6);
    EXPECT_NEAR(run.lyapunov.exponents[1], -3, 1e-6);
    EXPECT_NEAR(run.lyapunov.sum, -4, 1e-8);
    EXPECT_EQ(run.lyapunov.kaplan_yorke, 0.0);
    EXPECT_NEAR(run.result.motion["lyapunov(1)"].back(), -1, 1e-6);
    EXPECT_TRUE(std::isnan(run.result.motion["lyapunov(2)"].front()));
  }
}

TEST(Lyapunov, APendulumThatStandsHasTheRateOfItsFall) {
  const LyapunovRun run = exponents_of(R"toml(
[points]
bob = { mass = 1, at = [0, 2] }
[[rod]]
between = ["origin", "bob"]
length = 2
[[rod]]
between = ["bob", "origin"]
length = 2
[[gravity]]
acceleration = [0, -9.81]
)toml",
                                       40);
  ASSERT_TRUE(run.lyapunov.good()) << run.lyapunov.reason;
  EXPECT_EQ(run.lyapunov.dimension, 2);
  EXPECT_NEAR(run.lyapunov.exponents.at(0), std::sqrt(9.81 / 2), 1e-5);
  EXPECT_NEAR(run.lyapunov.exponents.at(1), -std::sqrt(9.81 / 2), 1e-5);
}

TEST(Lyapunov, LorenzHasItsKnownExponents) {
  // 0.9056, 0, -14.5721 (sprott2003); their sum is the divergence of the flow
  const LyapunovRun run = exponents_of(R"toml(
[states]
x = { at = 1, rate = "10*(y - x)" }
y = { at = 1, rate = "x*(28 - z) - y" }
z = { at = 20, rate = "x*y - 8/3*z" }
)toml",
                                       300);
  const LyapunovExponents& found = run.lyapunov;
  ASSERT_TRUE(found.good()) << found.reason;
  ASSERT_EQ(found.exponents.size(), 3u);
  EXPECT_NEAR(found.sum, -41.0 / 3, 1e-7);
  EXPECT_NEAR(found.exponents[0], 0.9056, 0.06);
  EXPECT_NEAR(found.exponents[1], 0.0, 0.02);
  EXPECT_NEAR(found.exponents[2], -14.572, 0.06);
  EXPECT_NEAR(found.kaplan_yorke, 2.062, 0.01);
  EXPECT_GT(found.errors[0], 1e-3);
  EXPECT_LT(found.errors[0], 0.06);
  EXPECT_EQ(static_cast<Index>(found.times.size()), found.history.rows());
}

TEST(Lyapunov, APendulumOfTwoRodsHasPairsThatCancel) {
  const LyapunovRun run = exponents_of(R"toml(
[points]
one = { mass = 1, at = [1, 0] }
two = { mass = 1, at = [1, 1] }
[[rod]]
between = ["origin", "one"]
length = 1
[[rod]]
between = ["one", "two"]
length = 1
[[gravity]]
acceleration = [0, -9.81]
)toml",
                                       40);
  const LyapunovExponents& found = run.lyapunov;
  ASSERT_TRUE(found.good()) << found.reason;
  ASSERT_EQ(found.exponents.size(), 4u);
  EXPECT_GT(found.exponents[0], 0.5);
  EXPECT_NEAR(found.sum, 0.0, 1e-7);
  // in the metric of M pairs cancel in the long run
  EXPECT_NEAR(found.exponents[0] + found.exponents[3], 0.0, 1e-3);
  EXPECT_NEAR(found.exponents[1] + found.exponents[2], 0.0, 1e-3);
}

TEST(Lyapunov, RowsThatGiveWayAreSprings) {
  const LyapunovRun run = exponents_of(R"toml(
[points]
bob = { mass = 1, at = [0.6, -0.8] }
[[constraint]]
name = "rod"
zero = "sqrt(bob.x^2 + bob.y^2) - 1"
compliance = 1e-7
[[gravity]]
acceleration = [0, -9.81]
)toml",
                                       1);
  ASSERT_TRUE(run.lyapunov.good()) << run.lyapunov.reason;
  EXPECT_EQ(run.lyapunov.dimension, 4);
  EXPECT_NEAR(run.lyapunov.sum, 0.0, 1e-4);
}

TEST(Lyapunov, SomeOfAllAreAskedFor) {
  const LyapunovRun one = exponents_of(R"toml(
[points]
one = { mass = 1, at = [1, 0] }
[[rod]]
between = ["origin", "one"]
length = 1
[[gravity]]
acceleration = [0, -9.81]
)toml",
                                       100, 1);
  ASSERT_EQ(one.lyapunov.exponents.size(), 1u);
  EXPECT_EQ(one.lyapunov.dimension, 2);
  // changes of a pendulum grow evenly: log(t) / t
  EXPECT_NEAR(one.lyapunov.exponents[0], 0.0, 0.1);
  EXPECT_TRUE(std::isnan(one.lyapunov.sum));
}

TEST(Lyapunov, JumpsOfForcesAreNotTakenForSmooth) {
  const LyapunovRun run = exponents_of(R"toml(
[coordinates]
x = { mass = 1, at = 1 }
[[potential]]
energy = "x^2/2"
[[force]]
on = "x"
value = "-0.2*sign(v(x)) + 0.6*cos(0.7*t)"
)toml",
                                       60, 1);
  EXPECT_EQ(run.lyapunov.status, Status::not_supported);
  EXPECT_THAT(run.lyapunov.reason, testing::HasSubstr("a force jumps"));
  EXPECT_TRUE(run.result.good());
}

TEST(Lyapunov, WhatHasNoneIsSaid) {
  const auto said = [&](const std::string& text) {
    Problems problems{"m.toml"};
    SimulationOptions options;
    options.until = 1.0;
    Plan made = plan(linear_test_model(text), options, problems);
    if (problems.empty()) static_cast<void>(lyapunov(std::move(made), 1, problems));
    return problems.message();
  };
  EXPECT_THAT(said(R"toml(
[coordinates]
x = { mass = 1, at = 1 }
[[event]]
zero = "x"
then = { "v(x)" = 0 }
)toml"),
              testing::HasSubstr("events that change the motion"));
  EXPECT_THAT(said(R"toml(
[coordinates]
x = { mass = 1, at = 1 }
[thermostat]
temperature = 1
friction = 1
)toml"),
              testing::HasSubstr("heat bath"));
}

}  // namespace
}  // namespace taut::test
