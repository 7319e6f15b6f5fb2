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

// sqrt(pi) w A is the velocity that a pulse of width w gives: thirty times the tolerance at a speed
// of 1
TEST_P(ClosedForms, PulseThatGivesLittleIsNotSteppedOver) {
  const double gained = 30 * 1e-9 * 2;
  for (const double at : {31.7, 50.0, 83.1}) {
    Model model = stated(R"toml(
[parameters]
A = 0
w = 1e-3
at = 50
[coordinates]
q = { mass = 1, velocity = 1 }
[[force]]
on = "q"
value = "A*exp(-((t - at)/w)^2)"
[run]
until = 100
)toml");
    const Result result = run(model, {.set = {{"A", gained / (std::sqrt(pi) * 1e-3)}, {"at", at}}});
    ASSERT_TRUE(result.good()) << result.summary.message;
    EXPECT_NEAR(result.motion["v(q)"].back() - 1.0, gained, 0.7 * gained) << at;
  }
}

// what they are made of overflows, or vanishes, nearly everywhere: each gives a velocity of 1
TEST_P(ClosedForms, PulsesOfFormulasThatOverflow) {
  for (const char* pulse :
       {"10/(1 + exp(-u)) - 10/(1 + exp(-(u - 100)))", "500/cosh(u)^2", "500/(1 + sinh(u)^2)",
        "2000/pi/(exp(u) + exp(-u))", "1000*exp(-cosh(u))/0.8420488764121442",
        "1000/(1 + u^2)^200*7.963874355833983",
        // a gate of a second: as flat inside as outside
        "1/(1 + exp(-u)) - 1/(1 + exp(-(u - 1000)))"}) {
    const Result result = run(stated(std::string{R"toml(
[coordinates]
q = { mass = 1, velocity = 1 }
[definitions]
u = "(t - 41.9)*1000"
[run]
until = 100
[[force]]
on = "q"
)toml"} + "value = \"" + pulse + "\"\n"));
    ASSERT_TRUE(result.good()) << pulse << ": " << result.summary.message;
    EXPECT_NEAR(result.motion["v(q)"].back(), 2.0, 1e-6) << pulse;
    EXPECT_LT(result.summary.counters.steps, 200) << pulse;
  }
}

