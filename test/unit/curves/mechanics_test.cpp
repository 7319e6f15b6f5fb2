// SPDX-License-Identifier: BSD-3-Clause
// Mechanical systems as curves, and projected-rk along them.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <string_view>

#include "allocation_counter.hpp"
#include "curves/holonomic_rows.hpp"
#include "methods/dormand_prince.hpp"
#include "methods/projected_rk.hpp"
#include "readings/readings.hpp"
#include "taut/core/archive.hpp"
#include "taut/curves/holonomic.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"
#include "taut/model/start.hpp"

namespace taut {
namespace {

struct MechanicsModel {
  System system;
  State start;
};

MechanicsModel mechanics_model(const Model& model, Problems& problems) {
  const CompiledModel compiled = compile(model, problems);
  EXPECT_TRUE(problems.empty()) << problems.message();
  const Start start = consistent_start(compiled.system, compiled.given);
  EXPECT_EQ(start.status, Status::ok) << start.reason;
  return {compiled.system, start.state};
}

MechanicsModel mechanics_model(std::string_view toml) {
  Problems problems;
  return mechanics_model(read_model(toml, problems), problems);
}

MechanicsModel mechanics_gallery(const std::string& name) {
  Problems problems;
  const std::string file = taut_SOURCE_DIR "/models/" + name + ".toml";
  return mechanics_model(read_model_file(file, problems), problems);
}

// a pendulum in space whose anchor moves, with an invariant that reads t
constexpr const char* moving_anchor = R"toml(
name = "moving anchor"
[anchors]
top = ["0.3*sin(2*t)", "0.1*t", "0.2*cos(t)"]
[points]
bob = { mass = 2, at = [1, 0.2, -0.5], velocity = [0.1, 0.7, 0.3] }
[[rod]]
between = ["top", "bob"]
length  = 1.1
[[gravity]]
acceleration = [0, 0, -9.81]
)toml";

// M(q), a constraint that reads several coordinates, an invariant, and phases of a vibration
constexpr const char* two_angles = R"toml(
name = "two angles"
[coordinates]
a = { at = 0.6, velocity = 0.4 }
b = { at = 1.1, velocity = -0.3 }
z = { mass = 1.5, at = 0.2, velocity = 0.1 }
[[kinetic]]
energy = "v(a)^2 + v(b)^2/2 + v(a)*v(b)*cos(a - b)/2"
[[potential]]
energy = "-2*cos(a) - cos(b) + z^2"
[[constraint]]
zero = "z - sin(a)*cos(b)/3"
[[invariant]]
name  = "made up"
value = "z*v(a) + t*v(b)^2"
)toml";

/// Points about the start.
Vec mechanics_point(const MechanicsModel& model, unsigned seed) {
  std::mt19937 random{seed};
  std::normal_distribution<double> normal;
  Vec p = point_of(model.start);
  for (double& x : p) x += 0.1 * normal(random);
  return p;
}

Mat central_differences(Index rows, const Vec& p, const auto& value) {
  Mat J(rows, p.size());
  Vec at = p;
  for (Index j = 0; j < p.size(); ++j) {
    const double h = 1e-5 * (1.0 + std::abs(p[j]));
    at[j] = p[j] + h;
    const Vec high = value(at);
    at[j] = p[j] - h;
    J.col(j) = (high - value(at)) / (2 * h);
    at[j] = p[j];
  }
  return J;
}

