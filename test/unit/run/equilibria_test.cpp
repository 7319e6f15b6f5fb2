// SPDX-License-Identifier: BSD-3-Clause
// Equilibria against closed forms: angles for rods, averages by hand for vibrated pendulums.
#include "taut/statics/equilibria.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "averaged/averaged.hpp"
#include "models.hpp"

namespace taut {
namespace {

using std::numbers::pi;

const Equilibrium* nearest(const Equilibria& all, const Vec& q, double within) {
  for (const Equilibrium& e : all.found)
    if ((e.q - q).lpNorm<Eigen::Infinity>() <= within) return &e;
  return nullptr;
}

Vec vec(std::initializer_list<double> values) {
  Vec x(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), x.begin());
  return x;
}

// the force that averaging gives the inverted pendulum with a vibrated pivot, (2.6) of calvo2010
test::Example averaged_by_hand(double vmax) {
  return test::example("name = \"averaged\"\n[parameters]\nvmax = " + std::to_string(vmax) +
                       R"toml(
l = 0.2
g = 9.8
[coordinates]
q = { mass = 1, at = 0.5 }
[[force]]
on = "q"
value = "(g/l - vmax^2/(2*l^2)*cos(q))*sin(q)"
)toml");
}

TEST(Equilibria, OfAPendulumAreDownAndUp) {
  const auto e = test::example(R"toml(
name = "pendulum"
[points]
bob = { mass = 2, at = [0.3, -0.4], velocity = [1, 2] }
[[rod]]
between = ["origin", "bob"]
[[gravity]]
acceleration = [0, -9.81]
)toml");
  const Equilibria all = equilibria(e.system, e.start.state);
  ASSERT_EQ(all.status, Status::ok) << all.reason;
  ASSERT_EQ(all.found.size(), 2u);
  // the nearest first
  const Equilibrium& down = all.found[0];
  EXPECT_LE((down.q - vec({0.0, -0.5})).norm(), 1e-12);
  EXPECT_EQ(down.stability, Stability::stable);
  ASSERT_EQ(down.omega.size(), 1u);
  EXPECT_NEAR(down.omega[0], std::sqrt(9.81 / 0.5), 1e-10);
  EXPECT_NEAR(down.lambda[0], 2 * 9.81, 1e-10);
  EXPECT_EQ(down.growth, 0.0);
  EXPECT_NEAR(down.distance, std::sqrt(2 * (0.3 * 0.3 + 0.1 * 0.1)), 1e-10);
  const Equilibrium& up = all.found[1];
  EXPECT_LE((up.q - vec({0.0, 0.5})).norm(), 1e-12);
  EXPECT_EQ(up.stability, Stability::unstable);
  EXPECT_TRUE(up.omega.empty());
  EXPECT_NEAR(up.growth, std::sqrt(9.81 / 0.5), 1e-10);
  EXPECT_NEAR(up.lambda[0], -2 * 9.81, 1e-10);
}

TEST(Equilibria, OfADoublePendulumAreFourWithTheFrequenciesOfItsAngles) {
  const auto e = test::double_pendulum();
  const Equilibria all = equilibria(e.system, e.start.state);
  ASSERT_EQ(all.status, Status::ok) << all.reason;
  EXPECT_EQ(all.found.size(), 4u);
  const Equilibrium* down = nearest(all, vec({0, -1, 0, -2}), 1e-10);
  ASSERT_NE(down, nullptr);
  EXPECT_EQ(down->stability, Stability::stable);
  ASSERT_EQ(down->omega.size(), 2u);
  EXPECT_NEAR(down->omega[0], std::sqrt(9.81 * (2 + std::sqrt(2.0))), 1e-9);
  EXPECT_NEAR(down->omega[1], std::sqrt(9.81 * (2 - std::sqrt(2.0))), 1e-9);
  EXPECT_NEAR(down->lambda[0], 2 * 9.81, 1e-9);
  EXPECT_NEAR(down->lambda[1], 9.81, 1e-9);
  for (const Vec& q : {vec({0, 1, 0, 2}), vec({0, 1, 0, 0}), vec({0, -1, 0, 0})}) {
    const Equilibrium* other = nearest(all, q, 1e-10);
    ASSERT_NE(other, nullptr) << q.transpose();
    EXPECT_EQ(other->stability, Stability::unstable);
  }
}

TEST(Equilibria, OfTheAveragedPendulumAreUprightTiltedAndHanging) {
  const auto e = averaged_by_hand(4);
  const Equilibria all = equilibria(e.system, e.start.state);
  ASSERT_EQ(all.status, Status::ok) << all.reason;
  ASSERT_EQ(all.found.size(), 4u);  // once round
  const Equilibrium* upright = nearest(all, vec({0}), 1e-12);
  ASSERT_NE(upright, nullptr);
  EXPECT_EQ(upright->stability, Stability::stable);
  EXPECT_NEAR(upright->omega.at(0), std::sqrt(16 / 0.08 - 49), 1e-10);
  const double tilt = std::acos(2 * 9.8 * 0.2 / 16);
  for (const double q : {tilt, -tilt}) {
    const Equilibrium* tilted = nearest(all, vec({q}), 1e-11);
    ASSERT_NE(tilted, nullptr);
    EXPECT_EQ(tilted->stability, Stability::unstable);
    EXPECT_NEAR(tilted->growth, std::sqrt(200) * std::sin(tilt), 1e-9);
  }
  const Equilibrium* hanging = nearest(all, vec({pi}), 1e-11);
  ASSERT_NE(hanging, nullptr);
  EXPECT_EQ(hanging->stability, Stability::stable);
  EXPECT_NEAR(hanging->omega.at(0), std::sqrt(200 + 49), 1e-9);
}

TEST(Equilibria, UprightTurnsUnstableBelowTheThreshold) {
  const double threshold = std::sqrt(2 * 9.8 * 0.2);
  for (const double part : {0.5, 0.99, 0.9999, 1.0001, 1.01, 2.0}) {
    const auto e = averaged_by_hand(part * threshold);
    State near = e.start.state;
    near.q[0] = 0.0;
    const Equilibria all = equilibria(e.system, near);
    ASSERT_FALSE(all.found.empty());
    EXPECT_LE(std::abs(all.found[0].q[0]), 1e-9);
    EXPECT_EQ(all.found[0].stability, part > 1 ? Stability::stable : Stability::unstable) << part;
    // std::to_string keeps 6 digits of vmax
    EXPECT_NEAR(all.found[0].softest, 49 * (part * part - 1), 1e-4);
  }
}

TEST(Equilibria, AreUndecidedWhereTheStiffnessVanishes) {
  const auto e = test::example(R"toml(
name = "quartic"
[coordinates]
x = { mass = 1, at = 0.3 }
[[potential]]
energy = "x^4"
)toml");
  const Equilibria all = equilibria(e.system, e.start.state);
  ASSERT_EQ(all.status, Status::ok) << all.reason;
  ASSERT_EQ(all.found.size(), 1u);
  EXPECT_NEAR(all.found[0].q[0], 0.0, 1e-6);
  EXPECT_EQ(all.found[0].stability, Stability::undecided);
}

TEST(Equilibria, AreUndecidedWhereASecondOpinionDiffersTooMuch) {
  const auto accurate = averaged_by_hand(2.0), rough = averaged_by_hand(1.97);
  State near = accurate.start.state;
  near.q[0] = 0.0;
  const Equilibria alone = equilibria(accurate.system, near);
  EXPECT_EQ(alone.found.at(0).stability, Stability::stable);
  const Equilibria both = equilibria(accurate.system, near, {.second_opinion = rough.system});
  EXPECT_EQ(both.found.at(0).stability, Stability::undecided);
  EXPECT_TRUE(both.found.at(0).leans_stable());
  EXPECT_NEAR(both.found.at(0).softest_error, (4.0 - 1.97 * 1.97) / 0.08, 1e-9);
  const Equilibria near_enough =
      equilibria(accurate.system, near, {.second_opinion = averaged_by_hand(1.9999).system});
  EXPECT_EQ(near_enough.found.at(0).stability, Stability::stable);
}

TEST(Equilibria, OfStiffRodsAreStretchedByTheirLoad) {
  const auto e = test::double_pendulum();
  const double omega = 1e4;
  const System stiff = penalized(e.system, omega);
  const Equilibria all = equilibria(stiff, e.start.state);
  ASSERT_EQ(all.status, Status::ok) << all.reason;
  // lambda = 2 m g and m g; the potential of a rod is omega^2 g^2 / 2 with g = (|d|^2 - 1) / 2,
  // so that |d| (|d|^2 - 1) / 2 = load / omega^2
  const auto length = [&](double load) {
    double d = 1.0;
    for (int k = 0; k < 20; ++k)
      d -= (d * (d * d - 1) / 2 - load / (omega * omega)) / ((3 * d * d - 1) / 2);
    return d;
  };
  const double first = length(2 * 9.81), second = length(9.81);
  const Equilibrium* down = nearest(all, vec({0, -first, 0, -first - second}), 1e-11);
  ASSERT_NE(down, nullptr);
  EXPECT_EQ(down->stability, Stability::stable);
  ASSERT_EQ(down->omega.size(), 4u);
  EXPECT_NEAR(down->omega[2], std::sqrt(9.81 * (2 + std::sqrt(2.0))), 1e-5);
  EXPECT_NEAR(down->omega[3], std::sqrt(9.81 * (2 - std::sqrt(2.0))), 1e-5);
  EXPECT_NEAR(down->lambda[0] * first, 2 * 9.81, 1e-6);
  EXPECT_NEAR(down->lambda[1] * second, 9.81, 1e-6);
}

TEST(Equilibria, WithDampingAreStableWithTheFrequencyOfTheDampedMotion) {
  const auto e = test::example(R"toml(
name = "damped"
[coordinates]
x = { mass = 2, at = 0.4 }
[[potential]]
energy = "x^2 - cos(x)"
[[force]]
on = "x"
value = "-v(x)"
)toml");
  const Equilibria all = equilibria(e.system, e.start.state);
  ASSERT_EQ(all.found.size(), 1u) << all.reason;
  EXPECT_EQ(all.found[0].stability, Stability::stable);
  // 2 s^2 + s + 3 = 0
  EXPECT_NEAR(all.found[0].omega.at(0), std::sqrt(24 - 1.0) / 4, 1e-10);
}

TEST(Equilibria, AreUnstableWhereNegativeDampingFeedsTheMotion) {
  const auto e = test::example(R"toml(
name = "van der Pol"
[coordinates]
x = { mass = 1, at = 0.4 }
[[potential]]
energy = "x^2/2"
[[force]]
on = "x"
value = "0.2*(1 - x^2)*v(x)"
)toml");
  const Equilibria all = equilibria(e.system, e.start.state);
  ASSERT_EQ(all.found.size(), 1u) << all.reason;
  EXPECT_EQ(all.found[0].stability, Stability::unstable);
  EXPECT_NEAR(all.found[0].growth, 0.1, 1e-10);
  EXPECT_NEAR(all.found[0].omega.at(0), std::sqrt(1 - 0.01), 1e-10);
}

// Ziegler's column, two links with springs k and a force P that follows the upper one: it flutters
// without damping beyond P l / k = (7/2 - sqrt 2) k for equal masses at the joints 2 m, m
TEST(Equilibria, FlutterUnderAForceThatFollows) {
  const auto column = [](double load) {
    return test::example("name = \"Ziegler\"\n[parameters]\nP = " + std::to_string(load) +
                         R"toml(
[coordinates]
a = { at = 0 }
b = { at = 0 }
[[kinetic]]
energy = "3*v(a)^2/2 + cos(a - b)*v(a)*v(b) + v(b)^2/2"
[[potential]]
energy = "a^2/2 + (b - a)^2/2"
[[force]]
on = "a"
value = "P*sin(a - b)"
)toml");
  };
  const double critical = 3.5 - std::sqrt(2.0);
  for (const double load : {1.0, critical - 0.01}) {
    const auto e = column(load);
    const Equilibria all = equilibria(e.system, e.start.state);
    ASSERT_FALSE(all.found.empty()) << all.reason;
    EXPECT_LE(all.found[0].q.norm(), 1e-12);
    EXPECT_EQ(all.found[0].stability, Stability::stable) << load;
    EXPECT_EQ(all.found[0].omega.size(), 2u);
  }
  const auto e = column(critical + 0.01);
  const Equilibria all = equilibria(e.system, e.start.state);
  EXPECT_EQ(all.found.at(0).stability, Stability::unstable);
  EXPECT_GT(all.found.at(0).growth, 0.01);
}

TEST(Equilibria, OfAFreeRingAreOneFamily) {
  const auto e = test::example(R"toml(
name = "three in a ring"
[coordinates]
x = { mass = 1, at = 0.1 }
y = { mass = 2, at = -0.2 }
z = { mass = 1, at = 0.3 }
[[potential]]
energy = "(x - y)^2 + (y - z)^2 + (z - x)^2"
)toml");
  const Equilibria all = equilibria(e.system, e.start.state);
  ASSERT_EQ(all.status, Status::ok) << all.reason;
  ASSERT_EQ(all.found.size(), 1u);
  EXPECT_EQ(all.found[0].stability, Stability::undecided);
  EXPECT_EQ(all.found[0].omega.size(), 2u);
}

// two rods without gravity rest anywhere
TEST(Equilibria, OfCurvedFamiliesAreAFewAndANote) {
  const auto e = test::example(R"toml(
name = "free double pendulum"
[points]
a = { mass = 1, at = [1, 0] }
b = { mass = 1, at = [2, 0] }
[[rod]]
between = ["origin", "a"]
[[rod]]
between = ["a", "b"]
)toml");
  // every direction is free: all places are one
  EXPECT_EQ(equilibria(e.system, e.start.state).found.size(), 1u);
  const Equilibria all = equilibria(penalized(e.system, 1e3), e.start.state);
  ASSERT_EQ(all.status, Status::ok) << all.reason;
  EXPECT_LE(all.found.size(), 3u);
  for (const Equilibrium& one : all.found) EXPECT_EQ(one.stability, Stability::undecided);
  ASSERT_FALSE(all.notes.empty());
  EXPECT_NE(all.notes[0].text().find("families"), std::string::npos) << all.notes[0].text();
}

TEST(Equilibria, ChainOfLinksHangsDown) {
  const auto e = test::example(R"toml(
name = "chain"
[[chain]]
links = 6
length = 0.5
mass = 0.2
[[gravity]]
acceleration = [0, -9.81]
)toml");
  const Equilibria all = equilibria(e.system, e.start.state);
  Vec hanging = Vec::Zero(12);
  for (Index k = 0; k < 6; ++k) hanging[2 * k + 1] = -0.5 * static_cast<double>(k + 1);
  const Equilibrium* down = nearest(all, hanging, 1e-10);
  ASSERT_NE(down, nullptr) << all.reason;
  EXPECT_EQ(down->stability, Stability::stable);
  EXPECT_EQ(down->omega.size(), 6u);
  for (Index k = 0; k < 6; ++k)
    EXPECT_NEAR(down->lambda[k], 0.2 * 9.81 * static_cast<double>(6 - k), 1e-9);
}

// averaged by micro-simulation, against the average by hand
TEST(Equilibria, OfTheAveragedReadingAreThoseOfItsEffectiveForce) {
  const auto e = test::example(R"toml(
name = "vibrated pendulum"
[parameters]
l = 0.2
g = 9.8
vmax = 4
[coordinates]
q = { mass = 1, at = 0.5 }
[vibration]
omega = 1e6
[[force]]
on = "q"
value = "(g + vmax*omega*cos(theta))*sin(q)/l"
)toml");
  const AveragedReading reading = averaged(e.system, e.start.state);
  ASSERT_EQ(reading.status, Status::ok) << reading.reason;
  const Equilibria all = equilibria(reading.system, e.start.state);
  ASSERT_EQ(all.status, Status::ok) << all.reason;
  ASSERT_EQ(all.found.size(), 4u);
  const Equilibrium* upright = nearest(all, vec({0}), 1e-9);
  ASSERT_NE(upright, nullptr);
  EXPECT_EQ(upright->stability, Stability::stable);
  EXPECT_NEAR(upright->omega.at(0), std::sqrt(151.0), 1e-4);
  const double tilt = std::acos(2 * 9.8 * 0.2 / 16);
  const Equilibrium* tilted = nearest(all, vec({tilt}), 1e-5);
  ASSERT_NE(tilted, nullptr);
  EXPECT_EQ(tilted->stability, Stability::unstable);
  EXPECT_NEAR(tilted->growth, std::sqrt(200) * std::sin(tilt), 1e-3);
  const Equilibrium* hanging = nearest(all, vec({pi}), 1e-9);
  ASSERT_NE(hanging, nullptr);
  EXPECT_NEAR(hanging->omega.at(0), std::sqrt(249.0), 1e-4);
}

// rods instead of the angle: the same averaged motion with a constraint
TEST(Equilibria, OfTheAveragedReadingWithARodAreThoseOfItsAngle) {
  const auto e = test::example(R"toml(
name = "vibrated pendulum with a rod"
[points]
bob = { mass = 0.5, at = ["0.2*sin(0.5)", "0.2*cos(0.5)"] }
[[rod]]
between = ["origin", "bob"]
length = 0.2
[[gravity]]
acceleration = [0, -9.8]
[vibration]
omega = 1e5
[[force]]
on = "bob"
value = [0, "-0.5*4*omega*cos(theta)"]
)toml");
  const AveragedReading reading = averaged(e.system, e.start.state);
  ASSERT_EQ(reading.status, Status::ok) << reading.reason;
  const Equilibria all = equilibria(reading.system, e.start.state);
  const Equilibrium* upright = nearest(all, vec({0, 0.2}), 1e-9);
  ASSERT_NE(upright, nullptr) << all.reason;
  EXPECT_EQ(upright->stability, Stability::stable);
  EXPECT_NEAR(upright->omega.at(0), std::sqrt(151.0), 1e-3);
  EXPECT_NEAR(upright->lambda[0], -0.5 * 9.8, 1e-4);
  const double tilt = std::acos(2 * 9.8 * 0.2 / 16);
  const Equilibrium* tilted = nearest(all, vec({0.2 * std::sin(tilt), 0.2 * std::cos(tilt)}), 1e-6);
  ASSERT_NE(tilted, nullptr);
  EXPECT_EQ(tilted->stability, Stability::unstable);
  EXPECT_NEAR(tilted->growth, std::sqrt(200) * std::sin(tilt), 1e-2);
}

TEST(Equilibria, SayWhatWasTriedWhereThereAreNone) {
  const auto e = test::example(R"toml(
name = "falling"
[coordinates]
y = { mass = 1, at = 1 }
[[force]]
on = "y"
value = "-9.81"
)toml");
  const Equilibria all = equilibria(e.system, e.start.state);
  EXPECT_NE(all.status, Status::ok);
  EXPECT_TRUE(all.found.empty());
  EXPECT_NE(all.reason.find("searches"), std::string::npos) << all.reason;
}

// a spring that is so stiff that forces beside it look small
TEST(Equilibria, AreNotSeenWhereAForceIsSmallBesideStiffSprings) {
  const auto falls = test::example(R"toml(
name = "falling"
[coordinates]
x = { mass = 1, at = 1 }
y = { mass = 1, at = 1 }
[[potential]]
energy = "1e12*x^2/2 + y"
)toml");
  EXPECT_TRUE(equilibria(falls.system, falls.start.state).found.empty());
  const auto rests = test::example(R"toml(
name = "stiff and soft"
[coordinates]
x = { mass = 1, at = 1 }
y = { mass = 1, at = 1 }
[[potential]]
energy = "1e8*(x - sin(y))^2/2 - cos(y)"
)toml");
  const Equilibria all = equilibria(rests.system, rests.start.state);
  ASSERT_FALSE(all.found.empty());
  for (const Equilibrium& e : all.found) EXPECT_LE(std::abs(std::sin(e.q[1])), 1e-6);
}

TEST(Equilibria, RefuseVibrationsThatAreNotAveraged) {
  const auto e = test::example(R"toml(
name = "vibrated"
[coordinates]
q = { mass = 1, at = 0.5 }
[vibration]
omega = 1e4
[[force]]
on = "q"
value = "sin(q)*(1 + omega*cos(theta))"
)toml");
  const Equilibria all = equilibria(e.system, e.start.state);
  EXPECT_EQ(all.status, Status::not_supported);
  EXPECT_NE(all.reason.find("averaged"), std::string::npos) << all.reason;
}

TEST(Equilibria, NearAStateIsWhatNewtonsMethodReaches) {
  const auto e = averaged_by_hand(4);
  State near = e.start.state;
  near.q[0] = 1.2;
  const Equilibria one = equilibrium_from(e.system, near);
  ASSERT_EQ(one.status, Status::ok) << one.reason;
  ASSERT_EQ(one.found.size(), 1u);
  EXPECT_NEAR(one.found[0].q[0], std::acos(2 * 9.8 * 0.2 / 16), 1e-11);
}

}  // namespace
}  // namespace taut
