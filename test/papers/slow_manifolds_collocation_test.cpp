// SPDX-License-Identifier: BSD-3-Clause
// The reference that everything else about slow points is measured against.
#include "slow_manifolds/collocation.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace taut::papers::slow_manifolds {
namespace {

Real largest(const RealVec& x) { return x.cwiseAbs().maxCoeff(); }

// section 2.3: on the slow manifold the spring turns at constant length, ω² r³ (r - 1) = (r² φ')²
TEST(Collocation, OfTheSingleSpringIsTheCircleOfTheClosedForm) {
  for (const Real omega : {100.0L, 1000.0L, 1e6L}) {
    SCOPED_TRACE(static_cast<double>(omega));
    const State near{0.0, Vec{{0.6, 0.8}}, Vec{{-0.4, 0.3}}};
    const SlowMotion motion = slow_motion(spring_constraints, omega, near);
    ASSERT_EQ(motion.status, Status::ok) << motion.reason;
    // tangential data: p = 0.5 along the unit tangent, so that r φ' = 0.5
    Real r = 1.0L;
    for (int i = 0; i < 50; ++i) r = 1 + 0.25L / (omega * omega * r);
    const RealVec q = motion.q(0), p = motion.p(0);
    EXPECT_NEAR(static_cast<double>(q.norm() - 1), static_cast<double>(r - 1), 1e-16);
    EXPECT_NEAR(static_cast<double>(q.dot(p)), 0.0, 1e-16);
    EXPECT_NEAR(static_cast<double>(p.norm()), 0.5, 1e-16);
    EXPECT_NEAR(static_cast<double>(motion.lambda(0)(0)), static_cast<double>(0.25L / r), 1e-13);
    EXPECT_NEAR(static_cast<double>(motion.q(0.2L).norm()), static_cast<double>(r), 1e-15);
  }
}

TEST(Collocation, SolvesTheEquationsOfMotionAllOverItsWindow) {
  for (const double omega : {100.0, 1000.0, 1e4}) {
    SCOPED_TRACE(omega);
    const SlowMotion motion = slow_motion(double_pendulum_constraints, omega, far_start());
    ASSERT_EQ(motion.status, Status::ok) << motion.reason;
    for (const Real t : {-0.25L, -0.2L, 0.0L, 0.123L, 0.24L}) {
      const ConstraintsAt at = double_pendulum_constraints(motion.q(t));
      EXPECT_LE(largest(motion.a(t) + at.G.transpose() * motion.lambda(t)), 1e-9L);
      EXPECT_LE(largest(at.g - motion.lambda(t) / (Real(omega) * Real(omega))), 1e-12L);
    }
  }
}

// other polynomials on other windows, and the slow motion a little later as a start of its own
TEST(Collocation, DoesNotDependOnWindowAndDegreeAndFollowsTheMotion) {
  for (const double omega : {100.0, 300.0, 1e4}) {
    SCOPED_TRACE(omega);
    const double tol = omega == 100.0 ? 5e-11 : 1e-15;
    const SlowMotion one = slow_motion(double_pendulum_constraints, omega, constrained_start());
    const SlowMotion other = slow_motion(double_pendulum_constraints, omega, constrained_start(),
                                         {.half_window = 0.2L, .nodes = 20});
    ASSERT_EQ(one.status, Status::ok);
    ASSERT_EQ(other.status, Status::ok);
    EXPECT_LE(static_cast<double>(largest(one.q(0) - other.q(0))), tol);
    EXPECT_LE(static_cast<double>(largest(one.p(0) - other.p(0))), tol);
    EXPECT_NE(largest(one.q(0) - other.q(0)), 0);
    const State later{0.0, one.q(0.1L).cast<double>(), one.p(0.1L).cast<double>()};
    const NormalErrors left = normal_errors(omega, later);
    EXPECT_LE(left.q, tol);
    EXPECT_LE(left.p, tol);
  }
}

TEST(Collocation, GivesTheKnownMultipliersAtTheConstrainedStart) {
  struct Known {
    double omega, lambda1, lambda2, tol;
  };
  for (const Known& k : {Known{100, 1.504597, 1.252875, 6e-7},
                         {1000, 1.500045071, 1.250028193, 6e-10},
                         {1e4, 1.500000451, 1.250000282, 6e-10},
                         {1e8, 1.5, 1.25, 1e-13}}) {
    const SlowMotion motion =
        slow_motion(double_pendulum_constraints, k.omega, constrained_start());
    ASSERT_EQ(motion.status, Status::ok);
    EXPECT_NEAR(static_cast<double>(motion.lambda(0)(0)), k.lambda1, k.tol);
    EXPECT_NEAR(static_cast<double>(motion.lambda(0)(1)), k.lambda2, k.tol);
  }
}

TEST(Collocation, SaysWhenThereIsNoPointNear) {
  const SlowMotion motion =
      slow_motion(spring_constraints, 100.0L, {0.0, Vec{{0.0, 0.0}}, Vec{{0.0, 0.0}}});
  EXPECT_EQ(motion.status, Status::projection_diverged);
  EXPECT_FALSE(motion.reason.empty());
  EXPECT_TRUE(std::isnan(slow_point(100.0, {0.0, Vec::Zero(4), Vec::Zero(4)}).q(0)));
}

}  // namespace
}  // namespace taut::papers::slow_manifolds
