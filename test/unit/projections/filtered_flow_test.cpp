// SPDX-License-Identifier: BSD-3-Clause
#include "slow/filtered_flow.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "methods/dormand_prince.hpp"
#include "methods/rk4.hpp"
#include "readings/readings.hpp"
#include "stiff_double_pendulum.hpp"
#include "taut/core/problems.hpp"
#include "taut/run/integrate.hpp"
#include "taut/slow/smooth_start.hpp"

namespace taut::test {
namespace {

constexpr double T = 10.0;

/// The stiff motion from the slow point, followed through every vibration it does not make.
struct Truth {
  State start, end;
};
Truth truth(double omega) {
  const SmoothStart slow = smooth_start(double_pendulum_model(omega), near_start(), 10);
  EXPECT_EQ(slow.status, Status::ok) << slow.reason;
  Motion motion;
  const Summary summary =
      integrate(double_pendulum_force(omega), slow.state, DormandPrince853{{.tol = 1e-11}},
                {.until = T, .max_rows = 2}, motion);
  EXPECT_EQ(summary.status, Status::ok) << summary.message;
  return {slow.state, summary.state};
}

State run(const System& flow, const State& start, double H) {
  Motion motion;
  const Summary summary =
      integrate(flow, start, Rk4{}, {.until = T, .step = H, .max_rows = 2}, motion);
  EXPECT_EQ(summary.status, Status::ok) << summary.message;
  return summary.state;
}

FilterChoice filter_for(double omega) { return minimax_filter(double_pendulum_band(omega), 5, 17); }

TEST(FilteredFlow, RungeKuttaHasItsOrderForEveryStiffness) {
  for (const double omega : {1e3, 1e4}) {
    SCOPED_TRACE(omega);
    const Truth t = truth(omega);
    const System flow = filtered_flow(double_pendulum_force(omega), filter_for(omega));
    const auto error = [&](double H) { return (run(flow, t.start, H).q - t.end.q).norm(); };
    const double coarse = error(1.0 / 16), fine = error(1.0 / 32);
    EXPECT_NEAR(std::log2(coarse / fine), 4.2, 0.2);
    EXPECT_LE(coarse, 1e-5);
  }
}

TEST(FilteredFlow, SlowlyVibratingSystemsAreUsable) {
  const Truth t = truth(100.0);
  const System flow = filtered_flow(double_pendulum_force(100.0),
                                    minimax_filter(double_pendulum_band(100.0), 7, 20));
  const State end = run(flow, t.start, 1.0 / 16);
  EXPECT_LE((end.q - t.end.q).norm(), 3e-5);
  EXPECT_LE((end.v - t.end.v).norm(), 3e-5);
}

TEST(FilteredFlow, KnownConstraintsAndAdaptiveStepsGiveTheSameMotion) {
  const Truth t = truth(1e3);
  const System model = double_pendulum_model(1e3);
  const System flow = filtered_flow(springs(model), model, filter_for(1e3));
  Motion motion;
  const Summary summary =
      integrate(flow, t.start, DormandPrince853{{.tol = 1e-8}}, {.until = T}, motion);
  ASSERT_EQ(summary.status, Status::ok) << summary.message;
  EXPECT_LE((summary.state.q - t.end.q).norm(), 1e-6);
  EXPECT_LE((summary.state.v - t.end.v).norm(), 1e-6);
  // energies are those of the slow motion, and kept
  EXPECT_LE(summary.energy_error.value(), 1e-7);
  EXPECT_LE(summary.counters.steps, 60);
  EXPECT_GT(flow.hidden_evaluations(), 100 * summary.counters.force_evaluations);
}

TEST(FilteredFlow, ForceIsThatOfTheSlowMotion) {
  const System model = double_pendulum_model(1e3);
  const SmoothStart slow = smooth_start(model, near_start(), 10);
  const System flow = filtered_flow(double_pendulum_force(1e3), filter_for(1e3));
  Evaluation ev;
  flow.prepare(ev);
  const Arguments at{.t = 0.0, .q = slow.state.q, .v = slow.state.v};
  ASSERT_EQ(flow.evaluate(needs(Target::force, Target::momentum, Target::kinetic_energy), at, ev),
            Status::ok);
  EXPECT_LE((ev.f - slow.a).norm(), 1e-6);
  EXPECT_EQ(ev.momentum, slow.state.v);
  EXPECT_NEAR(ev.kinetic_energy, 0.5 * slow.state.v.squaredNorm(), 1e-10);
  EXPECT_EQ(flow.evaluate(need(Target::stiffness), at, ev), Status::not_supported);

  // a copy of an Evaluation has scratch of its own
  Evaluation copy = ev;
  const Vec off = near_start().q;
  ASSERT_EQ(flow.evaluate(need(Target::force), {.t = 0.0, .q = off, .v = slow.state.v}, copy),
            Status::ok);
  EXPECT_NE(copy.f, ev.f);
}

TEST(FilteredFlow, MultipliersAndProjectionAreThoseOfTheSlowPoint) {
  const System model = double_pendulum_model(1e3);
  const System flow = filtered_flow(springs(model), model, filter_for(1e3));
  EXPECT_TRUE(flow.structure().has_manifold);
  EXPECT_FALSE(flow.structure().differentiable);
  Evaluation ev;
  flow.prepare(ev);
  Vec lambda;
  const State given = near_start();
  ASSERT_EQ(flow.multipliers({.t = given.t, .q = given.q, .v = given.v}, Vec{}, ev, lambda),
            Status::ok);
  EXPECT_NEAR(lambda[0], 1.5, 1e-4);
  EXPECT_NEAR(lambda[1], 1.25, 1e-4);
  State moved = given;
  ASSERT_EQ(flow.project(moved, ev), Status::ok);
  EXPECT_LE((1e6 * double_pendulum_g(moved.q) - lambda).norm(), 1e-9);
}

TEST(FilteredFlow, FailuresComeThrough) {
  EXPECT_THROW((void)filtered_flow(double_pendulum_model(1e3), filter_for(1e3)), ModelError);
  const System flow = filtered_flow(double_pendulum_force(5.0), filter_for(5.0));
  Evaluation ev;
  flow.prepare(ev);
  State s = near_start();
  EXPECT_NE(flow.project(s, ev), Status::ok);
  EXPECT_EQ(s.q, near_start().q);
}

}  // namespace
}  // namespace taut::test
