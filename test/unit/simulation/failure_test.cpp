// SPDX-License-Identifier: BSD-3-Clause
// What a run that fails leaves, and what it says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gallery.hpp"
#include "taut/methods/registry.hpp"
#include "taut/model/model_file.hpp"
#include "taut/simulation/simulate.hpp"

namespace taut {
namespace {

using testing::HasSubstr;

Model failing_model(const std::string& text) {
  Problems problems;
  Model model = read_model(text, problems);
  problems.throw_if_any();
  return model;
}

bool has_method(std::string_view name) {
  const auto all = all_methods();
  return std::any_of(all.begin(), all.end(),
                     [&](const MethodInfo& method) { return method.name == name; });
}

// the angle passes pi, where atan2 jumps
constexpr const char* driven = R"toml(
[[body]]
name = "arm"
mass = 1
inertia = [0.01, 0.1, 0.1]
at = [0.5, 0, 0]
[[joint]]
kind = "hinge"
between = ["ground", "arm"]
at = [0, 0, 0]
axis = [0, 0, 1]
[[constraint]]
name = "drive"
zero = "atan2(arm.r21, arm.r11) - 3*t"
[run]
until = 3
)toml";

TEST(Failure, LeavesTheLastGoodStateAndNamesTheBranchCut) {
  for (const std::string method : {"auto", "radau", "dop853", "rattle", "ida"}) {
    if (!has_method(method)) continue;
    SCOPED_TRACE(method);
    SimulationOptions options{.method = method};
    if (method == "rattle") options.step = 1e-3;
    const Result run = simulate(failing_model(driven), options);
    EXPECT_FALSE(run.good());
    EXPECT_THAT(run.summary.message, HasSubstr("atan2 in 'drive' (line 12)"));
    EXPECT_THAT(run.summary.hint, HasSubstr("sin(atan2(y, x) - a)"));
    EXPECT_NEAR(run.summary.state.t, M_PI / 3, 2e-3);
    EXPECT_LE(run.summary.max_constraint, 1e-9);
    EXPECT_NEAR(run.summary.state.q[0], -0.5, 1e-4);
    EXPECT_LE(*std::max_element(run.motion.max_constraint.begin(), run.motion.max_constraint.end()),
              1e-9);
    EXPECT_EQ(run.motion.t.back(), run.summary.state.t);
  }
}

TEST(Failure, AtABranchCutIsMendedByWhatIsAdvised) {
  std::string text = driven;
  const std::string from = "atan2(arm.r21, arm.r11) - 3*t";
  text.replace(text.find(from), from.size(), "sin(" + from + ")");
  const Result run = simulate(failing_model(text), {});
  ASSERT_TRUE(run.good()) << run.summary.message;
  EXPECT_NEAR(run.summary.state.q[0], 0.5 * std::cos(9.0), 1e-6);
}

TEST(Failure, OfAMethodThatGrewLeavesWhatWasBefore) {
  const char* const conservative = R"toml(
[coordinates]
x = { mass = 1, at = 1 }
[[potential]]
energy = "50*x^2"
)toml";
  const char* const damped = R"toml(
[coordinates]
x = { mass = 1, at = 1 }
[[force]]
on = "x"
value = "-100*x - 0.01*v(x) - x^3"
)toml";
  for (const char* const text : {conservative, damped}) {
    const Result run = simulate(failing_model(text), {.until = 1000, .method = "rk4", .step = 0.5});
    EXPECT_FALSE(run.good());
    EXPECT_LE(std::abs(run.summary.state.q[0]), 1e2) << run.summary.message;
    EXPECT_LE(run.summary.max_constraint, 1e-9);
    for (const double x : run.motion.q) EXPECT_LE(std::abs(x), 1e2);
    EXPECT_EQ(run.motion.t.back(), run.summary.state.t);
    EXPECT_TRUE(std::any_of(run.summary.notes.begin(), run.summary.notes.end(),
                            [](const Note& note) { return note.code() == "not-shown"; }));
  }
}