void expect_derivatives(const Curve& curve, const Vec& p) {
  CurveEvaluation ev;
  curve.prepare(ev);
  const auto f = [&](const Vec& at) {
    EXPECT_EQ(curve.value(at, ev), Status::ok);
    return ev.f;
  };
  const Mat df = central_differences(curve.equations(), p, f);
  const Vec value = f(p);
  ASSERT_EQ(curve.jacobian(p, ev), Status::ok);
  EXPECT_EQ(ev.f, value);
  EXPECT_LE((Mat{ev.df} - df).cwiseAbs().maxCoeff(), 1e-7 * (1.0 + df.cwiseAbs().maxCoeff()));
  if (!curve.structure().second_derivatives) return;

  Vec mu(curve.equations());
  for (Index i = 0; i < mu.size(); ++i) mu[i] = std::sin(1.0 + static_cast<double>(i));
  const Mat d2f = central_differences(p.size(), p, [&](const Vec& at) {
    EXPECT_EQ(curve.jacobian(at, ev), Status::ok);
    return Vec{Mat{ev.df}.transpose() * mu};
  });
  ASSERT_EQ(curve.hessian(p, mu, ev), Status::ok);
  EXPECT_LE((Mat{ev.d2f} - d2f).cwiseAbs().maxCoeff(), 1e-7 * (1.0 + d2f.cwiseAbs().maxCoeff()));
  EXPECT_GE(d2f.cwiseAbs().maxCoeff(), 0.1);  // else the test would say nothing
}

TEST(HolonomicForm, DerivativesAreThoseOfTheEquations) {
  for (const char* toml : {moving_anchor, two_angles}) {
    const MechanicsModel model = mechanics_model(toml);
    const CurveForm form = holonomic_form(model.system, model.start);
    ASSERT_EQ(form.reason, "");
    EXPECT_TRUE(form.curve.structure().uses_x);
    for (unsigned seed = 1; seed <= 3; ++seed)
      expect_derivatives(form.curve, mechanics_point(model, seed));
  }
  const MechanicsModel angles = mechanics_model(two_angles);
  const CurveForm energy =
      holonomic_form(angles.system, angles.start, {.energy = true, .invariants = false});
  ASSERT_EQ(energy.reason, "");
  EXPECT_FALSE(energy.curve.structure().uses_x);
  expect_derivatives(energy.curve, mechanics_point(angles, 4));
  for (const char* file : {"zigzag", "four_bar", "hinged_bodies"}) {
    SCOPED_TRACE(file);
    const MechanicsModel model = mechanics_gallery(file);
    const CurveForm form = holonomic_form(rigid(model.system), model.start, {.energy = true});
    ASSERT_EQ(form.reason, "");
    EXPECT_TRUE(form.curve.structure().second_derivatives);
    expect_derivatives(form.curve, mechanics_point(model, 5));
  }
}

