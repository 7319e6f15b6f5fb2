// SPDX-License-Identifier: BSD-3-Clause
// Section 8: for which steps the modified Newton iterations converge, and the general potential.
#include <gtest/gtest.h>

#include <Eigen/LU>

#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "stiff_rk/errors.hpp"
#include "stiff_rk/general_potential.hpp"
#include "stiff_rk/newton.hpp"
#include "stiff_rk/slow_manifold.hpp"

namespace taut::papers::stiff_rk {
namespace {

using Real = long double;
using Guess = NewtonStudy::Guess;

// largest h at which the norm of the iteration matrix is below 1
double contracting_step(const NewtonStudy& study, NewtonMatrix matrix) {
  Real low = 1e-6L, high = 0.6L;
  for (int i = 0; i < 20; ++i) {
    const Real middle = std::sqrt(low * high);
    (study.contraction(matrix, middle).norm < 1 ? low : high) = middle;
  }
  return static_cast<double>(low);
}

class Newton : public ::testing::Test {
 protected:
  [[nodiscard]] NewtonStudy study(Real eps) const {
    return {*problem_, radau_iia<Real>(3), eps, smooth_start(*problem_, eps)};
  }
  const ProblemPtr<Real> problem_ = pendulum<Real>();
};

TEST_F(Newton, StepsAreBoundedByTheLemmasPowersOfEpsilon) {
  std::vector<double> eps, start, along;
  for (const Real e : {1e-2L, 1e-3L, 1e-4L, 1e-5L, 1e-6L}) {
    eps.push_back(static_cast<double>(e));
    start.push_back(contracting_step(study(e), NewtonMatrix::at_start));
    along.push_back(contracting_step(study(e), NewtonMatrix::along_velocity));
  }
  EXPECT_NEAR(slope(eps, start), 2.0 / 3, 0.02);
  EXPECT_NEAR(slope(eps, along), 0.5, 0.02);
}

TEST_F(Newton, HessiansAtTheConstrainedStagesLeaveNoBound) {
  for (const Real e : {1e-2L, 1e-4L, 1e-6L}) {
    const auto found = study(e).contraction(NewtonMatrix::at_constrained_stages, 0.6L);
    EXPECT_LT(found.norm, 1);
  }
}

TEST_F(Newton, MustAlsoStartAtTheConstrainedStages) {
  const NewtonStudy s = study(1e-6L);
  EXPECT_FALSE(s.converges(NewtonMatrix::at_constrained_stages, Guess::constant, 0.1L));
  EXPECT_TRUE(s.converges(NewtonMatrix::at_constrained_stages, Guess::constrained, 0.1L));
}

TEST_F(Newton, ConditionOfTheUnaugmentedMatricesGrows) {
  const auto a = study(1e-2L).contraction(NewtonMatrix::at_start, 0.05L);
  const auto b = study(1e-4L).contraction(NewtonMatrix::at_start, 0.05L);
  EXPECT_GT(b.condition, 1000 * a.condition);  // like (h/eps)^2
}

TEST(AugmentedNewton, DoesNotSeeEpsilon) {
  const std::array<ProblemPtr<Real>, 3> problems{pendulum<Real>(), double_pendulum<Real>(),
                                                 general_problem<Real>()};
  for (const auto& p : problems) {
    std::vector<double> radius;
    for (const Real eps : {1e-4L, 1e-6L, 0.0L}) {
      const NewtonStudy s{*p, radau_iia<Real>(3), eps, smooth_start(*p, eps)};
      const auto found = s.augmented(0.05L);
      radius.push_back(static_cast<double>(found.spectral_radius));
      EXPECT_LT(found.condition, 1e3) << p->name();
    }
    for (const double r : radius) {
      EXPECT_LT(r, 0.05) << p->name();
      EXPECT_NEAR(r, radius.back(), 1e-3 * radius.back()) << p->name();
    }
  }
}

class General : public ::testing::Test {
 protected:
  const ProblemPtr<Real> problem_ = general_problem<Real>();
  const Tableau<Real>& tableau_ = radau_iia<Real>(3);

  // || Y''(k) - Y'' ||, k = 0, 1
  [[nodiscard]] std::array<double, 2> outer_errors(Real eps, Real h) const {
    const Point<Real> at = smooth_start(*problem_, eps);
    const auto exact = FixedStep<Real>{*problem_, tableau_, Form::index3, eps}.stages(at, h);
    const auto x = GeneralPotential{*problem_, tableau_, eps, {.outer = 1}}.stages(at, h);
    return {static_cast<double>((x->acceleration[0] - exact->A).norm()),
            static_cast<double>((x->acceleration[1] - exact->A).norm())};
  }
  [[nodiscard]] double deviation_at_end(Real eps, const GeneralPotential::Options& options) const {
    const Point<Real> from = smooth_start(*problem_, eps);
    const auto exact =
        FixedStep<Real>{*problem_, tableau_, Form::index3, eps}.run(from, 1.0L / 16, 16);
    const auto x = GeneralPotential{*problem_, tableau_, eps, options}.run(from, 1.0L / 16, 16);
    return static_cast<double>((x->y - exact->y).norm());
  }
};

TEST_F(General, EachCorrectionGainsEpsilonSquaredWhateverTheStep) {
  for (const Real h : {0.1L, 0.05L}) {
    const auto [first, second] = outer_errors(1e-2L, h);
    EXPECT_GT(second / first, 0.3e-4) << "h = " << h;
    EXPECT_LT(second / first, 1.5e-4) << "h = " << h;
  }
  const auto [first, second] = outer_errors(1e-3L, 0.1L);
  EXPECT_GT(second / first, 0.3e-6);
  EXPECT_LT(second / first, 1.5e-6);
}

TEST_F(General, WithoutCorrectionTheMotionDeviatesByEpsilonSquared) {
  for (const Real eps : {1e-2L, 1e-3L, 1e-4L}) {
    const double expected = 0.35 * static_cast<double>(eps * eps);
    EXPECT_NEAR(deviation_at_end(eps, {.outer = 0}), expected, 0.1 * expected);
  }
}

TEST_F(General, RemainderFromTheStagesForgivesALooseInnerIteration) {
  using R = GeneralPotential::Remainder;
  const auto loose = [](R remainder) {
    return GeneralPotential::Options{.outer = 1, .inner_tolerance = 1e-3L, .remainder = remainder};
  };
  EXPECT_LT(10 * deviation_at_end(1e-3L, loose(R::from_stages)),
            deviation_at_end(1e-3L, loose(R::paper)));
}

TEST(PivotColumns, SpanTheRangeOfASingularMatrix) {
  MatOf<Real> B(4, 2);
  B << 1, 2, 3, 1, 0, 5, 2, 2;
  const MatOf<Real> H = B * B.transpose();
  const std::vector<int> J = pivot_columns<Real>(H, 2);
  const MatOf<Real> E = H(J, J), rebuilt = H(Eigen::all, J) * E.inverse() * H(J, Eigen::all);
  EXPECT_LE(static_cast<double>((rebuilt - H).norm()), 1e-15);
}

}  // namespace
}  // namespace taut::papers::stiff_rk