// its tail is at one of the points that a step is sampled at, so that all of the step is as if
// unseen: it is halved, and no longer
TEST_P(ClosedForms, PulseOfWhichASampleSeesTheTail) {
  const Result result = run(stated(R"toml(
[coordinates]
x = { mass = 1 }
[[force]]
on = "x"
value = "1366.163104377561*(1 - tanh((t - 0.1068302459804618)/0.00036598851074067434)^2)"
[run]
until = 0.27630482819859686
)toml"));
  ASSERT_TRUE(result.good()) << result.summary.message;
  EXPECT_NEAR(result.motion["v(x)"].back(), 1.0, close);
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

/// m x'' = k (a sin wt - x) - F sign(x'), k/m = 100: at the end, in pieces of slip, each known in
/// closed form, and of rest.
double driven_block(double x, double until) {
  constexpr double k = 200, F = 9, a = 0.08, w = 6, w0 = 10;
  constexpr double A = w0 * w0 * a / (w0 * w0 - w * w);
  const auto pull = [](double t, double at) { return k * (a * std::sin(w * t) - at); };
  // the first time after t at which something has happened
  const auto first = [until](double t, const auto& happened) {
    constexpr double little = 1e-4;
    double to = t + 1e-9;
    while (to < until && !happened(to)) to += little;
    double from = std::max(t, to - little);
    for (int i = 0; i < 60 && to < until; ++i) {
      const double middle = (from + to) / 2;
      (happened(middle) ? to : from) = middle;
    }
    return std::min(to, until);
  };
  double t = 0.0;
  while (t < until) {
    t = first(t, [&](double at) { return std::abs(pull(at, x)) > F; });
    for (double force = pull(t, x); t < until && std::abs(force) >= F * (1 - 1e-9);
         force = pull(t, x)) {
      const double s = force > 0.0 ? 1.0 : -1.0, rest = -s * F / k, t0 = t;
      const double c = x - A * std::sin(w * t0) - rest, d = -A * w * std::cos(w * t0) / w0;
      const auto place = [=](double at) {
        return A * std::sin(w * at) + rest + c * std::cos(w0 * (at - t0)) +
               d * std::sin(w0 * (at - t0));
      };
      t = first(t0 + 1e-6, [&](double at) {
        return s * (A * w * std::cos(w * at) - c * w0 * std::sin(w0 * (at - t0)) +
                    d * w0 * std::cos(w0 * (at - t0))) <
               0.0;
      });
      x = place(t);
    }
  }
  return x;
}

// where it begins to slip its velocity is nothing, and its acceleration too: rounding has the sign
TEST_P(ClosedForms, ADrivenBlockSticksAndSlips) {
  const Model model = stated(R"toml(
[coordinates]
x = { mass = 2, at = 0.1 }
[[force]]
on = "x"
value = "200*(0.08*sin(6*t) - x) - 9*sign(v(x))"
[run]
until = 20
)toml");
  for (const double tol : {1e-9, 1e-8, 1e-5}) {
    SCOPED_TRACE(tol);
    SimulationOptions options{.tol = tol, .error_estimate = false};
    if (std::string{GetParam()} != "auto") options.method = GetParam();
    const Result result = simulate(model, options);
    ASSERT_TRUE(result.good()) << result.summary.message;
    EXPECT_NEAR(result.motion["x"].back(), driven_block(0.1, 20.0), std::max(close, 10 * tol));
    EXPECT_LT(result.summary.counters.steps, 4000);
  }
}

// a gate of 0.01 s in each 10 s, by floor: where the phase falls back, so do all that compare it;
// and |z| of a vibration that dies out, whose side is below the tolerance
TEST_P(ClosedForms, GatesThatOpenAgainAndAgain) {
  const Result result = run(stated(R"toml(
[coordinates]
x = { mass = 1 }
y = { mass = 1 }
z = { mass = 1, at = 1 }
[definitions]
phase = "t - 10*floor(t/10)"
gate = "less(3, phase)*less(phase, 3.01)"
[[force]]
on = "x"
value = "5*gate"
[[force]]
on = "y"
value = "select(gate, 7, 0)"
[[force]]
on = "z"
value = "-9*z - 0.6*v(z) - 0.1*z*abs(z)"
[run]
until = 205
)toml"));
  ASSERT_TRUE(result.good()) << result.summary.message;
  EXPECT_NEAR(result.motion["v(x)"].back(), 21 * 0.05, close);
  EXPECT_NEAR(result.motion["v(y)"].back(), 21 * 0.07, close);
  EXPECT_NEAR(result.motion["z"].back(), 0.0, close);
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

// the impulse at t = 1 takes v(x) past a switch that other forces read
TEST_P(ClosedForms, AnImpulseMovesTheSwitchesThatReadItsVelocities) {
  const Result result = run(stated(R"toml(
[coordinates]
x = { mass = 1 }
y = { mass = 1 }
[[constraint]]
zero = "x - max(0, t - 1)"
[[force]]
on = "y"
value = "select(less(v(x), 0.5), 1, 0)"
[run]
until = 2
)toml"));
  ASSERT_TRUE(result.good()) << result.summary.message;
  EXPECT_NEAR(result.motion["y"].back(), 1.5, close);
  EXPECT_NEAR(result.motion["v(y)"].back(), 1.0, close);
  EXPECT_LT(result.summary.counters.steps, 60);
}

// a push that time switches takes a multiplier far past a switch, and back; it drifts either way
// while it does
TEST_P(ClosedForms, APushMovesTheSwitchesThatReadMultipliers) {
  for (const char* drift : {"0.3*sin(2*t)", "-0.3*sin(2*t)", "0.1*cos(9*t)", "0"})
    for (const char* sign : {"", "-"}) {
      SCOPED_TRACE(testing::Message() << sign << ' ' << drift);
      Model model = stated(std::string{R"toml(
[parameters]
s = )toml"} + sign + R"toml(1
[coordinates]
x   = { mass = 1 }
phi = { mass = 1 }
[[rolling]]
name = "slip"
zero = "v(x) - v(phi)"
[[force]]
on = "x"
value = "8*s*less(1, t)*less(t, 1.1) + )toml" +
                           drift + R"toml("
[states]
inside  = { rate = "less(1, s*lambda(slip))" }
outside = { rate = "less(s*lambda(slip), 1)" }
[run]
until = 2
)toml");
      const Result result = run(model);
      ASSERT_TRUE(result.good()) << result.summary.message;
      EXPECT_NEAR(result.motion["inside"].back(), 0.1, close);
      EXPECT_NEAR(result.motion["outside"].back(), 1.9, close);
      EXPECT_LT(result.summary.counters.steps, 200);
    }
}

// a push of Gauss on a wire, that moves nothing, is above a value for as long as its formula says
TEST_P(ClosedForms, EventsOfMultipliersAreAllFound) {
  for (const double w : {0.03, 1e-3, 3e-6})
    for (const double level : {0.26, 0.83, 0.9}) {
      SCOPED_TRACE(testing::Message() << "w = " << w << ", level " << level);
      const Model model = stated(R"toml(
[parameters]
w = 1
level = 0.5
[points]
p = { mass = 1, at = [0, 0], velocity = [1, 0] }
[[constraint]]
name = "wire"
zero = "p.y"
[[force]]
on = "p.y"
value = "10*exp(-((t - 0.2758)/w)^2)"
[[event]]
name = "pressed"
zero = "lambda(wire) - 10*level"
direction = "rising"
[[event]]
name = "free"
zero = "lambda(wire) - 10*level"
direction = "falling"
[run]
until = 1
)toml");
      const Result result = run(model, {.set = {{"w", w}, {"level", level}}});
      ASSERT_TRUE(result.good()) << result.summary.message;
      ASSERT_EQ(result.summary.events.size(), 2U);
      const double half = w * std::sqrt(-std::log(level));
      EXPECT_EQ(result.summary.events[0].name, "pressed");
      EXPECT_NEAR(result.summary.events[0].state.t, 0.2758 - half, 1e-4 * w);
      EXPECT_EQ(result.summary.events[1].name, "free");
      EXPECT_NEAR(result.summary.events[1].state.t, 0.2758 + half, 1e-4 * w);
    }
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
