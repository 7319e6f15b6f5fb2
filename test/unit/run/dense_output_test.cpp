// SPDX-License-Identifier: BSD-3-Clause
#include "run/dense_output.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "models.hpp"

namespace taut {
namespace {

Knot sine(double t) {
  return {.state = {.t = t, .q = Vec::Constant(1, std::sin(t)), .v = Vec::Constant(1, std::cos(t))},
          .a = Vec::Constant(1, -std::sin(t))};
}

Knot quintic(double t) {
  const double q = 3 + t * (-2 + t * (0.5 + t * (1 + t * (-0.25 + t * 0.75))));
  const double v = -2 + t * (1 + t * (3 + t * (-1 + t * 3.75)));
  const double a = 1 + t * (6 + t * (-3 + t * 15));
  return {.state = {.t = t, .q = Vec::Constant(1, q), .v = Vec::Constant(1, v)},
          .a = Vec::Constant(1, a)};
}

TEST(QuinticHermite, ReproducesQuinticPolynomials) {
  State s;
  for (const double t : {-1.0, -0.7, 0.1, 0.3, 1.9, 2.0}) {
    quintic_hermite(quintic(-1), quintic(2), t, s);
    EXPECT_EQ(s.t, t);
    EXPECT_NEAR(s.q[0], quintic(t).state.q[0], 2e-13);
    EXPECT_NEAR(s.v[0], quintic(t).state.v[0], 2e-13);
  }
}

TEST(QuinticHermite, IsOfOrderSixInPositionAndFiveInVelocity) {
  const auto error = [](double h) {
    State s;
    std::pair<double, double> largest{0, 0};
    for (double x = 0.05; x < 1; x += 0.05) {
      quintic_hermite(sine(1.2), sine(1.2 + h), 1.2 + x * h, s);
      largest.first = std::max(largest.first, std::abs(s.q[0] - std::sin(1.2 + x * h)));
      largest.second = std::max(largest.second, std::abs(s.v[0] - std::cos(1.2 + x * h)));
    }
    return largest;
  };
  const auto [q1, v1] = error(0.2);
  const auto [q2, v2] = error(0.1);
  EXPECT_NEAR(std::log2(q1 / q2), 6, 0.15);
  EXPECT_NEAR(std::log2(v1 / v2), 5, 0.15);
}

TEST(OutputProjection, PullsOntoTheConstraintsBySmallestChange) {
  const test::Example rotor = test::rotor();
  OutputProjection project;
  ASSERT_EQ(project.start(rotor.system), Status::ok);

  // off the circle and off its tangent; equal masses: the nearest point lies on the same ray
  State s{.t = 0.0, .q = Vec{{0.6 * 1.001, 0.8 * 1.001}}, .v = Vec{{-0.8 + 0.6e-3, 0.6 + 0.8e-3}}};
  ASSERT_EQ(project(rotor.system, s), Status::ok);
  EXPECT_NEAR(s.q[0], 0.6, 1e-15);
  EXPECT_NEAR(s.q[1], 0.8, 1e-15);
  EXPECT_NEAR(s.v[0], -0.8, 1e-15);
  EXPECT_NEAR(s.v[1], 0.6, 1e-15);
}

TEST(OutputProjection, FailureLeavesTheState) {
  const test::Example rotor = test::rotor();
  OutputProjection project;
  ASSERT_EQ(project.start(rotor.system), Status::ok);
  State s{.t = 0.0, .q = Vec{{NAN, 0.8}}, .v = Vec{{1.0, 2.0}}};
  EXPECT_NE(project(rotor.system, s), Status::ok);
  EXPECT_TRUE(std::isnan(s.q[0]));
  EXPECT_EQ(s.q[1], 0.8);
  EXPECT_EQ(s.v[0], 1.0);
}

}  // namespace
}  // namespace taut
