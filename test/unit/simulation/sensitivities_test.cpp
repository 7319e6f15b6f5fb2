// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of motions by parameters, inputs and start values, beside closed forms and beside
// each other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "gallery.hpp"
#include "taut/gradients/gradient.hpp"
#include "taut/gradients/sensitivities.hpp"
#include "taut/model/model_file.hpp"

namespace taut {
namespace {

using test::gallery;
using testing::HasSubstr;

Model sensitive(std::string_view toml) {
  Problems problems;
  Model model = read_model(toml, problems);
  problems.throw_if_any();
  return model;
}

DifferentiatedRun by(const Model& model, const std::vector<std::string>& names,
                     SimulationOptions options) {
  return differentiate(model, options, names);
}

std::string refusal_of(const Model& model, const std::vector<std::string>& names,
                       const SimulationOptions& options = {.until = 0.1}) {
  try {
    static_cast<void>(differentiate(model, options, names));
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

constexpr const char* rod_pendulum = R"toml(
[parameters]
g = 9.81
L = 1.3
m = 2
[points]
bob = { mass = "m", at = ["L*sin(2)", "-L*cos(2)"] }
[[rod]]
name = "rod"
between = ["origin", "bob"]
length = "L"
[[gravity]]
acceleration = [0, "-g"]
[outputs]
angle = "atan2(bob.x, -bob.y)"
[[event]]
name = "bottom"
zero = "bob.x"
)toml";

// From rest the angle is a function Phi of t sqrt(g/L), whatever it is: an elliptic one.
TEST(Sensitivities, OfAPendulumInCartesianCoordinatesAreThoseOfItsScaling) {
  const double g = 9.81, L = 1.3, m = 2;
  const DifferentiatedRun run = by(sensitive(rod_pendulum), {"g", "L", "m"},
                                   {.until = 3.0, .every = 0.25, .method = "dop853", .tol = 1e-12});
  ASSERT_TRUE(run.result.good());
  ASSERT_TRUE(run.sensitivities.good()) << run.sensitivities.message;
  const Motion& motion = run.result.motion;
  ASSERT_EQ(motion.rows(), 13u);
  for (std::size_t i = 0; i < motion.rows(); ++i) {
    const double t = motion.t[i], x = motion["bob.x"][i], y = motion["bob.y"][i];
    const double vx = motion["bob.vx"][i], vy = motion["bob.vy"][i];
    const double rate = (x * vy - y * vx) / (L * L);
    const double by_g = t * rate / (2 * g), by_L = -t * rate / (2 * L);
    EXPECT_NEAR(run.column("bob.x", "g")[i], -y * by_g, 1e-10);
    EXPECT_NEAR(run.column("bob.y", "g")[i], x * by_g, 1e-10);
    EXPECT_NEAR(run.column("angle", "g")[i], by_g, 1e-10);
    EXPECT_NEAR(run.column("bob.x", "L")[i], x / L - y * by_L, 1e-10);
    EXPECT_NEAR(run.column("bob.y", "L")[i], y / L + x * by_L, 1e-10);
    EXPECT_NEAR(run.column("bob.x", "m")[i], 0.0, 1e-12);
    // lambda = m (L rate^2 - g y/L), and rate' = -g x/L^2
    const double rate_by_g = rate / (2 * g) + t / (2 * g) * (-g * x / (L * L));
    const double tension_by_g = m * (2 * L * rate * rate_by_g - y / L - g * x * by_g / L);
    EXPECT_NEAR(run.column("rod", "g")[i], tension_by_g, 1e-9);
    EXPECT_NEAR(run.column("rod", "m")[i], motion["rod"][i] / m, 1e-10);
  }
  ASSERT_EQ(run.sensitivities.events.size(), run.result.summary.events.size());
  ASSERT_GE(run.sensitivities.events.size(), 2u);
  for (const EventSensitivity& event : run.sensitivities.events) {
    EXPECT_NEAR(event.time[0], -event.t / (2 * g), 1e-10);
    EXPECT_NEAR(event.time[1], event.t / (2 * L), 1e-10);
    EXPECT_NEAR(event.time[2], 0.0, 1e-11);
    EXPECT_NEAR(event.q(0, 0), 0.0, 1e-10);  // x stays 0 there
  }
}

// A compilation at 0 and 1, and of parameters that are equal, has none of the terms that matter.
TEST(Sensitivities, SeeWhatIsZeroOneAndEqual) {
  const Model model = sensitive(R"toml(
[parameters]
k1 = 1
k2 = 1
m = 1
c = 0
n = 1
[inputs]
u = 0
[coordinates]
x = { mass = "m", at = 1 }
y = { mass = 1, at = 0.5 }
[[potential]]
energy = "k1*x^2/2 + k2*y^2/2"
[[force]]
on = "x"
value = "-c*v(x) + u"
[[force]]
on = "y"
value = "0*v(y)^n"
)toml");
  const DifferentiatedRun run = by(model, {"k1", "k2", "m", "c", "u", "start(x)", "start(v(x))"},
                                   {.until = 4.0, .every = 1, .method = "dop853", .tol = 1e-12});
  ASSERT_TRUE(run.sensitivities.good()) << run.sensitivities.message;
  for (std::size_t i = 0; i < run.result.motion.rows(); ++i) {
    const double t = run.result.motion.t[i], s = std::sin(t), c = std::cos(t);
    EXPECT_NEAR(run.column("x", "k1")[i], -t * s / 2, 1e-10);
    EXPECT_NEAR(run.column("y", "k1")[i], 0.0, 1e-14);
    EXPECT_NEAR(run.column("x", "k2")[i], 0.0, 1e-14);
    EXPECT_NEAR(run.column("y", "k2")[i], -t * s / 4, 1e-10);
    EXPECT_NEAR(run.column("x", "m")[i], t * s / 2, 1e-10);
    EXPECT_NEAR(run.column("x", "c")[i], (s - t * c) / 2, 1e-10);
    EXPECT_NEAR(run.column("x", "u")[i], 1 - c, 1e-10);
    EXPECT_NEAR(run.column("x", "start(x)")[i], c, 1e-10);
    EXPECT_NEAR(run.column("v(x)", "start(x)")[i], -s, 1e-10);
    EXPECT_NEAR(run.column("x", "start(v(x))")[i], s, 1e-10);
  }
}

// The force changes where x passes a, and again at a time: both jump.
TEST(Sensitivities, CrossSwitchesWhoseForceJumps) {
  const double F1 = 2, F2 = -0.5, a = 0.7, b = 1.5, F3 = 1.25;
  const DifferentiatedRun run = by(sensitive(R"toml(
[parameters]
F1 = 2
F2 = -0.5
F3 = 1.25
a = 0.7
b = 1.5
[coordinates]
x = { mass = 1, at = 0 }
[[force]]
on = "x"
value = "select(less(t, b), select(less(x, a), F1, F2), F3)"
)toml"),
                                   {"F1", "F2", "F3", "a", "b"},
                                   {.until = 2.0, .every = 2, .method = "dop853", .tol = 1e-11});
  ASSERT_TRUE(run.sensitivities.good()) << run.sensitivities.message;
  const double tc = std::sqrt(2 * a / F1), T = 2;
  // x(T) = a + v (b - tc) + F2 (b - tc)^2/2 + (v + F2 (b - tc)) (T - b) + F3 (T - b)^2/2, v = F1 tc
  const double tc_a = 1 / (F1 * tc), tc_F1 = -tc / (2 * F1);
  const auto x_by = [&](double da, double dv, double dtc) {
    const double s = b - tc, r = T - b, v = F1 * tc;
    return da + dv * s - v * dtc - F2 * s * dtc + (dv - F2 * dtc) * r;
  };
  EXPECT_NEAR(run.column("x", "a").back(), x_by(1, F1 * tc_a, tc_a), 1e-9);
  EXPECT_NEAR(run.column("x", "F1").back(), x_by(0, tc + F1 * tc_F1, tc_F1), 1e-9);
  EXPECT_NEAR(run.column("x", "F2").back(), (b - tc) * (b - tc) / 2 + (b - tc) * (T - b), 1e-9);
  EXPECT_NEAR(run.column("x", "F3").back(), (T - b) * (T - b) / 2, 1e-9);
  EXPECT_NEAR(run.column("x", "b").back(), (F2 - F3) * (T - b), 1e-9);
}

// A ball falls onto a spring that only pushes, and flies up again.
TEST(Sensitivities, OfABallThatBounces) {
  const double g = 9.81, k = 900, h = 0.8, w = std::sqrt(k);
  const DifferentiatedRun run =
      by(sensitive(R"toml(
[parameters]
g = 9.81
k = 900
h = 0.8
[coordinates]
y = { mass = 1, at = "h" }
[[force]]
on = "y"
value = "-g + k*max(0, -y)"
)toml"),
         {"h"}, {.until = 0.9, .every = 0.9, .method = "dop853", .tol = 1e-11});
  ASSERT_TRUE(run.sensitivities.good()) << run.sensitivities.message;
  // the height of the flight after it is h again: y = v s - g s^2/2, s = T - tc - contact(v)
  const auto y_at = [&](double height) {
    const double tc = std::sqrt(2 * height / g), v = std::sqrt(2 * height * g);
    const double contact = 2 / w * (std::acos(-1.0) - std::atan(w * v / g));
    const double s = 0.9 - tc - contact;
    return v * s - g * s * s / 2;
  };
  EXPECT_NEAR(run.result.motion["y"].back(), y_at(h), 1e-8);
  const double d = 1e-3;
  const double slope =
      (8 * (y_at(h + d) - y_at(h - d)) - (y_at(h + 2 * d) - y_at(h - 2 * d))) / (12 * d);
  EXPECT_NEAR(run.column("y", "h").back(), slope, 1e-8 * std::abs(slope));
}

// Thrown up, x = v0 t - 9 t²/2 turns round at 0.5: a switch there is touched, not crossed.
Model thrown(double edge) {
  Model model = sensitive(R"toml(
[parameters]
v0 = 3
edge = 0.5
pull = -18
[coordinates]
x = { mass = 1, at = 0, velocity = "v0" }
[[force]]
on = "x"
value = "select(less(x, edge), -9, pull)"
)toml");
  model.set("edge", Value{edge});
  return model;
}

TEST(Sensitivities, EndWhereASwitchIsTouchedAndItsForceJumps) {
  const SimulationOptions options{.until = 0.6, .every = 0.1, .method = "dop853", .tol = 1e-10};
  for (const double by_chance : {0.0, 1e-13, -1e-13}) {
    const DifferentiatedRun run = by(thrown(0.5 + by_chance), {"v0"}, options);
    EXPECT_FALSE(run.sensitivities.good());
    EXPECT_THAT(run.sensitivities.message, HasSubstr("t = 0.333333: the switch of 'force 1'"));
    EXPECT_NEAR(run.column("x", "v0")[3], 0.3, 1e-12);  // before it
    EXPECT_TRUE(std::isnan(run.column("x", "v0").back()));
  }
  // out of reach, and crossed: x(T) = x1 + v1 (T - t1) + ..., whatever comes behind
  const DifferentiatedRun far = by(thrown(0.51), {"v0"}, options);
  ASSERT_TRUE(far.sensitivities.good()) << far.sensitivities.message;
  EXPECT_NEAR(far.column("x", "v0").back(), 0.6, 1e-10);
  const DifferentiatedRun crossed = by(thrown(0.4), {"pull"}, options);
  ASSERT_TRUE(crossed.sensitivities.good()) << crossed.sensitivities.message;
  const double t1 = (3 - std::sqrt(9 - 18 * 0.4)) / 9, v1 = 3 - 9 * t1;
  // up and down again in 2 v1/18, then as fast as it came: only the time of that changes
  EXPECT_NEAR(crossed.column("x", "pull").back(),
              (-v1 - 9 * (0.6 - t1 - 2 * v1 / 18)) * -2 * v1 / (18 * 18), 1e-8);
  // a force that only bends there has its derivative
  Model bent = thrown(0.5);
  bent.set("pull", Value{-9.0});
  const DifferentiatedRun smooth = by(bent, {"v0"}, options);
  ASSERT_TRUE(smooth.sensitivities.good()) << smooth.sensitivities.message;
  EXPECT_NEAR(smooth.column("x", "v0").back(), 0.6, 1e-10);
}

TEST(Sensitivities, SayWhichEventIsTouched) {
  Model model = sensitive(R"toml(
[parameters]
v0 = 3
top = 0.4999999999
[coordinates]
x = { mass = 1, at = 0, velocity = "v0" }
[[force]]
on = "x"
value = "-9"
[[event]]
name = "top"
zero = "x - top"
[[event]]
name = "passing"
zero = "x - 0.3"
)toml");
  const SimulationOptions options{.until = 0.6, .method = "dop853", .tol = 1e-9};
  const DifferentiatedRun run = by(model, {"v0"}, options);
  ASSERT_TRUE(run.sensitivities.good()) << run.sensitivities.message;
  EXPECT_THAT(run.sensitivities.message, HasSubstr("the event 'top' at t = 0.333"));
  EXPECT_THAT(run.sensitivities.message, testing::Not(HasSubstr("passing")));
  int touched = 0;
  for (const EventSensitivity& event : run.sensitivities.events) {
    if (event.name != "passing") {
      EXPECT_TRUE(std::isnan(event.time[0]));
      ++touched;
      continue;
    }
    // v0 t - 9 t²/2 = 0.3:  dt/dv0 = -t/(v0 - 9 t)
    EXPECT_NEAR(event.time[0], -event.t / (3 - 9 * event.t), 1e-8);
  }
  EXPECT_GE(touched, 1);
}

// A rod that turns about its end, as a body: from rest its angle is F(w t), w² = m g L/2/(J + m
// L²/4), so that d(angle)/dp = t angle'/2 d(log w²)/dp. Mass, inertia, marker, place and joint are
// made of the parameters.
TEST(Sensitivities, ByWhatBodiesAreMadeOf) {
  const double g = 9.81, L = 1.2, m = 2, J = 0.5, whole = J + m * L * L / 4;
  const auto body = [](const std::string& planar_or_not) {
    return sensitive(R"toml(
[parameters]
g = 9.81
L = 1.2
m = 2
J = 0.5
b = 0.4
)toml" + planar_or_not);
  };
  const Model plane = body(R"toml(
[[body]]
name = "rod"
mass = "m"
inertia = "J"
at = ["L/2*cos(b)", "L/2*sin(b)"]
rotation = "b"
shape = { box = ["L", "L/10"] }
[[joint]]
name = "pivot"
kind = "hinge"
between = ["ground", "rod"]
at = [0, 0]
[[gravity]]
acceleration = [0, "-g"]
)toml");
  const Model space = body(R"toml(
[[body]]
name = "rod"
mass = "m"
inertia = ["J/5", "J", "J"]
at = ["L/2*cos(b)", "L/2*sin(b)", 0]
rotation = [0, 0, "b"]
markers = { end = ["-L/2", 0, 0] }
[[joint]]
name = "pivot"
kind = "hinge"
axis = [0, 0, 1]
between = ["ground", "rod.end"]
[[gravity]]
acceleration = [0, "-g", 0]
)toml");
  const std::vector<std::pair<std::string, double>> growth{{"g", 1 / g},
                                                           {"L", 1 / L - m * L / 2 / whole},
                                                           {"m", 1 / m - L * L / 4 / whole},
                                                           {"J", -1 / whole}};
  for (const auto& [model, what] : {std::pair{&plane, "rod.angle"}, {&space, "rod.r11"}}) {
    const DifferentiatedRun run =
        by(*model, {"g", "L", "m", "J"},
           {.until = 1.5, .every = 0.25, .method = "dop853", .tol = 1e-11});
    ASSERT_TRUE(run.sensitivities.good()) << run.sensitivities.message;
    const Column rate = run.result.motion.column(std::string{"v("} + what + ")");
    for (std::size_t i = 0; i < run.result.motion.rows(); ++i)
      for (const auto& [name, by_name] : growth)
        EXPECT_NEAR(run.column(what, name)[i], run.result.motion.t[i] / 2 * rate[i] * by_name, 1e-8)
            << what << " by " << name;
  }
}

// A disc on a shaft that is wound up by nearly two turns: angle = 3/w sin(w t), w² = k/J.
TEST(Sensitivities, OfJointsThatCountTurnsInSpace) {
  const Model model = sensitive(R"toml(
[parameters]
k = 0.02
J = 0.3
[[body]]
name = "disc"
mass = 1
inertia = [0.2, 0.2, "J"]
spin = [0, 0, 3]
[[joint]]
name = "shaft"
kind = "hinge"
between = ["ground", "disc"]
axis = [0, 0, 1]
at = [0, 0, 0]
stiffness = "k"
)toml");
  for (const char* const method : {"dop853", "radau"}) {
    const DifferentiatedRun run =
        by(model, {"k", "J"}, {.until = 9.0, .every = 0.5, .method = method, .tol = 1e-10});
    ASSERT_TRUE(run.sensitivities.good()) << run.sensitivities.message;
    const double k = 0.02, J = 0.3, w = std::sqrt(k / J);
    double widest = 0.0;
    for (std::size_t i = 0; i < run.result.motion.rows(); ++i) {
      const double t = run.result.motion.t[i], s = std::sin(w * t), c = std::cos(w * t);
      const double angle = 3 / w * s, by_w = 3 * (t * c / w - s / (w * w));
      widest = std::max(widest, angle);
      EXPECT_NEAR(run.result.motion["disc.r21"][i], std::sin(angle), 1e-7);
      EXPECT_NEAR(run.column("disc.r21", "k")[i], std::cos(angle) * by_w * w / (2 * k), 1e-4);
      EXPECT_NEAR(run.column("disc.r21", "J")[i], -std::cos(angle) * by_w * w / (2 * J), 1e-5);
    }
    EXPECT_GT(widest, 11.0);  // [rad]
  }
}

// Lengths of its links, motors that read angles, stops out of reach, whose law has a switch of its
// own that the elbow passes as it turns faster than 2 rad/s: against differences of runs.
TEST(Sensitivities, OfARobotArm) {
  const Model model = gallery("robot_arm");
  SimulationOptions options{.until = 0.5, .every = 0.5, .method = "dop853", .tol = 1e-11};
  const DifferentiatedRun run = by(model, {"upper", "g"}, options);
  ASSERT_TRUE(run.sensitivities.good()) << run.sensitivities.message;
  for (const auto& [name, value] : {std::pair{"upper", 0.6}, {"g", 9.81}}) {
    const double d = 1e-4 * value;
    std::vector<Result> near;
    for (const double sign : {1.0, -1.0}) {
      options.set = {{name, value + sign * d}};
      near.push_back(simulate(model, options));
    }
    for (const char* const what : {"forearm.x", "elbow.angle", "column angle"}) {
      const double slope = (near[0].motion[what].back() - near[1].motion[what].back()) / (2 * d);
      EXPECT_NEAR(run.column(what, name).back(), slope, 1e-5 * (std::abs(slope) + 0.01))
          << what << " by " << name;
    }
  }
}

// The travel of the piston: x = a cos(angle) + sqrt(b² - a² sin(angle)²), angle = rate t.
TEST(Sensitivities, ByLengthsOfAMachine) {
  const double a = 0.3, b = 0.9, rate = 10;
  const DifferentiatedRun run = by(gallery("crank_slider"), {"a", "b", "rate"},
                                   {.until = 0.5, .every = 0.05, .method = "dop853", .tol = 1e-11});
  ASSERT_TRUE(run.sensitivities.good()) << run.sensitivities.message;
  for (std::size_t i = 0; i < run.result.motion.rows(); ++i) {
    const double t = run.result.motion.t[i], s = std::sin(rate * t), c = std::cos(rate * t);
    const double root = std::sqrt(b * b - a * a * s * s);
    EXPECT_NEAR(run.column("piston.x", "a")[i], c - a * s * s / root, 1e-9);
    EXPECT_NEAR(run.column("piston.x", "b")[i], b / root, 1e-9);
    EXPECT_NEAR(run.column("piston.x", "rate")[i], t * (-a * s - a * a * s * c / root), 1e-8);
  }
}

// How a body is turned at the start, where that is not at all, against differences of runs.
TEST(Sensitivities, ByTheOrientationOfABodyThatIsNotTurned) {
  const auto spinning = [](double a) {
    Model model = sensitive(R"toml(
[parameters]
a = 0
[[body]]
name = "top"
mass = 1
inertia = [1, 2, 2.5]
rotation = ["a", 0.3, "2*a"]
spin = [1, 2, 0.5]
)toml");
    model.set("a", Value{a});
    return model;
  };
  const SimulationOptions options{.until = 1.0, .method = "dop853", .tol = 1e-12};
  const DifferentiatedRun run = by(spinning(0.0), {"a"}, options);
  ASSERT_TRUE(run.sensitivities.good()) << run.sensitivities.message;
  constexpr double d = 1e-3;
  const auto end = [&](double a, const char* what) {
    return simulate(spinning(a), options).motion.column(what).back();
  };
  for (const char* const what : {"top.r11", "top.r23", "top.r31"}) {
    const double slope =
        (8 * (end(d, what) - end(-d, what)) - (end(2 * d, what) - end(-2 * d, what))) / (12 * d);
    EXPECT_NEAR(run.column(what, "a").back(), slope, 1e-8) << what;
  }
}

// Equations of Radau against springs of dop853: two formulations, two integrators.
TEST(Sensitivities, OfStiffRodsAreThoseOfSprings) {
  const Model model = gallery("stiff_double_pendulum");
  SimulationOptions options{.set = {{"omega", 50.0}}, .until = 1.0, .every = 0.25, .tol = 1e-11};
  options.keep_start = true;
  options.method = "radau";
  const DifferentiatedRun stiff = by(model, {"omega", "start(bob1.vy)"}, options);
  options.method = "dop853";
  const DifferentiatedRun springs = by(model, {"omega", "start(bob1.vy)"}, options);
  ASSERT_TRUE(stiff.sensitivities.good()) << stiff.sensitivities.message;
  ASSERT_TRUE(springs.sensitivities.good()) << springs.sensitivities.message;
  EXPECT_EQ(stiff.sensitivities.method, "radau");
  EXPECT_EQ(springs.sensitivities.method, "dop853");
  const SensitivityRow &a = stiff.sensitivities.end, &b = springs.sensitivities.end;
  EXPECT_LE((a.q - b.q).norm(), 1e-7 * b.q.norm());
  EXPECT_LE((a.v - b.v).norm(), 1e-7 * b.v.norm());
  EXPECT_LE((a.lambda - b.lambda).norm(), 1e-6 * b.lambda.norm());
  EXPECT_GT((a.q - b.q).norm(), 0.0);
}

// A start that is later by a parameter: x = cos(t - t0) + sin(t - t0)/2.
TEST(Sensitivities, ByTheTimeOfTheStart) {
  const Model model = sensitive(R"toml(
[parameters]
t0 = 0.3
[coordinates]
x = { mass = 1, at = 1, velocity = 0.5 }
[[potential]]
energy = "x^2/2"
[run]
from = "t0"
)toml");
  const DifferentiatedRun run = by(model, {"t0"}, {.until = 2.0, .method = "dop853", .tol = 1e-12});
  ASSERT_TRUE(run.sensitivities.good()) << run.sensitivities.message;
  EXPECT_NEAR(run.sensitivities.end.q(0, 0), std::sin(1.7) - 0.5 * std::cos(1.7), 1e-9);
  EXPECT_NEAR(run.sensitivities.end.v(0, 0), std::cos(1.7) + 0.5 * std::sin(1.7), 1e-9);
}

// Compliance, damping and place of a damped soft rod: springs and the equations of Radau against
// differences of runs, at the steps and inside of them.
TEST(Sensitivities, OfDampedSoftRodsAreDifferencesOfRuns) {
  const Model model = sensitive(R"toml(
[parameters]
C = 0.002
c = 3
p = 0.1
[points]
bob = { mass = 1, at = [1.2, 0] }
[anchors]
pivot = ["p", 0]
[[rod]]
name = "rod"
between = ["pivot", "bob"]
length = 1
compliance = "C"
damping = "c"
[[gravity]]
acceleration = [0, -9.81]
)toml");
  SimulationOptions options{.until = 1.0, .every = 0.125, .method = "dop853", .tol = 1e-12};
  options.keep_start = true;
  const std::vector<std::pair<std::string, double>> names{{"C", 0.002}, {"c", 3.0}, {"p", 0.1}};
  for (const auto& [name, value] : names) {
    const double d = 1e-3 * value;
    std::vector<Result> near;
    for (const double k : {1.0, -1.0, 2.0, -2.0}) {
      SimulationOptions other = options;
      other.set = {{name, value + k * d}};
      near.push_back(simulate(model, other));
    }
    for (const char* const method : {"dop853", "radau"}) {
      SimulationOptions own = options;
      own.method = method;
      own.tol = 1e-11;
      const DifferentiatedRun run = by(model, {name}, own);
      ASSERT_TRUE(run.sensitivities.good()) << run.sensitivities.message;
      ASSERT_EQ(run.result.motion.rows(), near[0].motion.rows());
      for (const char* const what : {"bob.x", "bob.y", "rod"}) {
        double largest = 0.0, error = 0.0;
        for (std::size_t i = 0; i < near[0].motion.rows(); ++i) {
          const auto at = [&](std::size_t k) { return near[k].motion[what][i]; };
          const double slope = (8 * (at(0) - at(1)) - (at(2) - at(3))) / (12 * d);
          largest = std::max(largest, std::abs(slope));
          error = std::max(error, std::abs(run.column(what, name)[i] - slope));
        }
        EXPECT_LE(error, 1e-5 * largest) << method << " " << what << " by " << name;
      }
    }
  }
}

// Smooth motions of stiff rods do not notice how stiff they are; their start was moved.
TEST(Sensitivities, OfSmoothMotionsHaveTheLimitOfRigidRods) {
  const std::vector<std::string> names{"start(bob1.vy)", "start(bob2.vy)"};
  const Model model = gallery("stiff_double_pendulum");
  SimulationOptions options{
      .set = {{"omega", 1e6}}, .until = 1.0, .every = 0.5, .method = "radau", .tol = 1e-10};
  const DifferentiatedRun stiff = by(model, names, options);
  ASSERT_TRUE(stiff.sensitivities.good()) << stiff.sensitivities.message;
  options.reading = Reading::rigid();
  options.method = "dop853";
  const DifferentiatedRun rigid = by(model, names, options);
  ASSERT_TRUE(rigid.sensitivities.good()) << rigid.sensitivities.message;
  const SensitivityRow &a = stiff.sensitivities.end, &b = rigid.sensitivities.end;
  EXPECT_LE((a.q - b.q).norm(), 1e-7 * b.q.norm());
  EXPECT_LE((a.lambda - b.lambda).norm(), 1e-6 * b.lambda.norm());
}

// The length of a rod that is so stiff that the start was moved by less than rounding: the smooth
// motion changes with it, not the stretch.
TEST(Sensitivities, OfStartsOnSmoothMotionStayThere) {
  const auto rods = [](const std::string& compliance) {
    return sensitive(R"toml(
[parameters]
L = 1
omega = 1e8
m = 1
[points]
bob1 = { mass = 1, at = [1, 0], velocity = [0, -0.5] }
bob2 = { mass = "m", at = [2, 0], velocity = [0, 0.5] }
[[constraint]]
name = "rod 1"
zero = "hypot(bob1.x, bob1.y) - 1"
compliance = ")toml" +
                     compliance +
                     R"toml("
[[constraint]]
name = "rod 2"
zero = "hypot(bob1.x - bob2.x, bob1.y - bob2.y) - L"
compliance = ")toml" +
                     compliance + "\"\n");
  };
  SimulationOptions options{.until = 2.0, .every = 1, .method = "radau", .tol = 1e-10};
  options.slow_start = true;
  const DifferentiatedRun stiff = by(rods("1/omega^2"), {"L", "m"}, options);
  options.slow_start = false;
  options.method = "dop853";
  const DifferentiatedRun rigid = by(rods("0"), {"L", "m"}, options);
  ASSERT_TRUE(stiff.sensitivities.good()) << stiff.sensitivities.message;
  ASSERT_TRUE(rigid.sensitivities.good()) << rigid.sensitivities.message;
  const SensitivityRow &a = stiff.sensitivities.end, &b = rigid.sensitivities.end;
  EXPECT_LE((a.q - b.q).norm(), 1e-7 * b.q.norm());
  EXPECT_LE((a.v - b.v).norm(), 1e-7 * b.v.norm());
  EXPECT_LE((a.lambda - b.lambda).norm(), 1e-7 * b.lambda.norm());
}

/// Five-point differences of runs at a tighter tolerance, of these columns at the end.
std::vector<double> differences(const Model& model, SimulationOptions options,
                                const std::string& name, double value, double d,
                                const std::vector<std::string>& columns) {
  options.tol = 1e-13;
  std::vector<double> slopes(columns.size(), 0.0);
  for (const auto& [k, weight] : {std::pair{1.0, 8.0}, {-1.0, -8.0}, {2.0, -1.0}, {-2.0, 1.0}}) {
    options.set = {{name, value + k * d}};
    const Result run = simulate(model, options);
    for (std::size_t i = 0; i < columns.size(); ++i)
      slopes[i] += weight / (12 * d) * run.motion[columns[i]].back();
  }
  return slopes;
}

// Multipliers of an index-3 problem with a constraint that moves.
TEST(Sensitivities, OfMultipliersOfTheCarAxisAreDifferencesOfItsRuns) {
  const Model model = gallery("car_axis");
  for (const auto& [name, value] : {std::pair{"L0", 0.5}, {"g", 1.0}}) {
    const SimulationOptions options{.until = 1.0, .every = 1, .method = "dop853", .tol = 1e-10};
    const DifferentiatedRun run = by(model, {name}, options);
    ASSERT_TRUE(run.sensitivities.good()) << run.sensitivities.message;
    const std::vector<std::string>& columns = run.result.motion.constraints;
    const std::vector<double> slopes = differences(model, options, name, value, 1e-3, columns);
    double size = 0.0;
    for (const double slope : slopes) size = std::max(size, std::abs(slope));
    for (std::size_t i = 0; i < columns.size(); ++i)
      EXPECT_NEAR(run.column(columns[i], name).back(), slopes[i], 1e-7 * size)
          << columns[i] << name;
  }
}

// However stiff the rods: accuracy, and the number of steps.
TEST(Sensitivities, OfMultipliersOfStiffRodsAreDifferencesOfTheirRuns) {
  Model model = gallery("stiff_double_pendulum");
  model.parameters.push_back({.name = "speed", .value = -0.5});
  for (PointMass& point : model.points)
    if (point.name == "bob1") point.velocity = {Value{0.0}, Value{"speed"}};
  std::vector<std::int64_t> steps;
  for (const double omega : {1e2, 1e4, 1e6, 1e8}) {
    model.set("omega", Value{omega});
    SimulationOptions options{.until = 1.0, .every = 1, .method = "radau", .tol = 1e-10};
    options.slow_start = true;
    const DifferentiatedRun run = by(model, {"speed"}, options);
    ASSERT_TRUE(run.sensitivities.good()) << run.sensitivities.message;
    steps.push_back(run.result.summary.counters.steps);
    const std::vector<std::string>& columns = run.result.motion.constraints;
    const std::vector<double> slopes = differences(model, options, "speed", -0.5, 2e-3, columns);
    for (std::size_t i = 0; i < columns.size(); ++i)
      // at omega = 100 what vibrates below the tolerance counts
      EXPECT_NEAR(run.column(columns[i], "speed").back(), slopes[i],
                  (omega > 1e3 ? 1e-7 : 1e-6) * (1 + std::abs(slopes[i])))
          << columns[i] << " at omega " << omega;
  }
  EXPECT_LE(steps.back(), 2 * steps[1]);
}

TEST(Sensitivities, OfAMechanismAreDifferencesOfItsRuns) {
  const Model model = gallery("andrews");
  constexpr double c0 = 4530, d = 5;
  SimulationOptions options{.until = 0.01, .every = 0.005, .method = "dop853", .tol = 1e-11};
  const DifferentiatedRun run = by(model, {"c0", "mom"}, options);
  ASSERT_TRUE(run.sensitivities.good()) << run.sensitivities.message;
  options.method = "radau";
  const DifferentiatedRun other = by(model, {"c0", "mom"}, options);
  ASSERT_TRUE(other.sensitivities.good()) << other.sensitivities.message;
  std::vector<Result> near;
  options.method = "dop853";
  options.tol = 1e-13;
  for (const double k : {1.0, -1.0, 2.0, -2.0}) {
    options.set = {{"c0", c0 + k * d}};
    near.push_back(simulate(model, options));
  }
  const std::size_t last = run.result.motion.rows() - 1;
  for (const std::string& what : run.result.motion.constraints) {
    const auto at = [&](std::size_t k) { return near[k].motion[what][last]; };
    const double slope = (8 * (at(0) - at(1)) - (at(2) - at(3))) / (12 * d);
    EXPECT_NEAR(run.column(what, "c0")[last], slope, 1e-7 * (1e-3 + std::abs(slope))) << what;
  }
  const auto agree = [](const Mat& a, const Mat& b) {
    EXPECT_LE((a - b).norm(), 1e-7 * a.norm());
    EXPECT_GT((a - b).norm(), 0.0);  // two integrators
  };
  agree(run.sensitivities.end.q, other.sensitivities.end.q);
  agree(run.sensitivities.end.v, other.sensitivities.end.v);
  agree(run.sensitivities.end.lambda, other.sensitivities.end.lambda);
}

// The slider crank of the examples of a well-known solver: three coordinates, two constraints, a
// spring and a damper; G is the integral of the kinetic energy. The truth is from the crank angle
// alone, with complex steps in extended precision; what is published is 4e-5 off.
TEST(Sensitivities, OfASliderCrankAreThoseOfItsAngle) {
  const Model model = sensitive(R"toml(
[parameters]
k = 1
c = 1
a = 0.5
[coordinates]
q = { mass = 1, at = "pi/2" }
x = { mass = 1, at = "cos(asin(-a))" }
p = { mass = 2, at = "asin(-a)" }
[definitions]
l = "sqrt(x^2 - x*(cos(p) + a*cos(q)) + (1 + a^2)/4 + a*cos(p - q)/2)"
lq = "(a*x*sin(q) + a*sin(p - q)/2)/(2*l)"
lx = "(2*x - cos(p) - a*cos(q))/(2*l)"
lp = "(x*sin(p) - a*sin(p - q)/2)/(2*l)"
rate = "lq*v(q) + lx*v(x) + lp*v(p)"
[states]
G = { at = 0, rate = "(v(q)^2 + v(x)^2 + 2*v(p)^2)/2" }
[[potential]]
energy = "k*(l - 1)^2/2 - (x + cos(p))"
[[force]]
on = "q"
value = "-c*rate*lq"
[[force]]
on = "x"
value = "-c*rate*lx"
[[force]]
on = "p"
value = "-c*rate*lp"
[[constraint]]
zero = "x - cos(p) - a*cos(q)"
[[constraint]]
zero = "sin(p) + a*sin(q)"
)toml");
  for (const char* method : {"dop853", "radau"}) {
    const DifferentiatedRun run =
        by(model, {"k", "c"}, {.until = 10.0, .every = 10, .method = method, .tol = 1e-11});
    ASSERT_TRUE(run.sensitivities.good()) << run.sensitivities.message;
    EXPECT_EQ(run.sensitivities.method, method);
    EXPECT_NEAR(run.result.motion["G"].back(), 3.3366067994827841, 1e-9);
    EXPECT_NEAR(run.column("G", "k").back(), 0.33344810612843800, 1e-10);
    EXPECT_NEAR(run.column("G", "c").back(), -0.36375403397094975, 1e-10);
  }
}

TEST(Sensitivities, AreRefusedInWords) {
  EXPECT_THAT(refusal_of(sensitive(rod_pendulum), {"G"}), HasSubstr("did you mean 'g'"));
  EXPECT_THAT(refusal_of(sensitive(rod_pendulum), {"g", "g"}), HasSubstr("twice"));
  EXPECT_THAT(refusal_of(sensitive(rod_pendulum), {"start(bob.z)"}), HasSubstr("start(bob."));
  EXPECT_THAT(refusal_of(gallery("chain"), {"links"}),
              HasSubstr("cannot be compiled at values nearby"));
  const char* const plate = R"toml(
[parameters]
I = 1
J = 2
[[body]]
name = "plate"
mass = 1
inertia = ["I", 1, "J"]
)toml";
  EXPECT_THAT(refusal_of(sensitive(plate), {"I", "J"}), HasSubstr("whether a body is flat"));
  EXPECT_THAT(refusal_of(gallery("pendulum_dae"), {"g"}), HasSubstr("[jets]"));
  // what changes the motion, or is a part of it, and is not differentiated
  EXPECT_THAT(refusal_of(gallery("breaking_rod"), {"g"}), HasSubstr("events change"));
  EXPECT_THAT(refusal_of(gallery("rough_hoop"), {"mu"}), HasSubstr("read multipliers"));
  const char* const at_rest = R"toml(
[parameters]
F = 3
[coordinates]
x = { mass = 2, at = 0.1 }
[[potential]]
energy = "25*x^2 - F*x"
[start]
from = "equilibrium"
)toml";
  EXPECT_THAT(refusal_of(sensitive(at_rest), {"F"}), HasSubstr("start at an equilibrium"));
  const char* const shaft = R"toml(
[parameters]
k = 0.02
[[body]]
name = "disc"
mass = 1
inertia = [0.2, 0.2, 0.3]
at = [0, 0, 0]
spin = [0, 0, 3]
[[joint]]
name = "shaft"
kind = "hinge"
between = ["ground", "disc"]
axis = [0, 0, 1]
at = [0, 0, 0]
stiffness = "k"
)toml";
  const auto by_adjoint = [&] {
    static_cast<void>(gradient(sensitive(shaft), {.until = 0.1}, {"end(disc.r11)"}, {"k"}));
  };
  EXPECT_THAT(by_adjoint, testing::ThrowsMessage<ModelError>(HasSubstr("count turns")));
}

}  // namespace
}  // namespace taut
