// SPDX-License-Identifier: BSD-3-Clause
// Frequencies against closed forms: angles for rods, the dispersion relation for rings of springs.
#include "model/frequencies.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "models.hpp"
#include "simulation/choose_method.hpp"
#include "taut/methods/registry.hpp"

namespace taut {
namespace {

test::Example hanging_double_pendulum() {
  return test::example(R"(
name = "hanging"
[points]
a = { mass = 1, at = [0, -1] }
b = { mass = 1, at = [0, -2] }
[[rod]]
between = ["origin", "a"]
[[rod]]
between = ["a", "b"]
[[gravity]]
acceleration = [0, -9.81]
)");
}

// n unit masses on a line, joined in a ring by springs of constant 1: omega = 2 sin(pi k / n)
test::Example ring(int n) {
  const std::string last = std::to_string(n);
  return test::example("name = \"ring\"\n[parameters]\nn = " + last + R"toml(
[coordinates]
"x{k}" = { mass = 1, at = 0, repeat = { k = "1:n" } }
[[potential]]
energy = "(x{k+1} - x{k})^2/2"
repeat = { k = "1:n-1" }
[[potential]]
energy = "(x1 - x)toml" +
                       last + ")^2/2\"\n");
}

TEST(Frequencies, OfAHangingDoublePendulumAreThoseOfItsAngles) {
  const auto e = hanging_double_pendulum();
  const Frequencies found = frequencies(e.system, e.start.state);
  ASSERT_EQ(found.status, Status::ok);
  ASSERT_EQ(found.omega.size(), 2u);  // two of four directions are held by the rods
  EXPECT_NEAR(found.omega[0], std::sqrt(9.81 * (2 + std::sqrt(2.0))), 1e-10);
  EXPECT_NEAR(found.omega[1], std::sqrt(9.81 * (2 - std::sqrt(2.0))), 1e-10);
  EXPECT_EQ(found.growth, 0.0);
}

TEST(Frequencies, OfAnUprightPendulumGrow) {
  const auto e = test::example(R"(
name = "upright"
[points]
a = { mass = 2, at = [0, 0.5] }
[[rod]]
between = ["origin", "a"]
[[gravity]]
acceleration = [0, -9.81]
)");
  const Frequencies found = frequencies(e.system, e.start.state);
  EXPECT_TRUE(found.omega.empty());
  EXPECT_NEAR(found.growth, std::sqrt(9.81 / 0.5), 1e-12);
}

TEST(Frequencies, OfARingFollowItsDispersionRelation) {
  const auto e = ring(12);
  const Frequencies found = frequencies(e.system, e.start.state);
  ASSERT_EQ(found.omega.size(), 11u);  // the ring as a whole is free
  EXPECT_NEAR(found.omega[0], 2.0, 1e-12);
  EXPECT_NEAR(found.omega[1], 2 * std::sin(5 * std::numbers::pi / 12), 1e-12);
  EXPECT_NEAR(found.omega[10], 2 * std::sin(std::numbers::pi / 12), 1e-12);
}

TEST(Frequencies, OfALargeSystemAreEstimatedByTheFastest) {
  const auto e = ring(600);
  const Frequencies found = frequencies(e.system, e.start.state);
  ASSERT_EQ(found.omega.size(), 1u);
  EXPECT_NEAR(found.omega[0], 2.0, 0.05);
}

TEST(Frequencies, OfAPenalizedRodAreItsOmega) {
  const auto e = test::rotor();
  State rest = e.start.state;
  rest.v.setZero();
  const Frequencies found = frequencies(penalized(e.system, 1e4), rest);
  ASSERT_EQ(found.omega.size(), 1u);
  EXPECT_NEAR(found.omega[0], 1e4, 1e-6);
}

TEST(ChooseStep, ResolvesTheFastestVibration) {
  const auto e = hanging_double_pendulum();
  const double fastest = std::sqrt(9.81 * (2 + std::sqrt(2.0)));
  const StepChoice choice = choose_step(e.system, e.start.state, 1000.0);
  EXPECT_NEAR(choice.step, 2 * std::numbers::pi / fastest / 40, 1e-10);
  EXPECT_NEAR(choose_step(e.system, e.start.state, 1.0).step, 1e-3, 1e-15);
}

TEST(ChooseStep, FollowsTheSlowMotionForMethodsThatStepOverStiffness) {
  const auto e = hanging_double_pendulum();
  const System stiff = penalized(e.system, 1e5);
  const double slow = choose_step(e.system, e.start.state, 1000.0).step;
  EXPECT_LT(choose_step(stiff, e.start.state, 1000.0).step, 1e-2 * slow);
  const StepChoice over = choose_step(stiff, e.start.state, 1000.0, true);
  EXPECT_NEAR(over.step, slow, 1e-12);
  EXPECT_NE(over.reason.text().find("stepped over"), std::string::npos) << over.reason.text();
  int stepping = 0;
  for (const MethodInfo& info : all_methods()) {
    const bool named = info.name.starts_with("newmark") || info.name.starts_with("zhang-skeel") ||
                       info.name == "push-forward-newmark" || info.name == "midpoint" ||
                       info.name == "gauss-newton";
    EXPECT_EQ(steps_over_stiffness(info), named) << info.name;
    stepping += named ? 1 : 0;
  }
  EXPECT_GE(stepping, 8);
}

TEST(ChooseMethod, DependsOnConstraintsAndOnWhetherTheStepIsGiven) {
  const auto rods = hanging_double_pendulum();
  EXPECT_EQ(choose_method(rods.system, rods.start.state, 10.0, false).name, "auto");
  EXPECT_EQ(choose_method(rods.system, rods.start.state, 10.0, true).name, "rattle");
  const auto free = test::oscillator();
  EXPECT_EQ(choose_method(free.system, free.start.state, 10.0, true).name, "verlet");
  const System stiff = penalized(rods.system, 1e5);
  const MethodChoice choice = choose_method(stiff, rods.start.state, 10.0, false);
  EXPECT_EQ(choice.name, "auto");
  EXPECT_NE(choice.reason.text().find("rad/s"), std::string::npos);
}

}  // namespace
}  // namespace taut
