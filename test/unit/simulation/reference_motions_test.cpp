// SPDX-License-Identifier: BSD-3-Clause
// Drives, shafts, gears and wheels with their reactions, against closed forms; signs and frames are
// those that the manual states.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "taut/model/model_file.hpp"
#include "taut/simulation/simulate.hpp"

namespace taut {
namespace {

Result run_reference(const std::string& text,
                     const SimulationOptions& options = {.every = 0.05, .tol = 1e-11}) {
  Problems problems{"reference.toml"};
  const Model model = read_model(text, problems);
  problems.throw_if_any();
  return simulate(model, options);
}

// A driven shaft, a universal joint, and a shaft at the angle b in a bearing: with the cross across
// the plane of the shafts at the start, w2/w1 = cos b / (1 - sin²b sin²th). The second is a body of
// revolution: the torque about it is I3 w2', and the drive gives that times w2/w1, and its own.
TEST(ReferenceMotion, UniversalJointHandsOnSpeedAndTorque) {
  const double b = 0.6, w = 5, a = 2, I1 = 0.02, I2 = 0.05;
  const Result run = run_reference(R"toml(
[parameters]
b = 0.6
[[body]]
name = "input"
mass = 1
inertia = [0.03, 0.03, 0.02]
at = [0, 0, -0.5]
spin = [0, 0, 5]
[[body]]
name = "output"
mass = 1.2
inertia = [0.04, 0.04, 0.05]
at = ["0.5*sin(b)", 0, "0.5*cos(b)"]
rotation = [0, "b", 0]
spin = [0, 0, "5*cos(b)"]
[[joint]]
name = "drive"
kind = "revolute"
between = ["ground", "input"]
at = [0, 0, -0.8]
axis = [0, 0, 1]
angle = "5*t + t^2"
[[joint]]
name = "cross"
kind = "universal"
between = ["input", "output"]
at = [0, 0, 0]
axis = [0, 1, 0]
second_axis = ["cos(b)", 0, "-sin(b)"]
[[joint]]
name = "bearing"
kind = "point-on-line"
between = ["ground", "output"]
at = ["0.8*sin(b)", 0, "0.8*cos(b)"]
axis = ["sin(b)", 0, "cos(b)"]
[run]
until = 2
)toml");
  ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
  EXPECT_TRUE(run.summary.redundant.empty());
  const Motion& m = run.motion;
  double most = 0.0;
  for (std::size_t k = 0; k < m.rows(); ++k) {
    const double t = m.t[k], th = w * t + t * t, w1 = w + 2 * t;
    const double s = std::sin(b) * std::sin(th), ratio = std::cos(b) / (1 - s * s);
    const double ratio_by_th =
        ratio * ratio / std::cos(b) * std::sin(b) * std::sin(b) * std::sin(2 * th);
    const double faster = ratio * a + ratio_by_th * w1 * w1;  // w2'
    EXPECT_NEAR(m["output.w3"][k], ratio * w1, 1e-9);
    EXPECT_NEAR(m["drive.t3"][k], I1 * a + ratio * I2 * faster, 1e-8);
    most = std::max(most, std::abs(m["drive.t3"][k]));
    // of the first on the second; none about both axes of the cross
    const double along = std::sin(b) * m["cross.tx"][k] + std::cos(b) * m["cross.tz"][k];
    EXPECT_NEAR(along, I2 * faster, 1e-8);
    EXPECT_NEAR(m["cross.t1"][k], 0.0, 1e-9);  // d_1 is the second axis
  }
  EXPECT_GT(most, 1.0);
}

// A sun driven by T, planets' carrier with the brake c w, a ring at rest: with w_s = 3 w_c (ring of
// 60 teeth, sun of 30, planet of 15) the planet turns with -3 w_c, and
// (I_c + m r² + 9 I_s + 9 I_p) w_c' = 3 T - c w_c.
TEST(ReferenceMotion, PlanetaryGear) {
  const double I = 0.05 + 0.5 * 0.09 + 9 * 0.02 + 9 * 0.008, c = 0.5, T = 1.5;
  for (const bool planar : {true, false}) {
    const auto inertia = [&](const char* flat, const char* full) {
      return std::string{"inertia = "} + (planar ? flat : full) + "\n";
    };
    const std::string z = planar ? "" : ", 0";
    const std::string axis = planar ? "" : "axis = [0, 0, 1]\n";
    const Result run = run_reference(
        "[[body]]\nname = \"carrier\"\nmass = 1\n" + inertia("0.05", "[0.03, 0.03, 0.05]") +
        "at = [0, 0" + z + "]\n[[body]]\nname = \"sun\"\nmass = 1\n" +
        inertia("0.02", "[0.011, 0.011, 0.02]") + "at = [0, 0" + z +
        "]\n[[body]]\nname = \"planet\"\nmass = 0.5\n" +
        inertia("0.008", "[0.0045, 0.0045, 0.008]") + "at = [0.3, 0" + z +
        "]\n[[joint]]\nname = \"jc\"\nkind = \"hinge\"\nbetween = [\"ground\", \"carrier\"]\nat = "
        "[0, "
        "0" +
        z + "]\ndamping = 0.5\n" + axis +
        "[[joint]]\nname = \"js\"\nkind = \"hinge\"\nbetween = [\"carrier\", \"sun\"]\nat = [0, 0" +
        z + "]\n" + axis +
        "[[joint]]\nname = \"jp\"\nkind = \"hinge\"\nbetween = [\"carrier\", \"planet\"]\nat = "
        "[0.3, "
        "0" +
        z + "]\n" + axis +
        "[[gear]]\nname = \"mesh\"\nbetween = [\"js\", \"jp\"]\nratio = \"-15/30\"\n"
        "[[gear]]\nname = \"ring\"\nbetween = [\"jp\", \"jc\"]\nratio = \"-60/15\"\n"
        "[[torque]]\non = \"sun\"\nvalue = " +
        (planar ? "1.5" : "[0, 0, 1.5]") + "\n[run]\nuntil = 2\n");
    ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
    const Motion& m = run.motion;
    for (std::size_t k = 0; k < m.rows(); ++k) {
      const double t = m.t[k], wc = 3 * T / c * (1 - std::exp(-c * t / I));
      const double faster = 3 * T / I * std::exp(-c * t / I);
      const auto spin = [&](const std::string& body) {
        return planar ? m["v(" + body + ".angle)"][k] : m[body + ".w3"][k];
      };
      EXPECT_NEAR(spin("carrier"), wc, 1e-8);
      EXPECT_NEAR(spin("sun"), 3 * wc, 1e-8);
      EXPECT_NEAR(spin("planet"), -3 * wc, 1e-8);
      // -lambda on the angle of the sun from the carrier; the bearing carries the planet round
      EXPECT_NEAR(m["lambda(mesh)"][k], T - 3 * 0.02 * faster, 1e-8);
      const double f = std::hypot(m["jp.fx"][k], m["jp.fy"][k]);
      EXPECT_NEAR(f, 0.5 * 0.3 * std::hypot(faster, wc * wc), 1e-7);
    }
  }
}

// A cylinder that rolls down a slope: a = 2/3 g sin, held by a third of its weight along the slope.
TEST(ReferenceMotion, CylinderRollsDownASlope) {
  const Result run = run_reference(R"toml(
[parameters]
slope = 0.4
[[body]]
name = "cylinder"
mass = 2
inertia = "2*0.3^2/2"
at = [0, 0.3]
[[gravity]]
acceleration = ["9.81*sin(slope)", "-9.81*cos(slope)"]
[[constraint]]
name = "floor"
zero = "0.3 - cylinder.y"
[[rolling]]
name = "grip"
zero = "cylinder.vx + 0.3*v(cylinder.angle)"
[run]
until = 2
)toml");
  ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
  const double along = 9.81 * std::sin(0.4);
  const Motion& m = run.motion;
  for (std::size_t k = 0; k < m.rows(); ++k) {
    const double x = along * m.t[k] * m.t[k] / 3;
    EXPECT_NEAR(m["cylinder.x"][k], x, 1e-10);
    EXPECT_NEAR(m["cylinder.angle"][k], -x / 0.3, 1e-9);
    EXPECT_NEAR(m["lambda(grip)"][k], 2 * along / 3, 1e-10);
    EXPECT_NEAR(m["lambda(floor)"][k], 2 * 9.81 * std::cos(0.4), 1e-10);
  }
}

// A belt that gives way between two wheels: g = a - 2 b swings with the rate of
// k (1/I_a + 4/I_b), and its middle turns on.
TEST(ReferenceMotion, ElasticBeltSwings) {
  const Result run = run_reference(R"toml(
[[body]]
name = "a"
mass = 1
inertia = 0.02
at = [0, 0]
spin = 3
[[body]]
name = "b"
mass = 1
inertia = 0.05
at = [1, 0]
[[joint]]
name = "ja"
kind = "hinge"
between = ["ground", "a"]
at = [0, 0]
[[joint]]
name = "jb"
kind = "hinge"
between = ["ground", "b"]
at = [1, 0]
[[gear]]
name = "belt"
between = ["ja", "jb"]
ratio = 2
compliance = 0.01
[run]
until = 2
)toml");
  ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
  const double omega = std::sqrt(100 * (1 / 0.02 + 4 / 0.05));
  const Motion& m = run.motion;
  for (std::size_t k = 0; k < m.rows(); ++k) {
    const double g = 3 / omega * std::sin(omega * m.t[k]);
    EXPECT_NEAR(m["lambda(belt)"][k], 100 * g, 1e-6);
    EXPECT_NEAR(m["a.angle"][k] - 2 * m["b.angle"][k], g, 1e-8);
    EXPECT_NEAR(0.02 * m["v(a.angle)"][k] + 0.05 / 2 * m["v(b.angle)"][k], 0.06, 1e-9);
  }
}

// A bead on a rough hoop without weight, N = m v²/r: v = v0/(1 + mu v0 t/r), and the hoop is warmed
// by what it loses. Friction reads the multiplier, a state counts the heat: all orders are kept.
TEST(ReferenceMotion, OrdersOfMethodsHoldWithMultipliersInForcesAndStates) {
  const char* const text = R"toml(
[parameters]
mu = 0.2
[points]
bead = { mass = 1, at = [0, -1], velocity = [8, 0] }
[[rod]]
name = "hoop"
between = ["origin", "bead"]
[definitions]
speed = "hypot(bead.vx, bead.vy)"
[states]
heat = { rate = "mu*abs(lambda(hoop))*speed" }
[[force]]
on = "bead"
value = ["-mu*abs(lambda(hoop))*bead.vx/speed", "-mu*abs(lambda(hoop))*bead.vy/speed"]
[run]
until = 1
)toml";
  const double way = std::log(1 + 0.2 * 8) / 0.2, v = 8 / (1 + 0.2 * 8);
  const auto error = [&](const SimulationOptions& options) {
    const Result run = run_reference(text, options);
    EXPECT_EQ(run.summary.status, Status::ok) << run.summary.message;
    return std::max(std::abs(run.motion["bead.x"].back() - std::sin(way)),
                    std::abs(run.motion["heat"].back() - (64 - v * v) / 2));
  };
  EXPECT_LT(error({.method = "dop853", .tol = 1e-12}), 1e-9);
  EXPECT_LT(error({.method = "radau", .tol = 1e-12}), 1e-9);
  for (const auto& [method, order] :
       {std::pair{"rk4", 4.0}, std::pair{"rattle", 2.0}, std::pair{"rattle-yoshida4", 4.0},
        std::pair{"rattle-suzuki4", 4.0}, std::pair{"rattle-yoshida6", 6.0}}) {
    const double coarse = error({.method = method, .step = 0.01});
    const double fine = error({.method = method, .step = 0.005});
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.25) << method << ' ' << coarse << ' ' << fine;
  }
}

