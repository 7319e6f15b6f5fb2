// SPDX-License-Identifier: BSD-3-Clause
// The models against what is written by hand.
#include "slow_manifolds/problem.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "readings/readings.hpp"

namespace taut::papers::slow_manifolds {
namespace {

TEST(SlowManifoldProblem, ModelHasTheForceAndTheConstraintsWrittenByHand) {
  constexpr double omega = 1000.0;
  const System model = double_pendulum(omega), stiff = springs(model);
  const Vec q{{0.9, 0.25, 1.7, -0.3}}, v{{0.3, -0.5, 0.2, 0.5}};
  Evaluation at, as_spring;
  model.prepare(at);
  stiff.prepare(as_spring);
  ASSERT_EQ(model.evaluate(needs(Target::constraint, Target::constraint_jacobian,
                                 Target::constraint_curvature),
                           {0.0, q, v}, at),
            Status::ok);
  ASSERT_EQ(stiff.evaluate(need(Target::force), {0.0, q, v}, as_spring), Status::ok);
  Vec a(4);
  double_pendulum_acceleration(omega, q, a);
  EXPECT_LE((as_spring.f - a).cwiseAbs().maxCoeff(), 1e-9);  // of 1e5
  const ConstraintsAt by_hand = double_pendulum_constraints(q.cast<Real>());
  EXPECT_LE((at.g - by_hand.g.cast<double>()).norm(), 1e-15);
  EXPECT_LE((Mat(at.G) - by_hand.G.cast<double>()).norm(), 1e-15);
  for (Index i = 0; i < 2; ++i) {
    const RealVec w = v.cast<Real>();
    EXPECT_NEAR(at.curvature(i),
                static_cast<double>(w.dot(by_hand.hessian[static_cast<std::size_t>(i)] * w)),
                1e-15);
  }
}

TEST(SlowManifoldProblem, LinearProblemHasItsSlowSolution) {
  constexpr double omega = 20.0, t = 0.7;
  const System stiff = springs(linear_problem(omega));
  const State slow = linear_slow_point(omega, t);
  Evaluation at;
  stiff.prepare(at);
  ASSERT_EQ(stiff.evaluate(need(Target::force), {t, slow.q, slow.v}, at), Status::ok);
  EXPECT_NEAR(at.f(0), -slow.q(0), 1e-12);  // q'' = -A cos t
}

}  // namespace
}  // namespace taut::papers::slow_manifolds
