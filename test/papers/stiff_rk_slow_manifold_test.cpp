// SPDX-License-Identifier: BSD-3-Clause
// The smooth motions that all errors of the laboratory are measured against. Truth comes from the
// angle of the pendulum, from the stiff equation itself resolved with tiny explicit steps, from a
// closed form, and from digits of an earlier computation with other code.
#include <gtest/gtest.h>

#include <Eigen/LU>

#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "stiff_rk/errors.hpp"
#include "stiff_rk/slow_manifold.hpp"

namespace taut::papers::stiff_rk {
namespace {

using Real = long double;
using Vec = VecOf<Real>;
using Mat = MatOf<Real>;

Vec classical_rk4(const std::function<Vec(const Vec&)>& F, Vec x, Real until, int steps) {
  const Real h = until / static_cast<Real>(steps);
  for (int i = 0; i < steps; ++i) {
    const Vec k1 = F(x), k2 = F(x + h / 2 * k1), k3 = F(x + h / 2 * k2), k4 = F(x + h * k3);
    x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return x;
}

double distance(const Vec& a, const Vec& b) { return static_cast<double>((a - b).norm()); }

TEST(Problem, DerivativesAreThoseOfDifferences) {
  const std::array<ProblemPtr<Real>, 3> problems{pendulum<Real>(), double_pendulum<Real>(),
                                                 general_problem<Real>()};
  constexpr Real step = 1e-6L;
  constexpr double accuracy = 1e-10;  // differences of order 2
  for (const auto& p : problems) {
    SCOPED_TRACE(p->name());
    const Point<Real> x = p->start();
    const Vec y = x.y + Vec::Constant(p->n(), 0.03L);  // off the manifold
    const auto c = p->constraints(y);
    const auto mass = p->mass(y);
    const auto force = p->force(y, x.v);
    const auto U = p->potential(y);
    EXPECT_LE(distance(U.gradient, c.G.transpose() * c.g), 1e-17);
    for (int j = 0; j < p->n(); ++j) {
      const Vec d = Vec::Unit(p->n(), j) * step;
      const auto at = [j](const auto& list) { return list[static_cast<std::size_t>(j)]; };
      const auto up = p->constraints(y + d), down = p->constraints(y - d);
      EXPECT_LE(distance((up.g - down.g) / (2 * step), c.G.col(j)), accuracy);
      for (std::size_t k = 0; k < c.hessian.size(); ++k) {
        const auto row = static_cast<Eigen::Index>(k);
        const Vec difference = ((up.G.row(row) - down.G.row(row)) / (2 * step)).transpose();
        EXPECT_LE(distance(difference, c.hessian[k].col(j)), accuracy);
      }
      const Mat dM = (p->mass(y + d).M - p->mass(y - d).M) / (2 * step);
      EXPECT_LE(static_cast<double>((dM - at(mass.dM)).norm()), accuracy);
      const Vec f_y = (p->force(y + d, x.v).f - p->force(y - d, x.v).f) / (2 * step);
      const Vec f_v = (p->force(y, x.v + d).f - p->force(y, x.v - d).f) / (2 * step);
      EXPECT_LE(distance(f_y, force.f_y.col(j)), accuracy);
      EXPECT_LE(distance(f_v, force.f_v.col(j)), accuracy);
      const Vec H = (p->potential(y + d).gradient - p->potential(y - d).gradient) / (2 * step);
      EXPECT_LE(distance(H, U.hessian.col(j)), accuracy);
    }
  }
}

TEST(Series, FunctionsFollowTheirClosedForms) {
  Series<Real> t(0.3L);
  t[1] = 1;
  const Real x = 0.1L;
  const Series<Real> s = sin(t), c = cos(t), root = sqrt(Series<Real>(1.0L) + t * t);
  EXPECT_NEAR(static_cast<double>(s.at(x)), std::sin(0.4), 1e-15);
  EXPECT_NEAR(static_cast<double>(c.at(x)), std::cos(0.4), 1e-15);
  EXPECT_NEAR(static_cast<double>(root.at(x)), std::hypot(1.0, 0.4), 1e-15);
  EXPECT_NEAR(static_cast<double>((s / c).at(x)), std::tan(0.4), 1e-14);
  EXPECT_NEAR(static_cast<double>(s.derivative().at(x)), std::cos(0.4), 1e-15);
  EXPECT_NEAR(static_cast<double>(c.integral(0).at(x)), std::sin(0.4) - std::sin(0.3), 1e-15);
  EXPECT_EQ(s.derivative().degree(), s.degree() - 1);
}

TEST(SmoothReference, IsThePendulumInItsAngleWhenRigid) {
  const auto F = [](const Vec& x) { return Vec{{x(1), -std::sin(x(0))}}; };
  const Vec angle = classical_rk4(F, Vec{{1.2L, 0.7L}}, 1, 4000);
  const Real th = angle(0), w = angle(1);
  const Point<Real> end = smooth_reference(*pendulum<Real>(), Real(0), Real(1));
  EXPECT_LE(distance(end.y, Vec{{std::sin(th), -std::cos(th)}}), 1e-15);
  EXPECT_LE(distance(end.v, Vec{{w * std::cos(th), w * std::sin(th)}}), 1e-15);
  EXPECT_NEAR(static_cast<double>(end.lambda(0)), static_cast<double>(w * w + std::cos(th)), 1e-15);
}

// the stiff equation is stable: a smooth start that were none would vibrate
TEST(SmoothReference, SolvesTheStiffEquationResolvedInFull) {
  constexpr Real eps = 1e-2L;
  const auto problem = general_problem<Real>();
  const Eigen::Index n = problem->n();
  const auto F = [&](const Vec& x) {
    const Vec y = x.head(n), v = x.tail(n);
    Vec result(2 * n);
    result << v, problem->mass(y).M.partialPivLu().solve(
                     problem->force(y, v).f - problem->potential(y).gradient / (eps * eps));
    return result;
  };
  const Point<Real> start = smooth_start(*problem, eps);
  Vec x(2 * n);
  x << start.y, start.v;
  const Vec end = classical_rk4(F, x, 0.125L, 20000);
  const Point<Real> smooth = smooth_reference(*problem, eps, 0.125L);
  EXPECT_LE(distance(end.head(n), smooth.y), 1e-12);
  EXPECT_LE(distance(end.tail(n), smooth.v), 1e-10);
}

TEST(SmoothReference, HasTheDigitsOfAnEarlierComputation) {
  struct Known {
    ProblemPtr<Real> problem;
    Real eps;
    Vec y, v, lambda;
  };
  std::vector<Known> list;
  list.push_back({pendulum<Real>(), 0.0L, Vec{{0.9876267050974558L, -0.1568231213129719L}},
                  Vec{{-0.0440588506212236L, -0.2774699107192223L}}, Vec{{0.2357538549855684L}}});
  list.push_back(
      {double_pendulum<Real>(), 0.0L,
       Vec{{0.9717118127227386L, -0.2361697546577238L, 1.0822473530581964L, -1.2300419266812433L}},
       Vec{{-0.0939751075992621L, -0.3866571411247682L, -0.2484986710921380L,
            -0.4038427974556723L}},
       Vec{{0.4234215138073317L, 0.0845193024376906L}}});
  list.push_back(
      {general_problem<Real>(), 0.0L,
       Vec{{0.9463239916466488L, -0.3232195891865983L, 1.0683034112766014L, -1.3157522189709999L}},
       Vec{{-0.1902406442819663L, -0.5569875462170941L, -0.2735859426189295L,
            -0.5672304448533197L}},
       Vec{{1.1835623499894450L, 0.1891089952386667L}}});
  list.push_back({pendulum<Real>(), 1e-3L, Vec{{0.9876269643095261L, -0.1568229921598162L}},
                  Vec{{-0.0440579246005921L, -0.2774696881932996L}}, Vec{{0.2357505760816824L}}});
  list.push_back(
      {double_pendulum<Real>(), 1e-3L,
       Vec{{0.9717123169798391L, -0.2361694727558725L, 1.0822471637056871L, -1.2300418069592900L}},
       Vec{{-0.0939734984692912L, -0.3866567493537378L, -0.2484989806817572L,
            -0.4038427210009916L}},
       Vec{{0.4234159673739716L, 0.0845178245593089L}}});
  for (const Known& k : list) {
    SCOPED_TRACE(k.problem->name());
    const Point<Real> end = smooth_reference(*k.problem, k.eps, Real(1));
    EXPECT_LE(distance(end.y, k.y), 5e-16);
    EXPECT_LE(distance(end.v, k.v), 5e-16);
    EXPECT_LE(distance(end.lambda, k.lambda), 1e-15);
  }
}

TEST(SmoothStart, EachTermOfTheExpansionGainsEpsilonSquared) {
  const std::array<ProblemPtr<Real>, 3> problems{pendulum<Real>(), double_pendulum<Real>(),
                                                 general_problem<Real>()};
  for (const auto& p : problems) {
    SCOPED_TRACE(p->name());
    const std::vector<double> eps{1e-2, 3e-3, 1e-3};
    std::array<std::vector<double>, 4> y, v;
    for (const double e : eps) {
      const Real epsilon = e;
      const Point<Real> exact = smooth_start(*p, epsilon), raw = p->start();
      const std::array ways{raw, expanded_start(*p, raw, epsilon),
                            smooth_motion(*p, raw, epsilon, 1).at(0),
                            smooth_motion(*p, raw, epsilon, 2).at(0)};
      for (std::size_t k = 0; k < 4; ++k) {
        y[k].push_back(distance(ways[k].y, exact.y));
        v[k].push_back(distance(ways[k].v, exact.v));
      }
    }
    constexpr std::array expected{2.0, 4.0, 4.0, 6.0};
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_NEAR(slope(eps, y[k]), expected[k], 0.2) << k;
      EXPECT_NEAR(slope(eps, v[k]), expected[k], 0.2) << k;
    }
  }
}

TEST(SmoothStart, OfThePendulumHasItsClosedForm) {
  const Real stretch = smooth_start(*pendulum<Real>(), Real(1e-2L)).y.norm() - 1;
  EXPECT_NEAR(static_cast<double>(stretch), 8.521087423e-5, 1e-14);
  EXPECT_NEAR(static_cast<double>(stretch), 8.521086465e-5, 2e-11);  // two terms of the expansion
}

}  // namespace
}  // namespace taut::papers::stiff_rk
