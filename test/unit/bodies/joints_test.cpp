// SPDX-License-Identifier: BSD-3-Clause
// Bodies held by joints: the heavy top, the physical pendulum, bodies joined in free flight.
#include <algorithm>
#include <array>

#include "model/accelerations.hpp"
#include "support.hpp"
#include "taut/model/start.hpp"

namespace taut::test {
namespace {

// a top at the angle lean that precesses steadily:  A Ω² cos(lean) - C ω3 Ω + m g l = 0  with A
// about the tip, ω3 the whole angular velocity along the axis
const char* const top = R"toml(
[parameters]
m = 0.5
g = 9.81
l = 0.3
A0 = 0.02
C = 0.012
lean = 0.6
w3 = 60
A = "A0 + m*l^2"
Omega = "(C*w3 - sqrt((C*w3)^2 - 4*A*cos(lean)*m*g*l))/(2*A*cos(lean))"
[[body]]
name     = "top"
mass     = "m"
inertia  = ["A0", "A0", "C"]
at       = ["l*sin(lean)", 0, "l*cos(lean)"]
velocity = [0, "Omega*l*sin(lean)", 0]
rotation = [0, "lean", 0]
spin     = ["-Omega*sin(lean)", 0, "w3"]
[[joint]]
kind    = "ball"
between = ["ground", "top"]
at      = [0, 0, 0]
[[gravity]]
acceleration = [0, 0, "-g"]
)toml";

double precession() {
  const double m = 0.5, g = 9.81, l = 0.3, A = 0.02 + m * l * l, C = 0.012, w3 = 60,
               c = std::cos(0.6);
  return (C * w3 - std::sqrt(C * C * w3 * w3 - 4 * A * c * m * g * l)) / (2 * A * c);
}

Vec3 axis_of_top(double t) {
  return {std::sin(0.6) * std::cos(precession() * t), std::sin(0.6) * std::sin(precession() * t),
          std::cos(0.6)};
}

TEST(HeavyTop, PrecessesSteadily) {
  const auto model = bodies(top);
  const State end = run_until(rigid(model.system), model.given, 2.0, "dop853", 1e-12);
  EXPECT_LE((Pose{model.system, end, "top"}.R.col(2) - axis_of_top(2.0)).norm(), 1e-8);

  const auto error = [&](int steps) {
    double largest = 0;
    run_steps(rigid(model.system), model.given, 2.0 / steps, steps, [&](const State& s) {
      const Pose p{model.system, s, "top"};
      largest = std::max(largest, (p.R.col(2) - axis_of_top(s.t)).norm());
    });
    return largest;
  };
  EXPECT_NEAR(std::log2(error(2000) / error(4000)), 2.0, 0.1);
}

TEST(HeavyTop, KeepsItsMomentaExactlyAndItsEnergyWithoutDrift) {
  const auto model = bodies(top, {{"w3", 25}, {"Omega", 1.0}});
  const System system = rigid(model.system);
  const double m = 0.5, A0 = 0.02, C = 0.012;
  const auto vertical = [&](const Pose& p) {
    const Vec3 w = p.spin();
    return (m * p.x.cross(p.v) + p.R * Vec3{A0 * w[0], A0 * w[1], C * w[2]})[2];
  };
  const Pose first{system, model.given, "top"};
  const double L0 = vertical(first), S0 = C * first.spin()[2], E0 = energy(system, model.given);
  double dL = 0, dS = 0, early = 0, late = 0, dx = 0, highest = -1;
  int n = 0;
  run_steps(system, model.given, 0.002, 20000, [&](const State& s) {
    ++n;
    const Pose p{system, s, "top"};
    dL = std::max(dL, std::abs(vertical(p) - L0));
    dS = std::max(dS, std::abs(C * p.spin()[2] - S0));
    double& dE = n <= 2000 ? early : late;
    if (n <= 2000 || n > 18000) dE = std::max(dE, std::abs(energy(system, s) - E0));
    dx = std::max(dx, (p.x - 0.3 * p.R.col(2)).norm());
    highest = std::max(highest, p.R(2, 2));
  });
  EXPECT_GT(highest, std::cos(0.6) - 1e-3);
  EXPECT_LE(dL, 1e-12);
  EXPECT_LE(dS, 1e-12);
  EXPECT_LE(dx, 1e-14);
  EXPECT_LE(early, 2e-3 * E0);
  EXPECT_LE(late, 1.2 * early);
}

// a box hung at the middle of its upper face, turning about y
const char* const pendulum = R"toml(
[parameters]
angle = 1.3
[[body]]
name     = "box"
mass     = 2
inertia  = [0.05, 0.07, 0.03]
at       = ["-0.4*sin(angle)", 0, "-0.4*cos(angle)"]
rotation = [0, "angle", 0]
[[joint]]
name    = "pin"
kind    = "hinge"
between = ["box", "ground"]
at      = [0, 0, 0]
axis    = [0, 3, 0]
[[gravity]]
acceleration = [0, 0, -9.81]
)toml";

