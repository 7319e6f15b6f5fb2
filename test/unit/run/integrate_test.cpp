// SPDX-License-Identifier: BSD-3-Clause
#include "taut/run/integrate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "allocation_counter.hpp"
#include "models.hpp"
#include "taut/methods/registry.hpp"

namespace taut {
namespace {

Method method(const char* name, double tol = 1e-10) {
  return make_method(name, {.tol = tol}).value();
}

TEST(Integrate, TakesEqualStepsAndEndsExactly) {
  const auto e = test::oscillator();
  Motion motion;
  // 0.7/0.1 is a little below 7 in floating point: still seven steps
  Summary s = integrate(e.system, e.start, method("verlet"), {.until = 0.7, .step = 0.1}, motion);
  EXPECT_EQ(s.status, Status::ok);
  EXPECT_EQ(s.step, 0.7 / 7);
  EXPECT_EQ(s.state.t, 0.7);
  ASSERT_EQ(motion.rows(), 8u);
  for (std::size_t n = 0; n < 7; ++n) EXPECT_EQ(motion.t[n], static_cast<double>(n) * (0.7 / 7));
  EXPECT_EQ(motion.t[7], 0.7);

  // a step that does not divide the span is shortened, never lengthened
  s = integrate(e.system, e.start, method("verlet"), {.until = 1.0, .step = 0.3}, motion);
  EXPECT_EQ(s.step, 0.25);
  EXPECT_EQ(motion.rows(), 5u);
}

TEST(Integrate, TimesCarryNoSumOfRoundings) {
  const auto e = test::oscillator();
  Motion motion;
  const Summary s = integrate(e.system, e.start, method("verlet"),
                              {.until = 1000.0, .step = 1e-2, .max_rows = 200'000}, motion);
  EXPECT_EQ(s.state.t, 1000.0);
  ASSERT_EQ(motion.rows(), 100'001u);
  EXPECT_EQ(motion.t[99'999], 99'999 * (1000.0 / 100'000));
}

TEST(Integrate, NothingToDo) {
  const auto e = test::oscillator();
  Motion motion;
  const Summary s =
      integrate(e.system, e.start, method("verlet"), {.until = 0.0, .step = 0.1}, motion);
  EXPECT_EQ(s.status, Status::ok);
  EXPECT_EQ(motion.rows(), 1u);
}

TEST(Integrate, OutputTimesLieOnTheMotion) {
  const auto e = test::oscillator();
  for (const char* name : {"rk4", "dop853", "dopri5"}) {
    SCOPED_TRACE(name);
    Motion motion;
    const Summary s = integrate(e.system, e.start, method(name, 1e-12),
                                {.until = 3.05, .step = 0.02, .every = 0.1}, motion);
    ASSERT_EQ(s.status, Status::ok);
    ASSERT_EQ(motion.rows(), 32u);  // 0, 0.1, ..., 3.0 and the end
    for (std::size_t k = 0; k <= 30; ++k)
      EXPECT_NEAR(motion.t[k], 0.1 * static_cast<double>(k), 1e-15);
    EXPECT_EQ(motion.t[31], 3.05);
    for (std::size_t k = 0; k < motion.rows(); ++k) {
      EXPECT_NEAR(motion.q[k], std::cos(motion.t[k]), 1e-8);
      EXPECT_NEAR(motion.v[k], -std::sin(motion.t[k]), 1e-8);
      EXPECT_NEAR(motion.energy[k], 0.5, 1e-8);
    }
  }
}

TEST(Integrate, EveryRowFulfilsTheConstraintsToRounding) {
  const auto e = test::double_pendulum();
  for (const char* name : {"rattle", "dop853"}) {
    SCOPED_TRACE(name);
    Motion motion;
    const Summary s = integrate(e.system, e.start, method(name),
                                {.until = 2.0, .step = 0.02, .every = 0.007}, motion);
    ASSERT_EQ(s.status, Status::ok) << s.message;
    ASSERT_EQ(motion.rows(), 287u);
    const double zero = test::rounding_level(e.system);
    ASSERT_LE(zero, 1e-13);  // metres; rods of 1 m
    EXPECT_LE(s.max_constraint, zero);
    EXPECT_LE(s.max_velocity_constraint, 1e-13);  // m/s; velocities up to 8 m/s
    // independently of the system's own g
    for (std::size_t k = 0; k < motion.rows(); ++k) {
      const double* q = &motion.q[4 * k];
      EXPECT_NEAR(std::hypot(q[0], q[1]), 1.0, 1.1 * zero);
      EXPECT_NEAR(std::hypot(q[2] - q[0], q[3] - q[1]), 1.0, 1.1 * zero);
    }
  }
}

TEST(Integrate, StretchOfCompliantRowsIsReportedBesideTheRigidOnes) {
  // a rigid rod above, a soft damped one below that begins 5 cm too long
  const auto e = test::example(R"toml(
name = "soft below"
[points]
a = { mass = 1, at = [0, -1] }
b = { mass = 1, at = [0, -2.05] }
[[rod]]
between = ["origin", "a"]
length = 1
[[rod]]
between = ["a", "b"]
length = 1
compliance = 1e-2
damping = 1e-2
[[gravity]]
acceleration = [0, -1]
)toml");
  const auto stretched = [&](const System& system, const char* name) {
    Motion motion;
    const Summary s =
        integrate(system, e.start, method(name), {.until = 2.0, .step = 1e-3}, motion);
    EXPECT_EQ(s.status, Status::ok) << s.message;
    double largest = 0.0;
    for (std::size_t k = 0; k < motion.rows(); ++k) {
      const double* q = &motion.q[4 * k];
      const double x = q[2] - q[0], y = q[3] - q[1];
      largest = std::max(largest, std::abs(x * x + y * y - 1.0) / 2);  // g of a rod of length 1
    }
    EXPECT_NEAR(s.max_stretch, largest, 1e-13) << name;
    EXPECT_LE(s.max_constraint, 1e-13) << name;
    return largest;
  };
  EXPECT_NEAR(stretched(e.system, "rattle"), 0.05125, 1e-9);
  EXPECT_NEAR(stretched(equations(e.system), "radau"), 0.05125, 1e-9);
}

TEST(Integrate, MultipliersArePhysicalOnEveryReading) {
  // m v^2 / l = 1 is the tension, whether the rod is rigid or a stiff spring
  const auto e = test::rotor();
  Motion motion;
  Summary s = integrate(e.system, e.start, method("dop853"), {.until = 1.0}, motion);
  ASSERT_EQ(s.lambda.size(), 1);
  EXPECT_NEAR(s.lambda[0], 1.0, 1e-9);
  EXPECT_NEAR(motion.lambda.front(), 1.0, 1e-9);

  const double omega = 1e3;
  const System stiff = penalized(e.system, omega);
  // the circle of the stretched spring: omega^2 g (1 + g) r / r = v^2 / r to first order in
  // 1/omega^2
  State start = e.start.state;
  start.q[0] = 1.0 + 1.0 / (omega * omega);
  s = integrate(stiff, start, method("dop853"), {.until = 1.0}, motion);
  ASSERT_EQ(s.lambda.size(), 1);
  EXPECT_NEAR(s.lambda[0], 1.0, 1e-4);
}

TEST(Integrate, RecordsABoundedNumberOfSteps) {
  const auto e = test::oscillator();
  Motion motion;
  const Summary s = integrate(e.system, e.start, method("verlet"),
                              {.until = 10.0, .step = 0.01, .max_rows = 100}, motion);
  ASSERT_EQ(motion.rows(), 64u);  // steps 0, 16, ..., 992 and the end
  EXPECT_EQ(motion.t.front(), 0.0);
  EXPECT_EQ(motion.t.back(), 10.0);
  EXPECT_EQ(motion.t[1], 16 * 0.01);
  EXPECT_FALSE(s.notes.empty());
}

TEST(Integrate, LargeSystemsGetFewerRows) {
  const auto e = test::double_pendulum();  // 5 + 8 + 2 columns
  Motion motion;
  const Summary s = integrate(e.system, e.start, method("rattle"),
                              {.until = 1.0, .step = 0.001, .max_values = 15 * 40}, motion);
  EXPECT_EQ(s.status, Status::ok);
  EXPECT_LE(motion.rows(), 41u);
  EXPECT_GE(motion.rows(), 20u);
}

TEST(Integrate, AFormulaThatBreaksKeepsAllRowsAndIsNamed) {
  const auto e = test::oscillator(R"toml(
[[force]]
name = "fuse"
on = "x"
value = "sqrt(1 - t)"
)toml");
  for (const char* name : {"rk4", "dop853"}) {
    SCOPED_TRACE(name);
    Motion motion;
    const Summary s =
        integrate(e.system, e.start, method(name), {.until = 2.0, .step = 0.03}, motion);
    EXPECT_FALSE(s.good());
    EXPECT_LE(s.state.t, 1.0);
    EXPECT_GE(s.state.t, 0.9);
    ASSERT_GE(motion.rows(), 3u);
    EXPECT_EQ(motion.t.back(), s.state.t);
    EXPECT_TRUE(std::isfinite(s.state.q[0]));
    EXPECT_FALSE(s.hint.empty());
    if (s.status == Status::non_finite) {
      EXPECT_NE(s.message.find("fuse"), std::string::npos) << s.message;
    }
  }
}

TEST(Integrate, StepAndTimeLimitsAndCancellationAreFailuresThatKeepTheRows) {
  const auto e = test::oscillator();
  Motion motion;
  Summary s = integrate(e.system, e.start, method("verlet"),
                        {.until = 10.0, .step = 0.1, .max_steps = 7}, motion);
  EXPECT_EQ(s.status, Status::step_limit);
  EXPECT_EQ(motion.rows(), 8u);
  EXPECT_NEAR(s.state.t, 0.7, 1e-15);

  s = integrate(e.system, e.start, method("verlet"),
                {.until = 1e9, .step = 0.1, .max_seconds = 0.02}, motion);
  EXPECT_EQ(s.status, Status::time_limit);
  EXPECT_GT(s.state.t, 0.0);

  std::atomic<bool> cancel{false};
  RunOptions options{.until = 10.0, .step = 0.1, .cancel = &cancel};
  options.observers.push_back([&](const Frame& frame) { cancel = frame.state.t > 0.45; });
  s = integrate(e.system, e.start, method("verlet"), options, motion);
  EXPECT_EQ(s.status, Status::cancelled);
  EXPECT_EQ(motion.rows(), 6u);
  EXPECT_EQ(s.hint, "continue with .resume");
}

TEST(Integrate, ObserversSeeEveryRow) {
  const auto e = test::rotor();
  Motion motion;
  std::vector<double> t, tension;
  RunOptions options{.until = 1.0, .step = 0.05};
  options.observers.push_back([&](const Frame& frame) {
    t.push_back(frame.state.t);
    tension.push_back(frame.lambda[0]);
  });
  (void)integrate(e.system, e.start, method("rattle"), options, motion);
  EXPECT_EQ(t, motion.t);
  EXPECT_EQ(tension, motion.lambda);
}

TEST(Integrate, EnergyAndInvariantsAreReported) {
  const auto e = test::rotor(R"(
[[invariant]]
name = "angular momentum"
value = "p.x*p.vy - p.y*p.vx"
)");
  Motion motion;
  const Summary s =
      integrate(e.system, e.start, method("rattle"), {.until = 10.0, .step = 0.1}, motion);
  ASSERT_TRUE(s.energy_error.has_value());
  EXPECT_LE(*s.energy_error, 1e-13);
  ASSERT_EQ(s.invariant_errors.size(), 1u);
  EXPECT_EQ(s.invariant_errors[0].first, "angular momentum");
  EXPECT_LE(s.invariant_errors[0].second, 1e-13);

  const auto damped = test::oscillator("[[force]]\non = \"x\"\nvalue = \"-v(x)\"\n");
  const Summary d =
      integrate(damped.system, damped.start, method("rk4"), {.until = 1.0, .step = 0.1}, motion);
  EXPECT_FALSE(d.energy_error.has_value());
}

TEST(Integrate, AStartThatFailedIsReported) {
  const auto e = test::rotor();
  Start start = e.start;
  start.status = Status::projection_diverged;
  start.reason = "too far away";
  Motion motion;
  const Summary s =
      integrate(e.system, start, method("rattle"), {.until = 1.0, .step = 0.1}, motion);
  EXPECT_EQ(s.status, Status::projection_diverged);
  EXPECT_EQ(s.message, "too far away");
  EXPECT_EQ(motion.rows(), 0u);
}

TEST(Integrate, StepsInWhichNothingIsRecordedDoNotAllocate) {
  const auto e = test::double_pendulum("[[event]]\nzero = \"a.x + 5\"\n");
  if (!test::allocations()) GTEST_SKIP() << "malloc cannot be counted here";
  const auto allocations_for = [&](double until) {
    Motion motion;
    const std::size_t before = test::allocations().value_or(0);
    const Summary s = integrate(e.system, e.start, method("rattle"),
                                {.until = until, .step = 0.001, .every = 100.0}, motion);
    EXPECT_EQ(s.status, Status::ok);
    return test::allocations().value_or(0) - before;
  };
  (void)allocations_for(1.0);  // the system derives a bundle when it is first asked for
  // ten times the steps, the same allocations
  EXPECT_EQ(allocations_for(0.1), allocations_for(1.0));
}

}  // namespace
}  // namespace taut
