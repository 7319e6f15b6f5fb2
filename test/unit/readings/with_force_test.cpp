// SPDX-License-Identifier: BSD-3-Clause
// A force known as a function only, beside the same force as a formula of the model.
#include "taut/readings/with_force.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "core/allocation_counter.hpp"
#include "readings/readings.hpp"
#include "taut/core/problems.hpp"
#include "taut/methods/registry.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"
#include "taut/run/integrate.hpp"

namespace taut {
namespace {

constexpr double c = 0.3, push = 0.2, omega = 5.0;

CompiledModel pendulum(const std::string& more, double compliance = 0.0) {
  Problems problems;
  const Model model = read_model(
      "name = \"pendulum\"\n[points]\n"
      "bob = { mass = 1.3, at = [0.8, 0], velocity = [0, -0.4] }\n"
      "far = { mass = 1, at = [0.8, -1], velocity = [0, -0.4] }\n"
      "[[rod]]\nbetween = [\"origin\", \"bob\"]\nlength = 0.8\n"
      "compliance = " +
          std::to_string(compliance) +
          "\n[[rod]]\nbetween = [\"bob\", \"far\"]\nlength = 1\n"
          "[[gravity]]\nacceleration = [0, -9.81]\n" +
          more,
      problems);
  problems.throw_if_any();
  return compile(model);
}

// drag of the bob, not linear, and a push that depends on time
const char* const as_formula = R"toml(
[[force]]
on = "bob"
value = ["-0.3*bob.vx*(1 + bob.x^2) + 0.2*cos(5*t)", "-0.3*bob.vy*(1 + bob.x^2)"]
)toml";

BlackBoxForce as_function(bool with_derivatives) {
  BlackBoxForce box;
  box.coordinates = {"bob.y", "bob.x"};  // in an order of its own
  box.force = [](double t, const Vec& q, const Vec& v, Vec& f) {
    const double drag = c * (1 + q[1] * q[1]);
    f[0] = -drag * v[0];
    f[1] = -drag * v[1] + push * std::cos(omega * t);
    return Status::ok;
  };
  if (with_derivatives)
    box.derivatives = [](double, const Vec& q, const Vec& v, Mat& f_q, Mat& f_v) {
      f_q(0, 1) = -2 * c * q[1] * v[0];
      f_q(1, 1) = -2 * c * q[1] * v[1];
      f_v(0, 0) = f_v(1, 1) = -c * (1 + q[1] * q[1]);
      return Status::ok;
    };
  return box;
}

struct End {
  Status status = Status::ok;
  State state;
  Vec multipliers;
  std::int64_t steps = 0;
};

End end_of(const System& written, const State& start, const std::string& name, double T = 1.5) {
  Method method = make_method(name, {.tol = 1e-10}).value();
  const System system = method.info().compliance ? equations(written) : springs(written);
  End end{.state = start};
  end.status = method->start(system, end.state);
  while (end.status == Status::ok && end.state.t < T) {
    end.status = method.info().adaptive ? method->advance(system, T, end.state)
                                        : method->step(system, 1e-3, end.state);
    ++end.steps;
  }
  return end;
}

TEST(WithForce, MovesAsTheSameForceInTheModelDoes) {
  const CompiledModel formula = pendulum(as_formula), without = pendulum("");
  const System function = with_force(without.system, as_function(true));
  for (const char* name : {"dop853", "radau", "auto", "rattle", "rk4", "projected-rk",
                           "cvode-adams", "cvode-bdf", "arkode", "ida"}) {
    SCOPED_TRACE(name);
    const End a = end_of(formula.system, formula.given, name);
    const End b = end_of(function, formula.given, name);
    ASSERT_EQ(a.status, Status::ok);
    ASSERT_EQ(b.status, Status::ok);
    // ida works at the level of rounding here, and takes other steps for it
    const bool noisy = std::string{name} == "ida";
    EXPECT_LE((a.state.q - b.state.q).norm(), noisy ? 1e-7 : 1e-9);
    EXPECT_LE((a.state.v - b.state.v).norm(), noisy ? 1e-7 : 1e-9);
    EXPECT_NEAR(static_cast<double>(a.steps), static_cast<double>(b.steps),
                (noisy ? 0.3 : 0.03) * static_cast<double>(a.steps) + 1);
    EXPECT_GE((a.state.q - end_of(without.system, formula.given, name).state.q).norm(), 0.01);
  }
}

TEST(WithForce, WithoutDerivativesIsForMethodsThatNeedNone) {
  const CompiledModel formula = pendulum(as_formula), without = pendulum("");
  const System function = with_force(without.system, as_function(false));
  EXPECT_FALSE(function.structure().differentiable);
  for (const char* name : {"dop853", "auto", "rattle", "rk4"}) {
    const End a = end_of(formula.system, formula.given, name);
    const End b = end_of(function, formula.given, name);
    ASSERT_EQ(b.status, Status::ok) << name;
    EXPECT_LE((a.state.q - b.state.q).norm(), 1e-9) << name;
  }
  for (const char* name : {"radau", "cvode-bdf", "arkode", "ida"}) {
    Method method = make_method(name).value();
    EXPECT_EQ(method->start(function, formula.given), Status::not_supported) << name;
    EXPECT_NE(method->message().find("black box"), std::string::npos) << method->message();
  }
}

TEST(WithForce, ItsDerivativesAreThoseOfTheFormula) {
  const CompiledModel formula = pendulum(as_formula), without = pendulum("");
  const System function = with_force(without.system, as_function(true));
  const Vec q = formula.given.q, v{{0.3, -0.4, 0.1, 0.2}}, a{{1.0, 2.0, 3.0, 4.0}},
            lambda{{0.5, -0.7}};
  const Arguments at{.t = 0.1, .q = q, .v = v, .a = &a, .lambda = &lambda};
  const Needs all = needs(Target::force, Target::momentum_force, Target::stiffness, Target::damping,
                          Target::constraint, Target::constraint_jacobian, Target::kinetic_energy);
  Evaluation x, y;
  formula.system.prepare(x);
  function.prepare(y);
  ASSERT_EQ(formula.system.evaluate(all, at, x), Status::ok);
  ASSERT_EQ(function.evaluate(all, at, y), Status::ok);
  EXPECT_LE((x.f - y.f).norm(), 1e-14);
  EXPECT_LE((x.momentum_force - y.momentum_force).norm(), 1e-14);
  EXPECT_LE((Mat{x.K} - Mat{y.K}).norm(), 1e-14);
  EXPECT_LE((Mat{x.D} - Mat{y.D}).norm(), 1e-14);
  EXPECT_EQ(x.g, y.g);
  EXPECT_EQ(Mat{x.G}, Mat{y.G});
  EXPECT_EQ(x.kinetic_energy, y.kinetic_energy);
}

TEST(WithForce, SaysWhatItIs) {
  const CompiledModel without = pendulum("");
  BlackBoxForce box = as_function(true);
  const Structure s = with_force(without.system, box).structure();
  EXPECT_FALSE(s.conservative);
  EXPECT_FALSE(s.force_constant);
  EXPECT_TRUE(s.force_uses_velocity);
  EXPECT_TRUE(s.force_uses_time);
  EXPECT_TRUE(s.differentiable);
  EXPECT_EQ(s.nc, 2);

  box.uses_velocity = box.uses_time = false;
  const Structure quiet = with_force(without.system, box).structure();
  EXPECT_FALSE(quiet.force_uses_velocity);
  EXPECT_FALSE(quiet.force_uses_time);
}

TEST(WithForce, GoesBelowTheReadingOfRows) {
  // a compliant rod: as an equation and as a spring, with the force joined before or after
  const CompiledModel soft = pendulum("", 1e-3), formula = pendulum(as_formula, 1e-3);
  const System before = springs(with_force(soft.system, as_function(true)));
  const System after = with_force(springs(soft.system), as_function(true));
  EXPECT_EQ(before.nc(), 1);
  EXPECT_EQ(after.nc(), 1);
  EXPECT_EQ(equations(after).nc(), 2);
  EXPECT_EQ(rigid(after).structure().C.maxCoeff(), 0.0);
  for (const char* name : {"dop853", "radau", "cvode-bdf"}) {
    SCOPED_TRACE(name);
    const End expected = end_of(formula.system, formula.given, name, 0.5);
    for (const System& system : {before, after}) {
      const End end = end_of(system, formula.given, name, 0.5);
      ASSERT_EQ(end.status, Status::ok);
      EXPECT_LE((end.state.q - expected.state.q).norm(), 1e-8);
    }
  }
  Evaluation scratch;
  after.prepare(scratch);
  Vec all;
  const State& at = soft.given;
  ASSERT_EQ(after.multipliers({at.t, at.q, at.v}, Vec::Zero(1), scratch, all), Status::ok);
  EXPECT_EQ(all.size(), 2);
}

TEST(WithForce, AllocatesNothingInSteps) {
  if (!test::allocations()) GTEST_SKIP() << "malloc cannot be counted in this build";
  const CompiledModel without = pendulum("");
  const System system = with_force(without.system, as_function(true));
  for (const char* name : {"rattle", "rk4"}) {
    Method method = make_method(name).value();
    State s = without.given;
    ASSERT_EQ(method->start(system, s), Status::ok);
    ASSERT_EQ(method->step(system, 1e-3, s), Status::ok);
    const std::size_t before = *test::allocations();
    Status st = Status::ok;
    for (int n = 0; n < 50 && st == Status::ok; ++n) st = method->step(system, 1e-3, s);
    EXPECT_EQ(*test::allocations() - before, 0U) << name;
    EXPECT_EQ(st, Status::ok);
  }
}

TEST(WithForce, ItsFailuresEndAStepAndAreNamed) {
  const CompiledModel without = pendulum("");
  BlackBoxForce box;
  box.force = [](double t, const Vec&, const Vec&, Vec& f) {
    f[3] = t > 0.1 ? std::nan("") : 0.0;
    return Status::ok;
  };
  const System system = with_force(without.system, box);
  EXPECT_EQ(end_of(system, without.given, "rattle").status, Status::non_finite);
  const State& s = without.given;
  EXPECT_EQ(system.culprit({0.2, s.q, s.v}), "force on far.y");
  box.force = [](double t, const Vec&, const Vec&, Vec&) {
    return t > 0.1 ? Status::cancelled : Status::ok;
  };
  EXPECT_EQ(end_of(with_force(without.system, box), s, "rattle").status, Status::cancelled);
}

TEST(WithForce, WhatDoesNotFitIsReportedInOneGo) {
  try {
    (void)with_force(pendulum("").system, {.coordinates = {"bob.x", "bob.z", "bob.x"}});
    FAIL() << "there is nothing to call";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.problems().count(), 3U) << error.what();
  }
}

}  // namespace
}  // namespace taut