TEST(Hinge, BodyOnItIsThePhysicalPendulum) {
  const auto model = bodies(pendulum);
  EXPECT_EQ(model.system.nc(), 6 + 5);
  const double k = std::sin(1.3 / 2), rate = std::sqrt(2 * 9.81 * 0.4 / (0.07 + 2 * 0.16));
  const auto angle = [&](double t) {
    const Jacobi f = jacobi(rate * t, k);
    return 2 * std::asin(k * f.cn / f.dn);
  };
  const auto of = [&](const State& s) {
    const Mat3 R = Pose{model.system, s, "box"}.R;
    return std::atan2(R(0, 2), R(2, 2));
  };
  const State end = run_until(rigid(model.system), model.given, 3.0, "dop853", 1e-12);
  EXPECT_NEAR(of(end), angle(3.0), 1e-9);
  const auto error = [&](int steps) {
    double largest = 0;
    run_steps(rigid(model.system), model.given, 3.0 / steps, steps,
              [&](const State& s) { largest = std::max(largest, std::abs(of(s) - angle(s.t))); });
    return largest;
  };
  EXPECT_NEAR(std::log2(error(300) / error(600)), 2.0, 0.05);
}

// m (x'' - g) is what the hinge must give; it is at rest, so that x'' is along the circle
TEST(Hinge, MultipliersAreItsForceAndTorque) {
  const auto model = bodies(pendulum);
  const System system = rigid(model.system);
  Accelerations accelerations;
  ASSERT_EQ(accelerations.start(system), Status::ok);
  Vec a, lambda;
  ASSERT_EQ(accelerations(system, 0, model.given.q, model.given.v, a, lambda), Status::ok);
  const double turn = -2 * 9.81 * 0.4 * std::sin(1.3) / (0.07 + 2 * 0.16);
  const Vec3 x_dotdot = 0.4 * turn * Vec3{-std::cos(1.3), 0, std::sin(1.3)};
  const Vec3 on_box = 2 * (x_dotdot + Vec3{0, 0, 9.81});
  const auto& rows = system.structure().rows;
  ASSERT_EQ(rows.size(), 11U);
  EXPECT_EQ(rows[6].name, "pin x");
  EXPECT_EQ(rows[9].name, "pin tilt 1");
  // the force of the first side, the box, on the ground
  EXPECT_LE((lambda.segment(6, 3) + on_box).norm(), 1e-12);
  EXPECT_LE(lambda.tail(2).norm(), 1e-12);
}

const char* const two_bodies = R"toml(
[[body]]
name     = "a"
mass     = 1
inertia  = [0.1, 0.2, 0.25]
at       = [-0.5, 0, 0]
rotation = [0.3, -0.2, 0.5]
velocity = [0, 0.3, 0]
spin     = [0.5, 1, -0.3]
[[body]]
name     = "b"
mass     = 1.5
inertia  = [0.3, 0.2, 0.15]
at       = [0.4, 0.1, 0]
velocity = [0, -0.2, 0.1]
spin     = [-0.5, 0.7, 1.1]
)toml";

Vec3 angular_momentum(const System& system, const State& s) {
  const Pose a{system, s, "a"}, b{system, s, "b"};
  return a.x.cross(a.v) + a.R * Vec3{0.1, 0.2, 0.25}.cwiseProduct(a.spin()) + 1.5 * b.x.cross(b.v) +
         b.R * Vec3{0.3, 0.2, 0.15}.cwiseProduct(b.spin());
}

