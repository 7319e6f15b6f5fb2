// SPDX-License-Identifier: BSD-3-Clause
// The averaged reading where there are constraints: SHAKE inside, any method outside.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "long_double_ode.hpp"
#include "methods/composition.hpp"
#include "methods/rattle.hpp"
#include "methods/shake.hpp"
#include "model/accelerations.hpp"
#include "vibrated_models.hpp"

namespace taut::test {
namespace {

Loaded double_pendulum(double omega) {
  return load("vibrated_double_pendulum", {{"omega", omega}});
}

/// A bob on a rod above a shaken pivot, the rod given as `rod`.
Loaded pendulum_on(const std::string& rod, double omega, double angle = 0.5) {
  const CompiledModel model = from_toml(R"toml(
[parameters]
m = 0.3
l = 0.2
angle = 0.5
omega = 1e6
[points.bob]
mass = "m"
at = ["l*sin(angle)", "l*cos(angle)"]
[vibration]
omega = "omega"
[[gravity]]
acceleration = [0, -9.8]
[[force]]
on = "bob"
value = [0, "-m*4*omega*cos(theta)"]
)toml" + rod,
                                        {{"omega", omega}, {"angle", angle}});
  return {model.system, model.given};
}

const std::string rod =
    "[[rod]]\nname = \"rod\"\nbetween = [\"origin\", \"bob\"]\nlength = \"l\"\n";
const std::string hypotenuse =
    "[[constraint]]\nname = \"rod\"\nzero = \"hypot(bob.x, bob.y) - l\"\n";

Vec mean_multipliers(const System& system, const State& s) {
  Accelerations accelerations;
  EXPECT_EQ(accelerations.start(system), Status::ok);
  Vec a = Vec::Zero(system.nq()), lambda = Vec::Zero(system.nc()), all;
  EXPECT_EQ(accelerations(system, s.t, s.q, s.v, a, lambda), Status::ok);
  Evaluation ev;
  system.prepare(ev);
  EXPECT_EQ(system.multipliers({.t = s.t, .q = s.q, .v = s.v}, lambda, ev, all), Status::ok);
  return all;
}

TEST(AveragedConstraints, ForceIsThatOfTheEffectivePotential) {
  const DoublePendulum truth;
  for (const double omega : {1e5, 1e8}) {
    const AveragedReading reading = read(double_pendulum(omega));
    EXPECT_TRUE(reading.even);
    for (const auto& [a, b] : {std::pair{0.5, 0.0}, {0.1, 1.0}, {-0.4, 0.2}, {2.0, -1.3}}) {
      const Vec along =
          truth.derivative(a, b).transpose() * force_at(reading.system, truth.positions(a, b));
      const Vec expected = truth.force(a, b);
      EXPECT_LE((along - expected).norm(), 1e-5 * (1e-2 + expected.norm())) << omega << ' ' << a;
    }
  }
}

TEST(AveragedConstraints, OnePhaseIsRightToFirstOrderInThePeriodTwoToSecond) {
  const DoublePendulum truth;
  const auto error = [&](double omega, bool antithetic) {
    const AveragedReading reading =
        read(double_pendulum(omega), {.steps = 400, .antithetic = antithetic});
    const Vec F = force_at(reading.system, truth.positions(0.5, 0.1));
    return (truth.derivative(0.5, 0.1).transpose() * F - truth.force(0.5, 0.1)).norm();
  };
  EXPECT_NEAR(std::log10(error(1e3, false) / error(1e4, false)), 1.0, 0.1);
  EXPECT_NEAR(std::log10(error(1e3, true) / error(1e4, true)), 2.0, 0.1);
}

// a constraint of another shape is a constraint with other multipliers, and the same motion
TEST(AveragedConstraints, NeedNotBeQuadratic) {
  const Loaded one = pendulum_on(rod, 1e8), other = pendulum_on(hypotenuse, 1e8);
  const Vec F = force_at(read(one, {.steps = 80}).system, one.start.q);
  const Vec F_other = force_at(read(other, {.steps = 80}).system, other.start.q);
  const Vec along = Eigen::Vector2d{std::cos(0.5), -std::sin(0.5)};
  EXPECT_NEAR(along.dot(F), along.dot(F_other), 1e-5);
  EXPECT_NEAR(along.dot(F), 0.3 * l * pendulum_force(0.5), 1e-5);
}

// the mean tension in a rod at rest on the average is -m g cos(Q): what the vibration adds by
// turning the rod it takes by its weight
TEST(AveragedConstraints, MultipliersAreMeanReactionForcesAtEveryOmega) {
  for (const double omega : {1e5, 1e6, 1e8})
    for (const double angle : {0.0, 0.5, 2.0}) {
      SCOPED_TRACE(testing::Message() << omega << ' ' << angle);
      // both have a gradient of length 1
      for (const std::string& shape : {rod, hypotenuse}) {
        const Loaded model = pendulum_on(shape, omega, angle);
        const Vec lambda = mean_multipliers(read(model).system, model.start);
        EXPECT_NEAR(lambda[0], -0.3 * gravity * std::cos(angle), 2e-5) << shape;
      }
    }
}

TEST(AveragedConstraints, MultipliersOfMovingRodsHaveTheCentrifugalForce) {
  Loaded model = pendulum_on(rod, 1e6);
  const double spin = 3.0;
  model.start.v = spin * l * Eigen::Vector2d{std::cos(0.5), -std::sin(0.5)};
  const Vec lambda = mean_multipliers(read(model).system, model.start);
  EXPECT_NEAR(lambda[0], 0.3 * (l * spin * spin - gravity * std::cos(0.5)), 2e-5);
}

TEST(AveragedConstraints, ThatAreCompliantBecomeSprings) {
  const Loaded model = pendulum_on(rod + "compliance = 1e-4\n", 1e6);
  const AveragedReading reading = read(model);
  EXPECT_EQ(reading.system.nc(), 0);
  EXPECT_EQ(reading.system.structure().rows.front().equation, -1);
  // a spring at its natural length only vibrates: the weight, and what is left of the vibration
  const Vec lambda = mean_multipliers(reading.system, model.start);
  EXPECT_NEAR(lambda[0], 0.0, 1e-8);
}

TEST(AveragedConstraints, StiffnessOfTheUprightRodIsThatOfTheAngle) {
  const Loaded model = pendulum_on(rod, 1e6, 0.0);
  const AveragedReading reading = read(model);
  Evaluation ev;
  reading.system.prepare(ev);
  const Vec none = Vec::Zero(1);
  ASSERT_EQ(reading.system.evaluate(
                need(Target::stiffness),
                {.t = 0, .q = model.start.q, .v = model.start.v, .lambda = &none}, ev),
            Status::ok);
  const double squared_frequency = vmax * vmax / (2 * l * l) - gravity / l;
  EXPECT_NEAR(ev.K.coeff(0, 0) / 0.3, squared_frequency, 1e-3 * squared_frequency);
}

// rows of the published figure, computed by another program
TEST(AveragedConstraints, ShakeAndRattleFollowTheDoublePendulum) {
  const auto angles = [](const State& s) {
    return Eigen::Vector2d{std::atan2(s.q[0], s.q[1]),
                           std::atan2(s.q[2] - s.q[0], s.q[3] - s.q[1])};
  };
  const auto run = [&](auto method, double omega, int steps) {
    const Loaded model = double_pendulum(omega);
    const AveragedReading reading = read(model, published_averaging(steps / 5 * 2));
    State s = model.start;
    Status st = method.start(reading.system, s);
    for (int n = 0; n < steps / 2 && st == Status::ok; ++n)
      st = method.step(reading.system, 1.0 / steps, s);
    EXPECT_EQ(st, Status::ok);
    return angles(s);
  };
  const Eigen::Vector2d coarse = run(Shake{}, 1e4, 80), fast = run(Shake{}, 1e8, 160);
  EXPECT_LE((coarse - Eigen::Vector2d{-0.17601, -0.96255}).norm(), 1e-5);
  EXPECT_LE((fast - Eigen::Vector2d{-0.15851, -1.02412}).norm(), 1e-5);
  EXPECT_LE((run(Rattle{}, 1e4, 80) - coarse).norm(), 1e-9);
}

/// The limit of fast vibrations in angles and momenta, in extended precision.
Eigen::Vector2d limit(double t) {
  const DoublePendulum model;
  const auto rates = [&](long double, const LongVec& y, LongVec& dy) {
    const auto a = static_cast<double>(y[0]), b = static_cast<double>(y[1]);
    const Eigen::Vector2d w{static_cast<double>(y[2]), static_cast<double>(y[3])};
    // M(angles) w' = force + inertial terms
    const double c = model.m2 * model.l1 * model.l2;
    Eigen::Matrix2d M;
    M << (model.m1 + model.m2) * model.l1 * model.l1, c * std::cos(a - b), c * std::cos(a - b),
        model.m2 * model.l2 * model.l2;
    Eigen::Vector2d f = model.force(a, b);
    f += Eigen::Vector2d{-c * std::sin(a - b) * w[1] * w[1], c * std::sin(a - b) * w[0] * w[0]};
    const Eigen::Vector2d acceleration = M.inverse() * f;
    dy = {y[2], y[3], acceleration[0], acceleration[1]};
  };
  const LongVec y = solve(rates, {0.5L, 0.0L, 0.0L, 0.0L}, 0.0L, t, 0.02L);
  return {static_cast<double>(y[0]), static_cast<double>(y[1])};
}

TEST(AveragedConstraints, RattleIsOfOrderTwoOnItsCompositionOfOrderFour) {
  const Loaded model = double_pendulum(1e8);
  const AveragedReading reading = read(model, {.steps = 240});
  const Eigen::Vector2d truth = limit(0.2);
  const auto error = [&](auto method, int steps) {
    State s = model.start;
    Status st = method.start(reading.system, s);
    for (int n = 0; n < steps && st == Status::ok; ++n)
      st = method.step(reading.system, 0.2 / steps, s);
    EXPECT_EQ(st, Status::ok);
    return (Eigen::Vector2d{std::atan2(s.q[0], s.q[1]),
                            std::atan2(s.q[2] - s.q[0], s.q[3] - s.q[1])} -
            truth)
        .norm();
  };
  EXPECT_NEAR(std::log2(error(Rattle{}, 80) / error(Rattle{}, 160)), 2.0, 0.1);
  using Four = Composition<Rattle, Suzuki4>;
  EXPECT_NEAR(std::log2(error(Four{}, 30) / error(Four{}, 60)), 4.0, 0.2);
}

}  // namespace
}  // namespace taut::test
