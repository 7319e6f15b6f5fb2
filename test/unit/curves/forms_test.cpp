// SPDX-License-Identifier: BSD-3-Clause
// Forms of differential systems on jets, against vectors and derivatives written out by hand.
#include "taut/curves/jet_forms.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "allocation_counter.hpp"
#include "curves/null_vector.hpp"
#include "forms_support.hpp"

namespace taut {
namespace {

using namespace test;
using Method = DistributionMethod;

const std::vector<Method> forms_methods{Method::automatic, Method::square, Method::svd,
                                        Method::qr,        Method::sphere, Method::sparse};

/// df and d2f against differences of f and df.
void forms_check_derivatives(const Curve& curve, const Vec& p) {
  CurveEvaluation at, above, below;
  for (CurveEvaluation* ev : {&at, &above, &below}) curve.prepare(*ev);
  ASSERT_EQ(curve.jacobian(p, at), Status::ok);
  Vec mu(curve.equations());
  for (Index r = 0; r < mu.size(); ++r) mu[r] = 1.0 + 0.3 * static_cast<double>(r);
  ASSERT_EQ(curve.hessian(p, mu, at), Status::ok);
  const Mat df = at.df, d2f = at.d2f;
  EXPECT_LE((d2f - d2f.transpose()).norm(), 1e-12 * (1 + d2f.norm()));
  for (Index i = 0; i < p.size(); ++i) {
    const double d = 1e-6 * (1 + std::abs(p[i]));
    Vec q = p;
    q[i] += d;
    ASSERT_EQ(curve.jacobian(q, above), Status::ok);
    q[i] = p[i] - d;
    ASSERT_EQ(curve.jacobian(q, below), Status::ok);
    const Vec slope = (above.f - below.f) / (2 * d);
    EXPECT_LE((slope - df.col(i)).norm(), 1e-7 * (1 + df.norm())) << i;
    const Vec second = Mat(above.df - below.df).transpose() * mu / (2 * d);
    EXPECT_LE((second - d2f.col(i)).norm(), 1e-7 * (1 + d2f.norm() + df.norm())) << i;
  }
}

// forms -------------------------------------------------------------------------------------------

TEST(JetForms, DirectionOfTheRigidBodyInTheGeneralForm) {
  const JetSystem body = forms_rigid_body();
  Vec p(7), truth(7);
  const double size = std::sqrt(69.0);
  p << 0, 1 / size, 8 / size, 2 / size, 0, 0, 0;
  double y2[3];
  forms_rigid_slopes(&p[1], &p[4], y2);
  truth << 1, p[4], p[5], p[6], y2[0], y2[1], y2[2];
  for (const Method method : {Method::automatic, Method::explicit_solution, Method::square,
                              Method::svd, Method::qr, Method::sphere, Method::sparse}) {
    SCOPED_TRACE(static_cast<int>(method));
    const CurveForm form = general_form(body, method);
    const Vec V = forms_direction(form, p);
    forms_expect_parallel(V, truth, 1e-12);
    EXPECT_GT(V[0], 0.0);
  }
  EXPECT_EQ(general_form(body).distribution, Method::explicit_solution);
  EXPECT_EQ(general_form(body).curve.explain(p), "");
  EXPECT_EQ(general_form(body).curve.equations(), 4);
  EXPECT_EQ(general_form(body).curve.structure().coordinates[4], "a'");
}

TEST(JetForms, DirectionOfTheRigidBodyWithInvariants) {
  const CurveForm form = invariants_form(forms_rigid_body());
  Vec p(4), truth(4);
  p << 0.3, 0.5, 0.5, std::sqrt(0.5);
  double y1[3], y2[3];
  forms_rigid_slopes(&p[1], y1, y2);
  truth << 1, y1[0], y1[1], y1[2];
  forms_expect_parallel(forms_direction(form, p), truth, 1e-14);
  ASSERT_EQ(form.curve.equations(), 1);
  EXPECT_FALSE(form.curve.structure().uses_x);
  CurveEvaluation ev;
  form.curve.prepare(ev);
  p *= 2.0;
  ASSERT_EQ(form.curve.value(p, ev), Status::ok);
  EXPECT_NEAR(ev.f[0], 3.0, 1e-14);
}

TEST(JetForms, DirectionOfTheParticleHasItsMassAndItsThirdDerivative) {
  const JetSystem particle = forms_particle();
  Vec y(3), v(3);
  y << 1, 0.8, -0.5;
  v << 0.3, -0.2, 0.4;
  const double r2 = y.squaredNorm(), r3 = r2 * std::sqrt(r2);
  const auto cross = [](const Vec& a) {
    Vec c(3);
    c << -a[1], a[0], 0;  // (0, 0, 1) x a
    return c;
  };
  const Vec a = (-y / r3 + cross(v)) / 2;
  // d/dx of it
  const Vec jerk = (-v / r3 + 3 * y.dot(v) / (r3 * r2) * y + cross(a)) / 2;
  Vec p1(7), p2(10), truth1(7), truth2(10);
  p1 << 0.7, y, v;
  p2 << 0.7, y, v, a;
  truth1 << 1, v, a;
  truth2 << 1, v, a, jerk;
  forms_expect_parallel(forms_direction(invariants_form(particle), p1), truth1, 1e-14);
  for (const Method method : forms_methods)
    forms_expect_parallel(forms_direction(general_form(particle, method), p2), truth2, 1e-12);
}

TEST(JetForms, DirectionOfTheFluidReadsFirstDerivatives) {
  Vec p(7), truth(7);
  p << 0, 1, 1, 1, 0.4, 0.5, 0.6;
  truth << 1, 0.4, 0.5, 0.6, 0, 1.0 / 3, 4;  // the published start
  forms_expect_parallel(forms_direction(invariants_form(forms_fluid()), p), truth, 1e-14);
  EXPECT_EQ(invariants_form(forms_fluid()).curve.equations(), 0);
}

TEST(JetForms, DirectionOfThePlugFlowIsRegularAtTheImpassePoint) {
  const JetSystem flow = forms_plug_flow();
  EXPECT_EQ(invariants_form(flow).distribution, Method::qr);
  const std::vector<std::vector<double>> points{{13.78, 11.394, 4.8147},
                                                {1.3, 10.9, 0.5},
                                                {0.01, 10.83, 1e-3},
                                                {0, 10.8288, 0},
                                                {-2.0, 10.7, -0.6}};
  for (const auto& y : points) {
    SCOPED_TRACE(y[0]);
    const Vec truth = forms_plug_kernel(y[0], y[1], y[2]);
    Vec p(4);
    p << 1, y[0], y[1], y[2];
    for (const Method method : forms_methods) {
      const bool alone_singular = y[2] == 0.0;
      const CurveForm form = invariants_form(flow, method);
      if (alone_singular && method == Method::square) {
        CurveEvaluation ev;
        form.curve.prepare(ev);
        Vec V = Vec::Zero(4);
        EXPECT_EQ(form.curve.direction(p, ev, V), Status::singular_matrix);
        EXPECT_NE(form.curve.explain(p).find("impasse"), std::string::npos);
        continue;
      }
      if (alone_singular && method == Method::sparse) continue;  // below: with a neighbour
      forms_expect_parallel(forms_direction(form, p), truth, 1e-10);
    }
  }
}

TEST(JetForms, DirectionGoesOnThroughTheImpassePoint) {
  for (const Method method : {Method::qr, Method::svd, Method::sphere, Method::sparse}) {
    SCOPED_TRACE(static_cast<int>(method));
    const CurveForm form = invariants_form(forms_plug_flow(), method);
    CurveEvaluation ev;
    form.curve.prepare(ev);
    Vec V = Vec::Zero(4);
    Vec p(4);
    // y3 falls through 0 while y1 and y2 stay near their values there
    for (int i = -20; i <= 20; ++i) {
      const double y3 = -0.01 * i;
      p << 1.09, 2.7 * y3, 10.8288, y3;
      ASSERT_EQ(form.curve.direction(p, ev, V), Status::ok);
      Vec truth = forms_plug_kernel(p[1], p[2], p[3]);
      if (truth[1] > 0) truth = -truth;  // the pressure falls all the way
      EXPECT_LE((V - truth).norm(), 1e-10) << i;
    }
    EXPECT_EQ(V[0] >= 0.0, true);  // x grows on both sides: (y3)² does not change its sign
  }
}

TEST(JetForms, DerivativesAreThoseOfTheEquations) {
  Vec p(7);
  p << 0.2, 0.3, 0.9, 0.4, 0.5, -0.1, 0.2;
  forms_check_derivatives(general_form(forms_rigid_body()).curve, p);
  forms_check_derivatives(invariants_form(forms_particle()).curve, p);
  Vec flow(4);
  flow << 0, 3.0, 11.0, 1.2;
  forms_check_derivatives(invariants_form(forms_plug_flow()).curve, flow);
}

TEST(JetForms, DirectionsDoNotAllocate) {
  if (!test::allocations()) GTEST_SKIP() << "malloc cannot be counted in this build";
  const JetSystem flow = forms_plug_flow();
  Vec p(4), V = Vec::Zero(4), mu = Vec::Ones(2);
  p << 0, 13.78, 11.394, 4.8147;
  for (const Method method : forms_methods) {
    const CurveForm form = invariants_form(flow, method);
    CurveEvaluation ev;
    form.curve.prepare(ev);
    const auto before = test::allocations();
    ASSERT_EQ(form.curve.direction(p, ev, V), Status::ok);
    ASSERT_EQ(form.curve.jacobian(p, ev), Status::ok);
    ASSERT_EQ(form.curve.hessian(p, mu, ev), Status::ok);
    EXPECT_EQ(test::allocations(), before) << static_cast<int>(method);
  }
}

TEST(JetForms, RowsThatContradictALittleOffTheManifoldStillGiveADirection) {
  // the oscillator with the derivative of its invariant, which follows on M only
  JetBuilder builder{{"y", "z"}, 1};
  builder.equation("y", [](const Recorded& j) { return j.y[1][0] - j.y[0][1]; });
  builder.equation("z", [](const Recorded& j) { return j.y[1][1] + j.y[0][0]; });
  builder.equation("rate",
                   [](const Recorded& j) { return j.y[0][0] * j.y[1][0] + j.y[0][1] * j.y[1][1]; });
  const JetSystem oscillator = builder.build();
  for (const double off : {0.0, 1e-6, 1e-3}) {
    SCOPED_TRACE(off);
    Vec p(5), truth(5);
    p << 0, 0.6, 0.8, 0.8 + off, -0.6;
    truth << 1, p[3], p[4], p[4], -p[3];
    const Vec svd = forms_direction(general_form(oscillator, Method::svd), p);
    for (const Method method : {Method::svd, Method::qr, Method::square, Method::sparse})
      forms_expect_parallel(forms_direction(general_form(oscillator, method), p), truth,
                            1e-12 + 2 * off);
    forms_expect_parallel(forms_direction(general_form(oscillator, Method::sphere), p), svd, 1e-10);
  }
}

/// y_i'' = -y_i + coupling to neighbours through a constant, dense-free mass matrix.
JetSystem forms_ring(int n) {
  std::vector<std::string> names;
  for (int i = 0; i < n; ++i) names.push_back("y" + std::to_string(i));
  JetBuilder builder{names, 2};
  std::vector<double> y(static_cast<std::size_t>(n)), v(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i] = std::sin(1.0 + static_cast<double>(i));
    v[i] = std::cos(2.0 * static_cast<double>(i));
  }
  builder.start(0.0, {y, v});
  for (std::size_t i = 0; i < y.size(); ++i)
    builder.equation("ring " + std::to_string(i), [&](const Recorded& j) {
      const std::size_t next = (i + 1) % y.size();
      return 2.0 * j.y[2][i] + (1.0 + j.y[0][i] * j.y[0][i]) * j.y[2][next] + sin(j.y[0][i]);
    });
  return builder.build();
}

TEST(JetForms, LargeSystemsAreSolvedSparselyAndAgreeWithDenseOnes) {
  const JetSystem ring = forms_ring(40);
  const CurveForm sparse = invariants_form(ring);
  EXPECT_EQ(sparse.distribution, Method::sparse);
  const Vec p = ring.given.head(sparse.curve.size());
  const Vec V = forms_direction(sparse, p);
  for (const Method method : {Method::qr, Method::svd, Method::square})
    EXPECT_LE((forms_direction(invariants_form(ring, method), p) - V).norm(), 1e-10);
  // the equations themselves: A y2 + sin y = 0
  for (Index i = 0; i < 40; ++i) {
    const double y2 = V[41 + i] / V[0], next = V[41 + (i + 1) % 40] / V[0];
    EXPECT_NEAR(2 * y2 + (1 + p[1 + i] * p[1 + i]) * next + std::sin(p[1 + i]), 0.0, 1e-11);
  }
}

// On the sphere conjugate gradients with directions carried along great circles lose the vector of
// c - 1 rows in c iterations per cycle, and each cycle squares the error: a handful of cycles.
TEST(JetForms, ConjugateGradientsOnTheSphereConvergeInFewCycles) {
  std::mt19937 random{5};
  std::normal_distribution<double> normal;
  double cycles = 0.0;
  constexpr int trials = 50;
  constexpr Index c = 8;
  for (int n = 0; n < trials; ++n) {
    NullVector null;
    null.resize(c - 1, c);
    Mat D(c - 1, c);
    for (double& x : D.reshaped()) x = normal(random);
    null.D = D;
    Vec u(c);
    for (double& x : u) x = normal(random);
    ASSERT_EQ(null.by_sphere(u), Status::ok);
    EXPECT_LE((D * u).norm(), 1e-14 * D.norm());
    EXPECT_NEAR(u.norm(), 1.0, 1e-15);
    cycles += static_cast<double>(null.iterations()) / (c * trials);
  }
  EXPECT_LE(cycles, 4.5);
}

TEST(JetForms, NamesOfJets) {
  JetSystem system;
  system.unknowns = {"y", "z"};
  EXPECT_EQ(system.name_of(0), "x");
  EXPECT_EQ(system.name_of(2), "z");
  EXPECT_EQ(system.name_of(3), "y'");
  EXPECT_EQ(system.name_of(8), "z'''");
  EXPECT_EQ(system.name_of(9), "y^(4)");
}

// refusals ----------------------------------------------------------------------------------------

TEST(JetForms, RefusalsNameEquationsAndNumbers) {
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  JetBuilder curved{{"y"}, 1};
  curved.equation("square root",
                  [](const Recorded& j) { return j.y[1][0] * j.y[1][0] - j.y[0][0]; });
  has(invariants_form(curved.build()).reason, "'square root' is not linear in y'");
  EXPECT_EQ(general_form(curved.build()).reason, "");

  JetBuilder few{{"y", "z"}, 1};
  few.equation("one", [](const Recorded& j) { return j.y[1][0] + j.y[1][1]; });
  has(general_form(few.build()).reason,
      "1 contain derivatives of order 1 for the 2 unknowns y', z'");

  JetBuilder absent{{"y", "z"}, 1};
  absent.equation("one", [](const Recorded& j) { return j.y[1][0] + j.x; });
  absent.equation("two", [](const Recorded& j) { return j.y[1][0] * j.y[0][0]; });
  has(general_form(absent.build()).reason, "unknown z appears in no equation");

  JetBuilder unstarted{{"y"}, 1};
  unstarted.equation("one", [](const Recorded& j) { return j.y[1][0] + j.x; });
  unstarted.invariant("kept", [](const Recorded& j) { return j.y[0][0]; });
  has(general_form(unstarted.build()).reason, "'kept'");

  has(invariants_form(forms_plug_flow(), Method::explicit_solution).reason, "explicit");
  has(invariants_form(forms_plug_flow(), Method::block).reason, "mechanical");
}

TEST(JetForms, RankLossAndContradictionsAreToldApart) {
  JetBuilder free{{"y", "z"}, 1};
  free.equation("one", [](const Recorded& j) { return j.y[1][0] + j.y[1][1] - j.x; });
  free.equation("twice",
                [](const Recorded& j) { return 2.0 * j.y[1][0] + 2.0 * j.y[1][1] - 2.0 * j.x; });
  JetBuilder against{{"y"}, 1};
  against.equation("up", [](const Recorded& j) { return j.y[1][0] - 1.0; });
  against.equation("down", [](const Recorded& j) { return j.y[1][0] + 1.0; });
  for (const Method method : {Method::qr, Method::svd}) {
    const CurveForm two = invariants_form(free.build(), method);
    CurveEvaluation ev;
    two.curve.prepare(ev);
    Vec V = Vec::Zero(3), p = Vec::Zero(3);
    EXPECT_EQ(two.curve.direction(p, ev, V), Status::singular_matrix);
    EXPECT_EQ(V.norm(), 0.0);
    const std::string why = two.curve.explain(p);
    EXPECT_NE(why.find("2 directions instead of one"), std::string::npos) << why;
    EXPECT_NE(why.find("y', z' are not determined"), std::string::npos) << why;

    const CurveForm none = invariants_form(against.build(), method);
    none.curve.prepare(ev);
    V = Vec::Zero(2);
    p = Vec::Zero(2);
    EXPECT_EQ(none.curve.direction(p, ev, V), Status::singular_matrix);
    EXPECT_NE(none.curve.explain(p).find("contradict"), std::string::npos);
  }
}

TEST(JetForms, EquationsThatAreNotKeptAreNamed) {
  // the circle is no invariant of y' = 1, z' = 1
  JetBuilder builder{{"y", "z"}, 1};
  builder.equation("y", [](const Recorded& j) { return j.y[1][0] - 1.0; });
  builder.equation("z", [](const Recorded& j) { return j.y[1][1] - 1.0; });
  builder.equation("circle", [](const Recorded& j) {
    return j.y[0][0] * j.y[0][0] + j.y[0][1] * j.y[0][1] - 1.0;
  });
  const CurveForm form = general_form(builder.build());
  Vec p(5);
  p << 0, 0.6, 0.8, 1, 1;
  const std::string why = form.curve.explain(p);
  EXPECT_NE(why.find("derivative of equation 'circle' does not follow"), std::string::npos) << why;
  EXPECT_NE(why.find("2.8"), std::string::npos) << why;
}

TEST(JetForms, DependentAndNonFiniteEquationsAreNamed) {
  JetBuilder builder{{"y"}, 1};
  builder.equation("slope", [](const Recorded& j) { return j.y[1][0] - sqrt(j.y[0][0]); });
  builder.equation("one", [](const Recorded& j) { return j.y[0][0] + j.x; });
  builder.equation("two", [](const Recorded& j) { return 3.0 * j.y[0][0] + 3.0 * j.x; });
  const CurveForm form = invariants_form(builder.build());
  Vec p(2);
  p << -1, 1;
  const std::string why = form.curve.explain(p);
  EXPECT_NE(why.find("'one', 'two' are dependent"), std::string::npos) << why;
  p << 1, -1;
  EXPECT_NE(form.curve.explain(p).find("'slope' is not finite"), std::string::npos);
  CurveEvaluation ev;
  form.curve.prepare(ev);
  Vec V = Vec::Zero(2);
  EXPECT_EQ(form.curve.direction(p, ev, V), Status::non_finite);
}

}  // namespace
}  // namespace taut
