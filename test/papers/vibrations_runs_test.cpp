// SPDX-License-Identifier: BSD-3-Clause
// The methods of the paper against loops written by hand, and what the laboratory promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "methods/rattle.hpp"
#include "methods/shake.hpp"
#include "methods/verlet.hpp"
#include "vibrations/algorithm1.hpp"
#include "vibrations/items.hpp"
#include "vibrations/jay.hpp"
#include "vibrations/macro_run.hpp"
#include "vibrations/problem.hpp"

namespace taut::papers::vibrations {
namespace {

// f of (2.9), l = 0.2, g = 9.8, vmax = 4, at step j of n in a period that begins at phase theta
long double force(long double omega, long double q, long double theta, int j, int n) {
  theta += 2 * std::numbers::pi_v<long double> * (j % n) / n;
  return (9.8L + 4 * omega * std::cos(theta)) * std::sin(q) / 0.2L;
}

// Algorithm 2 with the simple filter (2.16), as one would write it down
long double algorithm2(long double omega, int steps) {
  const long double H = 1.0L / steps, h = 2 * std::numbers::pi_v<long double> / omega / steps;
  long double Q = 0.5L, P = 0;
  for (int n = 0; n < steps; ++n) {
    long double q = Q, p = 0, F = 0;
    for (int j = 0; j <= steps / 2; ++j) {
      const bool end = j == 0 || j == steps / 2;
      const long double f = force(omega, q, 0, j, steps);
      F += f / (end ? steps : steps / 2.0L);
      p += (j == 0 ? h / 2 : h) * f;
      q += h * p;
    }
    P += (n == 0 ? H / 2 : H) * F;
    Q += H * P;
  }
  return Q;
}

// Algorithm 1 with the kernel (2.13) and (2.10) by hand
long double algorithm1_by_hand(long double omega, int steps) {
  const long double H = 1.0L / steps, pi = std::numbers::pi_v<long double>;
  const long double h = 2 * pi / omega / steps;
  const int side = 20 * steps;
  long double mass = 0;
  const auto K = [&](int j) {
    const long double x = static_cast<long double>(j) / side;
    return std::abs(j) < side ? std::exp(5 / (x * x - 1)) : 0.0L;
  };
  for (int j = -side; j <= side; ++j) mass += K(j);
  long double Q = 0.5L, P = 0, P_hat = 0;
  for (int n = 0; n < steps; ++n) {
    const long double theta = std::fmod(omega * n / steps, 2 * pi);
    const long double p0 = P_hat + 4 * std::sin(theta) * std::sin(Q) / 0.2L;
    long double F = K(0) * force(omega, Q, theta, 0, steps);
    for (const int way : {1, -1}) {
      long double q = Q, p = p0 + way * h / 2 * force(omega, Q, theta, 0, steps);
      for (int j = 1; j <= side; ++j) {
        q += way * h * p;
        const long double f = force(omega, q, theta, way * j, steps);
        F += K(j) * f;
        p += way * h * f;
      }
    }
    F /= mass;
    P += (n == 0 ? H / 2 : H) * F;
    Q += H * P;
    P_hat = P + H / 2 * F;
  }
  return Q;
}

TEST(Vibrations, AsynchronousMethodIsThatOfThePaper) {
  for (const double omega : {1e4, 1e8}) {
    const MacroRun found = run_averaged(inverted_pendulum(omega), published_averaging(20), Verlet{},
                                        inverted_start(), 20);
    EXPECT_NEAR(found.states.back().q(0), static_cast<double>(algorithm2(omega, 20)),
                1e-8)  // forces of 1e9 are rounded to 1e-7
        << omega;
    EXPECT_EQ(found.micro_steps, 20 * 10);
  }
}

TEST(Vibrations, SynchronousMethodIsThatOfThePaperAtEveryFrequency) {
  for (const double omega : {1e4, 1e6, 1e8}) {
    const MacroRun found =
        algorithm1(inverted_pendulum(omega), {.steps_per_period = 10}, inverted_start(), 10);
    EXPECT_NEAR(found.states.back().q(0), static_cast<double>(algorithm1_by_hand(omega, 10)), 1e-8)
        << omega;
    EXPECT_EQ(found.micro_steps, 10 * 400);
  }
}

// the phase of a time in double precision is off by 1e-16 omega t, and the force by omega times
// that
TEST(Vibrations, RoundedPhasesAreSeenAtHighFrequenciesOnly) {
  const auto end = [](double omega, Phase phase) {
    return algorithm1(inverted_pendulum(omega), {.steps_per_period = 20, .phase = phase},
                      inverted_start(), 20)
        .states.back()
        .q(0);
  };
  EXPECT_NEAR(end(1e4, Phase::exact), end(1e4, Phase::from_time), 1e-10);
  EXPECT_GT(std::abs(end(1e8, Phase::exact) - end(1e8, Phase::from_time)), 1e-5);
}

class DoublePendulum : public testing::Test {
 protected:
  AveragedReading reading_ =
      averaged(double_pendulum(1e4), double_start(), published_averaging(32));
  void SetUp() override { ASSERT_EQ(reading_.status, Status::ok) << reading_.reason; }
};

TEST_F(DoublePendulum, RattleShakeIsReversible) {
  MacroRun there = run(reading_.system, Rattle{}, double_start(), 80);
  State turned = there.states[40];
  turned.t = 0.0;
  turned.v *= -1.0;
  const MacroRun back = run(reading_.system, Rattle{}, turned, 80);
  EXPECT_LE((back.states[40].q - double_start().q).norm(), 1e-10);
  EXPECT_GE((there.states[40].q - double_start().q).norm(), 0.1);
}

TEST_F(DoublePendulum, MultipliersExplainTheStepsOfTheirOwnForceOnly) {
  const MacroRun shake = run(reading_.system, Shake{}, double_start(), 80);
  const Multipliers lambda = shake_multipliers(reading_.system, shake);
  ASSERT_EQ(lambda.x.size(), 80u);
  EXPECT_LE(lambda.missing, 1e-12);
  // the force of two phases is another one
  AveragedOptions other = published_averaging(32);
  other.antithetic = true;
  const AveragedReading two = averaged(double_pendulum(1e4), double_start(), other);
  ASSERT_EQ(two.status, Status::ok) << two.reason;
  EXPECT_GE(shake_multipliers(two.system, shake).missing, 1e-6);
}

TEST(Vibrations, AccurateForcesCostNoMoreThanFourTimesThePlainOnes) {
  int compared = 0;
  for (const Row& row : improved().rows)
    if (row.name.find("over those of Table 2.3") != std::string::npos) {
      EXPECT_LE(row.obtained, 4.0) << row.name;
      ++compared;
    }
  EXPECT_EQ(compared, 4);
}

// rods and weights alone, against the two angles as coordinates
TEST(Vibrations, JaysPairHasOrderFourOnAConstrainedMotion) {
  const System rods = compiled(R"toml(
[points]
bob1 = { mass = 1, at = [1, 0] }
bob2 = { mass = 1, at = [1, 1] }
[[rod]]
between = ["origin", "bob1"]
length  = 1
[[rod]]
between = ["bob1", "bob2"]
length  = 1
[[gravity]]
acceleration = [0, -9.81]
)toml");
  const System in_angles = compiled(R"toml(
[coordinates]
a = 0
b = 0
[[kinetic]]
energy = "v(a)^2 + cos(a - b)*v(a)*v(b) + v(b)^2/2"
[[potential]]
energy = "9.81*(2*sin(a) + sin(b))"
)toml");
  const State start{0.0, Vec{{1, 0, 1, 1}}, Vec::Zero(4)};
  const State from{0.0, Vec{{0, std::numbers::pi / 2}}, Vec::Zero(2)};
  const State truth = motion(in_angles, from, 1, 1e-13).back();
  const Vec end{{std::cos(truth.q(0)), std::sin(truth.q(0)),
                 std::cos(truth.q(0)) + std::cos(truth.q(1)),
                 std::sin(truth.q(0)) + std::sin(truth.q(1))}};
  const auto error = [&](int steps) {
    return (run_jay(rods, start, steps).states.back().q - end).norm();
  };
  EXPECT_NEAR(std::log2(error(80) / error(160)), 4.0, 0.2);
  EXPECT_NEAR(std::log2(error(160) / error(320)), 4.0, 0.1);
  EXPECT_LE(error(320), 1e-5);
  // it goes back as it came
  State turned = run_jay(rods, start, 40).states.back();
  turned.v *= -1.0;
  EXPECT_LE((run_jay(rods, turned, 40).states.back().q - start.q).norm(), 1e-10);
}

TEST(Vibrations, WhatFailsIsNotANumber) {
  // Verlet refuses constraints; a pendulum that is not shaken has no averaged reading
  const MacroRun refused =
      run_averaged(double_pendulum(1e4), published_averaging(32), Verlet{}, double_start(), 10);
  ASSERT_EQ(refused.states.size(), 11u);
  EXPECT_TRUE(std::isnan(refused.states.back().q(0)));
  EXPECT_TRUE(
      std::isnan(algorithm1(double_pendulum(1e4), {}, double_start(), 10).states.back().q(0)));
  const MacroRun still = run_averaged(averaged_pendulum(), {}, Verlet{}, inverted_start(), 10);
  ASSERT_EQ(still.states.size(), 11u);
  EXPECT_TRUE(
      std::isnan(largest_error(still, motion(averaged_pendulum(), inverted_start(), 10, 1e-10))));
}

}  // namespace
}  // namespace taut::papers::vibrations
