// SPDX-License-Identifier: BSD-3-Clause
// The averaged force of free systems against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "vibrated_models.hpp"

namespace taut::test {
namespace {

// accurate in h, so that only omega is seen
AveragedOptions fine(bool antithetic) { return {.steps = 240, .antithetic = antithetic}; }

double error_at(double omega, const AveragedOptions& options, double Q = 0.5) {
  return force_at(read(inverted_pendulum(omega), options).system, Q) - pendulum_force(Q);
}

TEST(AveragedForce, OfThePendulumIsTheClosedFormWhateverOmegaIs) {
  for (const double omega : {1e4, 1e6, 1e8, 1e10}) {
    const AveragedReading reading = read(inverted_pendulum(omega));
    EXPECT_TRUE(reading.even);
    EXPECT_TRUE(reading.periodic);
    for (const double Q : {-2.5, -0.3, 0.01, 0.5, 1.4, 3.0})
      EXPECT_NEAR(force_at(reading.system, Q), pendulum_force(Q), 4e-4) << omega << ' ' << Q;
  }
}

TEST(AveragedForce, OfOnePhaseIsRightToFirstOrderInThePeriodOfTwoToSecond) {
  const double one = error_at(1e3, fine(false)) / error_at(1e4, fine(false));
  const double two = error_at(1e3, fine(true)) / error_at(1e4, fine(true));
  EXPECT_NEAR(std::log10(one), 1.0, 0.05);
  EXPECT_NEAR(std::log10(two), 2.0, 0.05);
}

// opposite phases have opposite errors in odd harmonics only
TEST(AveragedForce, OfEvenHarmonicsIsRightToFirstOrderInThePeriod) {
  const auto error = [](double omega) {
    const Loaded model = pendulum_shaken_by("omega*(3*cos(theta) + 2*2*cos(2*theta))", omega);
    const AveragedReading reading = read(model, {.steps = 480});
    return force_at(reading.system, 0.5) - pendulum_force(0.5, 9 + 4);
  };
  EXPECT_NEAR(std::log10(error(1e3) / error(1e4)), 1.0, 0.1);
}

TEST(AveragedForce, IsOfOrderTwoInTheMicroStepAndOfOrderFourExtrapolated) {
  const auto order = [](const AveragedOptions& coarse, const AveragedOptions& twice) {
    return std::log2(error_at(1e6, coarse) / error_at(1e6, twice));
  };
  EXPECT_NEAR(order({.steps = 20, .richardson = false}, {.steps = 40, .richardson = false}), 2,
              0.1);
  EXPECT_NEAR(order({.steps = 20}, {.steps = 40}), 4, 0.1);
}

TEST(AveragedForce, KeepsTheToleranceItWasAskedFor) {
  for (const double tol : {1e-3, 1e-5, 1e-7}) {
    const AveragedReading reading = read(inverted_pendulum(1e7), {.tol = tol});
    EXPECT_LE(std::abs(force_at(reading.system, 0.5) / pendulum_force(0.5) - 1.0), 2 * tol);
  }
}

// 2000 and 50 are the counts of Tables 2.2 and 2.3 for ten forces
TEST(AveragedForce, CostsTheSameForEveryOmega) {
  for (const double omega : {1e4, 1e6, 1e8}) {
    const Loaded model = inverted_pendulum(omega);
    const AveragedReading plain = read(model, published_averaging(10));
    const AveragedReading smooth = read(model, published_averaging(10, exponential_kernel(5), 40));
    const AveragedReading accurate = read(model, {.steps = 12});
    for (int n = 0; n < 10; ++n)
      for (const AveragedReading* reading : {&plain, &smooth, &accurate})
        (void)force_at(reading->system, 0.1 * n);
    EXPECT_EQ(micro_steps(plain.system), 50);
    EXPECT_EQ(plain.system.hidden_evaluations(), 60);
    EXPECT_EQ(micro_steps(smooth.system), 2000);
    EXPECT_EQ(micro_steps(accurate.system), 10 * 2 * (6 + 3));
  }
  EXPECT_EQ(read(inverted_pendulum(1e4)).steps, read(inverted_pendulum(1e8)).steps);
  EXPECT_EQ(micro_steps(inverted_pendulum(1e4).system), 0);
}

TEST(AveragedForce, IsComputedOnceWhereItIsAskedForTwice) {
  const AveragedReading reading = read(inverted_pendulum(1e6), published_averaging(10));
  const Vec q = Vec::Constant(1, 0.3), v = Vec::Zero(1);
  Evaluation ev;
  reading.system.prepare(ev);
  for (int k = 0; k < 3; ++k)
    EXPECT_EQ(reading.system.evaluate(needs(Target::force, Target::momentum_force),
                                      {.t = 1.0, .q = q, .v = v}, ev),
              Status::ok);
  EXPECT_EQ(micro_steps(reading.system), 5);
}

TEST(AveragedForce, TwoSidesOfAWindowAreOneWhereTheForceIsEven) {
  const Loaded model = inverted_pendulum(1e5);
  const AveragedReading half = read(model, {.steps = 40});
  const AveragedReading whole = read(model, {.steps = 40, .use_evenness = false});
  EXPECT_NEAR(force_at(half.system, 0.5), force_at(whole.system, 0.5), 1e-7);
  EXPECT_EQ(2 * micro_steps(half.system), micro_steps(whole.system));
}

// the same vibration with its phase moved: found, and used
TEST(AveragedForce, EvennessIsFoundAboutAnyPhase) {
  const AveragedReading sine = read(pendulum_shaken_by("4*omega*sin(theta)", 1e6));
  EXPECT_TRUE(sine.even);
  EXPECT_NEAR(std::abs(std::remainder(sine.phase, 2 * std::numbers::pi)), std::numbers::pi / 2,
              1e-15);
  EXPECT_NEAR(force_at(sine.system, 0.5), pendulum_force(0.5), 2e-4);
  const AveragedReading shifted = read(pendulum_shaken_by("4*omega*cos(theta + 0.7)", 1e6));
  EXPECT_TRUE(shifted.even);
  EXPECT_NEAR(force_at(shifted.system, 0.5), pendulum_force(0.5), 2e-4);
  EXPECT_EQ(sine.steps, shifted.steps);
}

TEST(AveragedForce, OfAVibrationThatIsNotEvenIsFoundFromItsOwnVelocity) {
  // v = v1 sin(theta) + v2 cos(2 theta): <v²> = (v1² + v2²)/2
  const Loaded model =
      pendulum_shaken_by("omega*(4*cos(theta) - 2*1.5*sin(2*theta) + 0.4*cos(3*theta + 1))", 1e6);
  const AveragedReading reading = read(model);
  EXPECT_FALSE(reading.even);
  const double v_squared = 16 + 1.5 * 1.5 + 0.4 * 0.4 / 9;
  EXPECT_NEAR(force_at(reading.system, 0.5), pendulum_force(0.5, v_squared), 1e-3);
  // with a smooth window it may begin at rest
  const AveragedReading smooth = read(model, {.kernel = exponential_kernel(5)});
  EXPECT_NEAR(force_at(smooth.system, 0.5), pendulum_force(0.5, v_squared), 2e-2);
}

// the pivot goes round an ellipse: -d/dq of <(vy sin(theta) sin q + vx cos(theta) cos q)²>/2l²
TEST(AveragedForce, OfAPivotOnAnEllipse) {
  const CompiledModel model = from_toml(R"toml(
[parameters]
l = 0.2
[coordinates]
q = { mass = 1, at = 0.5 }
[vibration]
omega = 1e6
[[force]]
on = "q"
value = "((9.8 + 4*omega*cos(theta))*sin(q) - 3*omega*sin(theta)*cos(q))/l"
)toml");
  const AveragedReading reading = read({model.system, model.given});
  EXPECT_FALSE(reading.even);
  for (const double Q : {0.3, 0.5, 2.0})
    EXPECT_NEAR(force_at(reading.system, Q), pendulum_force(Q, 16 - 9), 1e-3) << Q;
}

TEST(AveragedForce, OfCommensurateFrequenciesIsAveragedOverTheirCommonPeriod) {
  const AveragedReading reading =
      read(pendulum_shaken_by("omega*(3*cos(theta) + 1.5*2*cos(1.5*theta))", 1e6));
  EXPECT_TRUE(reading.periodic);
  EXPECT_TRUE(reading.even);
  EXPECT_NEAR(force_at(reading.system, 0.5), pendulum_force(0.5, 9 + 4), 1e-3);
  const auto before = micro_steps(reading.system);
  (void)force_at(reading.system, 0.6);
  // two periods, half of them, two phases, steps and half as many
  EXPECT_EQ(micro_steps(reading.system) - before, reading.steps * 3);
}

TEST(AveragedForce, OfIncommensurateFrequenciesIsAveragedByASmoothKernel) {
  const AveragedReading reading =
      read(pendulum_shaken_by("omega*(3*cos(theta) + sqrt(2)*2*cos(sqrt(2)*theta))", 1e5));
  EXPECT_FALSE(reading.periodic);
  ASSERT_EQ(reading.notes.size(), 1u);
  EXPECT_NE(reading.notes.front().text().find("does not repeat"), std::string::npos);
  EXPECT_NEAR(force_at(reading.system, 0.5), pendulum_force(0.5, 9 + 4), 2e-2);
}

TEST(AveragedForce, OfAVibrationTwiceAsFastAsThetaHasHalfThePeriod) {
  const Loaded model = pendulum_shaken_by("2*omega*4*cos(2*theta)", 1e4);
  const AveragedReading reading = read(model);
  EXPECT_EQ(reading.steps, read(inverted_pendulum(2e4)).steps);
  EXPECT_DOUBLE_EQ(force_at(reading.system, 0.5),
                   force_at(read(inverted_pendulum(2e4)).system, 0.5));
}

// two pendulums in coordinates y with q = A y have the masses AᵀA
TEST(AveragedForce, KnowsMassesThatAreMatrices) {
  const CompiledModel model = from_toml(R"toml(
[coordinates]
y = { at = 0.2 }
z = { at = 0.3 }
[definitions]
q = "y + 0.5*z"
p = "z - 0.4*y"
[vibration]
omega = 1e6
[[kinetic]]
energy = "(v(y) + 0.5*v(z))^2/2 + (v(z) - 0.4*v(y))^2/2"
[[potential]]
energy = "(9.8 + 4*omega*cos(theta))/0.2*(cos(q) + cos(p))"
)toml");
  const AveragedReading reading = read({model.system, model.given});
  const Vec& y = model.given.q;
  const double Fq = pendulum_force(y[0] + 0.5 * y[1]), Fp = pendulum_force(y[1] - 0.4 * y[0]);
  const Vec F = force_at(reading.system, y);
  EXPECT_NEAR(F[0], Fq - 0.4 * Fp, 3e-4);
  EXPECT_NEAR(F[1], 0.5 * Fq + Fp, 3e-4);
}

TEST(AveragedForce, MayChangeSlowlyWithTime) {
  const Loaded model = pendulum_shaken_by("4*omega*(1 + 0.1*t)*cos(theta)", 1e6);
  const AveragedReading reading = read(model);
  EXPECT_TRUE(reading.system.structure().force_uses_time);
  EXPECT_FALSE(read(inverted_pendulum(1e6)).system.structure().force_uses_time);
  const Vec q = Vec::Constant(1, 0.5);
  EXPECT_NEAR(force_at(reading.system, q, 2.0)[0], pendulum_force(0.5, 16 * 1.44), 3e-4);
}

// nothing acts at the upright point itself: what the force is like is seen near it
TEST(AveragedForce, CanBeFoundAtAnEquilibrium) {
  Loaded model = inverted_pendulum(1e6);
  model.start.q[0] = 0.0;
  const AveragedReading reading = read(model);
  EXPECT_EQ(reading.steps, read(inverted_pendulum(1e6)).steps);
  EXPECT_EQ(force_at(reading.system, 0.0), 0.0);
  EXPECT_NEAR(force_at(reading.system, 0.5), pendulum_force(0.5), 2e-4);
}

TEST(AveragedForce, StiffnessIsItsDerivative) {
  for (const double omega : {1e4, 1e8}) {
    const AveragedReading reading = read(inverted_pendulum(omega), {.tol = 1e-9});
    const Vec v = Vec::Zero(1);
    Evaluation ev;
    reading.system.prepare(ev);
    for (const double Q : {0.0, 0.5, 2.0}) {
      const Vec q = Vec::Constant(1, Q);
      ASSERT_EQ(reading.system.evaluate(need(Target::stiffness), {.t = 0, .q = q, .v = v}, ev),
                Status::ok);
      const double slope = gravity / l * std::cos(Q) - vmax * vmax / (2 * l * l) * std::cos(2 * Q);
      EXPECT_NEAR(ev.K.coeff(0, 0), -slope, 3e-3) << omega << ' ' << Q;
    }
  }
}

TEST(AveragedForce, TellsHowFarTheVibrationGoes) {
  const AveragedReading reading = read(inverted_pendulum(1e6));
  // s sin(Q)/l and its velocity
  EXPECT_NEAR(reading.amplitude, 4e-6 * std::sin(0.5) / l, 1e-8);
  EXPECT_NEAR(reading.velocity_amplitude, 4 * std::sin(0.5) / l, 1e-2);
  const double ratio =
      read(inverted_pendulum(1e3)).force_error / read(inverted_pendulum(1e5)).force_error;
  EXPECT_NEAR(ratio, 100.0, 2.0);
}

}  // namespace
}  // namespace taut::test
