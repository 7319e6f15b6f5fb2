// SPDX-License-Identifier: BSD-3-Clause
// Order of the Dormand-Prince methods and of their dense output, and what a tolerance buys.
#include <gtest/gtest.h>

#include <cmath>
#include <concepts>

#include "method_list.hpp"
#include "problems.hpp"
#include "study.hpp"

namespace taut::test {
namespace {

// the tableau with constant steps: what is left when error control is taken away
template <const ExplicitTableau& tableau>
class ConstantSteps {
 public:
  Status start(const System& system, const State& s) {
    return machinery.start(system, s, DormandPrince853::info, why_);
  }
  Status step(const System& system, double h, State& s) {
    Status st = machinery.stages(system, h, s);
    if (st == Status::ok) st = machinery.finish(system, s.t + h);
    if (st == Status::ok) machinery.commit(s);
    return st;
  }
  ExplicitRungeKutta machinery{tableau};
  Counters counters;

 private:
  std::string why_;
};
using Dopri5 = ConstantSteps<dormand_prince54_tableau>;
using Dop853 = ConstantSteps<dormand_prince853_tableau>;

TEST(AdaptiveConvergence, DormandPrince54IsOfOrderFive) {
  for (const Problem& problem : {henon_heiles(), double_pendulum(), driven_pendulum()}) {
    const Study study = convergence_study<Dopri5>(problem, {});
    SCOPED_TRACE(::testing::Message() << problem.name << study);
    EXPECT_EQ(study.used, 4);
    EXPECT_NEAR(study.order_q, 5, 0.1);
    EXPECT_NEAR(study.order_v, 5, 0.15);
    EXPECT_LE(study.max_g, 1e-13);
    EXPECT_LE(study.max_Gv, 1e-13);
  }
}

TEST(AdaptiveConvergence, DormandPrince853IsOfOrderEight) {
  // rounding is reached before the terms of h⁹ have become small beside those of h⁸, and in
  // positions they still help: their measured order lies between the two
  for (const Problem& problem : {henon_heiles(), double_pendulum(), driven_pendulum()}) {
    const Study study =
        convergence_study<Dop853>(problem, {.floor = 1e-13, .coarsest = 24, .ratio = 1.3});
    SCOPED_TRACE(::testing::Message() << problem.name << study);
    EXPECT_EQ(study.used, 4);
    EXPECT_NEAR(study.order_q, 8.4, 0.6);
    EXPECT_NEAR(study.order_v, 8, 0.25);
    EXPECT_LE(study.max_g, 1e-13);
    EXPECT_LE(study.max_Gv, 1e-13);
  }
}

TEST(AdaptiveConvergence, DormandPrince54IsOfOrderFiveWhereForcesReadMultipliers) {
  // terms of h⁵ and h⁶ cancel on coarse steps: slopes come from below once that is over
  const Study study = convergence_study<Dopri5>(
      rough_hoop(), {.floor = 1.5e-14, .coarsest = 320, .finest = 8000, .lines = 4});
  SCOPED_TRACE(::testing::Message() << study);
  EXPECT_EQ(study.used, 4);
  EXPECT_NEAR(study.order_q, 4.85, 0.2);
  EXPECT_NEAR(study.order_v, 4.85, 0.2);
  EXPECT_LE(study.max_g, 1e-13);
  EXPECT_LE(study.max_Gv, 1e-13);
}

TEST(AdaptiveConvergence, DormandPrince853IsOfOrderEightWhereForcesReadMultipliers) {
  // likewise: slopes fall towards 8 until rounding is met
  const Study study =
      convergence_study<Dop853>(rough_hoop(), {.floor = 1e-13, .coarsest = 24, .ratio = 1.3});
  SCOPED_TRACE(::testing::Message() << study);
  EXPECT_EQ(study.used, 4);
  EXPECT_NEAR(study.order_q, 8.4, 0.6);
  EXPECT_NEAR(study.order_v, 8.2, 0.25);
  EXPECT_LE(study.max_g, 1e-13);
  EXPECT_LE(study.max_Gv, 1e-13);
}

// error of the interpolant inside one step from an exact state, against h
template <class M>
double dense_order(const Problem& problem, double h) {
  double error[2];
  for (int k = 0; k < 2; ++k) {
    M method;
    State s = problem.start, inside = s;
    const double step = h / (k + 1);
    EXPECT_EQ(method.start(problem.system, s), Status::ok);
    EXPECT_EQ(method.step(problem.system, step, s), Status::ok);
    EXPECT_EQ(method.machinery.interpolate(problem.system, 0.4 * step, inside), Status::ok);
    const State exact = problem.truth(0.4 * step);
    error[k] = (inside.q - exact.q).norm() + (inside.v - exact.v).norm();
    EXPECT_LE(residuals(problem.system, inside).g, 1e-13);
    EXPECT_LE(residuals(problem.system, inside).Gv, 1e-13);
  }
  return std::log2(error[0] / error[1]);
}

TEST(AdaptiveConvergence, DenseOutputIsOfItsOrderAndOnTheConstraints) {
  // one more than the order of the interpolant: the error of one step
  EXPECT_NEAR(dense_order<Dopri5>(henon_heiles(), 0.1), 5, 0.3);
  EXPECT_NEAR(dense_order<Dop853>(henon_heiles(), 0.5), 8, 0.4);
  EXPECT_NEAR(dense_order<Dopri5>(double_pendulum(), 0.02), 5, 0.3);
  EXPECT_NEAR(dense_order<Dop853>(double_pendulum(), 0.1), 8, 0.6);
}

template <class M>
class ToleranceOf : public ::testing::Test {};
TYPED_TEST_SUITE(ToleranceOf, ExplicitAdaptiveMethods, MethodName);

TYPED_TEST(ToleranceOf, ErrorsFollowTheToleranceAtTheEndAndInBetween) {
  for (const Problem& problem : {henon_heiles(), double_pendulum(), driven_pendulum(), bead(),
                                 damped_pendulum(), double_pendulum_in_angles(), rough_hoop()}) {
    SCOPED_TRACE(problem.name);
    const double t_inside = 0.37 * problem.T;
    const State exact = problem.truth(problem.T), exact_inside = problem.truth(t_inside);
    for (const double tol : {1e-5, 1e-7, 1e-9, 1e-11}) {
      TypeParam method{{.tol = tol}};
      State s = problem.start, inside = s;
      ASSERT_EQ(method.start(problem.system, s), Status::ok);
      while (s.t < problem.T) {
        const double t0 = s.t;
        ASSERT_EQ(method.advance(problem.system, problem.T, s), Status::ok);
        if (t0 < t_inside && t_inside <= s.t) {
          ASSERT_EQ(method.interpolate(problem.system, t_inside, inside), Status::ok);
        }
      }
      // 200: error growth over the whole motion; a tenth of the tolerance would be wasted work, and
      // a twentieth where arc length, not time, sets the steps
      constexpr double least = std::derived_from<TypeParam, AdaptiveRungeKutta> ? 0.1 : 0.05;
      const double error = (s.q - exact.q).norm() + (s.v - exact.v).norm();
      const double error_inside =
          (inside.q - exact_inside.q).norm() + (inside.v - exact_inside.v).norm();
      EXPECT_EQ(s.t, problem.T);
      EXPECT_EQ(inside.t, t_inside);
      EXPECT_LE(error, 200 * tol);
      EXPECT_GE(error, least * tol);
      EXPECT_LE(error_inside, 500 * tol);
      EXPECT_LE(residuals(problem.system, s).g, 1e-13);
      EXPECT_LE(residuals(problem.system, s).Gv, 1e-13);
    }
  }
}

TYPED_TEST(ToleranceOf, OneEvaluationPerStageAndNoneForTheProjection) {
  const int stages = TypeParam::info.order == 8 ? 12 : 6;
  const Problem problem = double_pendulum();
  TypeParam method{{.tol = 1e-8}};
  State s = problem.start;
  ASSERT_EQ(method.start(problem.system, s), Status::ok);
  while (s.t < problem.T) ASSERT_EQ(method.advance(problem.system, problem.T, s), Status::ok);
  // one for the start, one for the first step; one factorisation for later output
  EXPECT_LE(method.counters.force_evaluations, stages * method.counters.steps + 2);
  if (std::derived_from<TypeParam, AdaptiveRungeKutta>) {
    EXPECT_EQ(method.counters.factorisations, method.counters.force_evaluations + 1);
  } else {  // a point is projected with a factorisation of its own, without evaluating forces
    EXPECT_GE(method.counters.factorisations, method.counters.force_evaluations);
  }
}

}  // namespace
}  // namespace taut::test
