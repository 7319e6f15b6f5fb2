// SPDX-License-Identifier: BSD-3-Clause
// Table 1 and the figures at stiffnesses that are quick.
#include "slow_manifolds/slow_solution.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "methods/dormand_prince.hpp"
#include "readings/readings.hpp"
#include "slow_manifolds/collocation.hpp"
#include "slow_manifolds/problem.hpp"
#include "slow_manifolds/recipe.hpp"

namespace taut::papers::slow_manifolds {
namespace {

// to more digits than are printed
TEST(PublishedProjection, EndsWhereAnEarlierProgramEnded) {
  const Projected p = project({.omega = 1000}, far_start());
  ASSERT_EQ(p.status, Status::ok) << p.reason;
  EXPECT_EQ(p.iterations, 5);
  const Eigen::Vector4d g = constraint_values(p.state);
  EXPECT_NEAR(g(0), 1.007216e-6, 1e-12);
  EXPECT_NEAR(g(1), 8.952276e-7, 1e-13);
  EXPECT_NEAR(g(2), 2.426279e-6, 1e-12);
  EXPECT_NEAR(g(3), 1.612199e-6, 1e-12);
  EXPECT_LE((p.state.q - Vec{{0.97505321, 0.22197577, 1.95254138, 0.01098128}}).norm(), 1e-8);
  EXPECT_LE((p.state.v - Vec{{0.09823179, -0.43148312, 0.29592246, 0.48436390}}).norm(), 1e-8);
}

TEST(PublishedProjection, CostsTheSameForEveryStiffness) {
  const Projected soft = project({.omega = 1000}, far_start());
  EXPECT_EQ(project({.omega = 1e4}, far_start()).evaluations, soft.evaluations);
  EXPECT_EQ(soft.evaluations, 5 * 35);
}

// it misses the slow manifold by what the filter and Verlet's velocity are off
TEST(PublishedProjection, IsOffTheSlowManifoldByTheKnownAmounts) {
  const NormalErrors e = normal_errors(1000, project({.omega = 1000}, constrained_start()).state);
  EXPECT_NEAR(e.q, 1.7e-9, 0.3e-9);
  const NormalErrors far = normal_errors(1000, project({.omega = 1000}, far_start()).state);
  EXPECT_NEAR(far.p, 3.0e-7, 0.5e-7);
}

// the truth of section 6 by another method and with taut's own force
TEST(SlowSolution, AgreesWithDormandPrince) {
  constexpr double omega = 1000;
  const System system = springs(double_pendulum(omega));
  DormandPrince853 dop853{{.tol = 1e-12}};
  State state = published_slow_point(omega);
  ASSERT_EQ(dop853.start(system, state), Status::ok);
  while (state.t < until) ASSERT_EQ(dop853.advance(system, until, state), Status::ok);
  const Errors e = errors(slow_solution(omega), state);
  EXPECT_LE(e.q, 1e-9);
  EXPECT_LE(e.p, 1e-7);  // the ripple that the projection leaves has 2e-6
}

TEST(Figures, AdamsFromTheConstraintManifoldSaturates) {
  const State exact = slow_solution(1000);
  for (const double tol : {1e-7, 1e-8}) {
    const Errors e = errors(run_adams(1000, constrained_start(), tol).state, exact);
    EXPECT_NEAR(e.q, 9.6e-6, 0.2e-6);
    EXPECT_NEAR(e.p, 5.4e-4, 0.2e-4);
  }
  const Ended slow = run_adams(1000, published_slow_point(1000), 1e-8);
  EXPECT_LE(errors(slow.state, exact).q, 1e-7);  // not from the slow manifold
}

TEST(Figures, PeriodicProjectionKeepsTheAdamsCodeNearTheSlowManifold) {
  const State exact = slow_solution(1000), from = published_slow_point(1000);
  const Ended free = run_adams(1000, from, 1e-6), brought_back = run_adams(1000, from, 1e-6, true);
  EXPECT_LT(brought_back.evaluations, 0.8 * static_cast<double>(free.evaluations));
  EXPECT_LT(errors(brought_back.state, exact).p, 0.1 * errors(free.state, exact).p);
  EXPECT_GE(brought_back.iterations_per_projection, 2.0);
}

TEST(Figures, ProjectedRungeKuttaHasOrderFourUntilTheProjectionIsSeen) {
  const State exact = slow_solution(1e4);
  std::vector<double> error;
  for (const double H : {1.0 / 8, 1.0 / 16, 1.0 / 32}) {
    const Ended run = run_projected_rk4(1e4, H, Acceleration::averaged);
    EXPECT_GE(run.iterations_per_projection, 3.0);
    EXPECT_LE(run.iterations_per_projection, 5.0);
    error.push_back(errors(run.state, exact).q);
  }
  EXPECT_NEAR(std::log2(error[0] / error[2]) / 2, 4.0, 0.2);
  // accelerations at the projected points magnify the error of the projection by omega^2
  const State softer = slow_solution(1000);
  const Ended averaged = run_projected_rk4(1000, 1.0 / 32, Acceleration::averaged);
  const Ended at_point = run_projected_rk4(1000, 1.0 / 32, Acceleration::at_point);
  EXPECT_GE(errors(at_point.state, softer).q, 20 * errors(averaged.state, softer).q);
}

TEST(Figures, WhatFailsIsNotANumber) {
  EXPECT_TRUE(std::isnan(run_adams(100, no_state(), 1e-3).state.q(0)));
  // a spring of no length has no direction
  const Projected lost = project({.omega = 100}, {0.0, Vec{{1.0, 0.0, 1.0, 0.0}}, Vec::Zero(4)});
  EXPECT_NE(lost.status, Status::ok);
  EXPECT_FALSE(lost.reason.empty());
  EXPECT_TRUE(std::isnan(lost.state.q(0)));
}

}  // namespace
}  // namespace taut::papers::slow_manifolds
