// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>

#include "vibrated_models.hpp"

namespace taut::test {
namespace {

// (2.7): v sin(Q)/l
TEST(EnslavedVelocity, OfThePendulumIsThatOfThePivot) {
  for (const double omega : {1e2, 1e8}) {
    const Loaded model = inverted_pendulum(omega);
    for (const double theta : {0.0, 0.4, 2.0, 5.0}) {
      Vec v;
      ASSERT_EQ(enslaved_velocity(model.system, model.start, theta, v), Status::ok);
      EXPECT_NEAR(v[0], vmax * std::sin(theta) * std::sin(0.5) / l, 1e-13);
    }
  }
}

TEST(EnslavedVelocity, KnowsEveryHarmonicAndDropsTheMean) {
  const Loaded model =
      pendulum_shaken_by("omega*(3*cos(theta) - 2*sin(2*theta) + cos(1.5*theta))", 1e5);
  Vec v;
  ASSERT_EQ(enslaved_velocity(model.system, model.start, 0.8, v), Status::ok);
  const double pivot = 3 * std::sin(0.8) + std::cos(1.6) + std::sin(1.2) / 1.5;
  EXPECT_NEAR(v[0], pivot * std::sin(0.5) / l, 1e-10);
}

// J (JᵀMJ)⁻¹ Jᵀ of the momentum of the shaken masses
TEST(EnslavedVelocity, OfConstrainedMotionIsTangential) {
  const DoublePendulum pendulum;
  const Loaded model = load("vibrated_double_pendulum");
  const Mat J = pendulum.derivative(0.5, 0.0), M = pendulum.masses().asDiagonal();
  const Vec e = Eigen::Vector4d{0, 1, 0, 1};
  Vec v;
  ASSERT_EQ(enslaved_velocity(model.system, model.start, 1.1, v), Status::ok);
  const Mat inertia = J.transpose() * M * J;
  const Vec expected = J * (inertia.inverse() * (J.transpose() * (M * e))) * -vmax * std::sin(1.1);
  EXPECT_LE((v - expected).norm(), 1e-13);
}

TEST(EnslavedVelocity, FailsWhereThereIsNone) {
  Vec v = Vec::Constant(1, 7.0);
  const Loaded still = load("pendulum");
  EXPECT_EQ(enslaved_velocity(still.system, still.start, 0.0, v), Status::not_supported);
  const Loaded aperiodic = pendulum_shaken_by("omega*(cos(theta) + cos(sqrt(2)*theta))", 1e5);
  EXPECT_EQ(enslaved_velocity(aperiodic.system, aperiodic.start, 0.0, v), Status::not_supported);
  const Loaded jumps = pendulum_shaken_by("omega*sign(sin(theta))", 1e5);
  EXPECT_EQ(enslaved_velocity(jumps.system, jumps.start, 0.3, v), Status::iteration_limit);
  EXPECT_EQ(v[0], 7.0);
}

}  // namespace
}  // namespace taut::test