TEST(HolonomicForm, FormulasAndSystemsGiveTheSameRows) {
  for (const char* toml : {moving_anchor, two_angles}) {
    const MechanicsModel model = mechanics_model(toml);
    HolonomicInvariants kept;
    for (const Observable& watched : model.system.structure().observables)
      if (watched.kind == Observable::Kind::invariant) kept.observables = {0};  // they stand first
    const auto formulas = formula_rows(model.system, kept);
    const auto plain = system_rows(model.system, kept);
    ASSERT_TRUE(formulas);
    const Vec p = mechanics_point(model, 6);
    Mat df[2];
    Vec f[2];
    for (const int k : {0, 1}) {
      const HolonomicRows& rows = k == 0 ? *formulas : *plain;
      CurveStructure structure;
      rows.find_patterns(structure);
      HolonomicScratch scratch;
      scratch.q = model.start.q;
      scratch.v = model.start.v;
      rows.prepare(scratch);
      f[k].setZero(structure.df.rows());
      Sparse values = structure.df;
      ASSERT_EQ(rows.jacobian(p, scratch, f[k], values), Status::ok);
      df[k] = Mat{values};
    }
    EXPECT_LE((f[0] - f[1]).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_LE((df[0] - df[1]).cwiseAbs().maxCoeff(), 1e-13);
  }
}

TEST(HolonomicForm, DirectionIsTheMotion) {
  // (1, v, a) lies in the manifold, and a is that of consistent_start()
  for (const char* file : {"zigzag", "redundant", "hinged_bodies"}) {
    SCOPED_TRACE(file);
    const MechanicsModel model = mechanics_gallery(file);
    const Start start = consistent_start(model.system, model.start);
    for (const DistributionMethod method :
         {DistributionMethod::automatic, DistributionMethod::block}) {
      const CurveForm form =
          holonomic_form(model.system, model.start, {.energy = true, .distribution = method});
      ASSERT_EQ(form.reason, "");
      CurveEvaluation ev;
      form.curve.prepare(ev);
      const Vec p = point_of(model.start);
      Vec V = Vec::Zero(p.size());
      ASSERT_EQ(form.curve.direction(p, ev, V), Status::ok);
      const Index nq = model.system.nq();
      EXPECT_NEAR(V.norm(), 1.0, 1e-14);
      EXPECT_GT(V[0], 0.0);
      EXPECT_LE((V.tail(nq) / V[0] - start.a).norm(), 1e-9 * (1.0 + start.a.norm()));
      Vec back = -V;
      ASSERT_EQ(form.curve.direction(p, ev, back), Status::ok);
      EXPECT_LE((back + V).norm(), 1e-12);
      ASSERT_EQ(form.curve.jacobian(p, ev), Status::ok);
      EXPECT_LE((ev.df * V).cwiseAbs().maxCoeff(), 1e-10);
    }
  }
}

TEST(HolonomicForm, RefusesWhatItCannotKeepInWords) {
  const MechanicsModel driven = mechanics_model(moving_anchor);
  EXPECT_NE(holonomic_form(driven.system, driven.start, {.energy = true}).reason.find("not kept"),
            std::string::npos);
  const MechanicsModel stiff = mechanics_gallery("stiff_double_pendulum");
  EXPECT_NE(holonomic_form(stiff.system, stiff.start).reason.find("compliance"), std::string::npos);
  EXPECT_EQ(holonomic_form(springs(stiff.system), stiff.start, {.energy = true}).reason, "");
  EXPECT_NE(holonomic_form(driven.system, driven.start, {.distribution = DistributionMethod::svd})
                .reason.find("block"),
            std::string::npos);
}

/// Largest |g|, |G v + g_t| and change of T + U over a run, at all its steps.
struct MechanicsResiduals {
  double g = 0.0, Gv = 0.0, energy = 0.0;
};

double mechanics_energy(const System& system, const State& s, Evaluation& ev) {
  EXPECT_EQ(system.evaluate(needs(Target::kinetic_energy, Target::potential_energy),
                            {.t = s.t, .q = s.q, .v = s.v}, ev),
            Status::ok);
  return ev.kinetic_energy + ev.potential_energy;
}

State mechanics_run(const MechanicsModel& model, const ProjectedRkOptions& options, double T,
                    MechanicsResiduals* residuals = nullptr) {
  ProjectedRk method{options};
  State s = model.start;
  Evaluation ev;
  model.system.prepare(ev);
  const double E0 = mechanics_energy(model.system, s, ev);
  Status st = method.start(model.system, s);
  while (st == Status::ok && s.t < T) {
    st = method.advance(model.system, T, s);
    if (residuals == nullptr) continue;
    if (model.system.nc() > 0) {
      EXPECT_EQ(model.system.evaluate(
                    needs(Target::constraint, Target::constraint_jacobian, Target::constraint_rate),
                    {.t = s.t, .q = s.q, .v = s.v}, ev),
                Status::ok);
      residuals->g = std::max(residuals->g, ev.g.cwiseAbs().maxCoeff());
      residuals->Gv = std::max(residuals->Gv, (ev.G * s.v + ev.g_t).cwiseAbs().maxCoeff());
    }
    residuals->energy =
        std::max(residuals->energy, std::abs(mechanics_energy(model.system, s, ev) - E0));
  }
  EXPECT_EQ(st, Status::ok) << method.message();
  return s;
}

State mechanics_truth(const MechanicsModel& model, double T) {
  DormandPrince853 method{{.tol = 1e-14}};
  State s = model.start;
  Status st = method.start(model.system, s);
  while (st == Status::ok && s.t < T) st = method.advance(model.system, T, s);
  EXPECT_EQ(st, Status::ok);
  return s;
}

double mechanics_distance(const State& a, const State& b) {
  return (a.q - b.q).norm() + (a.v - b.v).norm();
}

TEST(ProjectedRk, KeepsConstraintsAndEnergyWhereOthersDrift) {
  const MechanicsModel model = mechanics_gallery("zigzag");
  MechanicsResiduals kept, free;
  mechanics_run(model, {.tol = 1e-6, .keep_energy = true}, 10.0, &kept);
  mechanics_run(model, {.tol = 1e-6}, 10.0, &free);
  EXPECT_LE(kept.g, 1e-13);
  EXPECT_LE(kept.Gv, 1e-12);
  EXPECT_LE(kept.energy, 1e-11);
  EXPECT_LE(free.g, 1e-13);
  EXPECT_GE(free.energy, 1e-6);
}

TEST(ProjectedRk, KeepsTheInvariantsOfTheModel) {
  // a mass on a spring in the plane of a table: angular momentum
  const MechanicsModel model = mechanics_model(R"toml(
name = "spring pendulum"
[points]
bob = { mass = 1.5, at = [1, 0.1], velocity = [0.2, 1.3] }
[[spring]]
between   = ["origin", "bob"]
stiffness = 40
length    = 0.8
[[invariant]]
name  = "angular momentum"
value = "1.5*(bob.x*bob.vy - bob.y*bob.vx)"
)toml");
  const auto momentum = [](const State& s) { return 1.5 * (s.q[0] * s.v[1] - s.q[1] * s.v[0]); };
  const double before = momentum(model.start);
  MechanicsResiduals both;
  EXPECT_NEAR(momentum(mechanics_run(model, {.tol = 1e-5, .keep_energy = true}, 20.0, &both)),
              before, 1e-13);
  EXPECT_LE(both.energy, 1e-12);
  ProjectedRk method{{.tol = 1e-5, .keep_energy = true}};
  ASSERT_EQ(method.start(model.system, model.start), Status::ok);
  ASSERT_EQ(method.notes().size(), 1U);
  EXPECT_NE(method.notes()[0].text().find("angular momentum, energy"), std::string::npos);
}

TEST(ProjectedRk, EveryVariantFindsTheSameMotion) {
  for (const char* toml : {moving_anchor, two_angles}) {
    MechanicsModel model = mechanics_model(toml);
    const bool conserves = toml == two_angles;
    if (conserves) {
      // the invariant is made up: none is kept here
      std::string text{toml};
      text.resize(text.find("[[invariant]]"));
      model = mechanics_model(text);
    }
    const State truth = mechanics_truth(model, 2.0);
    for (const Parametrisation parameter : {Parametrisation::arc, Parametrisation::time})
      for (const CurveTableau tableau :
           {CurveTableau::rk4, CurveTableau::dopri54, CurveTableau::dop853})
        for (const ProjectionMethod projection :
             {ProjectionMethod::identity, ProjectionMethod::exact, ProjectionMethod::gauss_newton,
              ProjectionMethod::inexact}) {
          MechanicsResiduals left;
          const State s = mechanics_run(model,
                                        {.tol = 1e-9,
                                         .keep_energy = conserves,
                                         .tableau = tableau,
                                         .parameter = parameter,
                                         .project_stages = projection == ProjectionMethod::exact,
                                         .projection = projection},
                                        2.0, &left);
          EXPECT_EQ(s.t, 2.0);
          EXPECT_LE(mechanics_distance(s, truth), 5e-7);
          // Krylov solutions leave a part of the tolerance
          const double level = projection == ProjectionMethod::inexact ? 1e-9 : 1e-13;
          EXPECT_LE(left.g, level);
          EXPECT_LE(left.Gv, 10 * level);
          if (conserves) {
            EXPECT_LE(left.energy, 10 * level);
          }
        }
  }
}

TEST(ProjectedRk, IsOfOrderFive) {
  // the truth is the double pendulum in its angles
  const MechanicsModel rods = mechanics_model(R"toml(
name = "rods"
[points]
a = { mass = 1, at = [1, 0] }
b = { mass = 1, at = [1, -1] }
[[rod]]
between = ["origin", "a"]
[[rod]]
between = ["a", "b"]
[[gravity]]
acceleration = [0, -1]
)toml");
  const MechanicsModel angles = mechanics_model(R"toml(
name = "angles"
[coordinates]
a = { at = "pi/2" }
b = { at = 0 }
[[kinetic]]
energy = "v(a)^2 + v(b)^2/2 + v(a)*v(b)*cos(a - b)"
[[potential]]
energy = "-2*cos(a) - cos(b)"
)toml");
  const State truth = mechanics_truth(angles, 2.0);
  const double a = truth.q[0], b = truth.q[1], a1 = truth.v[0], b1 = truth.v[1];
  const Vec q{{std::sin(a), -std::cos(a), std::sin(a) + std::sin(b), -std::cos(a) - std::cos(b)}};
  const Vec v{{a1 * std::cos(a), a1 * std::sin(a), a1 * std::cos(a) + b1 * std::cos(b),
               a1 * std::sin(a) + b1 * std::sin(b)}};
  const CurveForm form = holonomic_form(rods.system, rods.start, {.energy = true});
  ASSERT_EQ(form.reason, "");
  double error[3];
  for (const int k : {0, 1, 2}) {
    CurveIntegrator integrator{
        {.parameter = Parametrisation::time, .step = 0.1 / std::pow(2.0, k)}};
    Vec p = point_of(rods.start);
    ASSERT_EQ(integrator.start(form.curve, p), Status::ok);
    while (p[0] < 2.0) ASSERT_EQ(integrator.advance(form.curve, 2.0, p), Status::ok);
    error[k] = (p.segment(1, 4) - q).norm() + (p.tail(4) - v).norm();
  }
  EXPECT_NEAR(std::log2(error[1] / error[2]), 5.0, 0.25) << error[0] << ' ' << error[1];
  EXPECT_GE(error[2], 1e-11);
}

TEST(ProjectedRk, RedundantConstraintsDoNotDisturb) {
  // the platform on three cranks moves as a pendulum of length 1
  const MechanicsModel model = mechanics_gallery("redundant");
  const State truth = mechanics_truth(model, 5.0);
  MechanicsResiduals left;
  const State s = mechanics_run(model, {.tol = 1e-8, .keep_energy = true}, 5.0, &left);
  EXPECT_LE(mechanics_distance(s, truth), 1e-5);
  EXPECT_LE(left.g, 1e-12);
  EXPECT_LE(left.energy, 1e-10);
}

TEST(ProjectedRk, StartsFromRestAndStaysAtAnEquilibrium) {
  // at rest below its anchor the gradient of the energy is that of the rod
  const char* const pendulum = R"toml(
name = "pendulum"
[points]
bob = { mass = 1, at = [0, -1] }
[[rod]]
name    = "the rod"
between = ["origin", "bob"]
[[gravity]]
acceleration = [0, -9.81]
)toml";
  const MechanicsModel model = mechanics_model(pendulum);
  const State end = mechanics_run(model, {.keep_energy = true}, 10.0);
  EXPECT_LE(mechanics_distance(end, model.start), 1e-12);

  MechanicsModel swinging = model;
  swinging.start.q << 0.6, -0.8;
  MechanicsResiduals left;
  const State s = mechanics_run(swinging, {.tol = 1e-9, .keep_energy = true}, 3.0, &left);
  EXPECT_LE(mechanics_distance(s, mechanics_truth(swinging, 3.0)), 1e-7);
  EXPECT_LE(left.energy, 1e-13);

  // the rod has no direction where its ends meet
  MechanicsModel lost = model;
  lost.start.q.setZero();
  ProjectedRk method;
  EXPECT_NE(method.start(lost.system, lost.start), Status::ok);
  EXPECT_NE(method.message().find("the rod"), std::string::npos) << method.message();
}