TEST(Failure, NamesTheFormulaThatIsNotFiniteWhateverTheMethod) {
  for (const char* const force : {"sqrt(1 - x)", "log(1 - t) - 10*x"}) {
    const Model model = failing_model(std::string{R"toml(
[coordinates]
x = { mass = 1, velocity = 1 }
y = { mass = 1, at = 1 }
[[potential]]
energy = "50*y^2"
[[force]]
name = "the broken one"
on = "x"
value = ")toml"} + force + "\"\n[run]\nuntil = 5\n");
    for (const std::string method : {"auto", "radau", "dop853", "rk4", "cvode", "ida", "arkode"}) {
      if (!has_method(method)) continue;
      SCOPED_TRACE(method + ", " + force);
      SimulationOptions options{.method = method};
      if (method == "rk4") options.step = 0.01;
      const Result run = simulate(model, options);
      EXPECT_FALSE(run.good());
      EXPECT_THAT(run.summary.message, HasSubstr("the broken one"));
      EXPECT_TRUE(run.summary.state.q.allFinite());
    }
  }
}

// Steps that become tiny must not push the rows before them out of the motion.
TEST(Failure, RowsCoverTheWholeTimeThatWasComputed) {
  Motion motion;
  Structure structure;
  structure.coordinates = {"x"};
  structure.velocities = {"v"};
  motion.start(structure);
  Frame frame;
  frame.state.q = frame.state.v = Vec::Zero(1);
  const auto add = [&](double t) {
    frame.state.t = t;
    motion.append(frame);
    if (motion.rows() > 500) motion.drop_every_second();
  };
  for (int i = 0; i <= 100; ++i) add(0.01 * i);
  for (int i = 1; i <= 100'000; ++i) add(1.0 + 1e-9 * i);
  EXPECT_LE(motion.rows(), 501u);
  double gap = 0.0;
  for (std::size_t i = 1; i < motion.rows(); ++i)
    gap = std::max(gap, motion.t[i] - motion.t[i - 1]);
  EXPECT_LE(gap, 0.1);
}

// Five balls with Hertz contacts; the truth by the classical Runge-Kutta method in 80-bit numbers,
// with steps of 12.5 ns.
TEST(Corners, HertzContactsMoveAsTheyShould) {
  const Model model = failing_model(R"toml(
[parameters]
n = 5
d = 0.02
K = 1e9
[coordinates]
"x{k}" = { mass = 0.03, at = "{k}*d", repeat = { k = "2:n" } }
x1 = { mass = 0.03, at = "d - 0.01", velocity = 0.5 }
[[potential]]
energy = "0.4*K*max(0, d - x{k+1} + x{k})^2.5"
repeat = { k = "1:n-1" }
[run]
until = 0.05
)toml");
  for (const char* const method : {"auto", "radau", "dop853"}) {
    const Result run = simulate(model, {.method = method, .tol = 1e-10});
    ASSERT_TRUE(run.good()) << run.summary.message;
    const State& end = run.summary.state;
    // contacts begin inside of steps, where the force has no third derivative
    EXPECT_NEAR(end.q[4], 0.0189823550755995, 1e-8) << method;
    EXPECT_NEAR(end.q[3], 0.114663635744675, 1e-8);
    EXPECT_NEAR(end.v[3], 0.494388712073679, 3e-7);
    EXPECT_NEAR(end.v[1], -0.00723181451589459, 3e-7);
  }
}

TEST(Corners, ADamperBetweenPointsThatCoincideHasNoForce) {
  const Model model = failing_model(R"toml(
[points]
a = { mass = 1, at = [0, 0] }
b = { mass = 1, at = [0, 0] }
[[damper]]
between = ["a", "b"]
damping = 3
[[gravity]]
acceleration = [0, -1]
[run]
until = 1
)toml");
  for (const char* const method : {"auto", "radau"}) {
    const Result run = simulate(model, {.method = method});
    ASSERT_TRUE(run.good()) << run.summary.message;
    EXPECT_NEAR(run.summary.state.q[1], -0.5, 1e-9);
    EXPECT_NEAR(run.summary.state.q[3], -0.5, 1e-9);
  }
}

}  // namespace
}  // namespace taut
