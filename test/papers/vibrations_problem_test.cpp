// SPDX-License-Identifier: BSD-3-Clause
// The models and the references against what is written by hand.
#include "vibrations/problem.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "long_double_ode.hpp"
#include "vibrations/effective.hpp"

namespace taut::papers::vibrations {
namespace {

TEST(VibrationProblem, PendulumHasTheForceOfThePaper) {
  constexpr double omega = 1e6, theta = 0.7;
  const System model = inverted_pendulum(omega);
  const Vec q = Vec::Constant(1, 0.4), v = Vec::Zero(1);
  Evaluation at;
  model.prepare(at);
  ASSERT_EQ(model.evaluate(need(Target::force), {.t = 0.0, .q = q, .v = v, .theta = &theta}, at),
            Status::ok);
  EXPECT_DOUBLE_EQ(at.f(0), (9.8 + 4 * omega * std::cos(theta)) * std::sin(0.4) / 0.2);
}

// (4.3), its right side without multipliers, and what stands before them with the other sign
TEST(VibrationProblem, DoublePendulumHasTheForcesAndConstraintsOfThePaper) {
  constexpr double omega = 1e4, theta = 0.7;
  const System model = double_pendulum(omega);
  const Vec x{{0.1, 0.15, 0.12, 0.3}}, v = Vec::Zero(4);
  Evaluation at;
  model.prepare(at);
  ASSERT_EQ(model.evaluate(needs(Target::force, Target::constraint, Target::constraint_jacobian),
                           {.t = 0.0, .q = x, .v = v, .theta = &theta}, at),
            Status::ok);
  const double weight = 9.8 + 4 * omega * std::cos(theta);
  EXPECT_LE((at.f - Vec{{0.0, -0.01 * weight, 0.0, -0.005 * weight}}).norm(), 1e-12);
  EXPECT_NEAR(at.g(0), 0.1 * 0.1 + 0.15 * 0.15 - 0.2 * 0.2, 1e-16);
  EXPECT_NEAR(at.g(1), 0.02 * 0.02 + 0.15 * 0.15 - 0.1 * 0.1, 1e-16);
  const Mat G{{0.2, 0.3, 0.0, 0.0}, {-0.04, -0.3, 0.04, 0.3}};
  EXPECT_LE((Mat(at.G) - G).norm(), 1e-15);
  EXPECT_EQ(model.structure().M.diagonal(), (Vec{{0.01, 0.01, 0.005, 0.005}}));
  const Angles start = angles(double_start().q);
  EXPECT_NEAR(start.q1, 0.5, 1e-15);
  EXPECT_NEAR(start.q2, 0.0, 1e-15);
}

TEST(VibrationReferences, AveragedPendulumIsKnownToTwelveDigits) {
  const auto motion_of_Q = motion(averaged_pendulum(), inverted_start(), 10, 1e-14);
  const test::LongVec end = test::solve(
      [](long double, const test::LongVec& y, test::LongVec& dy) {
        dy[0] = y[1];
        dy[1] = (9.8L / 0.2L - 16 / (2 * 0.04L) * std::cos(y[0])) * std::sin(y[0]);
      },
      {0.5L, 0.0L}, 0, 1, 0.02L);
  EXPECT_EQ(motion_of_Q.back().t, 1.0);
  EXPECT_NEAR(motion_of_Q.back().q(0), static_cast<double>(end[0]), 1e-12);
}

// e^T M P e with the tangential projector P of the rods, in cartesian coordinates
double energy_of_vibration(const Vec& x) {
  const Mat M = Vec{{mass1, mass1, mass2, mass2}}.asDiagonal();
  const Mat G{{x(0), x(1), 0, 0}, {x(0) - x(2), x(1) - x(3), x(2) - x(0), x(3) - x(1)}};
  const Mat Minv = M.inverse();
  const Mat P =
      Mat::Identity(4, 4) - Minv * G.transpose() * (G * Minv * G.transpose()).inverse() * G;
  const Vec e{{0, 1, 0, 1}};
  return vmax * vmax / 4 * e.dot(M * P * e);
}

TEST(VibrationReferences, EffectivePotentialInAnglesIsThatOfTheRods) {
  const System effective = effective_double_pendulum();
  Evaluation at;
  effective.prepare(at);
  for (const auto& [q1, q2] : {std::pair{0.5, 0.0}, {0.1, 1.0}, {-0.4, 0.2}, {-1.2, 2.0}}) {
    const Vec q{{q1, q2}}, v = Vec::Zero(2);
    ASSERT_EQ(effective.evaluate(need(Target::potential_energy), {.t = 0.0, .q = q, .v = v}, at),
              Status::ok);
    const double x1 = length1 * std::sin(q1), y1 = length1 * std::cos(q1);
    const Vec x{{x1, y1, x1 + length2 * std::sin(q2), y1 + length2 * std::cos(q2)}};
    EXPECT_NEAR(at.potential_energy,
                gravity * (mass1 * x(1) + mass2 * x(3)) + energy_of_vibration(x), 1e-15);
  }
}

// (3) of effective.hpp: Lambda makes accelerations of the rods' ends point as the angles say
TEST(VibrationReferences, MultipliersBalanceTheCurvatureOfTheRods) {
  const State in_angles{0.0, Vec{{0.3, -0.8}}, Vec{{2.0, 5.0}}};
  const auto lambda = effective_multipliers(in_angles);
  const double x1 = length1 * std::sin(0.3), y1 = length1 * std::cos(0.3);
  const Vec x{{x1, y1, x1 + length2 * std::sin(-0.8), y1 + length2 * std::cos(-0.8)}};
  const Mat G{{2 * x(0), 2 * x(1), 0, 0},
              {2 * (x(0) - x(2)), 2 * (x(1) - x(3)), 2 * (x(2) - x(0)), 2 * (x(3) - x(1))}};
  const Mat Minv = Vec{{1 / mass1, 1 / mass1, 1 / mass2, 1 / mass2}}.asDiagonal();
  const Vec bend = G * Minv * G.transpose() * Vec{{lambda[0], lambda[1]}};
  EXPECT_NEAR(bend(0), -2 * std::pow(0.2 * 2.0, 2), 1e-14);
  EXPECT_NEAR(bend(1), -2 * std::pow(0.1 * 5.0, 2), 1e-14);
}

}  // namespace
}  // namespace taut::papers::vibrations