TEST(ProjectedRk, RefusesInWordsAndLeavesTheState) {
  const MechanicsModel driven = mechanics_model(moving_anchor);
  ProjectedRk method{{.keep_energy = true}};
  EXPECT_EQ(method.start(driven.system, driven.start), Status::not_supported);
  EXPECT_NE(method.message().find("T + U is not kept"), std::string::npos);
}

TEST(ProjectedRk, RefusesAnInvariantThatTheMotionDoesNotKeep) {
  const auto [system, start] = mechanics_model(
      R"toml(points.bob = { mass = 1, at = [0, -1], velocity = [1, 0] }  # no torque here
rod = [{ between = ["origin", "bob"], length = 1 }]
gravity = [{ acceleration = [0, -1] }]
invariant = [{ name = "spin", value = "bob.x*bob.vy - bob.y*bob.vx" }]
)toml");
  ProjectedRk method;
  State state = start;
  ASSERT_EQ(method.start(system, state), Status::ok) << method.message();
  EXPECT_EQ(method.advance(system, 1.0, state), Status::constraints_contradict);
  EXPECT_NE(method.message().find("'spin' is not kept"), std::string::npos) << method.message();
  EXPECT_EQ(state.q, start.q);
}

TEST(ProjectedRk, ResumesToTheSameBitsWithWhatItKeeps) {
  const MechanicsModel model = mechanics_gallery("zigzag");
  const ProjectedRkOptions options{.tol = 1e-7, .keep_energy = true};
  ProjectedRk method{options}, resumed{options};
  State s = model.start;
  ASSERT_EQ(method.start(model.system, s), Status::ok);
  for (int n = 0; n < 20; ++n) ASSERT_EQ(method.advance(model.system, 3.0, s), Status::ok);
  Archive writer = Archive::writer();
  method.archive(writer);
  State again = s;
  // T + U of this state is not that of the start to the last bit
  ASSERT_EQ(resumed.start(model.system, again), Status::ok);
  Archive reader = Archive::reader(writer.bytes());
  resumed.archive(reader);
  while (s.t < 3.0) {
    ASSERT_EQ(method.advance(model.system, 3.0, s), Status::ok);
    ASSERT_EQ(resumed.advance(model.system, 3.0, again), Status::ok);
    ASSERT_TRUE(s.t == again.t && s.q == again.q && s.v == again.v);
  }
  EXPECT_EQ(method.counters.newton_iterations, resumed.counters.newton_iterations);
}

TEST(ProjectedRk, NoStepAllocatesWithTheEnergyKept) {
  if (!test::allocations()) GTEST_SKIP() << "malloc cannot be counted in this build";
  const MechanicsModel model = mechanics_gallery("zigzag");
  ProjectedRk method{{.tol = 1e-7, .keep_energy = true}};
  State s = model.start, at = s;
  ASSERT_EQ(method.start(model.system, s), Status::ok);
  const std::size_t before = *test::allocations();
  Status st = Status::ok;
  while (s.t < 1.0 && st == Status::ok) {
    const double t0 = s.t;
    st = method.advance(model.system, 1.0, s);
    if (st == Status::ok) st = method.interpolate(model.system, (t0 + s.t) / 2, at);
  }
  EXPECT_EQ(st, Status::ok);
  EXPECT_EQ(*test::allocations() - before, 0U);
}

}  // namespace
}  // namespace taut
