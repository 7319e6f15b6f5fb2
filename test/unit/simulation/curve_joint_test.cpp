// SPDX-License-Identifier: BSD-3-Clause
// A point on a curve that is stated by a parameter, against minimal coordinates and closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"
#include "taut/simulation/simulate.hpp"

namespace taut {
namespace {

using testing::HasSubstr;

Model curved(const std::string& text) {
  Problems problems{"curve.toml"};
  Model model = read_model(text, problems);
  problems.throw_if_any();
  return model;
}

std::string curve_mistakes(const std::string& text) {
  Problems problems{"curve.toml"};
  const Model model = read_model(text, problems);
  (void)compile(model, problems);
  return problems.message();
}

const char* const bead = R"toml(
[points]
bead = { mass = 0.7, at = [2, 0], velocity = [0, 7] }
[[joint]]
name = "wire"
kind = "point-on-curve"
between = ["ground", "bead"]
curve = ["2*cos(s)", "sin(s) + 0.1*sin(3*s)"]
[[gravity]]
acceleration = [0, -9.81]
[outputs]
s = "travel(wire)"
s_rate = "speed(wire)"
[run]
until = 5
)toml";

const char* const bead_by_parameter = R"toml(
[coordinates]
u = { velocity = "7/1.3" }
[definitions]
x1 = "-2*sin(u)"
y1 = "cos(u) + 0.3*cos(3*u)"
[[kinetic]]
energy = "0.7/2*(x1^2 + y1^2)*v(u)^2"
[[potential]]
energy = "0.7*9.81*(sin(u) + 0.1*sin(3*u))"
[run]
until = 5
)toml";

// round and round, with the force of the wire from Newton's law
TEST(PointOnCurve, IsABeadOnAWire) {
  const SimulationOptions truth_options{.every = 0.25, .method = "dop853", .tol = 1e-12};
  const Motion truth = simulate(curved(bead_by_parameter), truth_options).motion;
  EXPECT_GT(truth["u"].back(), 2 * 2 * std::numbers::pi);
  struct Case {
    const char* method;
    double tol, step, error;
  };
  for (const Case& one :
       {Case{"dop853", 1e-11, 0, 1e-7}, Case{"radau", 1e-10, 0, 1e-6}, Case{"auto", 1e-10, 0, 1e-6},
        Case{"projected-rk", 1e-10, 0, 1e-5}, Case{"rk4", 0, 1e-3, 1e-5},
        Case{"rattle", 0, 5e-4, 2e-3}, Case{"rattle-yoshida4", 0, 2e-3, 1e-4}}) {
    SCOPED_TRACE(one.method);
    SimulationOptions options{.every = 0.25, .method = one.method};
    if (one.tol > 0) options.tol = one.tol;
    if (one.step > 0) options.step = one.step;
    const Result run = simulate(curved(bead), options);
    ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
    const Motion& m = run.motion;
    ASSERT_EQ(m.rows(), truth.rows());
    for (std::size_t k = 0; k < m.rows(); ++k) {
      const double s = m["s"][k];
      EXPECT_NEAR(s, truth["u"][k], one.error);
      EXPECT_NEAR(m["s_rate"][k], truth["v(u)"][k], 20 * one.error);
      EXPECT_NEAR(m["bead.x"][k], 2 * std::cos(s), 1e-10);
      EXPECT_NEAR(m["bead.y"][k], std::sin(s) + 0.1 * std::sin(3 * s), 1e-10);
      const double fx = 0.7 * m["bead.ax"][k], fy = 0.7 * (m["bead.ay"][k] + 9.81);
      EXPECT_NEAR(m["lambda(wire x)"][k], fx, 1e-8);
      EXPECT_NEAR(m["lambda(wire y)"][k], fy, 1e-8);
      EXPECT_NEAR(-2 * std::sin(s) * fx + (std::cos(s) + 0.3 * std::cos(3 * s)) * fy, 0.0, 1e-7);
    }
    ASSERT_TRUE(run.summary.energy_error);
    EXPECT_LT(*run.summary.energy_error, one.error);
  }
}

