// SPDX-License-Identifier: BSD-3-Clause
// First-order states, against motions that are known.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "taut/methods/fits.hpp"
#include "taut/methods/registry.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"
#include "taut/simulation/plan.hpp"
#include "taut/simulation/simulate.hpp"
#include "taut/simulation/simulation.hpp"
#include "taut/statics/equilibria.hpp"

namespace taut {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Model states_model(const std::string& text) {
  Problems problems{"states.toml"};
  Model model = read_model(text, problems);
  problems.throw_if_any();
  return model;
}

std::string states_mistakes(const std::string& text) {
  Problems problems{"states.toml"};
  const Model model = read_model(text, problems);
  (void)compile(model, problems);
  return problems.message();
}

// x''' + 6 x'' + 11 x' + 6 x = 6: roots -1, -2, -3
const char* const pid = R"toml(
name = "PID"
[coordinates]
x = { mass = 1 }
[definitions]
error = "1 - x"
[states]
I = { rate = "error" }
[[force]]
on    = "x"
value = "11*error + 6*I - 6*v(x)"
[run]
until = 4
)toml";

double pid_x(double t) {
  return 1 + 2.5 * std::exp(-t) - 8 * std::exp(-2 * t) + 4.5 * std::exp(-3 * t);
}
double pid_I(double t) {
  return -(2.5 * (1 - std::exp(-t)) - 4 * (1 - std::exp(-2 * t)) + 1.5 * (1 - std::exp(-3 * t)));
}

TEST(States, OfAControllerAreExactInAllAdaptiveMethods) {
  for (const MethodInfo& info : all_methods()) {
    if (!info.adaptive) continue;
    SCOPED_TRACE(info.name);
    const Result run =
        simulate(states_model(pid), {.every = 0.5, .method = std::string{info.name}, .tol = 1e-10});
    ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
    const Column t = run.motion["t"], x = run.motion["x"], I = run.motion["I"];
    ASSERT_EQ(t.size(), 9U);
    for (std::size_t k = 0; k < t.size(); ++k) {
      EXPECT_NEAR(x[k], pid_x(t[k]), 1e-7);
      EXPECT_NEAR(I[k], pid_I(t[k]), 1e-7);
    }
  }
}

TEST(States, AreColumnsAndNumbersByTheirName) {
  const Result run = simulate(states_model(pid), {.tol = 1e-10});
  EXPECT_THAT(run.motion.coordinates, ElementsAre("x"));
  EXPECT_THAT(run.motion.velocities, ElementsAre("v(x)", "I"));
  EXPECT_THAT(run.summary.coordinates, ElementsAre("x"));
  EXPECT_EQ(run.summary.state.q.size(), 1);
  EXPECT_NEAR(run.summary.state.v[1], pid_I(4), 1e-8);
  Simulation held{states_model(pid), {.tol = 1e-10}};
  ASSERT_EQ(held.advance_to(1.0), Status::ok);
  EXPECT_NEAR(held["I"], pid_I(1), 1e-8);
  EXPECT_NEAR(held["rate(I)"], 1 - pid_x(1), 1e-8);
  EXPECT_NEAR(held.value("2*I + x"), 2 * pid_I(1) + pid_x(1), 1e-7);
  EXPECT_THROW((void)held["integral(I)"], ModelError);
  EXPECT_THROW((void)held["v(I)"], ModelError);
  // set, saved and brought back, to the bit
  ASSERT_EQ(held.set_state("I", 0.25), Status::ok) << held.message();
  EXPECT_EQ(held["I"], 0.25);
  const auto saved = held.save();
  ASSERT_EQ(held.advance_to(2.0), Status::ok);
  const double I = held["I"], x = held["x"];
  ASSERT_EQ(held.restore(saved), Status::ok) << held.message();
  ASSERT_EQ(held.advance_to(2.0), Status::ok);
  EXPECT_EQ(held["I"], I);
  EXPECT_EQ(held["x"], x);
  EXPECT_EQ(held.set_state("J", 1.0), Status::invalid_argument);
  EXPECT_THAT(held.message(), HasSubstr("J"));
}

