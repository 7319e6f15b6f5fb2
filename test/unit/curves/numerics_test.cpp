// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "allocation_counter.hpp"
#include "curves/curve_integrator.hpp"
#include "numerics_curves.hpp"

namespace taut {
namespace {

using test::hand_written;
using MagneticInvariants = test::SecondOrderInvariants<test::Magnetic>;
using MagneticGeneral = test::SecondOrderGeneral<test::Magnetic>;
using MhdInvariants = test::SecondOrderInvariants<test::Mhd>;
using MhdGeneral = test::SecondOrderGeneral<test::Mhd>;

// ---- the tables of tuomela2005 ----------------------------------------------------------------

struct NumericsRun {
  std::int64_t steps = 0, rejected = 0, most = 0;
  double average = 0.0;
  Status status = Status::ok;
};

// The step that passes the end is not counted.
NumericsRun numerics_count(const Curve& curve, Vec p, const CurveIntegratorOptions& options,
                           double until) {
  CurveIntegrator integrator{options};
  NumericsRun run;
  run.status = integrator.start(curve, p);
  const auto first = static_cast<double>(integrator.counters.iterations);
  CurveCounters counted;
  while (run.status == Status::ok) {
    run.status = integrator.advance(curve, p);
    if (run.status != Status::ok || p[0] > until) break;
    counted = integrator.counters;
  }
  run.steps = counted.steps;
  run.rejected = counted.rejected;
  run.most = integrator.counters.most_iterations;
  run.average = (first + counted.mean_iterations_up) / static_cast<double>(counted.steps + 1);
  return run;
}

struct NumericsExample {
  const char* name;
  Curve curve;
  Vec start;
  double tol, h, max_growth, until;
};

std::vector<NumericsExample> numerics_examples() {
  Vec mhd = MhdGeneral::start();
  mhd[8] = 0.3333;  // as printed
  return {{"rigid, general", hand_written<test::RigidGeneral>(), test::RigidGeneral::start(), 1e-6,
           0.2, 5.0, 3600.0},
          {"rigid, invariants", hand_written<test::RigidInvariants>(),
           test::RigidInvariants::start(), 1e-6, 0.2, 5.0, 3600.0},
          {"plug flow", hand_written<test::PlugFlow>(), test::PlugFlow::start(), 1e-10, 0.1, 4.0,
           3.2188},
          {"magnetic, general", hand_written<MagneticGeneral>(), MagneticGeneral::start(), 1e-5,
           0.01, 5.0, 20.0},
          {"magnetic, invariants", hand_written<MagneticInvariants>(), MagneticInvariants::start(),
           1e-5, 0.01, 5.0, 20.0},
          {"MHD, general", hand_written<MhdGeneral>(), mhd, 1e-7, 0.05, 2.5, 1.75},
          {"MHD, invariants", hand_written<MhdInvariants>(), MhdInvariants::start(), 1e-7, 0.05,
           2.5, 1.75}};
}

CurveIntegratorOptions numerics_published(const NumericsExample& example, CurveTableau tableau,
                                          bool adaptive) {
  CurveIntegratorOptions options = published_options(tableau);
  options.tol = example.tol;
  options.max_growth = example.max_growth;
  (adaptive ? options.first_step : options.step) = example.h;
  return options;
}

TEST(CurveIntegratorPaper, ConstantStepsAreAsPublished) {
  struct Published {
    std::int64_t steps, most;
    double average;
  };
  // Euler, dopri54; the general form of MHD takes 4e5 steps
  const Published published[][2] = {
      {{18049, 3, .135}, {18019, 2, .0302}}, {{18010, 3, .0805}, {18016, 2, .0239}},
      {{289, 2, 2.0}, {288, 2, 1.0}},        {{3875, 2, 1.81}, {3825, 0, 0.0}},
      {{2860, 2, 1.43}, {2860, 0, 0.0}},     {{-1, -1, -1}, {-1, -1, -1}},
      {{24546, 2, 1.05}, {27094, 2, 1.0}}};
  const std::vector<NumericsExample> examples = numerics_examples();
  for (std::size_t e = 0; e < examples.size(); ++e)
    for (const int column : {0, 1}) {
      const Published& expected = published[e][column];
      if (expected.steps < 0) continue;
      const NumericsExample& example = examples[e];
      SCOPED_TRACE(std::string{example.name} + (column == 0 ? ", Euler" : ", dopri54"));
      const CurveTableau tableau = column == 0 ? CurveTableau::euler : CurveTableau::dopri54;
      const NumericsRun run = numerics_count(
          example.curve, example.start, numerics_published(example, tableau, false), example.until);
      EXPECT_EQ(run.status, Status::ok);
      EXPECT_EQ(run.steps, expected.steps);
      EXPECT_EQ(run.most, expected.most);
      EXPECT_NEAR(run.average, expected.average, 0.005 * expected.average + 1e-4);
    }
}

TEST(CurveIntegratorPaper, AdaptiveStepsAreAsPublished) {
  struct Published {
    std::int64_t steps, rejected, most, other_steps, raw_steps;
  };
  // as published; then with the point of order 5 accepted, and with only that one projected
  const Published published[] = {{115, 6, 3, 120, 118}, {134, 11, 2, 140, 120}, {37, 0, 2, 37, 50},
                                 {55, 11, 4, 55, 66},   {44, 11, 3, 44, 53},    {53, 0, 3, 53, 44},
                                 {35, 0, 3, 35, 33}};
  const std::vector<NumericsExample> examples = numerics_examples();
  for (std::size_t e = 0; e < examples.size(); ++e) {
    const NumericsExample& example = examples[e];
    SCOPED_TRACE(example.name);
    CurveIntegratorOptions options = numerics_published(example, CurveTableau::dopri54, true);
    const NumericsRun run = numerics_count(example.curve, example.start, options, example.until);
    EXPECT_EQ(run.status, Status::ok);
    EXPECT_NEAR(static_cast<double>(run.steps), static_cast<double>(published[e].steps), 1.0);
    EXPECT_NEAR(static_cast<double>(run.rejected), static_cast<double>(published[e].rejected), 1.0);
    EXPECT_EQ(run.most, published[e].most);
    options.advance_lower_order = false;
    EXPECT_NEAR(static_cast<double>(
                    numerics_count(example.curve, example.start, options, example.until).steps),
                static_cast<double>(published[e].other_steps), 1.0);
    options.project_stages = false;
    EXPECT_NEAR(static_cast<double>(
                    numerics_count(example.curve, example.start, options, example.until).steps),
                static_cast<double>(published[e].raw_steps), 1.0);
  }
}

TEST(CurveIntegratorPaper, AdaptiveEulerIsAsPublished) {
  struct Published {
    double steps, average;
  };
  const Published published[] = {{4835, 1.65}, {4902, 1.5},  {101537, 1}, {2106, 2},
                                 {1596, 1.93}, {9958, 1.76}, {5545, 1.73}};
  const std::vector<NumericsExample> examples = numerics_examples();
  for (std::size_t e = 0; e < examples.size(); ++e) {
    const NumericsExample& example = examples[e];
    SCOPED_TRACE(example.name);
    const NumericsRun run =
        numerics_count(example.curve, example.start,
                       numerics_published(example, CurveTableau::euler, true), example.until);
    EXPECT_NEAR(static_cast<double>(run.steps), published[e].steps, 0.005 * published[e].steps);
    EXPECT_NEAR(run.average, published[e].average, 0.005 * published[e].average + 1e-3);
  }
}

// ---- orders -----------------------------------------------------------------------------------

// y'' = rate(y, y') of the particle, in x, by the classical method with many steps and no
// projection; stops at x.
Vec magnetic_truth(double x) {
  const int steps = 8000;
  const double h = x / steps;
  Vec y = test::Magnetic::start().tail(6);
  const auto F = [](const Vec& at) {
    const test::Triple<double> rate = test::magnetic_rate(at.data());
    return Vec{{at[3], at[4], at[5], rate[0], rate[1], rate[2]}};
  };
  for (int n = 0; n < steps; ++n) {
    const Vec k1 = F(y), k2 = F(y + h / 2 * k1), k3 = F(y + h / 2 * k2), k4 = F(y + h * k3);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return y;
}

double magnetic_error(const Vec& p) { return (p.tail(6) - magnetic_truth(p[0])).norm(); }

Vec numerics_steps(const Curve& curve, Vec p, const CurveIntegratorOptions& options, int steps) {
  CurveIntegrator integrator{options};
  EXPECT_EQ(integrator.start(curve, p), Status::ok);
  for (int n = 0; n < steps; ++n) EXPECT_EQ(integrator.advance(curve, p), Status::ok);
  return p;
}

TEST(CurveIntegratorOrder, IsThatOfTheTableauHoweverIsProjected) {
  struct Method {
    CurveTableau tableau;
    int order, steps;
  };
  const Curve curve = hand_written<MagneticInvariants>();
  for (const Method& method : {Method{CurveTableau::euler, 1, 200},
                               {CurveTableau::rk4, 4, 16},
                               {CurveTableau::dopri54, 5, 24},
                               {CurveTableau::dop853, 8, 4}})
    for (const Parametrisation parameter : {Parametrisation::arc, Parametrisation::time})
      for (const bool stages : {false, true}) {
        SCOPED_TRACE(testing::Message() << "order " << method.order << ", stages " << stages
                                        << ", time " << (parameter == Parametrisation::time));
        double error[3];
        for (int i = 0; i < 3; ++i) {
          CurveIntegratorOptions options{.tableau = method.tableau, .parameter = parameter};
          const int steps = method.steps << i;
          options.step = (parameter == Parametrisation::arc ? 3.0 : 2.0) / steps;
          options.project_stages = stages;
          // the largest on the way: at one point parts of it may cancel
          CurveIntegrator integrator{options};
          Vec p = MagneticInvariants::start();
          ASSERT_EQ(integrator.start(curve, p), Status::ok);
          error[i] = 0.0;
          for (int n = 1; n <= steps; ++n) {
            ASSERT_EQ(integrator.advance(curve, p), Status::ok);
            if (4 * n % steps == 0) error[i] = std::max(error[i], magnetic_error(p));
          }
        }
        SCOPED_TRACE(testing::Message() << error[0] << " " << error[1] << " " << error[2]);
        EXPECT_GT(error[2], 3e-14);
        EXPECT_NEAR(std::log2(error[1] / error[2]), method.order, 0.35);
      }
}

TEST(CurveIntegratorOrder, DenseOutputHasItsOwn) {
  struct Method {
    CurveTableau tableau;
    int order;  // of the error in one step
    double h;
  };
  const Curve curve = hand_written<MagneticInvariants>();
  const Vec start = numerics_steps(curve, MagneticInvariants::start(),
                                   {.tableau = CurveTableau::dop853, .step = 0.05}, 20);
  for (const Method& method : {Method{CurveTableau::rk4, 4, 0.2},
                               {CurveTableau::dopri54, 5, 0.4},
                               {CurveTableau::dop853, 8, 0.8}}) {
    SCOPED_TRACE(method.order);
    double error[3];
    for (int i = 0; i < 3; ++i) {
      CurveIntegratorOptions options{.tableau = method.tableau};
      options.step = method.h / (1 << i);
      CurveIntegrator integrator{options};
      Vec p = start, at;
      ASSERT_EQ(integrator.start(curve, p), Status::ok);
      ASSERT_EQ(integrator.advance(curve, p), Status::ok);
      error[i] = 0.0;
      for (const double theta : {0.25, 0.5, 0.7}) {
        ASSERT_EQ(integrator.interpolate(curve, theta, at), Status::ok);
        error[i] = std::max(error[i], magnetic_error(at));
        Vec f(2);
        test::magnetic_invariants(at.data() + 1, f.data());
        EXPECT_LE(f.norm(), 1e-14);
      }
      ASSERT_EQ(integrator.interpolate(curve, 1.0, at), Status::ok);
      EXPECT_EQ(at, p);
    }
    SCOPED_TRACE(testing::Message() << error[0] << " " << error[1] << " " << error[2]);
    EXPECT_NEAR(std::log2(error[0] / error[1]), method.order, 0.5);
  }
}

TEST(CurveIntegratorControl, ErrorsFollowTheTolerance) {
  struct Way {
    Parametrisation parameter;
    bool last_step_in_x;
  };
  const Curve curve = hand_written<MagneticInvariants>();
  for (const CurveTableau tableau :
       {CurveTableau::rk4, CurveTableau::dopri54, CurveTableau::dop853})
    for (const Way way : {Way{Parametrisation::arc, false}, Way{Parametrisation::arc, true},
                          Way{Parametrisation::time, false}}) {
      double last = 1.0;
      for (const double tol : {1e-5, 1e-8}) {
        CurveIntegratorOptions options{.tableau = tableau, .parameter = way.parameter, .tol = tol};
        options.last_step_in_x = way.last_step_in_x;
        CurveIntegrator integrator{options};
        Vec p = MagneticInvariants::start();
        ASSERT_EQ(integrator.start(curve, p), Status::ok);
        while (!integrator.landed()) ASSERT_EQ(integrator.advance(curve, 3.0, p), Status::ok);
        EXPECT_EQ(p[0], 3.0);
        const double error = magnetic_error(p);
        EXPECT_LE(error, 100 * tol);
        EXPECT_LE(error, 0.1 * last);
        last = error;
        Vec f(2);
        test::magnetic_invariants(p.data() + 1, f.data());
        EXPECT_LE(f.norm(), std::max(1e-14, tol * tol));
      }
    }
}

TEST(CurveIntegratorControl, ToleranceHasNoPartInConstantSteps) {
  const Curve curve = hand_written<MagneticInvariants>();
  CurveIntegratorOptions options{.tol = 1e-300, .step = 0.1};
  const Vec p = numerics_steps(curve, MagneticInvariants::start(), options, 10);
  options.tol = 1.0;
  EXPECT_EQ(p, numerics_steps(curve, MagneticInvariants::start(), options, 10));
}

// ---- impasse points, ends, senses -------------------------------------------------------------

TEST(CurveIntegratorImpasse, IsPassedAlongTheCurveAndSaidInTime) {
  const Curve curve = hand_written<test::Circle>();
  Vec p{{0.0, 1.0}}, at;
  CurveIntegrator arc{{.tol = 1e-9}};
  ASSERT_EQ(arc.start(curve, p), Status::ok);
  std::optional<double> theta;
  while (p[1] > -0.9) {
    ASSERT_EQ(arc.advance(curve, p), Status::ok);
    ASSERT_EQ(arc.find_turn(curve, theta), Status::ok);
    if (theta) {
      ASSERT_EQ(arc.interpolate(curve, *theta, at), Status::ok);
    }
  }
  ASSERT_EQ(at.size(), 2);
  EXPECT_NEAR(at[0], 1.0, 1e-12);
  EXPECT_NEAR(at[1], 0.0, 1e-6);
  EXPECT_NEAR(p[0], std::sin(arc.length()), 1e-8);
  EXPECT_NEAR(p[1], std::cos(arc.length()), 1e-8);

  p = Vec{{0.0, 1.0}};
  CurveIntegrator time{{.parameter = Parametrisation::time, .tol = 1e-9}};
  ASSERT_EQ(time.start(curve, p), Status::ok);
  Status st = Status::ok;
  Vec last;
  for (int n = 0; n < 10000 && st == Status::ok; ++n) {
    last = p;
    st = time.advance(curve, p);
  }
  EXPECT_EQ(st, Status::impasse);
  EXPECT_EQ(p, last);
  EXPECT_EQ(time.point(), last);
  EXPECT_NEAR(p[0], 1.0, 1e-7);
  EXPECT_NE(time.reason(curve).find("dp0/ds"), std::string::npos) << time.reason(curve);
}

TEST(CurveIntegratorImpasse, OfPlugFlowIsFound) {
  const Curve curve = hand_written<test::PlugFlow>();
  Vec p = test::PlugFlow::start(), at;
  CurveIntegrator integrator{{.tol = 1e-9}};
  ASSERT_EQ(integrator.start(curve, p), Status::ok);
  // dx/ds vanishes there without a change of its sign: y3 does change it
  while (p[3] > 0.0) ASSERT_EQ(integrator.advance(curve, p), Status::ok);
  double from = 0.0, to = 1.0;
  for (int i = 0; i < 40; ++i) {
    ASSERT_EQ(integrator.interpolate(curve, 0.5 * (from + to), at), Status::ok);
    (at[3] > 0.0 ? from : to) = 0.5 * (from + to);
  }
  EXPECT_NEAR(at[0], 1.0958051, 1e-6);
  EXPECT_NEAR(at[2], 10.8288, 1e-4);
  while (!integrator.landed()) ASSERT_EQ(integrator.advance(curve, 3.2188, p), Status::ok);
  EXPECT_NEAR(p[1], -8.42, 0.01);
  EXPECT_NEAR(integrator.length(), 28.87, 0.01);
}

TEST(CurveIntegratorEnd, IsMetExactlyEvenInsideAStepThatTurnsRound) {
  const Curve curve = hand_written<test::Circle>();
  for (const double x_stop : {0.5, 0.99, 0.99999}) {
    Vec p{{0.0, 1.0}};
    CurveIntegratorOptions options;
    options.step = 0.7;
    options.tableau = CurveTableau::dop853;
    CurveIntegrator integrator{options};
    ASSERT_EQ(integrator.start(curve, p), Status::ok);
    for (int n = 0; n < 5 && !integrator.landed(); ++n)
      ASSERT_EQ(integrator.advance(curve, x_stop, p), Status::ok);
    EXPECT_TRUE(integrator.landed());
    EXPECT_EQ(p[0], x_stop);
    EXPECT_NEAR(p[1], std::sqrt(1.0 - x_stop * x_stop), 1e-13);
    EXPECT_NEAR(integrator.length(), std::asin(x_stop), 1e-7);
    // and it is passed once more on the way back
    double theta_x = 0.0;
    do {
      ASSERT_EQ(integrator.advance(curve, x_stop, p), Status::ok);
      theta_x = p[0];
    } while (!integrator.landed() && integrator.length() < 3.0);
    EXPECT_EQ(theta_x, x_stop);
    EXPECT_NEAR(p[1], -std::sqrt(1.0 - x_stop * x_stop), 1e-12);
  }
}

TEST(CurveIntegratorEnd, FallingXIsASenseToo) {
  const Curve curve = hand_written<test::Circle>();
  for (const Parametrisation parameter : {Parametrisation::arc, Parametrisation::time}) {
    Vec p{{0.0, 1.0}};
    CurveIntegrator integrator{{.parameter = parameter, .tol = 1e-10}};
    ASSERT_EQ(integrator.start(curve, p, -1.0), Status::ok);
    while (!integrator.landed()) ASSERT_EQ(integrator.advance(curve, -0.75, p), Status::ok);
    EXPECT_EQ(p[0], -0.75);
    EXPECT_NEAR(p[1], std::sqrt(1.0 - 0.75 * 0.75), 1e-9);
    std::optional<double> theta;
    ASSERT_EQ(integrator.find(curve, -0.7499, theta), Status::ok);
    ASSERT_TRUE(theta);
    Vec at;
    ASSERT_EQ(integrator.interpolate(curve, *theta, at), Status::ok);
    EXPECT_NEAR(at[0], -0.7499, 1e-8);
  }
}

TEST(CurveIntegratorControl, AFailureInAStepShortensIt) {
  // a first step that leads outside the domain of the logarithm
  const Curve curve = hand_written<test::PlugFlow>();
  Vec p = test::PlugFlow::start();
  CurveIntegrator integrator{{.tol = 1e-6, .first_step = 1e3}};
  ASSERT_EQ(integrator.start(curve, p), Status::ok);
  EXPECT_EQ(integrator.advance(curve, p), Status::ok);
  EXPECT_GT(integrator.counters.rejected, 1);
  EXPECT_EQ(integrator.counters.rejected_once, 1);
  // which a constant step cannot: x = 1.4 is not on the circle
  const Curve circle = hand_written<test::Circle>();
  p = Vec{{0.0, 1.0}};
  CurveIntegratorOptions options{.parameter = Parametrisation::time};
  options.step = 0.7;
  CurveIntegrator constant{options};
  ASSERT_EQ(constant.start(circle, p), Status::ok);
  ASSERT_EQ(constant.advance(circle, p), Status::ok);
  const Vec before = p;
  EXPECT_NE(constant.advance(circle, p), Status::ok);
  EXPECT_EQ(p, before);
  EXPECT_FALSE(constant.reason(circle).empty());
}

// ---- habits -----------------------------------------------------------------------------------

TEST(CurveIntegratorHabits, StepsDoNotAllocate) {
  if (!test::allocations()) GTEST_SKIP() << "allocations cannot be counted here";
  const Curve curve = hand_written<MagneticGeneral>();
  for (const CurveTableau tableau :
       {CurveTableau::euler, CurveTableau::rk4, CurveTableau::dopri54, CurveTableau::dop853})
    for (const bool published : {false, true})
      for (const ProjectionMethod method :
           {ProjectionMethod::identity, ProjectionMethod::exact, ProjectionMethod::inexact}) {
        CurveIntegratorOptions options;
        if (published) options = published_options(tableau);
        options.tableau = tableau;
        options.tol = 1e-4;
        options.first_step = 2.0;  // is rejected
        options.projection.method = method;
        options.projection.initialise = method == ProjectionMethod::inexact;
        options.projection.max_iterations = 100;
        CurveIntegrator integrator{options};
        Vec p = MagneticGeneral::start(), at = p;
        ASSERT_EQ(integrator.start(curve, p), Status::ok);
        const auto before = test::allocations();
        Status st = Status::ok;
        for (int n = 0; n < 5 && st == Status::ok; ++n) {
          st = integrator.advance(curve, p);
          if (st == Status::ok) st = integrator.interpolate(curve, 0.3, at);
        }
        const double x_stop = p[0] + 0.5;
        for (int n = 0; n < 10000 && st == Status::ok && !integrator.landed(); ++n)
          st = integrator.advance(curve, x_stop, p);
        EXPECT_EQ(test::allocations(), before);
        EXPECT_EQ(st, Status::ok) << integrator.reason(curve);
        EXPECT_EQ(p[0], x_stop);
      }
}

TEST(CurveIntegratorHabits, ResumesToTheSameBits) {
  const Curve curve = hand_written<MagneticGeneral>();
  for (const Parametrisation parameter : {Parametrisation::arc, Parametrisation::time}) {
    const CurveIntegratorOptions options{.parameter = parameter, .tol = 1e-7};
    CurveIntegrator first{options};
    Vec p = MagneticGeneral::start();
    ASSERT_EQ(first.start(curve, p), Status::ok);
    for (int n = 0; n < 10; ++n) ASSERT_EQ(first.advance(curve, p), Status::ok);
    Archive out = Archive::writer();
    first.archive(out);
    CurveIntegrator second{options};
    Vec q = MagneticGeneral::start();
    ASSERT_EQ(second.start(curve, q), Status::ok);
    Archive in = Archive::reader(out.bytes());
    second.archive(in);
    q = second.point();
    EXPECT_EQ(q, p);
    for (int n = 0; n < 10; ++n) {
      ASSERT_EQ(first.advance(curve, p), Status::ok);
      ASSERT_EQ(second.advance(curve, q), Status::ok);
    }
    EXPECT_EQ(p, q);
    EXPECT_EQ(first.length(), second.length());
    EXPECT_EQ(first.counters.iterations, second.counters.iterations);
  }
}

}  // namespace
}  // namespace taut
