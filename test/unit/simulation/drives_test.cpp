// SPDX-License-Identifier: BSD-3-Clause
// Prescribed motions, gears and belts over many turns in space, and what is shown of the
// coordinates of joints, against closed forms and the law of Euler.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "gallery.hpp"
#include "long_double_ode.hpp"
#include "taut/model/model_file.hpp"
#include "taut/simulation/simulate.hpp"

namespace taut {
namespace {

using testing::HasSubstr;

Model driven_model(const std::string& text) {
  Problems problems{"drives.toml"};
  Model model = read_model(text, problems);
  problems.throw_if_any();
  return model;
}

Result run_drive(const std::string& text,
                 const SimulationOptions& options = {.every = 0.05, .tol = 1e-11}) {
  return simulate(driven_model(text), options);
}

/// An arm on a hinge about z in space or in the plane.
std::string arm(bool space, const std::string& words) {
  return space ? "[[body]]\nname = \"arm\"\nmass = 2\ninertia = [0.05, 0.2, 0.2]\n"
                 "at = [0.5, 0, 0]\n[[joint]]\nname = \"drive\"\nkind = \"hinge\"\n"
                 "between = [\"ground\", \"arm\"]\nat = [0, 0, 0]\naxis = [0, 0, 1]\n" +
                     words + "\n[run]\nuntil = 1\n"
               : "[[body]]\nname = \"arm\"\nmass = 2\ninertia = 0.2\nat = [0.5, 0]\n[[joint]]\n"
                 "name = \"drive\"\nkind = \"hinge\"\nbetween = [\"ground\", \"arm\"]\n"
                 "at = [0, 0]\n" +
                     words + "\n[run]\nuntil = 1\n";
}

// A start that is not where the motion begins is moved there: in space, too, where sin(2.5 - s) = 0
// has another root nearer by. Half a turn off, nobody knows the way.
TEST(PrescribedMotion, BeginsWhereItSays) {
  for (const bool space : {false, true}) {
    const Result run = run_drive(arm(space, "angle = \"2.5 + t\""));
    ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
    EXPECT_NEAR(run.motion["arm.x"].back(), 0.5 * std::cos(3.5), 1e-10) << space;
    EXPECT_NEAR(run.motion["arm.y"].back(), 0.5 * std::sin(3.5), 1e-10) << space;
    EXPECT_NEAR(run.motion["drive.angle"].back(), 3.5, 1e-10) << space;
  }
  try {
    static_cast<void>(run_drive(arm(true, "angle = \"pi + t\"")));
    FAIL() << "begins half a turn off";
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("begins at 3.14159265 rad, and the joint at 0"));
    EXPECT_THAT(error.what(), HasSubstr("start = 3.14159265"));
  }
  // with the angle that it has there
  const Result run = run_drive(arm(true, "angle = \"pi + t\"\nstart = \"180 deg\""));
  ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
  EXPECT_NEAR(run.motion["drive.angle"].back(), std::numbers::pi + 1, 1e-10);
  EXPECT_NEAR(run.motion["arm.x"].back(), 0.5 * std::cos(1), 1e-10);
}

/// Two wheels on axles along z.
std::string wheels(double I_a, double I_b, const std::string& words_a, const std::string& more) {
  const auto wheel = [](const char* name, double I, int x, const std::string& words) {
    return fmt::format(
        "[[body]]\nname = \"{0}\"\nmass = 1\ninertia = [{1}, {1}, {1}]\nat = [{2}, 0, 0]\n"
        "{3}\n[[joint]]\nname = \"j{0}\"\nkind = \"hinge\"\nbetween = [\"ground\", \"{0}\"]\n"
        "at = [{2}, 0, 0]\naxis = [0, 0, 1]\n",
        name, I, x, words);
  };
  return wheel("b", I_b, 1, "") + wheel("a", I_a, 0, words_a) + more;
}

// The stretch of the belt, a quarter of a turn of the wheel, is 30/w sin(w t).
TEST(Gear, ThatGivesWayIsLinearInSpace) {
  const double omega = std::sqrt(100 * (1 / 0.02 + 4 / 0.05));
  for (const char* const method : {"dop853", "radau"}) {
    const Result run =
        run_drive(wheels(0.02, 0.05, "spin = [0, 0, 150]",
                         "[[gear]]\nname = \"belt\"\nbetween = [\"ja\", \"jb\"]\nratio = 2\n"
                         "compliance = 0.01\n[run]\nuntil = 0.2\n"),
                  {.every = 0.01, .method = method, .tol = 1e-11});
    ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
    const Motion& m = run.motion;
    for (std::size_t k = 0; k < m.rows(); ++k) {
      const double stretch = 150 / omega * std::sin(omega * m.t[k]);
      EXPECT_NEAR(m["ja.angle"][k] - 2 * m["jb.angle"][k], stretch, 1e-7);
      EXPECT_NEAR(m["lambda(belt)"][k], 100 * stretch, 1e-5);
    }
    EXPECT_LT(run.summary.energy_error.value_or(1.0), 1e-9);
  }
}

// (I_a + I_b/n²) a'' = 3, over a hundred turns; stated as a gear, and by what gears are
TEST(Gear, OfAnyRatioInSpaceHoldsOverManyTurns) {
  struct Case {
    const char* method;
    double tol, step, error;
  };
  for (const double n : {2.345, -51.3})
    for (const bool by_constraint : {false, true})
      for (const Case& one : {Case{"dop853", 1e-10, 0, 1e-3}, Case{"radau", 1e-9, 0, 1e-3},
                              Case{"projected-rk", 1e-9, 0, 1e-2}, Case{"rattle", 0, 5e-4, 2e-2}}) {
        SCOPED_TRACE(fmt::format("{} {} {}", n, by_constraint, one.method));
        const std::string relation =
            by_constraint
                ? fmt::format(
                      "[[constraint]]\nname = \"gear\"\nzero = \"angle(ja) - ({})*angle(jb)\"\n", n)
                : fmt::format("[[gear]]\nname = \"gear\"\nbetween = [\"ja\", \"jb\"]\nratio = {}\n",
                              n);
        SimulationOptions options{.every = 1, .method = one.method, .error_estimate = false};
        if (one.tol > 0) options.tol = one.tol;
        if (one.step > 0) options.step = one.step;
        const Result run = run_drive("[[torque]]\non = \"a\"\nvalue = [0, 0, 3]\n" +
                                         wheels(0.2, 0.3, "", relation) + "[run]\nuntil = 4\n",
                                     options);
        ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
        const double faster = 3 / (0.2 + 0.3 / (n * n));
        EXPECT_NEAR(run.motion["ja.angle"].back(), 8 * faster, one.error);
        EXPECT_NEAR(run.motion["jb.angle"].back(), 8 * faster / n, one.error);
        // -lambda on the first
        EXPECT_NEAR(run.motion["lambda(gear)"].back(), 3 - 0.2 * faster, 1e-6);
      }
}

// All that acts on the coordinate of a joint is shown, and makes its acceleration: for the arm
//   (I + m l²) s'' = sum - m g l cos(s),   for the cart   m x'' = sum.
TEST(JointColumns, AreTheCoordinateAndWhatActsOnIt) {
  const char* const on_hinge =
      "stiffness = 4\nrest = 0.2\ndamping = 0.1\nfriction = 0.05\nfriction_speed = 0.5\n"
      "torque = \"2*sin(3*t) - 0.1*rate(drive)\"\nlimits = [-0.5, 0.3]\nlimit_stiffness = 300\n"
      "limit_damping = 5\n";
  for (const bool space : {false, true}) {
    const Result run = run_drive(arm(space, on_hinge) + "[[gravity]]\nacceleration = [0, -9.81" +
                                 (space ? ", 0]\n" : "]\n"));
    ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
    const Motion& m = run.motion;
    double stopped = 0.0;
    for (std::size_t k = 0; k < m.rows(); ++k) {
      const double s = m["drive.angle"][k], rate = m["drive.rate"][k];
      EXPECT_NEAR(std::sin(s), m["arm.y"][k] / 0.5, 1e-9);
      EXPECT_NEAR(rate, space ? m["arm.wz"][k] : m["v(arm.angle)"][k], 1e-9);
      EXPECT_NEAR(m["drive.spring"][k], -4 * (s - 0.2), 1e-9);
      EXPECT_NEAR(m["drive.damper"][k], -0.1 * rate, 1e-9);
      EXPECT_NEAR(m["drive.friction"][k], -0.05 * std::tanh(rate / 0.5), 1e-9);
      EXPECT_NEAR(m["drive.drive_torque"][k], 2 * std::sin(3 * m.t[k]) - 0.1 * rate, 1e-9);
      stopped = std::max(stopped, std::abs(m["drive.stop"][k]));
      const double sum = m["drive.spring"][k] + m["drive.damper"][k] + m["drive.friction"][k] +
                         m["drive.drive_torque"][k] + m["drive.stop"][k];
      const double faster = (sum - 2 * 9.81 * 0.5 * std::cos(s)) / (0.2 + 2 * 0.25);
      EXPECT_NEAR(m["arm.ay"][k], 0.5 * (faster * std::cos(s) - rate * rate * std::sin(s)), 1e-7);
    }
    EXPECT_GT(stopped, 1.0);

    const std::string at = space ? "[0, 0, 0]" : "[0, 0]", axis = space ? "[1, 0, 0]" : "[1, 0]";
    const Result slid = run_drive(
        "[[body]]\nname = \"cart\"\nmass = 3\ninertia = " + std::string{space ? "[1, 1, 1]" : "1"} +
        "\nat = " + at +
        "\n[[joint]]\nname = \"rail\"\nkind = \"slider\"\nbetween = [\"ground\", \"cart\"]\nat = " +
        at + "\naxis = " + axis +
        "\nstiffness = 20\ndamping = 2\nfriction = 0.5\nforce = \"5*cos(t)\"\nstart = 0.1\n"
        "[run]\nuntil = 1\n");
    ASSERT_EQ(slid.summary.status, Status::ok) << slid.summary.message;
    const Motion& c = slid.motion;
    for (std::size_t k = 0; k < c.rows(); ++k) {
      EXPECT_NEAR(c["rail.travel"][k], c["cart.x"][k] + 0.1, 1e-12);
      EXPECT_NEAR(c["rail.speed"][k], c["cart.vx"][k], 1e-12);
      EXPECT_NEAR(c["rail.spring"][k], -20 * c["cart.x"][k], 1e-10);
      EXPECT_NEAR(c["rail.drive_force"][k], 5 * std::cos(c.t[k]), 1e-12);
      EXPECT_NEAR(3 * c["cart.ax"][k],
                  c["rail.spring"][k] + c["rail.damper"][k] + c["rail.friction"][k] +
                      c["rail.drive_force"][k],
                  1e-9);
    }
  }
}

// What a prescribed motion takes is shown with its sign: (I + m l²) a + m g l cos(s).
TEST(JointColumns, ShowWhatAPrescribedMotionTakes) {
  for (const bool space : {false, true}) {
    const Result run =
        run_drive(arm(space, "angle = \"8*t + t^2\"\n") + "[[gravity]]\nacceleration = [0, -9.81" +
                  (space ? ", 0]\n" : "]\n"));
    ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
    const Motion& m = run.motion;
    for (std::size_t k = 0; k < m.rows(); ++k) {
      const double s = 8 * m.t[k] + m.t[k] * m.t[k];
      EXPECT_NEAR(m["drive.angle"][k], s, 1e-10);  // more than a turn
      EXPECT_NEAR(m["drive.drive_torque"][k], 0.7 * 2 + 2 * 9.81 * 0.5 * std::cos(s), 1e-8);
      EXPECT_NEAR(m[space ? "drive.t3" : "drive.tz"][k], m["drive.drive_torque"][k], 1e-10);
    }
  }
}

// Forces and torques that have names are shown along the axes of space, with their power.
TEST(AppliedColumns, AreForcesTorquesAndTheirPower) {
  const Result run = run_drive(R"toml(
[[body]]
name = "craft"
mass = 2
inertia = [1, 1, 1]
spin = [0, 0, 0.5]
[coordinates]
x = { mass = 1, velocity = 2 }
[[force]]
name = "push"
on = "x"
value = "3*t"
[[force]]
name = "jet"
on = "craft"
value = [4, 0, 0]
frame = "body"
[[torque]]
name = "wheel"
on = "craft"
value = [0, 0, "0.2*t"]
[[force]]
on = "x"
value = 1
[run]
until = 1
)toml");
  ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
  const Motion& m = run.motion;
  for (std::size_t k = 0; k < m.rows(); ++k) {
    const double t = m.t[k], turn = 0.5 * t + t * t * t / 30;
    EXPECT_NEAR(m["push.force"][k], 3 * t, 1e-12);
    EXPECT_NEAR(m["push.power"][k], 3 * t * m["v(x)"][k], 1e-10);
    EXPECT_NEAR(m["jet.fx"][k], 4 * std::cos(turn), 1e-9);
    EXPECT_NEAR(m["jet.fy"][k], 4 * std::sin(turn), 1e-9);
    EXPECT_NEAR(m["jet.power"][k],
                m["jet.fx"][k] * m["craft.vx"][k] + m["jet.fy"][k] * m["craft.vy"][k], 1e-10);
    EXPECT_NEAR(m["wheel.tz"][k], 0.2 * t, 1e-12);
    EXPECT_NEAR(m["wheel.power"][k], 0.2 * t * m["craft.wz"][k], 1e-10);
  }
  for (const std::string& name : m.quantities) EXPECT_FALSE(name.starts_with("force 4")) << name;
}

// the angle of the arm, its rate, the integral of the error and the current, until it is sent back
TEST(Servo, MovesAsItsReducedEquationSays) {
  const long double n = 37, K = 0.05L, L = 3e-3L, a = 0.25L;
  const long double J = 0.065L + 3 * a * a + n * n * 1e-4L;
  const test::LongVec truth = test::solve(
      [&](long double, const test::LongVec& y, test::LongVec& dy) {
        const long double error = 1.2L - y[0];
        const long double voltage = 40 * error + 60 * y[2] - 6 * y[1];
        dy[0] = y[1];
        dy[1] = (n * K * y[3] - 0.4L * y[1] - 3 * 9.81L * a * std::sin(y[0])) / J;
        dy[2] = error;
        dy[3] = (voltage - 1.2L * y[3] - K * n * y[1]) / L;
      },
      {0, 0, 0, 0}, 0, 2, 0.0005L);
  const Model model = test::gallery("servo");
  for (const char* const method : {"auto", "dop853", "radau"}) {
    const Result run = simulate(model, {.until = 2, .method = method, .tol = 1e-10});
    ASSERT_TRUE(run.good()) << run.summary.message;
    const auto number = [](long double x) { return static_cast<double>(x); };
    EXPECT_NEAR(run.motion["axle.angle"].back(), number(truth[0]), 1e-8) << method;
    EXPECT_NEAR(run.motion["motor.angle"].back(), number(n * truth[0]), 1e-7) << method;
    EXPECT_NEAR(run.motion["integral"].back(), number(truth[2]), 1e-8) << method;
    EXPECT_NEAR(run.motion["motor.drive_torque"].back(), number(K * truth[3]), 1e-8) << method;
    EXPECT_LT(run.summary.energy_balance_error.value_or(1.0), 1e-8) << method;
  }
}

// A crank about z, a coupler that holds to it by a ball and to a rocker about x by a cross:
// |crank tip - rocker tip| = L gives A cos(p) + B sin(p) = C for the angle p of the rocker.
TEST(ReferenceMotion, SpatialFourBarWithTheTorqueOfItsDrive) {
  const Result run = run_drive(R"toml(
[parameters]
r  = 0.2
d  = 0.5                     # the rocker's axle passes through (d, 0, h)
h  = 0.6
s  = 0.5
p0 = 0.3
x  = "d - r"                 # along the coupler
y  = "s*cos(p0)"
z  = "h + s*sin(p0)"
L  = "sqrt(x^2 + y^2 + z^2)"
[[body]]
name = "crank"
mass = 1
inertia = [0.01, 0.02, 0.02]
at = ["r/2", 0, 0]
velocity = [0, "5*r/2", 0]
spin = [0, 0, 5]
[[body]]
name = "coupler"
mass = 2
inertia = [0.2, 0.2, 0.01]
at = ["(r + d)/2", "y/2", "z/2"]
axes = { z = ["x/L", "y/L", "z/L"], x = [0, "z/hypot(y, z)", "-y/hypot(y, z)"] }
[[body]]
name = "rocker"
mass = 1.5
inertia = [0.06, 0.03, 0.05]
at = ["d", "y/2", "h + s*sin(p0)/2"]
rotation = ["p0", 0, 0]
[[joint]]
name = "motor"
kind = "hinge"
between = ["ground", "crank"]
at = [0, 0, 0]
axis = [0, 0, 1]
angle = "5*t"
[[joint]]
name = "tip"
kind = "spherical"
between = ["crank", "coupler"]
at = ["r", 0, 0]
[[joint]]
name = "cross"
kind = "universal"
between = ["rocker", "coupler"]
at = ["d", "y", "z"]
axis = [1, 0, 0]
second_axis = [0, "z", "-y"]
[[joint]]
name = "pivot"
kind = "hinge"
between = ["ground", "rocker"]
at = ["d", 0, "h"]
axis = [1, 0, 0]
start = "p0"
[[gravity]]
acceleration = [0, 0, -9.81]
[run]
until = 2.5
)toml",
                               {.every = 0.01, .tol = 1e-11});
  ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
  EXPECT_TRUE(run.summary.redundant.empty());
  const Motion& m = run.motion;
  const double r = 0.2, d = 0.5, h = 0.6, s = 0.5, p0 = 0.3;
  double most = 0.0;
  for (std::size_t k = 0; k < m.rows(); ++k) {
    const double th = 5 * m.t[k], A = -r * std::sin(th);
    const double C = h * std::sin(p0) - r * d / s * (1 - std::cos(th));
    const double p = std::atan2(h, A) - std::acos(C / std::hypot(A, h));
    EXPECT_NEAR(m["pivot.angle"][k], p, 1e-9);
    EXPECT_NEAR(m["motor.angle"][k], th, 1e-10);
    // what the drive gives is what kinetic and potential energy grow by
    if (k < 2 || k + 2 >= m.rows()) continue;
    const auto& E = m["energy"];
    const double slope = (-E[k + 2] + 8 * E[k + 1] - 8 * E[k - 1] + E[k - 2]) / (12 * 0.01);
    EXPECT_NEAR(5 * m["motor.drive_torque"][k], slope, 2e-3);
    most = std::max(most, std::abs(slope));
  }
  EXPECT_GT(most, 5.0);
}

}  // namespace
}  // namespace taut