// T' = -1e6 (T - sin t) stays within 1e-6 of sin t: explicit steps would be 3e6 in number
TEST(States, ThatAreStiffAreTakenInLongStepsByImplicitMethods) {
  const Model model = states_model(R"toml(
[states]
T = { at = 1, rate = "-1e6*(T - sin(t))" }
[run]
until = 10
)toml");
  constexpr double k = 1e6;
  for (const char* const method : {"radau", "cvode-bdf", "arkode", "ida", "auto"}) {
    SCOPED_TRACE(method);
    const Result run = simulate(model, {.every = 1, .method = method, .tol = 1e-8});
    ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
    const Column t = run.motion["t"], T = run.motion["T"];
    for (std::size_t i = 1; i < t.size(); ++i)
      EXPECT_NEAR(T[i], (k * k * std::sin(t[i]) - k * std::cos(t[i])) / (k * k + 1), 1e-6);
    // diagonally implicit methods lose their order where h changes faster than a step
    if (std::string_view{method} != "arkode") {
      EXPECT_LT(run.summary.counters.steps, 3000);
    }
  }
}

// so does what is shown inside of steps, however long they are
TEST(States, ThatAreStiffAreRightInsideOfSteps) {
  const Model model = states_model(R"toml(
[states]
T = { at = 0, rate = "-1e6*(T - sin(3*t))" }
[run]
until = 10
)toml");
  const Result run = simulate(model, {.every = 0.01, .method = "radau", .tol = 1e-6});
  ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
  const Column t = run.motion["t"], T = run.motion["T"];
  double error = 0.0;
  for (std::size_t i = 0; i < t.size(); ++i)
    error = std::max(error, std::abs(T[i] - std::sin(3 * t[i])));
  EXPECT_LE(error, 2e-5);
}

// electrical time constant L/R = 1e-6 s, mechanical J R/k² = 1 s
TEST(States, OfADirectCurrentMotorWithInductance) {
  const Model model = states_model(R"toml(
[parameters]
L = 1e-6
R = 1
k = 0.1
J = 0.01
[coordinates]
phi = { mass = "J" }
[states]
i = { rate = "(1 - R*i - k*v(phi))/L" }
[[force]]
on = "phi"
value = "k*i"
[run]
until = 3
)toml");
  // w'' + R/L w' + k²/(J L) w = k/(J L), w = w' = 0 at first
  const double R = 1, L = 1e-6, k = 0.1, J = 0.01;
  const double b = R / L, c = k * k / (J * L), root = std::sqrt(b * b - 4 * c);
  const double fast = -(b + root) / 2, slow = c / fast, end = 1 / k;
  const auto w = [&](double t) {
    return end * (1 + (slow * std::exp(fast * t) - fast * std::exp(slow * t)) / (fast - slow));
  };
  for (const char* const method : {"radau", "cvode-bdf", "ida", "auto"}) {
    SCOPED_TRACE(method);
    const Result run = simulate(model, {.every = 0.5, .method = method, .tol = 1e-9});
    ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
    const Column t = run.motion["t"], v = run.motion["v(phi)"], i = run.motion["i"];
    for (std::size_t n = 1; n < t.size(); ++n) {
      EXPECT_NEAR(v[n], w(t[n]), 1e-6);
      EXPECT_NEAR(i[n], (1 - k * w(t[n])) / R, 1e-5);
    }
    EXPECT_LT(run.summary.counters.steps, 3000);
  }
}

TEST(States, OfAHydraulicCylinder) {
  const Model model = states_model(R"toml(
[coordinates]
x = { mass = 2 }
[states]
p = { rate = "4e5*(0.3 - 0.5*v(x))" }
[[force]]
on = "x"
value = "0.5*p - 40*v(x)"
[run]
until = 0.2
)toml");
  // 2 v'' + 40 v' + 1e5 v = 6e4 from rest
  const double decay = 10, w = std::sqrt(5e4 - 100.0);
  const Result run = simulate(model, {.every = 0.01, .tol = 1e-11});
  ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
  const Column t = run.motion["t"], v = run.motion["v(x)"];
  for (std::size_t n = 0; n < t.size(); ++n)
    EXPECT_NEAR(
        v[n],
        0.6 * (1 - std::exp(-decay * t[n]) * (std::cos(w * t[n]) + decay / w * std::sin(w * t[n]))),
        1e-7);
}