// What formulas read of the rotation of a body is what results show of it.
TEST(ReferenceMotion, FormulasReadAngularVelocityAndAngles) {
  std::string text = R"toml(
[[body]]
name = "c"
mass = 1
inertia = [1, 2, 2.5]
rotation = [0.3, -0.2, 0.5]
spin = [0.4, 1, -0.3]
[[body]]
name = "flat"
mass = 1
inertia = [1, 2, 3]
spin = [0.4, 1, -0.3]
[[torque]]
on = "c"
value = ["-0.1*c.w1", "-0.2*c.w2", "-0.3*c.w3"]
frame = "body"
[run]
until = 1
[outputs]
)toml";
  const std::string names[] = {"wx", "wy", "wz", "w1", "w2", "w3", "yaw", "pitch", "roll"};
  for (const std::string& name : names)
    text += "c_" + name + " = \"c." + name + "\"\nflat_" + name + " = \"flat." + name + "\"\n";
  const Result run = run_reference(text);
  ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
  for (const std::string body : {"c", "flat"})
    for (const std::string& name : names)
      for (std::size_t k = 0; k < run.motion.rows(); ++k)
        EXPECT_NEAR(run.motion[body + "_" + name][k], run.motion[body + "." + name][k], 1e-14)
            << name;
  // the brake takes energy: T' = -Σ c_i w_i²
  const auto power = [&](std::size_t k) {
    double sum = 0.0;
    for (int i = 1; i <= 3; ++i)
      sum -= 0.1 * i * std::pow(run.motion["c.w" + std::to_string(i)][k], 2);
    return sum;
  };
  const auto& E = run.motion["kinetic_energy"];
  const std::size_t k = 10;
  const double slope = (-E[k + 2] + 8 * E[k + 1] - 8 * E[k - 1] + E[k - 2]) / (12 * 0.05);
  EXPECT_NEAR(slope, power(k), 1e-5);
}

}  // namespace
}  // namespace taut
