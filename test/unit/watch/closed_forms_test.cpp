// SPDX-License-Identifier: BSD-3-Clause
// Switched systems whose motion is known in closed form.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/notes.hpp"
#include "models.hpp"

namespace taut {
namespace {

using test::stated;

using std::numbers::pi;
constexpr double close = 1e-6;

// every method that controls errors, and the one that is chosen where nothing is said
class ClosedForms : public testing::TestWithParam<const char*> {
 protected:
  Result run(const Model& model, SimulationOptions options = {}) {
    if (std::string{GetParam()} != "auto") options.method = GetParam();
    options.tol = 1e-9;
    return simulate(model, options);
  }
};

INSTANTIATE_TEST_SUITE_P(Methods, ClosedForms, testing::Values("auto", "dop853", "dopri5", "radau"),
                         [](const auto& method) { return std::string{method.param}; });

TEST_P(ClosedForms, PushOfATenthOfTheRun) {
  const Result result = run(stated(R"toml(
[coordinates]
q = { mass = 1, velocity = 1 }
[[force]]
on = "q"
value = "select(less(26, t)*less(t, 36), 1, 0)"
[run]
until = 100
)toml"));
  ASSERT_TRUE(result.good()) << result.summary.message;
  EXPECT_NEAR(result.motion["v(q)"].back(), 11.0, close);
  EXPECT_NEAR(result.motion["q"].back(), 100 + 50 + 10 * 64, 100 * close);
  EXPECT_LT(result.summary.counters.steps, 60);
}

// k (q - 50) for half an oscillation of rate 100
TEST_P(ClosedForms, WallThatIsLeftAgain) {
  const Result result = run(stated(R"toml(
[coordinates]
q = { mass = 1, velocity = 1 }
[[potential]]
energy = "1e4/2*max(q - 50, 0)^2*less(q, 52)"
[run]
until = 100
)toml"));
  ASSERT_TRUE(result.good()) << result.summary.message;
  EXPECT_NEAR(result.motion["v(q)"].back(), -1.0, close);
  EXPECT_NEAR(result.motion["q"].back(), 50 - (50 - pi / 100), 100 * close);
}

// the amplitude falls by 2 F / k in each half swing; the tenth ends where the spring is weaker than
// the friction
TEST_P(ClosedForms, BlockWithDryFrictionComesToRest) {
  const Result result = run(stated(R"toml(
[coordinates]
x = { mass = 1, at = 1.03 }
[[force]]
on = "x"
value = "-100*x - 5*sign(v(x))"
[run]
until = 50
)toml"));
  ASSERT_TRUE(result.good()) << result.summary.message;
  EXPECT_NEAR(result.motion["x"].back(), 1.03 - 10 * 0.1, close);
  EXPECT_NEAR(result.motion["v(x)"].back(), 0.0, close);
  EXPECT_LT(result.summary.counters.steps, 600);
}

// The block sticks to the belt until the spring is as strong as the friction holds, x = 1.5 v-less,
// slips with the smaller friction and sticks again: with friction of one size F it swings about
// F/k, and sticks at once where its velocity is that of the belt again.
TEST_P(ClosedForms, BlockOnABelt) {
  const Result result = run(stated(R"toml(
[coordinates]
x = { mass = 1 }
[[force]]
on = "x"
value = "-4*x - 2*sign(v(x) - 0.1)"
[run]
until = 20
)toml"));
  ASSERT_TRUE(result.good()) << result.summary.message;
  // accelerated by 2 - 4 x from rest: x = (1 - cos 2 t)/2 until v = sin 2 t = 0.1; then it moves
  // with the belt until 4 x = 2, and then stays in balance with the friction, v falling to where 4
  // x - 2 pulls it: v = 0.1 cos 2 (t - t1), x = 1/2 + 0.05 sin 2 (t - t1), until v = 0.1 again
  const double t0 = std::asin(0.1) / 2, x0 = (1 - std::cos(2 * t0)) / 2;
  const double t1 = t0 + (0.5 - x0) / 0.1;
  const auto x = [&](double t) {
    if (t < t0) return (1 - std::cos(2 * t)) / 2;
    if (t < t1) return x0 + 0.1 * (t - t0);
    return 0.5 + 0.05 * std::sin(2 * (t - t1));
  };
  for (const double t : {0.02, 1.0, 4.0, 5.5, 6.5, 8.0, 20.0})
    EXPECT_NEAR(result.at(t)["x"], x(t), close) << t;
  EXPECT_LT(result.summary.counters.steps, 400);
}

// time-optimal: one switch on the parabola x = -v |v| / 2, at rest at the origin after
// t = v + 2 sqrt(x + v²/2), and there it stays
TEST_P(ClosedForms, BangBangDoubleIntegrator) {
  const Result result = run(stated(R"toml(
[coordinates]
x = { mass = 1, at = 1 }
[[force]]
on = "x"
value = "-sign(x + v(x)*abs(v(x))/2)"
[run]
until = 4
)toml"));
  ASSERT_TRUE(result.good()) << result.summary.message;
  EXPECT_NEAR(result.at(0.5)["x"], 1 - 0.125, close);
  EXPECT_NEAR(result.at(1.5)["x"], 0.125, close);
  EXPECT_NEAR(result.motion["x"].back(), 0.0, close);
  EXPECT_NEAR(result.motion["v(x)"].back(), 0.0, 1e-5);
  EXPECT_LT(result.summary.counters.steps, 500);
}

// free between the walls, half an oscillation of rate 1000 in them: period 2 (2 + pi/1000)
TEST_P(ClosedForms, ImpactOscillator) {
  const Result result = run(stated(R"toml(
[coordinates]
x = { mass = 1, velocity = 1 }
[[force]]
on = "x"
value = "1e6*(max(0, -1 - x) - max(0, x - 1))"
[run]
until = "10.25*2*(2 + pi/1000)"
)toml"));
  ASSERT_TRUE(result.good()) << result.summary.message;
  // a quarter of a period behind the tenth: in the middle of an impact
  EXPECT_NEAR(result.motion["x"].back(), 1.001, close);
  EXPECT_NEAR(result.motion["v(x)"].back(), 0.0, 5e-3);  // accelerated by 1000 per second
  EXPECT_LT(result.summary.counters.steps, 2000);
}

TEST_P(ClosedForms, ShortPulseOfAMovingAnchor) {
  // a Gaussian bump under a mass on a spring, 1e-4 of the run: the mass is pushed by k * its area
  const Result result = run(stated(R"toml(
[anchors]
road = [0, "0.4*exp(-((t - 6)/0.001)^2)"]
[points]
p = { mass = 1, at = [0, 1] }
[[constraint]]
zero = "p.x"
[[spring]]
between = ["road", "p"]
stiffness = 100
length = 1
[run]
until = 10
)toml"));
  ASSERT_TRUE(result.good()) << result.summary.message;
  const double push = 100 * 0.4 * 0.001 * std::sqrt(pi);
  EXPECT_NEAR(result.motion["p.y"].back(), 1 + push / 10 * std::sin(40.0), close);
}

TEST_P(ClosedForms, RigidAnchorThatChangesItsSpeedGivesAnImpulse) {
  const Result result = run(stated(R"toml(
[points]
p = { mass = 1, at = [0, 0] }
[[constraint]]
zero = "p.x - max(0, t - 1)"
[run]
until = 2
)toml"));
  ASSERT_TRUE(result.good()) << result.summary.message;
  EXPECT_NEAR(result.motion["p.x"].back(), 1.0, close);
  EXPECT_NEAR(result.motion["p.vx"].back(), 1.0, close);
  ASSERT_EQ(result.summary.notes.size(), 1u);
  EXPECT_TRUE(result.summary.notes[0].is(notes::velocities_jump));
}

TEST_P(ClosedForms, WhatCannotBeIsRefused) {
  const Result step = run(stated(R"toml(
[coordinates]
q = { mass = 1, at = -1, velocity = 1 }
[[potential]]
energy = "10*less(0, q)"
[run]
until = 5
)toml"));
  EXPECT_EQ(step.summary.status, Status::discontinuous);
  EXPECT_NE(step.summary.message.find("potential 1"), std::string::npos) << step.summary.message;
  EXPECT_NEAR(step.motion["q"].back(), 0.0, close);
  const Result jump = run(stated(R"toml(
[anchors]
w = ["0.5*less(1, t)", 0]
[points]
p = { mass = 1, at = [0, -1] }
[[rod]]
between = ["w", "p"]
length = 1
[[gravity]]
acceleration = [0, -9.81]
[run]
until = 3
)toml"));
  EXPECT_EQ(jump.summary.status, Status::discontinuous);
  EXPECT_NEAR(jump.motion.t.back(), 1.0, close);
}

TEST(ConstantSteps, EndAtSwitchesAndSayWhatTheyDoNotResolve) {
  const Model push = stated(R"toml(
[coordinates]
q = { mass = 1, velocity = 1 }
[[force]]
on = "q"
value = "select(less(2.61, t)*less(t, 3.614), 1, 0)"
[run]
until = 10
)toml");
  for (const char* method : {"rk4", "verlet", "gauss-newton"}) {
    SCOPED_TRACE(method);
    const Result result = simulate(push, {.method = method, .step = "0.5"});
    ASSERT_TRUE(result.good()) << result.summary.message;
    EXPECT_NEAR(result.motion["v(q)"].back(), 2.004, 1e-9);
  }
  const Model pulse = stated(R"toml(
[coordinates]
q = { mass = 1, velocity = 1 }
[[force]]
on = "q"
value = "exp(-((t - 5.123)/0.001)^2)"
[run]
until = 10
)toml");
  const Result result = simulate(pulse, {.method = "rk4", .step = "0.1"});
  ASSERT_EQ(result.summary.notes.size(), 1u);
  EXPECT_TRUE(result.summary.notes[0].is(notes::force_not_resolved));
}

}  // namespace
}  // namespace taut