// z' = z (1 - z) and x'' = z (1 - z) from z = x' = 1/2: x' = z = 1/(1 + exp(-t))
TEST(States, KeepTheOrdersOfMethodsWithConstantSteps) {
  const Model model = states_model(R"toml(
[coordinates]
x = { mass = 1, velocity = 0.5 }
[states]
z = { at = 0.5, rate = "z*(1 - z)" }
[[force]]
on = "x"
value = "z*(1 - z)"
[run]
until = 3
)toml");
  const Structure structure = compile(model).system.structure();
  int measured = 0;
  for (const MethodInfo& info : all_methods()) {
    if (info.adaptive || info.thermal || !fits(info, structure).empty()) continue;
    SCOPED_TRACE(info.name);
    std::vector<double> errors;
    for (const double h : {0.1, 0.05}) {
      const Result run = simulate(
          model,
          {.every = 1, .method = std::string{info.name}, .step = h, .error_estimate = false});
      ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
      const double z = 1 / (1 + std::exp(-3.0));
      const double x = std::log((1 + std::exp(3.0)) / 2);
      errors.push_back(std::hypot(run.summary.state.v[1] - z, run.summary.state.q[0] - x));
    }
    const double order = std::log2(errors[0] / errors[1]);
    if (errors[1] < 1e-11) continue;  // rounding of many steps
    ++measured;
    EXPECT_NEAR(order, info.order, 0.3) << errors[0] << ' ' << errors[1];
  }
  EXPECT_GE(measured, 3);
}

// What the integral of a state is bounds no step, however large it grows, and changes no scale.
TEST(States, HaveIntegralsThatNoStepDependsOn) {
  for (const MethodInfo& info : all_methods()) {
    if (!info.adaptive) continue;
    SCOPED_TRACE(info.name);
    std::vector<std::int64_t> steps;
    for (const char* const large : {"0", "1e9"}) {
      const Model model = states_model(fmt::format(R"toml(
[coordinates]
phi = {{ mass = 1, at = 1 }}
[states]
idle = {{ at = {}, rate = 0 }}
[[potential]]
energy = "-9.81*cos(phi)"
[run]
until = 10
)toml",
                                                   large));
      const Result run =
          simulate(model, {.method = std::string{info.name}, .tol = 1e-8, .error_estimate = false});
      ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
      steps.push_back(run.summary.counters.steps);
      // nor is its square an energy
      const Column energy = run.motion["energy"];
      EXPECT_NEAR(energy.back(), -9.81 * std::cos(1.0), 1e-4);
    }
    EXPECT_NEAR(static_cast<double>(steps[0]), static_cast<double>(steps[1]),
                3 + 0.02 * static_cast<double>(steps[0]));
  }
}

// x'' = u with the states u' = -u + 1/2 and, where a guard turns, v' of another sign
TEST(States, WithSwitchesInTheirRatesAreCutThere) {
  const Result run = simulate(states_model(R"toml(
[states]
z = { rate = "select(less(z, 1), 1, 0.5)" }
w = { rate = "abs(z - 1.25)" }
[run]
until = 2
)toml"),
                              {.tol = 1e-10});
  ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
  EXPECT_NEAR(run.summary.state.v[0], 1.5, 1e-10);
  // ∫ (5/4 - t) to 1, then (1/4 - s/2) to s = 1/2, and (s/2 - 1/4) to s = 1
  EXPECT_NEAR(run.summary.state.v[1], 0.75 + 0.0625 + 0.0625, 1e-9);
}

