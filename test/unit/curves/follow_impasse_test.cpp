// SPDX-License-Identifier: BSD-3-Clause
// Runs along curves where they bend sharply, turn back, touch or come by their start.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "follow_curves.hpp"
#include "taut/run/follow.hpp"

namespace taut {
namespace {

FollowOptions impasse_until(double until, double tol = 1e-10) {
  FollowOptions options;
  options.until = until;
  options.integrator.tol = tol;
  return options;
}

TEST(FollowImpasse, ASpiralThatComesByItsStartIsNotClosed) {
  // r grows by 13 % each time round
  const Curve spiral = follow_curve(
      [](const Vec& p) { return follow_point(0.02 * p[0] - p[1], p[0] + 0.02 * p[1]); });
  for (const double tol : {1e-3, 1e-4, 1e-6, 1e-9}) {
    CurveMotion motion;
    const CurveSummary s = follow(spiral, {}, follow_point(0, -1), impasse_until(1.5, tol), motion);
    EXPECT_EQ(s.status, Status::ok) << tol << ": " << s.message;
    EXPECT_EQ(s.p[0], 1.5);
    EXPECT_NEAR(s.s, 25.1369, 1e3 * tol + 1e-4);
  }
  // and a circle is, however loose the tolerance
  for (const double tol : {1e-2, 1e-4, 1e-7}) {
    CurveMotion motion;
    const CurveSummary s =
        follow(follow_circle(), {}, follow_point(0, 1), impasse_until(2.0, tol), motion);
    EXPECT_EQ(s.status, Status::impasse);
    EXPECT_NE(s.message.find("closed"), std::string::npos) << tol << ": " << s.message;
    EXPECT_NEAR(s.s, 2 * std::numbers::pi, 50 * tol);
  }
}

TEST(FollowImpasse, SharpBendsAreGoneRoundWhateverTheTolerance) {
  // an ellipse of half axes 1 / sqrt(k) and 1: a radius of curvature of 1 / k at its ends
  for (const double k : {1e4, 1e6, 1e8})
    for (const double tol : {1e-3, 1e-4, 1e-6, 1e-8}) {
      SCOPED_TRACE(testing::Message() << "k " << k << ", tol " << tol);
      const Curve ellipse =
          follow_curve([k](const Vec& p) { return follow_point(p[1], -k * p[0]); });
      FollowOptions options;
      options.arc = 3.5;
      options.integrator.tol = tol;
      CurveMotion motion;
      const CurveSummary s = follow(ellipse, {}, follow_point(0, 1), options, motion);
      // what is finer than the tolerance, and kept by no equation, is said at least
      if (s.status != Status::ok && tol * k > 1e-2) {
        EXPECT_NE(s.message.find("direction jumps"), std::string::npos) << s.message;
        continue;
      }
      ASSERT_EQ(s.status, Status::ok) << s.message;
      ASSERT_EQ(s.impasse_points.size(), 2U);
      EXPECT_NEAR(s.impasse_points[0].s, 1.0, 2e-3);
      EXPECT_NEAR(s.impasse_points[1].s, 3.0, 6e-3);
      for (const ImpassePoint& point : s.impasse_points) EXPECT_LE(std::abs(point.slope), 1e-6);
      EXPECT_LT(s.p[0], 0.0);
      EXPECT_GT(s.V[1], 0.9);
    }
}

TEST(FollowImpasse, CornersArePassedOrSaid) {
  const auto corner = [](double slope) {
    return follow_ode([slope](double x, double) { return x < 1.0 ? 0.0 : slope; });
  };
  CurveMotion motion;
  const CurveSummary s = follow(corner(3.0), {}, follow_point(0, 0), impasse_until(2.0), motion);
  EXPECT_EQ(s.status, Status::ok) << s.message;
  EXPECT_NEAR(s.p[1], 3.0, 1e-7);
  // by more than 90 degrees: forwards and backwards cannot be told apart
  const Curve back = follow_ode([](double x, double) { return x < 1.0 ? -10.0 : 10.0; });
  const CurveSummary said = follow(back, {}, follow_point(0, 0), impasse_until(2.0), motion);
  EXPECT_EQ(said.status, Status::impasse);
  EXPECT_NE(said.message.find("direction jumps"), std::string::npos) << said.message;
  EXPECT_TRUE(said.impasse_points.empty());
}

// x = y^order for odd orders: dx/ds touches zero at the origin, no sign tells
Curve follow_power(int order) {
  return follow_curve(
      [order](const Vec& p) { return follow_point(order * std::pow(p[1], order - 1), 1.0); });
}

TEST(FollowImpasse, FindsAPointThatXPassesWithoutTurning) {
  int steps = 0;
  for (const int order : {3, 5, 7, 9})
    for (const CurveTableau tableau :
         {CurveTableau::dopri54, CurveTableau::dop853, CurveTableau::rk4, CurveTableau::euler})
      for (const double tol : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8, 1e-10, 1e-12}) {
        if (tol < (tableau == CurveTableau::euler ? 1e-5 : tableau == CurveTableau::rk4 ? 1e-8 : 0))
          continue;
        SCOPED_TRACE(testing::Message()
                     << "order " << order << ", tol " << tol << ", " << static_cast<int>(tableau));
        // from somewhere else each time
        const double y0 = -1.0 - 0.013 * (steps++ % 17);
        FollowOptions options;
        options.arc = 1.0 + std::abs(std::pow(y0, order)) - y0;
        options.integrator.tol = tol;
        options.integrator.tableau = tableau;
        CurveMotion motion;
        const CurveSummary s =
            follow(follow_power(order), {}, follow_point(std::pow(y0, order), y0), options, motion);
        ASSERT_EQ(s.status, Status::ok) << s.message;
        ASSERT_EQ(s.impasse_points.size(), 1U);
        EXPECT_EQ(s.impasse_points[0].kind, ImpassePoint::Kind::passes);
        EXPECT_LE(std::abs(s.impasse_points[0].slope), std::max(1e-13, 1e-3 * tol));
        if (order == 3) {
          EXPECT_NEAR(s.impasse_points[0].p[1], 0.0, std::sqrt(tol / 1000));
        }
      }
}

TEST(FollowImpasse, SteepIsNotAnImpassePoint) {
  CurveMotion motion;
  // y = 0.1 atan(1e6 (x - 1)): a slope of 1e5
  const Curve steep =
      follow_ode([](double x, double) { return 1e5 / (1.0 + 1e12 * (x - 1.0) * (x - 1.0)); });
  const CurveSummary s = follow(steep, {}, follow_point(0, 0), impasse_until(2.0), motion);
  EXPECT_EQ(s.status, Status::ok) << s.message;
  EXPECT_TRUE(s.impasse_points.empty());
  EXPECT_NEAR(s.p[1], 0.2 * std::atan(1e6), 1e-3);
}

TEST(FollowImpasse, StepsInXEndAtAPointThatXWouldPass) {
  for (const int order : {3, 5}) {
    FollowOptions options = impasse_until(1.0, 1e-8);
    options.integrator.parameter = Parametrisation::time;
    CurveMotion motion;
    const CurveSummary s = follow(follow_power(order), {}, follow_point(-1, -1), options, motion);
    EXPECT_EQ(s.status, Status::impasse) << s.message;
    EXPECT_NE(s.hint.find(".parameter"), std::string::npos) << s.hint;
    EXPECT_NEAR(s.p[0], 0.0, 1e-6);
  }
}

TEST(FollowImpasse, StepsInXMeasureTheCurve) {
  for (const CurveTableau tableau :
       {CurveTableau::rk4, CurveTableau::dopri54, CurveTableau::dop853}) {
    FollowOptions options = impasse_until(0.9, 1e-10);
    options.integrator.parameter = Parametrisation::time;
    options.integrator.tableau = tableau;
    options.every_arc = 0.1;
    CurveMotion motion;
    const CurveSummary s = follow(follow_circle(), {}, follow_point(0, 1), options, motion);
    ASSERT_EQ(s.status, Status::ok) << s.message;
    EXPECT_NEAR(s.s, std::asin(0.9), 1e-8);
    ASSERT_GE(motion.rows(), 12U);
    const double dense = tableau == CurveTableau::dop853 ? 1e-8 : 1e-6;
    for (std::size_t r = 0; r < motion.rows(); ++r)
      EXPECT_NEAR(motion.p[2 * r], std::sin(motion.s[r]), dense);
    options.arc = 0.5;
    EXPECT_NEAR(follow(follow_circle(), {}, follow_point(0, 1), options, motion).p[0],
                std::sin(0.5), dense);
  }
}

}  // namespace
}  // namespace taut
