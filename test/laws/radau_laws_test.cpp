// SPDX-License-Identifier: BSD-3-Clause
// What radau promises beyond the laws of all adaptive methods: the same work for every compliance,
// vibrations damped or followed as the tolerance says, the same bits again.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "allocation_counter.hpp"
#include "problems.hpp"
#include "stiff_problems.hpp"
#include "taut/core/archive.hpp"

namespace taut::test {
namespace {

// Work --------------------------------------------------------------------------------------------

/// Steps of a prototype on the same problem: a bound that must not be exceeded by more than 1.3.
struct Prototype {
  double tol;
  int stages;
  double steps;
};

void expect_the_same_work(Loaded (*problem)(double eps), double T,
                          const std::vector<Prototype>& prototypes) {
  std::vector<Loaded> models;
  for (const double eps : {1e-3, 1e-4, 1e-6, 1e-8, 0.0}) models.push_back(problem(eps));
  for (const double tol : {1e-3, 1e-6, 1e-9})
    for (const int stages : {3, 5, 7, 0}) {
      SCOPED_TRACE(::testing::Message() << "tol " << tol << " stages " << stages);
      double fewest = 1e9, most = 0.0, tried = 0.0;
      for (const Loaded& model : models) {
        const RadauRun run =
            run_radau(model.system, model.start, T, {.tol = tol, .stages = stages});
        ASSERT_EQ(run.status, Status::ok);
        fewest = std::min(fewest, static_cast<double>(run.accepted()));
        most = std::max(most, static_cast<double>(run.accepted()));
        tried = std::max(tried, static_cast<double>(run.counters.steps));
      }
      EXPECT_LE(most - fewest, std::max(1.0, 0.1 * fewest)) << fewest << " to " << most;
      for (const Prototype& other : prototypes)
        if (other.tol == tol && other.stages == stages) {
          EXPECT_LE(tried, 1.3 * other.steps);
        }
    }
}

TEST(RadauWork, OfThePendulumDoesNotDependOnTheCompliance) {
  expect_the_same_work(smooth_pendulum, 5.0,
                       {{1e-3, 3, 33},
                        {1e-3, 5, 22},
                        {1e-3, 7, 19},
                        {1e-6, 3, 73},
                        {1e-6, 5, 22},
                        {1e-6, 7, 18},
                        {1e-9, 3, 387},
                        {1e-9, 5, 57},
                        {1e-9, 7, 27}});
}

TEST(RadauWork, OfTheDoublePendulumDoesNotDependOnTheCompliance) {
  expect_the_same_work(smooth_double_pendulum, 2.0, {{1e-6, 5, 17}, {1e-9, 5, 38}, {1e-9, 7, 20}});
}

// Vibrations --------------------------------------------------------------------------------------

State vibrating(const Loaded& model, double normal_velocity) {
  State s = model.start;
  s.v += normal_velocity * s.q.normalized();
  return s;
}

TEST(RadauVibrations, BelowTheToleranceAreSteppedOver) {
  // amplitude eps * 1e-4 = 1e-7 in q
  const Loaded model = smooth_pendulum(1e-3);
  const State start = vibrating(model, 1e-4);
  const RadauRun run = run_radau(model.system, start, 2.0, {.tol = 1e-6});
  ASSERT_EQ(run.status, Status::ok);
  EXPECT_LT(run.counters.steps, 50);
  // what they leave in q is their amplitude
  const State smooth = resolved_end(model.system, model.start, 2.0);
  EXPECT_LE((run.state.q - smooth.q).norm(), 1e-6);
  EXPECT_LE((run.state.v - smooth.v).norm(), 1e-5);
}

TEST(RadauVibrations, AboveTheToleranceAreFollowed) {
  // amplitude 1e-4 in q: smaller tolerances must see it
  const Loaded model = smooth_pendulum(1e-2);
  const State start = vibrating(model, 1e-2);
  const State exact = resolved_end(model.system, start, 1.0);
  const State smooth = resolved_end(model.system, model.start, 1.0);
  ASSERT_GE((exact.q - smooth.q).norm(), 1e-5);
  for (const double tol : {1e-7, 1e-9, 1e-11}) {
    const RadauRun run = run_radau(model.system, start, 1.0, {.tol = tol});
    ASSERT_EQ(run.status, Status::ok);
    EXPECT_LE((run.state.q - exact.q).norm(), 100 * tol) << tol;
    // an error tol in q is tol/eps in v
    EXPECT_LE((run.state.v - exact.v).norm(), 1e4 * tol) << tol;
  }
}

// Time --------------------------------------------------------------------------------------------

TEST(RadauTime, BackwardsAsForwardsForStiffSystems) {
  // Vibrations are damped both ways: the smooth motion is retraced
  for (const double eps : {1e-2, 1e-4, 0.0}) {
    const Loaded model = smooth_double_pendulum(eps);
    const RadauRun there = run_radau(model.system, model.start, 1.0, {.tol = 1e-10});
    ASSERT_EQ(there.status, Status::ok);
    const RadauRun back = run_radau(model.system, there.state, 0.0, {.tol = 1e-10});
    ASSERT_EQ(back.status, Status::ok);
    EXPECT_LE((back.state.q - model.start.q).norm(), 1e-8) << eps;
    EXPECT_LE((back.state.v - model.start.v).norm(), 1e-6) << eps;
  }
}

TEST(RadauTime, NoTimeNoMotion) {
  const Loaded model = smooth_pendulum(1e-6);
  Radau method{{.tol = 1e-6}};
  State s = model.start;
  ASSERT_EQ(method.start(model.system, s), Status::ok);
  ASSERT_EQ(method.advance(model.system, s.t, s), Status::ok);
  EXPECT_TRUE(same_bits(s, model.start));
  EXPECT_EQ(method.counters.steps, 0);
  // λ = φ'² + cos φ + O(eps²), and not g/C of rounded positions
  Vec a, lambda;
  ASSERT_EQ(method.multipliers(model.system, s, a, lambda), Status::ok);
  EXPECT_NEAR(lambda[0], 0.49 + std::cos(1.2), 1e-11);
}

TEST(RadauTime, FastAndSlowWorldsMoveAlike) {
  // seconds replaced by `unit`: C goes with its square, g and a with its inverse square
  const auto end = [](double unit, double compliance) {
    const std::string toml = "name = \"scaled\"\n[parameters]\nT = " + std::to_string(unit) +
                             "\nC = " + std::to_string(compliance) + R"toml(
[points]
a = { mass = 1, at = [1, 0], velocity = [0, "1/T"] }
b = { mass = 1, at = [2, 0], velocity = [0, "0.5/T"] }
[[rod]]
between = ["origin", "a"]
compliance = "C*T^2"
[[rod]]
between = ["a", "b"]
compliance = "C*T^2"
[[gravity]]
acceleration = [0, "-1/T^2"]
)toml";
    const Loaded model = from_text(toml);
    const RadauRun run = run_radau(model.system, model.start, unit, {.tol = 1e-9});
    EXPECT_EQ(run.status, Status::ok);
    return run.state.q;
  };
  for (const double compliance : {0.0, 0.01}) {
    const Vec usual = end(1.0, compliance);
    EXPECT_LE((end(1e-6, compliance) - usual).norm(), 1e-7) << compliance;
    // velocities are of size 1e-6 there, and the tolerance is absolute below 1
    EXPECT_LE((end(1e6, compliance) - usual).norm(), 1e-2) << compliance;
  }
}

// The same bits -----------------------------------------------------------------------------------

struct StiffCase {
  const char* name;
  Loaded model;
  double T;
};

std::vector<StiffCase> stiff_cases() {
  std::vector<StiffCase> cases{{"stiff double pendulum", smooth_double_pendulum(1e-3), 4.0},
                               {"nearly rigid double pendulum", smooth_double_pendulum(1e-6), 4.0},
                               {"car axis", load("car_axis"), 1.0},
                               {"chain", load("chain"), 1.0},
                               {"stiff chain", load("stiff_chain", {{"links", 8.0}}), 2.0}};
  StiffCase shaken{"vibrating pendulum", smooth_pendulum(1e-2), 1.0};
  shaken.model.start = vibrating(shaken.model, 1e-2);
  cases.push_back(shaken);
  return cases;
}

TEST(RadauBits, TwoRunsAgree) {
  for (const StiffCase& c : stiff_cases()) {
    const RadauRun a = run_radau(c.model.system, c.model.start, c.T, {.tol = 1e-7});
    const RadauRun b = run_radau(c.model.system, c.model.start, c.T, {.tol = 1e-7});
    EXPECT_TRUE(same_bits(a.state, b.state)) << c.name;
    EXPECT_EQ(a.lambda, b.lambda) << c.name;
  }
}

TEST(RadauBits, ResumedFromAnyStepTheMotionIsTheSame) {
  for (const StiffCase& c : stiff_cases())
    for (int n = 0; n <= 10; ++n) {
      SCOPED_TRACE(::testing::Message() << c.name << " after step " << n);
      const System& system = c.model.system;
      Radau method{{.tol = 1e-6}};
      State s = c.model.start;
      ASSERT_EQ(method.start(system, s), Status::ok);
      for (int i = 0; i < n && s.t < c.T; ++i)
        ASSERT_EQ(method.advance(system, c.T, s), Status::ok);
      Archive writer = Archive::writer();
      method.archive(writer);

      Radau resumed{{.tol = 1e-6}};
      State again = s;
      ASSERT_EQ(resumed.start(system, again), Status::ok);
      Archive reader = Archive::reader(writer.bytes());
      resumed.archive(reader);
      EXPECT_TRUE(reader.at_end());
      for (int i = 0; i < 12 && s.t < c.T; ++i) {
        const double t0 = s.t;
        ASSERT_EQ(method.advance(system, c.T, s), Status::ok);
        ASSERT_EQ(resumed.advance(system, c.T, again), Status::ok);
        ASSERT_TRUE(same_bits(s, again)) << "at " << s.t;
        State inside = s, inside_again = s;
        Vec a, lambda, a_again, lambda_again;
        const double t = t0 + 0.3 * (s.t - t0);
        ASSERT_EQ(method.interpolate(system, t, inside), Status::ok);
        ASSERT_EQ(resumed.interpolate(system, t, inside_again), Status::ok);
        ASSERT_TRUE(same_bits(inside, inside_again));
        ASSERT_EQ(method.multipliers(system, inside, a, lambda), Status::ok);
        ASSERT_EQ(resumed.multipliers(system, inside, a_again, lambda_again), Status::ok);
        ASSERT_EQ(lambda, lambda_again);
      }
      EXPECT_EQ(method.counters.factorisations, resumed.counters.factorisations);
      EXPECT_EQ(method.counters.newton_iterations, resumed.counters.newton_iterations);
    }
}

TEST(RadauMatrices, ServeSeveralStepsWhereNothingChanges) {
  // a linear oscillator: derivatives are the same everywhere
  const Loaded model = from_text(R"toml(
name = "oscillator"
[points]
bob = { mass = 1, at = [1, 0] }
[[spring]]
between = ["origin", "bob"]
stiffness = 1
length = 0
)toml");
  const RadauRun run = run_radau(model.system, model.start, 20.0, {.tol = 1e-9, .stages = 3});
  ASSERT_EQ(run.status, Status::ok);
  EXPECT_LT(2 * run.counters.factorisations, run.counters.steps);
}

TEST(RadauMemory, NoStepAfterTheSecondAllocates) {
  if (!allocations()) GTEST_SKIP() << "malloc cannot be counted in this build";
  for (const StiffCase& c : stiff_cases()) {
    SCOPED_TRACE(c.name);
    const System& system = c.model.system;
    Radau method{{.tol = 1e-6}};
    State s = c.model.start, at = s;
    Vec a(system.nq()), lambda(system.nc());
    ASSERT_EQ(method.start(system, s), Status::ok);
    Status status = Status::ok;
    const auto step = [&] {
      const double t0 = s.t;
      status = method.advance(system, c.T, s);
      if (status == Status::ok) status = method.interpolate(system, (t0 + s.t) / 2, at);
      if (status == Status::ok) status = method.multipliers(system, at, a, lambda);
    };
    for (int n = 0; n < 2; ++n) {
      step();
      ASSERT_EQ(status, Status::ok);
    }
    const std::size_t before = *allocations();
    while (s.t < c.T && status == Status::ok) step();
    const std::size_t after = *allocations();
    EXPECT_EQ(status, Status::ok);
    EXPECT_EQ(after - before, 0U);
  }
}

}  // namespace
}  // namespace taut::test
