// SPDX-License-Identifier: BSD-3-Clause
// Theorems 3.1, 3.2 and 4.1, and which form of the problem keeps the order.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "stiff_rk/damping.hpp"
#include "stiff_rk/errors.hpp"
#include "stiff_rk/slow_manifold.hpp"

namespace taut::papers::stiff_rk {
namespace {

using Real = long double;

struct Orders {
  double y, v, tangential, lambda;
};
Orders orders_between(const ErrorStudy& study, const Tableau<Real>& tableau, Form form, int from,
                      int to) {
  std::vector<double> h, y, v, tangential, lambda;
  for (int n = from; n <= to; n *= 2) {
    const Errors e = study.run(tableau, form, n);
    h.push_back(1.0 / n);
    y.push_back(e.y);
    v.push_back(e.v);
    tangential.push_back(e.tangential);
    lambda.push_back(e.lambda);
  }
  return {slope(h, y), slope(h, v), slope(h, tangential), slope(h, lambda)};
}

TEST(IndexThree, PositionAndTangentialVelocityHaveTheFullOrderVelocityTheStageOrder) {
  const auto problem = double_pendulum<Real>();
  const ErrorStudy study{*problem, 0};
  const Orders radau = orders_between(study, radau_iia<Real>(3), Form::index3, 16, 64);
  EXPECT_NEAR(radau.y, 4.95, 0.15);
  EXPECT_NEAR(radau.v, 3.0, 0.1);
  EXPECT_NEAR(radau.tangential, 4.95, 0.15);
  EXPECT_NEAR(radau.lambda, 2.0, 0.1);
  const Orders lobatto = orders_between(study, lobatto_iiic<Real>(4), Form::index3, 16, 64);
  EXPECT_NEAR(lobatto.y, 6.0, 0.15);
  EXPECT_NEAR(lobatto.v, 3.0, 0.15);
  EXPECT_NEAR(lobatto.tangential, 6.0, 0.15);
  EXPECT_NEAR(lobatto.lambda, 2.0, 0.15);
}

TEST(IndexThree, PerturbationByEpsilonIsItsSquareTimesAPowerOfTheStep) {
  constexpr Real eps = 1e-4L;
  const auto problem = pendulum<Real>();
  const ErrorStudy stiff{*problem, eps}, rigid{*problem, 0};
  constexpr std::array steps{8, 16, 32};
  constexpr std::array v{0.115, 0.0561, 0.0275}, y{3.37e-3, 8.40e-4, 2.10e-4};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto a = stiff.difference(radau_iia<Real>(3), Form::index3, steps[i]);
    const auto b = rigid.difference(radau_iia<Real>(3), Form::index3, steps[i]);
    EXPECT_NEAR(static_cast<double>((a.v - b.v).norm() / (eps * eps)), v[i], 0.03 * v[i]);
    EXPECT_NEAR(static_cast<double>((a.y - b.y).norm() / (eps * eps)), y[i], 0.03 * y[i]);
  }
}

// a stiffly accurate method has g(y) = eps^2 Lambda_s
TEST(IndexThree, PositionErrorOnThePlateauIsThatOfTheMultiplier) {
  const auto problem = pendulum<Real>();
  const Errors e = ErrorStudy{*problem, 1e-3L}.run(radau_iia<Real>(3), Form::index3, 64);
  EXPECT_NEAR(e.y, 7.35e-11, 0.03 * 7.35e-11);
  EXPECT_LE(std::abs(e.y - 1e-6 * e.lambda), 0.05 * e.y);
}

// the elimination of lambda is exact; two programs, and not the same bits
TEST(OdeForm, HasTheRungeKuttaSolutionOfIndexThree) {
  constexpr Real eps = 1e-2L;
  const auto problem = general_problem<Real>();
  const Point<Real> start = smooth_start(*problem, eps);
  const Tableau<Real>& tableau = radau_iia<Real>(3);
  const auto a = FixedStep<Real>{*problem, tableau, Form::ode, eps}.run(start, 0.05L, 10);
  const auto b = FixedStep<Real>{*problem, tableau, Form::index3, eps}.run(start, 0.05L, 10);
  ASSERT_TRUE(a && b);
  EXPECT_LE(static_cast<double>((a->y - b->y).norm()), 1e-16);
  EXPECT_LE(static_cast<double>((a->v - b->v).norm()), 1e-14);
  EXPECT_NE((a->v - b->v).norm(), 0);
}

TEST(CompliantGgl, KeepsTheFullOrderInVelocitiesAndGainsOneInTheMultiplier) {
  const auto problem = double_pendulum<Real>();
  const ErrorStudy study{*problem, 0};
  const Orders orders = orders_between(study, radau_iia<Real>(3), Form::ggl, 16, 64);
  EXPECT_NEAR(orders.y, 5.0, 0.1);
  EXPECT_NEAR(orders.v, 5.0, 0.1);
  EXPECT_NEAR(orders.lambda, 3.0, 0.2);
  const Errors ggl = study.run(radau_iia<Real>(3), Form::ggl, 32);
  const Errors index3 = study.run(radau_iia<Real>(3), Form::index3, 32);
  EXPECT_NEAR(ggl.v, 7.3e-11, 7.3e-12);
  EXPECT_GE(index3.v, 1e4 * ggl.v);
  EXPECT_GE(index3.lambda, 200 * ggl.lambda);
}

TEST(CompliantGgl, KeepsGAtTheMultiplierTimesTheCompliance) {
  constexpr Real eps = 1e-2L;
  const auto problem = general_problem<Real>();
  const auto end = FixedStep<Real>{*problem, radau_iia<Real>(3), Form::ggl, eps}.run(
      smooth_start(*problem, eps), 0.05L, 20);
  ASSERT_TRUE(end);
  const auto g = problem->constraints(end->y).g;
  EXPECT_LE(static_cast<double>((g - eps * eps * end->lambda).norm()), 1e-18);
}

TEST(IndexTwo, HasTheFullOrderTooButGDrifts) {
  const auto problem = double_pendulum<Real>();
  const ErrorStudy study{*problem, 0};
  const Orders orders = orders_between(study, radau_iia<Real>(3), Form::index2, 16, 64);
  EXPECT_NEAR(orders.v, 5.0, 0.1);
  EXPECT_NEAR(orders.lambda, 3.0, 0.2);
  const auto end = FixedStep<Real>{*problem, radau_iia<Real>(3), Form::index2, 0}.run(
      problem->start(), 1.0L / 32, 32);
  ASSERT_TRUE(end);
  EXPECT_GE(static_cast<double>(problem->constraints(end->y).g.norm()), 1e-12);
}

TEST(StrongDamping, HasFullOrderInPositionAndVelocityAndStageOrderInTheMultiplier) {
  constexpr std::array y{5.43e-8, 1.72e-9, 5.42e-11}, v{1.43e-8, 4.58e-10, 1.45e-11};
  constexpr std::array lambda{5.7e-5, 6.8e-6, 8.2e-7};
  const auto a = pendulum<Real>();
  const ErrorStudy study{*a, 0};
  int steps = 8;
  for (std::size_t i = 0; i < 3; ++i, steps *= 2) {
    const Errors e = study.run(radau_iia<Real>(3), Form::damped, steps);
    EXPECT_NEAR(e.y, y[i], 0.02 * y[i]);
    EXPECT_NEAR(e.v, v[i], 0.02 * v[i]);
    EXPECT_NEAR(e.lambda, lambda[i], 0.02 * lambda[i]);
  }
  const Orders orders = orders_between(study, radau_iia<Real>(3), Form::damped, 16, 64);
  EXPECT_NEAR(orders.y, 5.0, 0.1);
  EXPECT_NEAR(orders.v, 5.0, 0.1);
  EXPECT_NEAR(orders.lambda, 3.0, 0.1);
}

double position_ratio(const Problem<Real>& problem, const Tableau<Real>& tableau) {
  const auto list = deviations(problem, tableau, {.eps = 1e-5L, .h = 0.005L}, 1);
  return static_cast<double>(list[1].position.dot(list[0].position) /
                             list[0].position.squaredNorm());
}

TEST(Damping, RatioPerStepIsTheStabilityFunctionAtInfinity) {
  const std::array<ProblemPtr<Real>, 3> problems{pendulum<Real>(), double_pendulum<Real>(),
                                                 general_problem<Real>()};
  for (const auto& p : problems) {
    EXPECT_NEAR(position_ratio(*p, theta_method(0.6L)), -2.0 / 3, 1e-2);
    EXPECT_NEAR(position_ratio(*p, sdirk3<Real>()), 1 - std::sqrt(3.0), 1e-2);
    for (int s = 1; s <= 3; ++s)
      EXPECT_GT(std::abs(position_ratio(*p, gauss<Real>(s))), 0.97) << "gauss " << s;
  }
}

TEST(Damping, RadauForgetsAPushInTwoStepsLobattoInOne) {
  const auto problem = pendulum<Real>();
  const Push push{.eps = 1e-5L, .h = 0.02L, .velocity = 0.5L};
  const auto radau = deviations(*problem, radau_iia<Real>(3), push, 2);
  const auto lobatto = deviations(*problem, lobatto_iiic<Real>(3), push, 1);
  EXPECT_GT(radau[1].both(), radau[0].both());  // R'(inf) = -3 lets h v jump first
  EXPECT_LT(radau[2].both(), Real(1e-3L) * radau[0].both());
  EXPECT_LT(lobatto[1].both(), Real(1e-3L) * lobatto[0].both());
}

}  // namespace
}  // namespace taut::papers::stiff_rk
