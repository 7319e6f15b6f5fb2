// SPDX-License-Identifier: BSD-3-Clause
// What steps along curves are held to, against closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "curves/curve_integrator.hpp"
#include "numerics_curves.hpp"

namespace taut {
namespace {

using test::hand_written;

/// y' = slope y, without a constraint.
struct NumericsGrowth {
  static constexpr int m = 2, k = 0;
  double scale = 1.0, slope = 1.0;
  template <typename S>
  void f(const S*, S*) const {}
  void v(const double* p, double* V) const {
    V[0] = 1.0;
    V[1] = slope * p[1];
  }
};

// (2) of one step, from the stages of the pair as its authors' codes have it: of DOP853
// |h| e5² / sqrt(m (e5² + e3²/100)), of DOPRI5 |h| |e| / sqrt(m)
TEST(CurveIntegratorControl, EstimateIsThatOfTheCodesOfDormandAndPrince) {
  struct Pair {
    CurveTableau curve;
    const ExplicitTableau& tableau;
  };
  for (const Pair pair : {Pair{CurveTableau::dopri54, dormand_prince54_tableau},
                          Pair{CurveTableau::dop853, dormand_prince853_tableau}})
    for (const double slope : {-2.0, 1.0}) {
      const double h = 0.3, tol = 1e-3, y0 = 0.7;
      std::vector<double> k;
      const auto combined = [&](std::span<const double> w) {
        double sum = 0.0;
        for (std::size_t i = 0; i < w.size() && i < k.size(); ++i) sum += w[i] * k[i];
        return sum;
      };
      for (int i = 0; i <= pair.tableau.stages; ++i)
        k.push_back(slope * (y0 + h * combined(pair.tableau.row(i))));
      const double y1 = y0 + h * combined(pair.tableau.b());
      const double sigma = tol * (1 + std::max(y0, y1));
      const double fine = std::pow(combined(pair.tableau.e) / sigma, 2);
      const double coarse =
          pair.tableau.e2.empty() ? 0.0 : std::pow(combined(pair.tableau.e2) / sigma, 2);
      const double expected =
          h * fine / std::sqrt(2 * (fine + (pair.tableau.e2.empty() ? 0.0 : 0.01 * coarse)));

      CurveIntegratorOptions options{
          .tableau = pair.curve, .parameter = Parametrisation::time, .tol = tol};
      options.first_step = h;
      CurveIntegrator integrator{options};
      const Curve curve = hand_written<NumericsGrowth>({.slope = slope});
      Vec p{{0.0, y0}};
      ASSERT_EQ(integrator.start(curve, p), Status::ok);
      ASSERT_EQ(integrator.advance(curve, p), Status::ok);
      EXPECT_NEAR(p[1], y1, 1e-14);
      EXPECT_NEAR(integrator.error_sum(), expected, 1e-6 * expected);
    }
}

TEST(CurveIntegratorImpasse, LengthInTimeIsThatOfTheCircle) {
  const Curve curve = hand_written<test::Circle>();
  for (const CurveTableau tableau :
       {CurveTableau::rk4, CurveTableau::dopri54, CurveTableau::dop853}) {
    CurveIntegrator time{{.tableau = tableau, .parameter = Parametrisation::time, .tol = 1e-9}};
    Vec p{{0.0, 1.0}};
    ASSERT_EQ(time.start(curve, p), Status::ok);
    while (!time.landed()) ASSERT_EQ(time.advance(curve, 0.9, p), Status::ok);
    EXPECT_NEAR(time.length(), std::asin(0.9), 1e-7);
  }
}

/// A straight line of the given slope, which ends at x = 1/2.
struct NumericsWall {
  static constexpr int m = 2, k = 0;
  double scale = 1.0, slope = 1.0;
  template <typename S>
  void f(const S*, S*) const {}
  void v(const double* p, double* V) const {
    V[0] = p[0] < 0.5 ? 1.0 : NAN;
    V[1] = slope;
  }
};

// |V_x| = 1/slope: below 1e-4 what cannot be followed in x is an impasse, above something else
TEST(CurveIntegratorImpasse, IsNotSaidOfACurveThatIsOnlySteep) {
  const auto end_of = [](double slope) {
    CurveIntegrator integrator{{.parameter = Parametrisation::time, .tol = 1e-6}};
    const Curve curve = hand_written<NumericsWall>({.slope = slope});
    Vec p{{0.0, 0.0}};
    Status st = integrator.start(curve, p);
    for (int n = 0; n < 10000 && st == Status::ok; ++n) st = integrator.advance(curve, p);
    EXPECT_NEAR(p[0], 0.5, 1e-9);
    return st;
  };
  EXPECT_EQ(end_of(0.9e4), Status::non_finite);
  EXPECT_EQ(end_of(1.1e4), Status::impasse);
}

// however loose the tolerance
TEST(CurveIntegratorControl, EndsOfStepsAreNoNearerThanNineTenthsOfTheirLength) {
  const Curve curve = hand_written<test::Circle>();
  for (const CurveTableau tableau :
       {CurveTableau::rk4, CurveTableau::dopri54, CurveTableau::dop853})
    for (double first = 0.2; first < 14.0; first += 0.1) {
      CurveIntegratorOptions options{.tableau = tableau, .tol = 1e9};
      options.first_step = first;
      options.max_turn = 3.0;
      CurveIntegrator integrator{options};
      Vec p{{0.0, 1.0}};
      ASSERT_EQ(integrator.start(curve, p), Status::ok);
      for (int n = 0; n < 5; ++n) {
        const Vec from = p;
        const double length = integrator.length();
        ASSERT_EQ(integrator.advance(curve, p), Status::ok);
        EXPECT_GE((p - from).norm(), 0.9 * (integrator.length() - length) - 1e-12) << first;
      }
    }
}

}  // namespace
}  // namespace taut
