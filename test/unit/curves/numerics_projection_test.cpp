// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "core/dense_decompositions.hpp"
#include "curves/curve_projection.hpp"
#include "curves/krylov.hpp"
#include "numerics_curves.hpp"

namespace taut {
namespace {

using test::hand_written;
using NumericsMagnetic = test::SecondOrderGeneral<test::Magnetic>;

// A point at rest of the particle, and beside it.
Vec numerics_near_magnetic(double distance) {
  Vec p = NumericsMagnetic::start();
  for (Index i = 1; i < p.size(); ++i) p[i] += distance * std::sin(3.0 * static_cast<double>(i));
  return p;
}

Vec numerics_projected(const Curve& curve, Vec p, const CurveProjectionOptions& options) {
  CurveProjection projection{options};
  CurveEvaluation ev;
  curve.prepare(ev);
  projection.start(curve);
  const Status st = projection(curve, p, ev);
  EXPECT_EQ(st, Status::ok) << projection.reason(curve);
  return p;
}

TEST(CurveProjectionMethods, AgreeOnTheNearestPoint) {
  const Curve curve = hand_written<NumericsMagnetic>();
  CurveEvaluation ev;
  curve.prepare(ev);
  double last_shift = 0.0;
  for (const double distance : {1e-2, 5e-3}) {
    const Vec a = numerics_near_magnetic(distance);
    const Vec nearest = numerics_projected(curve, a, {.method = ProjectionMethod::exact});
    // p - a is normal to M: a combination of the rows of df
    ASSERT_EQ(curve.jacobian(nearest, ev), Status::ok);
    EXPECT_LE(ev.f.norm(), 1e-14);
    const Mat df = Mat(ev.df);
    const Mat normal = df * df.transpose();
    const Vec offset = a - nearest;
    const Vec mu = inverse_of(normal) * (df * offset);
    EXPECT_LE((offset - df.transpose() * mu).norm(), 1e-13);
    EXPECT_GT(offset.norm(), 0.3 * distance);

    const auto expect_same = [&](const CurveProjectionOptions& options) {
      EXPECT_LE((numerics_projected(curve, a, options) - nearest).norm(), 1e-12);
    };
    expect_same({.method = ProjectionMethod::identity});
    expect_same({.method = ProjectionMethod::identity, .initialise = true});
    expect_same({.method = ProjectionMethod::exact, .initialise = true});
    for (const KrylovMethod krylov : {KrylovMethod::cg, KrylovMethod::minres, KrylovMethod::symmlq})
      for (const bool initialise : {false, true})
        expect_same({.method = ProjectionMethod::inexact,
                     .krylov = krylov,
                     .initialise = initialise,
                     .max_iterations = 100});

    // Gauss-Newton: on M, beside it
    const Vec beside = numerics_projected(curve, a, {.method = ProjectionMethod::gauss_newton});
    ASSERT_EQ(curve.value(beside, ev), Status::ok);
    EXPECT_LE(ev.f.norm(), 1e-14);
    const double shift = (beside - nearest).norm();
    EXPECT_GT(shift, 1e-8);
    if (last_shift > 0.0) {
      EXPECT_NEAR(last_shift / shift, 4.0, 0.5);
    }
    last_shift = shift;
  }
}

TEST(CurveProjectionMethods, KeepX) {
  const Curve curve = hand_written<test::Circle>();
  const Vec a{{0.6, 0.9}};
  for (const ProjectionMethod method :
       {ProjectionMethod::identity, ProjectionMethod::exact, ProjectionMethod::gauss_newton,
        ProjectionMethod::inexact}) {
    const Vec p =
        numerics_projected(curve, a, {.method = method, .keep_x = true, .max_iterations = 100});
    EXPECT_EQ(p[0], 0.6);
    EXPECT_NEAR(p[1], 0.8, 1e-15);
    // without: along the radius
    const Vec q = numerics_projected(curve, a, {.method = method, .max_iterations = 100});
    EXPECT_NEAR(q[0], 0.6 / std::hypot(0.6, 0.9), 1e-14);
  }
}

// k y² + z² = r², x free
struct NumericsEllipse {
  static constexpr int m = 3, k = 1;
  double scale = 1.0, stretch = 1.0, radius = 1.0;
  template <typename S>
  void f(const S* p, S* f) const {
    f[0] = S(stretch) * p[1] * p[1] + p[2] * p[2] - S(radius * radius);
  }
  void v(const double*, double* V) const { V[0] = 1.0; }
};

TEST(CurveProjectionMethods, FindTheNearestPointWithinTheTolerance) {
  for (const double stretch : {1.0, 100.0, 1e4})
    for (const double distance : {1e-7, 1e-6, 3e-5})
      for (const double tol : {1e-6, 1e-9, 1e-12})
        for (const ProjectionMethod method : {ProjectionMethod::identity, ProjectionMethod::exact})
          for (const double angle : {0.1, 0.7, 1.2, 2.5, 4.0}) {
            const Curve curve = hand_written(NumericsEllipse{1.0, stretch, 1.0});
            const double y = std::cos(angle) / std::sqrt(stretch), z = std::sin(angle);
            const double length = std::hypot(stretch * y, z);
            const Vec a{{0.0, y + distance * stretch * y / length, z + distance * z / length}};
            const Vec p = numerics_projected(curve, a, {.method = method, .tol = tol});
            EXPECT_LE(std::hypot(p[1] - y, p[2] - z), 2 * tol)
                << stretch << " " << distance << " " << tol;
          }
}

TEST(CurveProjectionMethods, UnitsDoNotMatter) {
  for (const double unit : {1e-12, 1e-9, 1e-3, 1.0, 1e6})
    for (const double tol : {1e-3, 1e-8}) {
      const Curve curve = hand_written(NumericsEllipse{unit * unit, 1.0, unit});
      for (const double off : {1e-9, 1e-3, 0.2}) {
        Vec a{{0.0, 0.6 * unit, 0.8 * unit}};
        a *= 1 + off;
        for (const bool one_step : {false, true}) {
          const Vec p = numerics_projected(curve, a, {.tol = tol, .one_step = one_step});
          EXPECT_NEAR(std::hypot(p[1], p[2]) / unit, 1.0, 1e-14) << unit << " " << tol;
        }
      }
    }
}

TEST(CurveProjectionMethods, PublishedTestHasADeadBand) {
  const Curve curve = hand_written<test::RigidInvariants>();
  CurveEvaluation ev;
  curve.prepare(ev);
  const CurveProjectionOptions options{.method = ProjectionMethod::exact, .published_test = true};
  CurveProjection projection{options};
  projection.start(curve);
  for (const double f : {1.0e-5, 1.1e-5}) {
    const Vec a{{0.0, std::sqrt(1.0 + f), 0.0, 0.0}};
    Vec p = a;
    ASSERT_EQ(projection(curve, p, ev), Status::ok);
    EXPECT_EQ(projection.iterations() == 0, f < 1.05e-5);
    EXPECT_EQ(p == a, f < 1.05e-5);
  }
}

struct NumericsPair {
  // f = (y1 y2 - level, weight times the same): at y = 0 no tangent space
  static constexpr int m = 3, k = 2;
  double scale = 1.0, level = 1.0, second = 2.0;
  template <typename S>
  void f(const S* p, S* f) const {
    f[0] = p[1] * p[2] - S(level);
    f[1] = S(second) * (p[1] * p[2] - S(level));
  }
  void v(const double*, double* V) const { V[0] = 1.0; }
};

/// f = D p with rows of lengths from 1 to 1e3, on every second coordinate of their own.
struct NumericsScaled {
  static constexpr int m = 61, k = 60;
  double scale = 1.0;
  template <typename S>
  void f(const S* p, S* f) const {
    for (int r = 0; r < k; ++r)
      f[r] = S(std::pow(10.0, 3.0 * r / (k - 1))) * (p[r + 1] - S(0.3) * p[r]);
  }
  void v(const double*, double* V) const { V[0] = 1.0; }
};

// Algorithm 4.4 on linear equations: each step leaves the part eps_k of f, eps_k = 0.5 * 0.8^k, of
// which the Krylov method goes a little below. MINRES has residuals that fall slowly here.
TEST(CurveProjectionMethods, AccuracyOfInexactStepsFallsByAFifth) {
  const Curve curve = hand_written<NumericsScaled>();
  Vec p(NumericsScaled::m);
  for (Index i = 0; i < p.size(); ++i) p[i] = 1e-2 * std::sin(3.0 * static_cast<double>(i));
  CurveProjectionOptions options{.method = ProjectionMethod::inexact};
  options.krylov = KrylovMethod::minres;
  options.published_test = true;
  CurveEvaluation ev;
  curve.prepare(ev);
  ASSERT_EQ(curve.value(p, ev), Status::ok);
  CurveProjection projection{options};
  projection.start(curve);
  double left = ev.f.norm(), eps = 0.5;
  int expected = 0;
  for (; left > 1e-6; ++expected, eps *= 0.8) left *= eps;
  ASSERT_EQ(projection(curve, p, ev), Status::ok) << projection.reason(curve);
  EXPECT_LE(projection.iterations(), expected);
  EXPECT_GE(projection.iterations(), expected - 1) << expected;
}

TEST(CurveProjectionFailure, DependentRowsMustAgree) {
  CurveEvaluation ev;
  for (const ProjectionMethod method : {ProjectionMethod::identity, ProjectionMethod::exact}) {
    CurveProjection projection{{.method = method}};
    // the same equation twice does no harm
    Curve curve = hand_written(NumericsPair{});
    curve.prepare(ev);
    projection.start(curve);
    Vec p{{0.0, 1.1, 1.0}};
    EXPECT_EQ(projection(curve, p, ev), Status::ok);
    EXPECT_EQ(projection.dependent_rows(), 1);
    EXPECT_NEAR(p[1] * p[2], 1.0, 1e-14);
    // rank lost where f is not zero
    p = Vec{{0.0, 0.0, 0.0}};
    EXPECT_EQ(projection(curve, p, ev), Status::singular_matrix);
    EXPECT_EQ(p, Vec::Zero(3));
    EXPECT_NE(projection.reason(curve).find("\"f0\""), std::string::npos)
        << projection.reason(curve);
  }
}

struct NumericsNowhere {
  // y² + 1 has no zero
  static constexpr int m = 2, k = 1;
  double scale = 1.0;
  template <typename S>
  void f(const S* p, S* f) const {
    f[0] = p[1] * p[1] + S(1.0);
  }
  void v(const double*, double* V) const { V[0] = 1.0; }
};

TEST(CurveProjectionFailure, TooFarIsSaidWithNumbersAndLeavesThePoint) {
  CurveEvaluation ev;
  const Curve nowhere = hand_written<NumericsNowhere>();
  const Curve plug = hand_written<test::PlugFlow>();
  for (const ProjectionMethod method :
       {ProjectionMethod::identity, ProjectionMethod::exact, ProjectionMethod::gauss_newton,
        ProjectionMethod::inexact}) {
    CurveProjection projection{{.method = method}};
    nowhere.prepare(ev);
    projection.start(nowhere);
    const Vec a{{0.0, 0.3}};
    Vec p = a;
    const Status st = projection(nowhere, p, ev);
    EXPECT_TRUE(st == Status::projection_diverged || st == Status::iteration_limit) << name(st);
    EXPECT_EQ(p, a);
    EXPECT_NE(projection.reason(nowhere).find("\"f0\" = "), std::string::npos)
        << projection.reason(nowhere);
    EXPECT_NE(projection.reason(nowhere).find("|f| was 1.09"), std::string::npos)
        << projection.reason(nowhere);

    // the logarithm does not exist at all
    plug.prepare(ev);
    projection.start(plug);
    p = Vec{{0.0, 13.78, -1.0, 4.8}};
    EXPECT_EQ(projection(plug, p, ev), Status::non_finite);
    EXPECT_EQ(p[2], -1.0);
  }
}

// ---- Krylov methods ---------------------------------------------------------------------------

struct NumericsProduct final : SymmetricProduct {
  Mat A;
  bool operator()(const Vec& x, Vec& y) override {
    y = A * x;
    return true;
  }
};

TEST(Krylov, AgreesWithADirectSolution) {
  const int n = 30;
  std::mt19937 random{7};
  std::normal_distribution<double> normal;
  NumericsProduct K;
  std::vector<Vec> work(krylov_vectors, Vec::Zero(n));
  for (const bool indefinite : {false, true}) {
    const Mat B = Mat::NullaryExpr(n, n, [&] { return normal(random); });
    K.A = B * B.transpose() + Mat::Identity(n, n);
    if (indefinite) K.A -= 20.0 * Mat::Identity(n, n);
    const Vec solution = Vec::NullaryExpr(n, [&] { return normal(random); });
    const Vec b = K.A * solution;
    for (const KrylovMethod method : {KrylovMethod::cg, KrylovMethod::minres, KrylovMethod::symmlq})
      for (const double residual : {1e-2, 1e-9}) {
        Vec x;
        const KrylovResult found = solve_by_krylov(method, K, b, residual * b.norm(), work, x);
        if (indefinite && method == KrylovMethod::cg) {
          EXPECT_FALSE(found.converged);
          continue;
        }
        ASSERT_TRUE(found.converged);
        EXPECT_LE((b - K.A * x).norm(), 1.01 * residual * b.norm());
        EXPECT_GT((b - K.A * x).norm(), 1e-6 * residual * b.norm());
        if (residual < 1e-6) {
          EXPECT_LE((x - solution).norm(), 1e-5 * solution.norm());
        }
      }
  }
  // a matrix that is not of full rank
  K.A = Mat::Zero(n, n);
  K.A(0, 0) = 1.0;
  Vec x;
  for (const KrylovMethod method : {KrylovMethod::cg, KrylovMethod::minres, KrylovMethod::symmlq})
    EXPECT_FALSE(solve_by_krylov(method, K, Vec::Ones(n), 1e-9, work, x).converged);
}

}  // namespace
}  // namespace taut