// a cam that turns steadily pushes its follower: x = r(s) with s = -5 t
TEST(PointOnCurve, IsTheRollerInTheGrooveOfACam) {
  const Result run = simulate(curved(R"toml(
[[body]]
name = "cam"
mass = 2
inertia = 0.02
at = [0, 0]
[points]
roller = { mass = 0.3, at = [0.15, 0] }
[[joint]]
name = "shaft"
kind = "hinge"
between = ["ground", "cam"]
at = [0, 0]
angle = "5*t"
[[joint]]
name = "groove"
kind = "point-on-curve"
between = ["cam", "roller"]
curve = ["(0.1 + 0.05*cos(s))*cos(s)", "(0.1 + 0.05*cos(s))*sin(s)"]
start = 0.1
[[constraint]]
zero = "roller.y"
[run]
until = 3
)toml"),
                              {.every = 0.1, .method = "dop853", .tol = 1e-11});
  ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
  const Motion& m = run.motion;
  for (std::size_t k = 0; k < m.rows(); ++k) {
    const double t = m.t[k];
    EXPECT_NEAR(m["groove.s"][k], -5 * t, 1e-9);
    EXPECT_NEAR(m["roller.x"][k], 0.1 + 0.05 * std::cos(5 * t), 1e-10);
    EXPECT_NEAR(m["roller.ax"][k], -25 * 0.05 * std::cos(5 * t), 1e-8);
  }
}

// what is stated on the parameter: a spring, a motor and prescribed motion, in space
TEST(PointOnCurve, TakesSpringsAndMotorsOnItsParameter) {
  const std::string helix = R"toml(
[points]
bead = { mass = 2, at = [1, 0, 0] }
[run]
until = 4
[[joint]]
name = "helix"
kind = "point-on-curve"
between = ["ground", "bead"]
curve = ["cos(s)", "sin(s)", "0.5*s"]
)toml";
  // T = 2/2 (1 + 0.25) s'^2
  const SimulationOptions options{.every = 0.5, .method = "dop853", .tol = 1e-11};
  const Result sprung = simulate(curved(helix + "stiffness = 10\nrest = 3\n"), options);
  const Result pushed = simulate(curved(helix + "force = \"2.5*cos(t)\"\n"), options);
  const Result driven = simulate(curved(helix + "travel = \"t^2\"\n"), options);
  for (const Result* const run : {&sprung, &pushed, &driven})
    ASSERT_EQ(run->summary.status, Status::ok) << run->summary.message;
  for (std::size_t k = 0; k < sprung.motion.rows(); ++k) {
    const double t = sprung.motion.t[k];
    EXPECT_NEAR(sprung.motion["helix.s"][k], 3 - 3 * std::cos(2 * t), 1e-8);
    EXPECT_NEAR(pushed.motion["helix.s"][k], 1 - std::cos(t), 1e-8);
    EXPECT_NEAR(driven.motion["bead.z"][k], 0.5 * t * t, 1e-9);
    // the motor gives 2 (1 + 0.25) s'' along s
    EXPECT_NEAR(driven.motion["lambda(helix travel)"][k], -5.0, 1e-7);
  }
}

TEST(PointOnCurve, MistakesAreSaidInWords) {
  const std::string joint =
      "[points]\nbead = { mass = 1, at = [1, 0] }\n[[joint]]\nkind = \"point-on-curve\"\n"
      "between = [\"ground\", \"bead\"]\n";
  EXPECT_THAT(curve_mistakes(joint), HasSubstr("curve: is missing"));
  EXPECT_THAT(curve_mistakes(joint + "curve = [\"s\", \"s\", \"s\"]\n"), HasSubstr("give two"));
  EXPECT_THAT(curve_mistakes(joint + "curve = [\"cos(s)\", \"sin(r)\"]\n"), HasSubstr("'r'"));
  EXPECT_THAT(curve_mistakes(joint + "curve = [\"cos(s)\", \"t*s\"]\n"), HasSubstr("'t'"));
  EXPECT_THAT(curve_mistakes(joint + "curve = [1, 0]\n"), HasSubstr("no direction"));
  EXPECT_THAT(curve_mistakes("[points]\nbead = { mass = 1, at = [1, 0] }\n[[joint]]\nkind = "
                             "\"ball\"\nbetween = [\"ground\", \"bead\"]\ncurve = [1, 0]\n"),
              HasSubstr("only a point on a curve"));
}

}  // namespace
}  // namespace taut
