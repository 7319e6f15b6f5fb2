// SPDX-License-Identifier: BSD-3-Clause
// Coordinates without inertia that constraints determine, against motions of what has inertia
// alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"
#include "taut/simulation/simulate.hpp"

namespace taut {
namespace {

Result run_massless(const std::string& text, const SimulationOptions& options) {
  Problems problems{"massless.toml"};
  const Model model = read_model(text, problems);
  problems.throw_if_any();
  return simulate(model, options);
}

// A load on a rope that runs over a drum without inertia, turned by the torque w: the rope has the
// tension w/r whatever the motion is, and the load falls with g - w/(r m).
TEST(Massless, DrumHandsItsTorqueToTheRope) {
  const char* const text = R"toml(
[points]
load = { mass = 5, at = [0, -4] }
[coordinates]
drum = { }
[[rod]]
name    = "rope"
between = ["origin", "load"]
length  = "4 + 0.1*drum"
[[gravity]]
acceleration = [0, -9.81]
[[force]]
on    = "drum"
value = "-4.5 - 0.3*sin(3*t)"
[run]
until = 2
)toml";
  for (const char* const method : {"dop853", "radau", "projected-rk", "cvode-bdf", "ida"}) {
    SCOPED_TRACE(method);
    const Result run = run_massless(text, {.every = 0.1, .method = method, .tol = 1e-11});
    ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
    const Motion& m = run.motion;
    for (std::size_t k = 0; k < m.rows(); ++k) {
      const double t = m.t[k];
      EXPECT_NEAR(m["lambda(rope)"][k], 45 + 3 * std::sin(3 * t), 1e-9);
      const double rise = (9 - 9.81) * t * t / 2 + 0.2 * t - std::sin(3 * t) / 15;
      EXPECT_NEAR(m["load.y"][k], -4 + rise, 1e-8);
      EXPECT_NEAR(m["drum"][k], -10 * rise, 1e-7);
    }
    ASSERT_TRUE(run.summary.energy_balance_error);
    EXPECT_LT(*run.summary.energy_balance_error, 1e-8);
  }
  // constant steps: of order two
  double errors[2];
  for (const int k : {0, 1}) {
    const Result run = run_massless(text, {.method = "rattle", .step = k == 0 ? 0.02 : 0.01});
    ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
    errors[k] = std::abs(run.motion["load.y"].back() - (-4 - 0.81 * 2 + 0.4 - std::sin(6.0) / 15));
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.1);
}

// A wheel without inertia that rolls, pushed by a motor with the torque a - b w.
TEST(Massless, WheelIsTurnedByTheFloor) {
  const Result run = run_massless(R"toml(
[coordinates]
x   = { mass = 2, velocity = 1 }
phi = { velocity = 2 }
[[rolling]]
name = "roll"
zero = "v(x) - 0.5*v(phi)"
[[force]]
on    = "phi"
value = "0.3 - 0.1*v(phi)"
[run]
until = 2
)toml",
                                  {.every = 0.1, .method = "dop853", .tol = 1e-11});
  ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
  const Motion& m = run.motion;
  for (std::size_t k = 0; k < m.rows(); ++k) {
    const double t = m.t[k], v = 1.5 - 0.5 * std::exp(-0.2 * t);
    EXPECT_NEAR(m["v(x)"][k], v, 1e-10);
    EXPECT_NEAR(m["phi"][k], 2 * (1.5 * t - 2.5 * (1 - std::exp(-0.2 * t))), 1e-9);
    EXPECT_NEAR(m["lambda(roll)"][k], -(0.3 - 0.2 * v) / 0.5, 1e-9);
  }
}

// A knot that two rods hold, one of which hangs on an anchor that moves, carries a pendulum: its
// place is that of two circles that meet, and it takes no force. A coordinate that time alone
// determines has the force on it as its multiplier.
TEST(Massless, KnotIsWhereItsRodsMeet) {
  const Result run = run_massless(R"toml(
[anchors]
a = ["0.2*sin(3*t)", 0]
b = [2, 0]
[points]
knot = { at = [1, -1] }
bob  = { mass = 1.5, at = [1, -2] }
[coordinates]
s = { }
[[rod]]
name    = "left"
between = ["a", "knot"]
[[rod]]
name    = "right"
between = ["knot", "b"]
[[rod]]
name    = "rope"
between = ["knot", "bob"]
[[constraint]]
name = "clock"
zero = "s - sin(t)^2"
[[force]]
on    = "s"
value = 3
[[gravity]]
acceleration = [0, -9.81]
[run]
until = 2
)toml",
                                  {.every = 0.05, .method = "dop853", .tol = 1e-11});
  ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
  const Motion& m = run.motion;
  for (std::size_t k = 0; k < m.rows(); ++k) {
    const double t = m.t[k], a = 0.2 * std::sin(3 * t), half = (2 - a) / 2;
    const double x = a + half, y = -std::sqrt(2 - half * half);
    EXPECT_NEAR(m["knot.x"][k], x, 1e-10);
    EXPECT_NEAR(m["knot.y"][k], y, 1e-10);
    EXPECT_NEAR(m["s"][k], std::sin(t) * std::sin(t), 1e-10);
    EXPECT_NEAR(m["lambda(clock)"][k], 3.0, 1e-9);
    // forces on the knot, each of which pulls it along its rod
    const double L = m["lambda(left)"][k] / std::sqrt(2), R = m["lambda(right)"][k] / std::sqrt(2);
    const double rope = m["lambda(rope)"][k];
    EXPECT_NEAR(L * (a - x) + R * (2 - x) + rope * (m["bob.x"][k] - x), 0.0, 1e-7);
    EXPECT_NEAR(-(L + R) * y + rope * (m["bob.y"][k] - y), 0.0, 1e-7);
    // and the bob's own law
    EXPECT_NEAR(1.5 * m["bob.ax"][k], -rope * (m["bob.x"][k] - x), 1e-7);
    EXPECT_NEAR(1.5 * (m["bob.ay"][k] + 9.81), -rope * (m["bob.y"][k] - y), 1e-7);
  }
}

TEST(Massless, WhatNothingDeterminesIsRefused) {
  const auto message = [](const std::string& text) {
    Problems problems{"massless.toml"};
    const Model model = read_model(text, problems);
    (void)compile(model, problems);
    return problems.message();
  };
  for (const char* const row :
       {"", "[[constraint]]\nzero = \"y - 1\"\n",
        "[[constraint]]\nzero = \"x - y\"\ncompliance = 1e-3\n"})  // a spring holds no mass
    EXPECT_THAT(message(std::string{"[coordinates]\nx = { }\ny = { mass = 1, at = 1 }\n"} + row),
                testing::HasSubstr("x: has no inertia, and no rigid constraint determines it"));
}

}  // namespace
}  // namespace taut
