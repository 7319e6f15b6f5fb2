// SPDX-License-Identifier: BSD-3-Clause
// A run that is held between its steps: the same engine as integrate(), to the same bits.
#include <gtest/gtest.h>

#include <cmath>

#include "models.hpp"
#include "run/time_run.hpp"
#include "taut/methods/registry.hpp"

namespace taut {
namespace {

Method held_method(const std::string& name) { return make_method(name, {.tol = 1e-8}).value(); }

// one method of constant steps, one that chooses them, one that is implicit
const std::vector<std::string> held_methods{"rattle", "dop853", "radau"};

void expect_same_motion(const Motion& a, const Motion& b) {
  EXPECT_EQ(a.t, b.t);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.v, b.v);
  EXPECT_EQ(a.lambda, b.lambda);
  EXPECT_EQ(a.energy, b.energy);
  EXPECT_EQ(a.step, b.step);
}

// constant steps are the same bits; others begin with the step that the run had
void expect_same_end(const std::string& name, const State& held, const State& fresh) {
  if (name == "rattle") {
    EXPECT_EQ(held.q, fresh.q);
    EXPECT_EQ(held.v, fresh.v);
  } else {
    EXPECT_LE((held.q - fresh.q).norm(), 1e-7);
    EXPECT_LE((held.v - fresh.v).norm(), 1e-6);
  }
}

void advance_to(TimeRun& run, double t) {
  while (run.state().t < t) ASSERT_EQ(run.advance(t), Status::ok) << run.message(Status::ok);
}

TEST(HeldRun, StepByStepIsTheWholeRun) {
  const test::Example e = test::double_pendulum();
  for (const std::string& name : held_methods)
    for (const double every : {0.0, 0.013}) {
      SCOPED_TRACE(name);
      const RunOptions options{.until = 1.0, .step = 0.005, .every = every};
      Motion whole, held;
      const Summary expected = integrate(e.system, e.start, held_method(name), options, whole);
      ASSERT_EQ(expected.status, Status::ok);

      TimeRun run{e.system, held_method(name), options, held};
      ASSERT_EQ(run.begin(e.start.state), Status::ok);
      std::int64_t steps = 0;
      while (!run.finished()) {
        const double before = run.state().t;
        ASSERT_EQ(run.advance(), Status::ok);
        EXPECT_GT(run.state().t, before);
        EXPECT_EQ(run.steps(), ++steps);
        // looking at the present changes nothing
        ASSERT_EQ(run.measure_at(run.state().t), Status::ok);
        EXPECT_EQ(run.frame().lambda.size(), 2);
      }
      const Summary summary = run.finish(Status::ok);
      EXPECT_EQ(summary.message, expected.message);
      EXPECT_EQ(summary.counters.steps, expected.counters.steps);
      EXPECT_EQ(summary.counters.force_evaluations, expected.counters.force_evaluations);
      EXPECT_EQ(summary.state.q, expected.state.q);
      EXPECT_EQ(summary.lambda, expected.lambda);
      expect_same_motion(held, whole);
    }
}

TEST(HeldRun, MeetsEveryEndItIsAimedAt) {
  const test::Example e = test::rotor();
  for (const std::string& name : held_methods) {
    SCOPED_TRACE(name);
    Motion motion;
    const RunOptions options{.until = 0.0, .step = 0.01, .every = 0.25};
    TimeRun run{e.system, held_method(name), options, motion};
    ASSERT_EQ(run.begin(e.start.state), Status::ok);
    EXPECT_TRUE(run.finished());
    for (int k = 1; k <= 30; ++k) {
      const double t = 0.0333 * k;
      advance_to(run, t);
      EXPECT_EQ(run.state().t, t);
      EXPECT_NEAR(run.state().q[0], std::cos(t), 1e-4);
    }
    const Summary s = run.finish(Status::ok);
    EXPECT_EQ(s.state.t, 0.0333 * 30);
    // rows where they were asked for, and the end; not at the ends in between
    ASSERT_EQ(motion.rows(), 5u);
    for (std::size_t k = 0; k < 4; ++k)
      EXPECT_NEAR(motion.t[k], 0.25 * static_cast<double>(k), 1e-15);
    EXPECT_EQ(motion.t[4], 0.0333 * 30);

    EXPECT_EQ(run.aim(0.5), Status::invalid_argument);
    EXPECT_NE(run.message(Status::invalid_argument).find("0.5"), std::string::npos);
  }
}

// the rows of a run with output times are those of its steps' insides
TEST(HeldRun, KnowsTheInsideOfItsLastStep) {
  const test::Example e = test::double_pendulum();
  for (const std::string& name : held_methods) {
    SCOPED_TRACE(name);
    RunOptions options{.until = 1.0, .step = 0.02, .every = 0.013};
    Motion rows, motion;
    ASSERT_EQ(integrate(e.system, e.start, held_method(name), options, rows).status, Status::ok);
    options.every = 0.0;
    TimeRun run{e.system, held_method(name), options, motion};
    run.keep_interior();
    ASSERT_EQ(run.begin(e.start.state), Status::ok);
    State before;
    EXPECT_EQ(run.at(-0.1, before), Status::invalid_argument);
    std::size_t row = 1, compared = 0;
    while (!run.finished()) {
      ASSERT_EQ(run.advance(), Status::ok);
      for (; row < rows.rows() && rows.t[row] <= run.state().t; ++row, ++compared) {
        ASSERT_EQ(run.measure_at(rows.t[row]), Status::ok);
        const Frame& frame = run.frame();
        for (Index i = 0; i < 4; ++i) {
          EXPECT_EQ(frame.state.q[i], rows.q[4 * row + static_cast<std::size_t>(i)]);
          EXPECT_EQ(frame.state.v[i], rows.v[4 * row + static_cast<std::size_t>(i)]);
        }
        EXPECT_EQ(frame.lambda[0], rows.lambda[2 * row]);
        EXPECT_EQ(frame.energy(), rows.energy[row]);
      }
    }
    EXPECT_EQ(compared, rows.rows() - 1);
    EXPECT_EQ(run.at(run.known_from() - 1e-3, before), Status::invalid_argument);
  }
}

TEST(HeldRun, GoesBackToWhereItWasSavedToTheSameBits) {
  const test::Example e = test::double_pendulum(R"toml(
[[event]]
name = "left"
zero = "a.x"
)toml");
  for (const std::string& name : held_methods) {
    SCOPED_TRACE(name);
    Motion motion;
    const RunOptions options{.until = 2.0, .step = 0.005, .max_rows = 40};
    TimeRun run{e.system, held_method(name), options, motion};
    ASSERT_EQ(run.begin(e.start.state), Status::ok);
    advance_to(run, 0.4);
    Archive out = Archive::writer();
    run.store(out);
    const std::vector<std::byte> saved = out.bytes();

    const auto rest = [&] {
      EXPECT_EQ(run.aim(2.0), Status::ok);
      EXPECT_EQ(run.run(), Status::ok);
      return std::pair{motion, run.events()};
    };
    const auto once = rest();
    ASSERT_GE(once.second.size(), 1u);
    Archive in = Archive::reader(saved);
    ASSERT_EQ(run.restore(in), Status::ok);
    EXPECT_TRUE(in.at_end());
    EXPECT_EQ(run.state().t, 0.4);
    EXPECT_EQ(run.until(), 0.4);
    const auto again = rest();
    expect_same_motion(once.first, again.first);
    ASSERT_EQ(once.second.size(), again.second.size());
    EXPECT_EQ(once.second.back().state.t, again.second.back().state.t);
  }
}

TEST(HeldRun, AChangedStateRestartsTheMethodAndNothingElse) {
  const test::Example e = test::double_pendulum();
  for (const std::string& name : held_methods) {
    SCOPED_TRACE(name);
    Motion motion, other;
    const RunOptions options{.until = 1.0, .step = 0.01};
    TimeRun run{e.system, held_method(name), options, motion};
    ASSERT_EQ(run.begin(e.start.state), Status::ok);
    advance_to(run, 0.5);
    const std::int64_t steps = run.counters().steps;
    State kicked = run.state();
    kicked.v *= -2.0;
    ASSERT_EQ(run.change(kicked), Status::ok);
    EXPECT_EQ(run.counters().steps, steps);
    advance_to(run, 1.0);
    const Summary s = run.finish(Status::ok);
    EXPECT_FALSE(s.energy_error);
    EXPECT_EQ(motion.t.front(), 0.0);

    const Summary fresh = integrate(e.system, kicked, held_method(name), options, other);
    ASSERT_EQ(fresh.status, Status::ok) << fresh.message;
    expect_same_end(name, s.state, fresh.state);

    kicked.t = 0.3;
    EXPECT_EQ(run.change(kicked), Status::invalid_argument);
    kicked.t = 1.0;
    kicked.q.resize(3);
    EXPECT_EQ(run.change(kicked), Status::invalid_argument);
  }
}

TEST(HeldRun, GoesOnWithOtherParameters) {
  const auto model = [](double gravity) {
    return test::example(R"toml(
name = "pendulum"
[points]
p = { mass = 1, at = [1, 0] }
[[rod]]
between = ["origin", "p"]
length = 1
[[gravity]]
acceleration = [0, -)toml" +
                         std::to_string(gravity) + "]\n");
  };
  const test::Example earth = model(9.81), moon = model(1.62);
  for (const std::string& name : held_methods) {
    SCOPED_TRACE(name);
    Motion motion, other;
    const RunOptions options{.until = 1.0, .step = 0.01};
    TimeRun run{earth.system, held_method(name), options, motion};
    ASSERT_EQ(run.begin(earth.start.state), Status::ok);
    advance_to(run, 0.5);
    const State middle = run.state();
    ASSERT_EQ(run.change(moon.system), Status::ok);
    ASSERT_EQ(run.measure_at(0.5), Status::ok);
    EXPECT_NEAR(run.frame().potential_energy, 1.62 * middle.q[1], 1e-12);
    // tension = v^2 - g y
    EXPECT_NEAR(run.frame().lambda[0], middle.v.squaredNorm() - 1.62 * middle.q[1], 1e-6);
    advance_to(run, 1.0);
    const Summary fresh = integrate(moon.system, middle, held_method(name), options, other);
    expect_same_end(name, run.state(), fresh.state);
    EXPECT_EQ(run.change(test::double_pendulum().system), Status::invalid_argument);
  }
}

TEST(HeldRun, GoesOnBehindAnEventThatStops) {
  const test::Example e = test::rotor(R"toml(
[[event]]
name = "up"
zero = "p.x"
action = "stop"
)toml");
  for (const std::string& name : held_methods) {
    SCOPED_TRACE(name);
    Motion motion;
    const RunOptions options{.until = 6.0, .step = 0.01};
    TimeRun run{e.system, held_method(name), options, motion};
    ASSERT_EQ(run.begin(e.start.state), Status::ok);
    ASSERT_EQ(run.run(), Status::stopped_by_event);
    EXPECT_NEAR(run.state().t, M_PI / 2, 1e-4);
    ASSERT_EQ(run.run(), Status::stopped_by_event);
    EXPECT_NEAR(run.state().t, 3 * M_PI / 2, 1e-4);
    EXPECT_EQ(run.events().size(), 2u);
    ASSERT_EQ(run.reset_events(), Status::ok);
    ASSERT_EQ(run.run(), Status::ok);
    const Summary s = run.finish(Status::ok);
    EXPECT_EQ(s.state.t, 6.0);
    EXPECT_TRUE(s.events.empty());
    EXPECT_TRUE(s.energy_error);  // nobody has disturbed it
  }
}

}  // namespace
}  // namespace taut
