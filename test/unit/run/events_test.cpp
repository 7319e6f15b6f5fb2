// SPDX-License-Identifier: BSD-3-Clause
// Events on motions that are known in closed form.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "models.hpp"
#include "taut/methods/registry.hpp"
#include "taut/run/integrate.hpp"

namespace taut {
namespace {

using std::numbers::pi;

Summary run(const test::Example& e, const char* method, RunOptions options) {
  Motion motion;
  if (options.step == 0.0) options.step = 0.01;
  return integrate(e.system, e.start, make_method(method, {.tol = 1e-12}).value(), options, motion);
}

std::string event(const std::string& name, const std::string& zero,
                  const std::string& further = "") {
  return "[[event]]\nname = \"" + name + "\"\nzero = \"" + zero + "\"\n" + further + "\n";
}

class Events : public testing::TestWithParam<const char*> {};

TEST_P(Events, AreFoundAtTheirTimes) {
  // x = cos t crosses zero at pi/2, 3 pi/2, ...
  const auto e = test::oscillator(event("zero", "x"));
  const Summary summary = run(e, GetParam(), {.until = 10.0});
  ASSERT_EQ(summary.status, Status::ok) << summary.message;
  ASSERT_EQ(summary.events.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    const EventRecord& found = summary.events[k];
    EXPECT_EQ(found.name, "zero");
    EXPECT_NEAR(found.state.t, (static_cast<double>(k) + 0.5) * pi, 2e-8);
    EXPECT_NEAR(found.state.q[0], 0.0, 1e-13);
    EXPECT_NEAR(std::abs(found.state.v[0]), 1.0, 1e-8);
  }
}

TEST_P(Events, OnlyInTheDirectionAskedFor) {
  const auto e = test::oscillator(event("up", "x", "direction = \"rising\"") +
                                  event("down", "x", "direction = \"falling\""));
  const Summary summary = run(e, GetParam(), {.until = 10.0});
  ASSERT_EQ(summary.events.size(), 3u);
  EXPECT_EQ(summary.events[0].name, "down");
  EXPECT_EQ(summary.events[1].name, "up");
  EXPECT_EQ(summary.events[2].name, "down");
}

TEST_P(Events, StopEndsTheRunThere) {
  const auto e = test::oscillator(event("low", "x + 0.5", "action = \"stop\""));
  Motion motion;
  const Summary summary =
      integrate(e.system, e.start, make_method(GetParam(), {.tol = 1e-12}).value(),
                {.until = 10.0, .step = 0.01, .every = 0.25}, motion);
  EXPECT_EQ(summary.status, Status::stopped_by_event);
  EXPECT_TRUE(summary.good());
  EXPECT_NE(summary.message.find("low"), std::string::npos);
  EXPECT_NEAR(summary.state.t, 2 * pi / 3, 2e-8);
  EXPECT_NEAR(summary.state.q[0], -0.5, 1e-13);
  // rows at 0, 0.25, ..., 2.0 and the end; none after it
  ASSERT_EQ(motion.rows(), 10u);
  EXPECT_EQ(motion.t[8], 2.0);
  EXPECT_EQ(motion.t[9], summary.state.t);
}

TEST_P(Events, SeveralInOneStepComeInOrderOfTime) {
  // all within the step from 0.50 to 0.51 of a constant step, whatever adaptive methods do
  const auto e = test::oscillator(event("third", "t - 0.509") + event("first", "t - 0.501") +
                                  event("second", "t - 0.504"));
  const Summary summary = run(e, GetParam(), {.until = 1.0});
  ASSERT_EQ(summary.events.size(), 3u);
  EXPECT_EQ(summary.events[0].name, "first");
  EXPECT_EQ(summary.events[1].name, "second");
  EXPECT_EQ(summary.events[2].name, "third");
  EXPECT_NEAR(summary.events[0].state.t, 0.501, 1e-13);
  EXPECT_NEAR(summary.events[2].state.t, 0.509, 1e-13);
}

TEST_P(Events, AfterAStopInTheSameStepNothingHappens) {
  const auto e = test::oscillator(event("late", "t - 0.509") + event("early", "t - 0.501") +
                                  event("end", "t - 0.504", "action = \"stop\""));
  const Summary summary = run(e, GetParam(), {.until = 1.0});
  EXPECT_EQ(summary.status, Status::stopped_by_event);
  ASSERT_EQ(summary.events.size(), 2u);
  EXPECT_EQ(summary.events[0].name, "early");
  EXPECT_EQ(summary.events[1].name, "end");
}

TEST_P(Events, OneThatStartsAtZeroDoesNotFireAtTheStart) {
  // v = -sin t is zero at 0 and crosses at pi and 2 pi
  const auto e = test::oscillator(event("turn", "v(x)"));
  const Summary summary = run(e, GetParam(), {.until = 7.0});
  ASSERT_EQ(summary.events.size(), 2u);
  EXPECT_NEAR(summary.events[0].state.t, pi, 2e-8);
}

TEST_P(Events, StatesFulfilTheConstraints) {
  // the rotor passes the diagonal at pi/4 + k pi
  const auto e = test::rotor(event("diagonal", "p.x - p.y"));
  const Summary summary = run(e, GetParam(), {.until = 5.0, .step = 0.1});
  ASSERT_EQ(summary.status, Status::ok) << summary.message;
  ASSERT_EQ(summary.events.size(), 2u);
  for (const EventRecord& found : summary.events) {
    EXPECT_NEAR(found.state.q.norm(), 1.0, 1.1 * test::rounding_level(e.system));
    EXPECT_NEAR(found.state.q.dot(found.state.v), 0.0, 4e-15);
    EXPECT_NEAR(found.state.q[0], found.state.q[1], 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Events, testing::Values("rk4", "dop853"));

TEST(EventLimits, FurtherEventsAreCountedAndSaid) {
  const auto e = test::oscillator(event("zero", "x"));
  const Summary summary = run(e, "rk4", {.until = 20.0, .max_events = 2});
  EXPECT_EQ(summary.events.size(), 2u);
  ASSERT_FALSE(summary.notes.empty());
  EXPECT_EQ(summary.notes.back().text(), "4 further events were not kept");
}

}  // namespace
}  // namespace taut
