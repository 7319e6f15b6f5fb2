// SPDX-License-Identifier: BSD-3-Clause
// How many steps an adaptive code takes, by the form of the problem and by the error estimate.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "stiff_rk/adaptive.hpp"
#include "stiff_rk/slow_manifold.hpp"

namespace taut::papers::stiff_rk {
namespace {

class Steps : public ::testing::Test {
 protected:
  [[nodiscard]] int steps(double eps, double until, const AdaptiveOptions& options,
                          double normal_velocity = 0.0) const {
    Point<double> from = smooth_start(*problem_, eps);
    from.v += normal_velocity * from.y.normalized();
    const AdaptiveResult run = integrate_adaptively(*problem_, eps, from, until, options);
    EXPECT_TRUE(run.done);
    return run.steps;
  }
  const ProblemPtr<double> problem_ = pendulum<double>();
};

TEST_F(Steps, InTheOdeFormGrowLikeTheRootOfTheStiffness) {
  const AdaptiveOptions ode{.form = Form::ode, .tol = 1e-3, .kappa = 0.003};
  const double ratio = static_cast<double>(steps(1e-6, 5.0, ode)) / steps(1e-2, 5.0, ode);
  EXPECT_GE(std::sqrt(ratio), 7.0);  // per factor 100 in eps; theory 10
  EXPECT_LE(std::sqrt(ratio), 13.0);
}

TEST_F(Steps, InTheAugmentedFormDoNotSeeEpsilon) {
  const AdaptiveOptions augmented{.estimate = Estimate::split, .tol = 1e-6, .kappa = 0.003};
  const int rigid = steps(0.0, 5.0, augmented);
  for (const double eps : {1e-3, 1e-4, 1e-6, 1e-8})
    EXPECT_NEAR(steps(eps, 5.0, augmented), rigid, 0.1 * rigid) << eps;
}

TEST_F(Steps, OfTheStandardEstimateFollowTheVibrationThoseOfTheOthersDoNot) {
  const auto count = [&](Estimate estimate) {
    return steps(1e-3, 2.0, {.estimate = estimate, .tol = 1e-6}, 1e-4);
  };
  EXPECT_LT(count(Estimate::split), 50);
  EXPECT_LT(count(Estimate::scaled), 50);
  EXPECT_GT(count(Estimate::standard), 20 * count(Estimate::split));
}

// tol is a promise about position and tangential velocity
TEST_F(Steps, OfTheSplitEstimateKeepTheTolerance) {
  const auto wide = pendulum<long double>();
  const Point<long double> exact = smooth_reference(*wide, 0.0L, 5.0L);
  for (const double tol : {1e-6, 1e-9}) {
    const AdaptiveResult run =
        integrate_adaptively(*problem_, 0.0, problem_->start(), 5.0,
                             {.estimate = Estimate::split, .tol = tol, .kappa = 0.003});
    ASSERT_TRUE(run.done);
    const VecOf<double> y = exact.y.cast<double>(), along = y.normalized();
    const VecOf<double> dv = run.end.v - exact.v.cast<double>();
    EXPECT_LE((run.end.y - y).norm(), 5 * tol);
    EXPECT_LE((dv - along * along.dot(dv)).norm(), 5 * tol);
  }
}

// of g the second run uses no more than the number of rows
TEST_F(Steps, WithHiddenConstraintsAreAsManyAndAsAccurate) {
  const auto problem = general_problem<double>();
  const auto wide = general_problem<long double>();
  for (const double eps : {1e-2, 1e-3, 1e-6}) {
    const auto run = [&](bool hidden) {
      return integrate_adaptively(
          *problem, eps, smooth_start(*problem, eps), 1.0,
          {.hidden_constraints = hidden, .estimate = Estimate::split, .tol = 1e-6, .kappa = 0.003});
    };
    const AdaptiveResult known = run(false), hidden = run(true);
    ASSERT_TRUE(known.done && hidden.done);
    EXPECT_NEAR(hidden.steps, known.steps, 0.1 * known.steps) << eps;
    const auto exact = smooth_reference(*wide, static_cast<long double>(eps), 1.0L);
    EXPECT_LE((hidden.end.y - exact.y.cast<double>()).norm(), 1e-6) << eps;
    EXPECT_NE((hidden.end.y - known.end.y).norm(), 0.0);
  }
}

TEST_F(Steps, FailureIsReported) {
  const AdaptiveResult run = integrate_adaptively(*problem_, 1e-6, smooth_start(*problem_, 1e-6),
                                                  5.0, {.form = Form::ode, .most_steps = 50});
  EXPECT_FALSE(run.done);
}

}  // namespace
}  // namespace taut::papers::stiff_rk