TEST(States, AreUnknownsOfEquilibriaAndDecideStability) {
  // x''' + 2 x'' + x' + 12 x: roots -3 and 1/2 ± i sqrt(15/4)
  const CompiledModel unstable = compile(states_model(R"toml(
[coordinates]
x = { mass = 1, at = 0.3 }
[states]
I = { rate = "-x" }
[[force]]
on = "x"
value = "1e4 - x - 2*v(x) + 12*I"
)toml"));
  const Equilibria found = equilibria(unstable.system, unstable.given);
  ASSERT_EQ(found.found.size(), 1U) << found.reason;
  const Equilibrium& e = found.found.front();
  EXPECT_NEAR(e.q[0], 0.0, 1e-9);
  EXPECT_NEAR(e.q[1], -1e4 / 12, 1e-7);
  EXPECT_EQ(e.stability, Stability::unstable);
  EXPECT_NEAR(e.growth, 0.5, 1e-9);
  ASSERT_EQ(e.omega.size(), 1U);
  EXPECT_NEAR(e.omega[0], std::sqrt(3.75), 1e-9);
  EXPECT_THAT(unstable.system.structure().names_at_rest(), ElementsAre("x", "I"));

  const CompiledModel stable = compile(states_model(pid));
  const Equilibria rest = equilibria(stable.system, stable.given);
  ASSERT_EQ(rest.found.size(), 1U) << rest.reason;
  EXPECT_NEAR(rest.found[0].q[0], 1.0, 1e-9);
  EXPECT_NEAR(rest.found[0].q[1], 0.0, 1e-9);
  EXPECT_EQ(rest.found[0].stability, Stability::stable);

  // nothing but states, and not linear: T^4 = 1e12
  const CompiledModel hot = compile(states_model(R"toml(
[states]
T = { at = 300, rate = "1e3 - 1e-9*T^4" }
)toml"));
  const Equilibria temperature = equilibria(hot.system, hot.given);
  ASSERT_FALSE(temperature.found.empty()) << temperature.reason;
  EXPECT_NEAR(temperature.found[0].q[0], 1e3, 1e-6);
  EXPECT_EQ(temperature.found[0].stability, Stability::stable);
}

// a rod does not feel the states beside it
TEST(States, StandBesideConstraints) {
  const char* const text = R"toml(
[points]
bob = { mass = 1, at = [1, 0] }
[states]
angle = { rate = "(bob.x*bob.vy - bob.y*bob.vx)" }
work  = { rate = "-0.2*(bob.vx^2 + bob.vy^2)" }
[[rod]]
between = ["origin", "bob"]
[[gravity]]
acceleration = [0, -9.81]
[[force]]
on = "bob"
value = ["-0.2*bob.vx", "-0.2*bob.vy"]
[run]
until = 5
)toml";
  for (const char* const method : {"dop853", "radau", "ida", "cvode-bdf", "projected-rk"}) {
    SCOPED_TRACE(method);
    const Result run = simulate(states_model(text), {.method = method, .tol = 1e-9});
    ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
    const Vec& q = run.summary.state.q;
    const Vec& v = run.summary.state.v;
    EXPECT_NEAR(std::remainder(v[2] - std::atan2(q[1], q[0]), 2 * std::numbers::pi), 0.0, 1e-6);
    // what is lost is what the force has taken
    EXPECT_NEAR(run.motion["energy"].back() - run.motion["energy"].front(), v[3], 5e-6);
    EXPECT_LT(run.summary.max_constraint, 1e-12);
  }
  const CompiledModel compiled = compile(states_model(text));
  EXPECT_EQ(compiled.system.structure().places(), 2);
  EXPECT_EQ(compiled.system.structure().nz, 2);
}

TEST(States, StartWhereTheyAreToldTo) {
  const CompiledModel compiled = compile(states_model(R"toml(
[parameters]
hot = 350
[states]
"T{k}" = { at = "hot + {k}", rate = "-T{k}", repeat = { k = "1:3" } }
[start]
T2 = 7
)toml"));
  EXPECT_EQ(compiled.given.v, (Vec(3) << 351, 7, 353).finished());
  EXPECT_EQ(compiled.with_parameter("hot", 1.0).given.v, (Vec(3) << 2, 7, 4).finished());
}

TEST(States, MistakesAreSaidInWords) {
  const std::string body = "[coordinates]\nx = { mass = 1 }\n";
  EXPECT_THAT(states_mistakes(body + "[states]\nI = { rate = \"y\" }\n"),
              HasSubstr("state I: rate"));
  EXPECT_THAT(states_mistakes(body + "[states]\nI = { at = 1 }\n"), HasSubstr("rate"));
  EXPECT_THAT(states_mistakes(body + "[states]\nx = { rate = 1 }\n"),
              HasSubstr("is already that of the coordinate"));
  EXPECT_THAT(states_mistakes(body + "[states]\nI = { rate = \"v(I)\" }\n"),
              HasSubstr("has no velocity"));
  EXPECT_THAT(
      states_mistakes(body + "[states]\nI = { rate = 1 }\n[[potential]]\nenergy = \"I*x\"\n"),
      HasSubstr("'I' is a first-order state"));
  EXPECT_THAT(
      states_mistakes(body + "[states]\nI = { rate = 1 }\n[[kinetic]]\nenergy = \"I^2/2\"\n"),
      HasSubstr("'I' is a first-order state"));
  EXPECT_THAT(states_mistakes(body + "[states]\nI = { rate = 1 }\n[start]\nI = { velocity = 1 }\n"),
              HasSubstr("a first-order state has none"));
  EXPECT_THAT(states_mistakes(body + "[states]\nI = { rate = 1 }\n[thermostat]\ntemperature = 1\n"
                                     "friction = 1\n"),
              HasSubstr("heat bath"));
  Problems problems;
  (void)prepare(states_model(pid), {.reading = Reading::slow()}, problems);
  EXPECT_THAT(problems.message(), HasSubstr("first-order states"));
}

}  // namespace
}  // namespace taut