TEST(BallJoint, TwoBodiesInFreeFlightKeepTheirMomenta) {
  const auto model =
      bodies(std::string{two_bodies} +
             "[[joint]]\nkind = \"ball\"\nbetween = [\"a\", \"b\"]\nat = [0, 0, 0]\n");
  const System system = rigid(model.system);
  EXPECT_EQ(system.nc(), 15);
  // the velocities that are given tear the joint apart
  const Start consistent = consistent_start(system, model.given);
  ASSERT_EQ(consistent.status, Status::ok) << consistent.reason;
  const State& start = consistent.state;
  EXPECT_LE(consistent.distance, 1e-15);
  EXPECT_GT(consistent.velocity_distance, 0.1);
  const Pose a0{system, start, "a"}, b0{system, start, "b"};
  const Vec3 p0 = a0.v + 1.5 * b0.v, L0 = angular_momentum(system, start);
  const Vec3 on_a = -a0.R.transpose() * a0.x, on_b = -b0.R.transpose() * b0.x;
  const double E0 = energy(system, start);
  double dp = 0, dL = 0, dE = 0, gap = 0, turned = 0;
  run_steps(system, start, 0.01, 5000, [&](const State& s) {
    const Pose a{system, s, "a"}, b{system, s, "b"};
    dp = std::max(dp, (a.v + 1.5 * b.v - p0).norm());
    dL = std::max(dL, (angular_momentum(system, s) - L0).norm());
    dE = std::max(dE, std::abs(energy(system, s) / E0 - 1));
    gap = std::max(gap, (a.x + a.R * on_a - b.x - b.R * on_b).norm());
    turned = std::max(turned, (a.R.transpose() * b.R - a0.R.transpose() * b0.R).norm());
  });
  EXPECT_LE(dp, 1e-12);
  EXPECT_LE(dL, 1e-12);
  EXPECT_LE(dE, 1e-3);
  EXPECT_LE(gap, 1e-14);
  EXPECT_GT(turned, 1.0);
}

// two bodies that are fixed to each other move as one with the inertia of both
TEST(FixedJoint, MakesOneBodyOfTwo) {
  const std::string spun = R"toml(
[[body]]
name     = "a"
mass     = 1
inertia  = [0.1, 0.2, 0.25]
at       = [-0.6, 0, 0]
velocity = [0, -0.48, 0.42]
spin     = [0.3, 0.7, 0.8]
[[body]]
name     = "b"
mass     = 2
inertia  = [0.2, 0.25, 0.1]
at       = [0.3, 0, 0]
rotation = [0, 1.5707963267948966, 0]
velocity = [0, 0.24, -0.21]
spin     = [-0.8, 0.7, 0.3]
)toml";
  const auto model = bodies(spun +
                            "[[joint]]\nname = \"weld\"\nkind = \"fixed\"\nbetween = [\"a\", "
                            "\"b\"]\nat = [0.1, 0.2, 0]\n");
  EXPECT_EQ(model.system.nc(), 18);
  EXPECT_EQ(model.system.structure().rows.back().name, "weld turn z");
  // b is turned by a quarter about y: its moments about the axes of space are 0.1, 0.25, 0.2
  const double offset = 1 * 0.36 + 2 * 0.09;
  const auto one = bodies(
      "[[body]]\nname = \"c\"\nmass = 3\nspin = [0.3, 0.7, 0.8]\ninertia = "
      "[0.2, \"0.45 + o\", \"0.45 + o\"]\n[parameters]\no = " +
      std::to_string(offset));
  const State both = run_until(rigid(model.system), model.given, 4.0, "dop853", 1e-12);
  const State joined = run_until(rigid(one.system), one.given, 4.0, "dop853", 1e-12);
  const Pose a{model.system, both, "a"}, b{model.system, both, "b"}, c{one.system, joined, "c"};
  EXPECT_LE((a.R - c.R).norm(), 1e-9);
  EXPECT_LE((a.x + 0.6 * c.R.col(0)).norm(), 1e-9);
  EXPECT_LE((b.x - 0.3 * c.R.col(0)).norm(), 1e-9);
  EXPECT_LE((b.R.col(2) - c.R.col(0)).norm(), 1e-9);
}

TEST(Hinges, OfAClosedLoopNameEachRedundantRowOnce) {
  std::string loop;
  const std::array<const char*, 3> places{"[0, 0.5, 0]", "[0.5, 1, 0]", "[1, 0.5, 0]"};
  for (std::size_t k = 0; k < 3; ++k)
    loop += "[[body]]\nname = \"b" + std::to_string(k + 1) +
            "\"\nmass = 1\ninertia = [0.1, 0.09, 0.1]\nat = " + places[k] + "\n";
  for (const char* joint :
       {"[\"ground\", \"b1\"]\nat = [0, 0, 0]", "[\"b1\", \"b2\"]\nat = [0, 1, 0]",
        "[\"b2\", \"b3\"]\nat = [1, 1, 0]", "[\"b3\", \"ground\"]\nat = [1, 0, 0]"})
    loop += std::string{"[[joint]]\nkind = \"hinge\"\naxis = [0, 0, 1]\nbetween = "} + joint + "\n";
  const auto model = bodies(loop);
  Start start = consistent_start(rigid(model.system), model.given);
  ASSERT_EQ(start.status, Status::ok) << start.reason;
  std::sort(start.redundant.begin(), start.redundant.end());
  // of one plane, it closes by x and y alone
  EXPECT_EQ(start.redundant,
            (std::vector<std::string>{"joint 4 tilt 1", "joint 4 tilt 2", "joint 4 z"}));
}

}  // namespace
}  // namespace taut::test
