// SPDX-License-Identifier: BSD-3-Clause
// What a caller cannot mean is a status with a reason: nothing is computed, nothing is thrown.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "models.hpp"
#include "taut/methods/registry.hpp"
#include "taut/run/integrate.hpp"

namespace taut {
namespace {

constexpr double refusal_nan = std::numeric_limits<double>::quiet_NaN();

struct Refusal {
  Motion motion;
  Summary summary;
};

Refusal refused_run(const test::Example& e, const State& start, const RunOptions& options,
                    const char* method = "rattle") {
  Refusal refusal;
  refusal.summary =
      integrate(e.system, start, make_method(method).value(), options, refusal.motion);
  return refusal;
}

// with its reason, which says what and names the numbers
void expect_refused(const Refusal& refusal, const std::vector<std::string>& words) {
  const Summary& s = refusal.summary;
  EXPECT_EQ(s.status, Status::invalid_argument) << s.message;
  EXPECT_FALSE(s.good());
  EXPECT_FALSE(s.hint.empty());
  EXPECT_EQ(refusal.motion.rows(), 0u);
  EXPECT_EQ(s.counters.steps, 0);
  for (const std::string& word : words)
    EXPECT_NE(s.message.find(word), std::string::npos) << word << " in: " << s.message;
}

TEST(RefusedRun, WrongSizesOfTheStart) {
  const test::Example e = test::double_pendulum();
  State start = e.start.state;
  start.q.resize(3);
  expect_refused(refused_run(e, start, {.until = 1.0, .step = 0.1}), {"3 positions", "4 coord"});
  start = e.start.state;
  start.v = Vec::Zero(7);
  expect_refused(refused_run(e, start, {.until = 1.0, .step = 0.1}), {"7 velocities"});
}

TEST(RefusedRun, AStartThatIsNotFinite) {
  const test::Example e = test::double_pendulum();
  State start = e.start.state;
  start.q[2] = refusal_nan;
  expect_refused(refused_run(e, start, {.until = 1.0, .step = 0.1}), {"q of", "nan", "b.x"});
  start = e.start.state;
  start.v[1] = std::numeric_limits<double>::infinity();
  expect_refused(refused_run(e, start, {.until = 1.0, .step = 0.1}), {"v of", "inf", "a.vy"});
  start = e.start.state;
  start.t = refusal_nan;
  expect_refused(refused_run(e, start, {.until = 1.0, .step = 0.1}), {"nan"});
}

TEST(RefusedRun, AnEndBeforeTheStart) {
  const test::Example e = test::double_pendulum();
  State start = e.start.state;
  start.t = 2.5;
  for (const char* method : {"rattle", "dop853"})
    expect_refused(refused_run(e, start, {.until = 1.25, .step = 0.1}, method), {"1.25", "2.5"});
  expect_refused(refused_run(e, start, {.until = refusal_nan, .step = 0.1}), {"nan"});
}

TEST(RefusedRun, StepsThatAreNone) {
  const test::Example e = test::double_pendulum();
  for (const double step : {0.0, -0.5, refusal_nan})
    expect_refused(refused_run(e, e.start.state, {.until = 1.0, .step = step}), {"rattle", "step"});
  // who chooses its steps needs none, and neither does who takes none
  EXPECT_TRUE(refused_run(e, e.start.state, {.until = 0.1}, "dop853").summary.good());
  EXPECT_TRUE(refused_run(e, e.start.state, {.until = 0.0}).summary.good());
}

TEST(RefusedRun, OutputTimesOutOfOrder) {
  const test::Example e = test::double_pendulum();
  const auto with = [&](std::vector<double> times) {
    return refused_run(e, e.start.state, {.until = 1.0, .step = 0.01, .times = std::move(times)});
  };
  expect_refused(with({0.5, 0.25, 1.0}), {"0.25", "0.5"});
  expect_refused(with({0.0, 1.0}), {"0"});  // the start is a row anyway
  expect_refused(with({0.5, 1.5}), {"1.5"});
  expect_refused(with({0.5, refusal_nan, 1.0}), {"nan"});
  EXPECT_EQ(with({0.25, 0.5, 1.0}).motion.t, (std::vector<double>{0, 0.25, 0.5, 1.0}));
  // the end is a row anyway
  EXPECT_EQ(with({0.25, 0.5}).motion.t, (std::vector<double>{0, 0.25, 0.5, 1.0}));
  expect_refused(refused_run(e, e.start.state, {.until = 1.0, .step = 0.01, .every = -1.0}),
                 {"-1"});
}

TEST(RefusedRun, AMethodThatWasMovedAway) {
  const test::Example e = test::double_pendulum();
  Method method = make_method("rattle").value();
  const Method taken = std::move(method);
  Refusal refusal;
  refusal.summary = integrate(e.system, e.start.state, std::move(method),
                              {.until = 1.0, .step = 0.1}, refusal.motion);
  expect_refused(refusal, {"method", "moved"});
  EXPECT_EQ(taken.info().name, "rattle");
}

TEST(RefusedRun, AStartOffTheConstraints) {
  const test::Example e = test::double_pendulum();
  for (const char* method : {"rattle", "dop853", "radau"}) {
    State start = e.start.state;
    start.q[0] += 1e-3;
    expect_refused(refused_run(e, start, {.until = 1.0, .step = 0.01}, method),
                   {"off the constraint", "0.001"});
    start = e.start.state;
    start.v << 0.5, 0, 0, 0;
    expect_refused(refused_run(e, start, {.until = 1.0, .step = 0.01}, method),
                   {"leave the constraint", "0.5"});
    // rounding is not meant
    start = e.start.state;
    start.q[0] += 1e-9;
    EXPECT_TRUE(refused_run(e, start, {.until = 0.02, .step = 0.01}, method).summary.good());
  }
}

// rows ------------------------------------------------------------------------------------------

TEST(RowsOfARun, AreAllThinnedOrOnlyShown) {
  const test::Example e = test::oscillator();
  for (const double every : {0.0, 0.1}) {
    SCOPED_TRACE(every);
    RunOptions options{.until = 5.0, .step = 0.01, .every = every, .max_rows = 100};
    const std::size_t steps = every > 0.0 ? 50 : 500;
    const auto run = [&](Rows rows, std::vector<double>& seen) {
      Refusal result;
      options.rows = rows;
      options.observers = {[&](const Frame& frame) { seen.push_back(frame.state.t); }};
      result.summary =
          integrate(e.system, e.start.state, make_method("verlet").value(), options, result.motion);
      EXPECT_TRUE(result.summary.good());
      return result;
    };
    std::vector<double> seen_all, seen_none, seen_thinned;
    const Refusal all = run(Rows::all, seen_all), none = run(Rows::none, seen_none);
    const Refusal thinned = run(Rows::thinned, seen_thinned);
    EXPECT_EQ(all.motion.rows(), steps + 1);
    EXPECT_EQ(seen_all, all.motion.t);
    EXPECT_EQ(none.motion.rows(), 0u);
    EXPECT_EQ(seen_none, seen_all);
    EXPECT_LE(thinned.motion.rows(), 102u);
    EXPECT_EQ(thinned.motion.t.back(), 5.0);
    // what is kept does not change the motion, nor what the summary says of its end
    EXPECT_EQ(none.summary.state.q, all.summary.state.q);
    EXPECT_EQ(none.summary.energy_error, all.summary.energy_error);
    EXPECT_EQ(thinned.summary.state.q, all.summary.state.q);
  }
}

TEST(RowsOfARun, ThatAreNotKeptLeaveTheMultipliersOfTheEnd) {
  const test::Example e = test::rotor();
  Motion motion;
  const Summary s = integrate(e.system, e.start, make_method("rattle").value(),
                              {.until = 1.0, .step = 0.01, .rows = Rows::none}, motion);
  ASSERT_EQ(s.lambda.size(), 1);
  EXPECT_NEAR(s.lambda[0], 1.0, 1e-3);
}

}  // namespace
}  // namespace taut
