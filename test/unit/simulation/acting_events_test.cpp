// SPDX-License-Identifier: BSD-3-Clause
// Events that change the motion, against closed forms and impulses computed by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "taut/methods/registry.hpp"
#include "taut/model/model_file.hpp"
#include "taut/run/integrate.hpp"
#include "taut/simulation/simulation.hpp"

namespace taut {
namespace {

using ::testing::HasSubstr;

Model acting(std::string_view toml) {
  Problems problems;
  Model model = read_model(toml, problems);
  problems.throw_if_any();
  return model;
}

constexpr const char* bouncing = R"toml(
[parameters]
g = 10
kept = 0.8
[points]
ball = { mass = 2, at = [0, 5], velocity = [1, 0] }
[[gravity]]
acceleration = [0, "-g"]
[[event]]
name = "floor"
zero = "ball.y"
direction = "falling"
then = { "ball.vy" = "-kept*ball.vy" }
)toml";

// from h = 5 with g = 10 it falls 1 s, and the n-th bounce is at 1 + 2 (e + ... + e^(n-1))
double bounce(int n, double e) { return 1.0 + 2.0 * (e - std::pow(e, n)) / (1.0 - e); }

TEST(ActingEvents, BallBouncesAtTheTimesOfTheClosedForm) {
  for (const char* const method : {"dop853", "radau", "rattle"}) {
    SCOPED_TRACE(method);
    SimulationOptions options{.until = 7.5, .method = method};
    if (std::string_view{method} == "rattle")
      options.step = 0.01;
    else
      options.tol = 1e-11;
    const Result run = simulate(acting(bouncing), options);
    ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
    int n = 0;
    for (const EventRecord& event : run.summary.events) {
      ++n;
      EXPECT_NEAR(event.state.t, bounce(n, 0.8), 1e-9);
      const double speed = 10.0 * std::pow(0.8, n - 1);
      EXPECT_NEAR(event.state.v[1], -speed, 1e-8);
      EXPECT_NEAR(event.after.v[1], 0.8 * speed, 1e-8);
      EXPECT_EQ(event.after.q, event.state.q);
      EXPECT_EQ(event.after.v[0], event.state.v[0]);
    }
    EXPECT_EQ(n, 8);
    // what the bounces take is work of the event, and the balance closes
    double work = 0.0;
    for (const auto& [name, w] : run.summary.work)
      if (name == "floor") work = w;
    EXPECT_NEAR(work, -(1.0 - std::pow(0.8, 2.0 * n)) * 2 * 10 * 5, 1e-6);
    EXPECT_LT(run.summary.energy_balance_error.value_or(1.0), 1e-9);
    EXPECT_FALSE(run.summary.energy_error.has_value());
  }
}

TEST(ActingEvents, BothSidesOfAJumpAreRowsAndTheInsideOfStepsKnowsThem) {
  const Result run = simulate(acting(bouncing), {.until = 2.0, .tol = 1e-10});
  const Motion& motion = run.motion;
  std::size_t jumps = 0;
  const Column t = motion["t"], vy = motion["ball.vy"];
  for (std::size_t k = 1; k < motion.rows(); ++k)
    if (t[k] == t[k - 1]) {
      ++jumps;
      EXPECT_NEAR(vy[k - 1], -10.0, 1e-7);
      EXPECT_NEAR(vy[k], 8.0, 1e-7);
    }
  EXPECT_EQ(jumps, 1U);
  const double t1 = run.summary.events.front().state.t;
  EXPECT_NEAR(run.at(t1 - 1e-9)["ball.vy"], -10.0, 1e-6);
  EXPECT_NEAR(run.at(t1)["ball.vy"], 8.0, 1e-6);
  EXPECT_NEAR(run.at(t1 + 0.5)["ball.y"], 8.0 * 0.5 - 5.0 * 0.25, 1e-8);
  EXPECT_NEAR(run.at(0.5)["ball.y"], 5.0 - 5.0 * 0.25, 1e-8);
}

TEST(ActingEvents, RowsAtGivenTimesStayThere) {
  const Result run = simulate(acting(bouncing), {.until = 4.0, .every = 0.5, .tol = 1e-10});
  ASSERT_EQ(run.motion.rows(), 9U);
  // 1 s is the first bounce: the row is that behind it
  EXPECT_NEAR(run.motion["ball.vy"][2], 8.0, 1e-6);
}

TEST(ActingEvents, ASequenceThatAccumulatesEndsWithItsTime) {
  for (const double e : {0.5, 0.8, 0.95}) {
    SCOPED_TRACE(e);
    Model model = acting(bouncing);
    model.set("kept", e);
    const Result run = simulate(model, {.until = 100.0, .tol = 1e-11});
    EXPECT_EQ(run.summary.status, Status::accumulating) << run.summary.message;
    const double end = 1.0 + 2.0 * e / (1.0 - e);
    EXPECT_NEAR(run.summary.state.t, end, 3e-6 * end);
    EXPECT_GE(run.motion["ball.y"].back(), -1e-9);
    const std::string said = run.summary.message;
    EXPECT_THAT(said, HasSubstr("'floor'"));
    const std::size_t at = said.find("accumulate at t = ");
    ASSERT_NE(at, std::string::npos) << said;
    EXPECT_NEAR(std::stod(said.substr(at + 18)), end, 1e-8 * end);
    EXPECT_THAT(run.summary.hint, HasSubstr("stop_after"));
  }
}

TEST(ActingEvents, ABallThatComesToRestDoesNotFallThroughTheFloor) {
  Model model = acting(bouncing);
  model.set("kept", 0.0);
  const Result run = simulate(model, {.until = 3.0, .tol = 1e-10});
  EXPECT_EQ(run.summary.status, Status::accumulating) << run.summary.message;
  EXPECT_NEAR(run.summary.state.t, 1.0, 1e-8);
  EXPECT_THAT(run.summary.message, HasSubstr("'floor'"));
}

TEST(ActingEvents, ABallRestsWhereNothingPushesItAnyMore) {
  const Result run = simulate(acting(R"toml(
[parameters]
g = 10
[points]
ball = { mass = 2, at = [0, 5], velocity = [1, 0] }
[[gravity]]
acceleration = [0, "-g"]
[[event]]
name = "floor"
zero = "ball.y"
direction = "falling"
then = { "ball.vy" = "select(less(-ball.vy, 1), 0, -0.5*ball.vy)", g = "select(less(-ball.vy, 1), 0, g)" }
)toml"),
                              {.until = 10.0, .tol = 1e-10});
  ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
  EXPECT_EQ(run.summary.events.size(), 5U);  // at 10, 5, 2.5, 1.25 and 0.625 m/s
  EXPECT_NEAR(run.summary.state.q[1], 0.0, 1e-9);
  EXPECT_EQ(run.summary.state.v[1], 0.0);
  EXPECT_NEAR(run.summary.state.q[0], 10.0, 1e-8);
}

TEST(ActingEvents, AnEventDoesNotHappenAgainWhereItsActionLeavesItAtZero) {
  // a kick at the lowest point goes on across zero; it is felt once each time
  const Result kicked = simulate(acting(R"toml(
[coordinates]
x = { mass = 1, at = 1 }
[[potential]]
energy = "x^2/2"
[[event]]
name = "kick"
zero = "x"
then = { "v(x)" = "2*v(x)" }
)toml"),
                                 {.until = 6.0, .tol = 1e-11});
  ASSERT_EQ(kicked.summary.events.size(), 2U);
  EXPECT_NEAR(kicked.summary.events[0].state.t, std::acos(-1.0) / 2, 1e-9);
  EXPECT_NEAR(kicked.summary.events[1].state.t, 3 * std::acos(-1.0) / 2, 1e-9);
  EXPECT_NEAR(kicked.summary.state.q[0], 4 * std::cos(6.0), 1e-8);
}

// two masses on massless rods from the origin; the lower one hits a wall
constexpr const char* double_pendulum = R"toml(
[points]
a = { mass = 2, at = [0.6, -0.8] }
b = { mass = 1, at = [1.4, -1.4] }
[[rod]]
between = ["origin", "a"]
[[rod]]
between = ["a", "b"]
[[gravity]]
acceleration = [0, -9.81]
[[event]]
name = "wall"
zero = "b.x - 0.5"
direction = "falling"
then = { "b.vx" = "-0.7*b.vx" }
stop_after = 1
)toml";

TEST(ActingEvents, AnImpactOnADoublePendulumIsThatOfItsImpulse) {
  const Result run = simulate(acting(double_pendulum), {.until = 5.0, .tol = 1e-12});
  ASSERT_EQ(run.summary.status, Status::stopped_by_event) << run.summary.message;
  ASSERT_EQ(run.summary.events.size(), 1U);
  const State& s = run.summary.events[0].state;
  const Vec& after = run.summary.events[0].after.v;
  // in two angles: (a, b) moves along w1 = (-a_y, a_x; -a_y, a_x) and w2 = (0; -(b - a)_y, (b -
  // a)_x)
  const double ax = s.q[0], ay = s.q[1], dx = s.q[2] - ax, dy = s.q[3] - ay;
  // M of the angles, and the wall's impulse J along b.x:  M (u+ - u-) = J (d b.vx / du)
  const double m11 = 3 * (ax * ax + ay * ay), m22 = dx * dx + dy * dy, m12 = ax * dx + ay * dy;
  const double c1 = -ay, c2 = -dy;  // b.vx = c1 u1 + c2 u2
  const double u1 = -s.v[0] / ay, u2 = -(s.v[2] - s.v[0]) / dy;
  const double det = m11 * m22 - m12 * m12;
  const double k1 = (m22 * c1 - m12 * c2) / det, k2 = (m11 * c2 - m12 * c1) / det;
  const double J = -1.7 * s.v[2] / (c1 * k1 + c2 * k2);
  const double w1 = u1 + J * k1, w2 = u2 + J * k2;
  EXPECT_NEAR(after[0], -ay * w1, 1e-9);
  EXPECT_NEAR(after[1], ax * w1, 1e-9);
  EXPECT_NEAR(after[2], -ay * w1 - dy * w2, 1e-9);
  EXPECT_NEAR(after[3], ax * w1 + dx * w2, 1e-9);
  EXPECT_NEAR(after[2], -0.7 * s.v[2], 1e-12);
  EXPECT_EQ(run.summary.state.v, after);
}

TEST(ActingEvents, ValuesThatConstraintsDoNotAllowEndTheRunInWords) {
  std::string text = double_pendulum;
  text.replace(text.find("stop_after = 1"), 14, "");
  text.replace(text.find("{ \"b.vx\""), 8, "{ \"a.vx\" = 1, \"a.vy\" = 1, \"b.vx\"");
  const Result run = simulate(acting(text), {.until = 5.0});
  EXPECT_EQ(run.summary.status, Status::constraints_contradict) << run.summary.message;
  EXPECT_THAT(run.summary.message, HasSubstr("'wall'"));
  EXPECT_THAT(run.summary.message, HasSubstr("'a.vx'"));
}

// x'' = -k x with k switched at given times and by x, on the energy of each piece
constexpr const char* switched = R"toml(
[parameters]
k = 1
c = "k/4"
tau = 1
[inputs]
push = 0
[coordinates]
x = { mass = 1, at = 1 }
[states]
s = { at = 0, rate = "x" }
[[potential]]
energy = "k*x^2/2"
[[force]]
on = "x"
value = "push - c*0"
[[event]]
name = "stiffer"
zero = "t - tau"
direction = "rising"
then = { k = "4*k", tau = "tau + 1", s = "s + 1" }
[[event]]
name = "pushed"
zero = "t - 2.5"
then = { push = 3 }
)toml";

TEST(ActingEvents, ParametersAndInputsAreSwitchedAsPiecesOfTheClosedFormAre) {
  const Result run = simulate(acting(switched), {.until = 3.0, .tol = 1e-12});
  ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
  double x = 1.0, v = 0.0, s = 0.0;
  const auto go = [&](double w, double h, double push) {
    const double rest = push / (w * w), c = std::cos(w * h), sn = std::sin(w * h), y = x - rest;
    s += rest * h + (y * sn - v * (c - 1.0) / w) / w;
    x = rest + y * c + v / w * sn;
    v = v * c - y * w * sn;
  };
  go(1.0, 1.0, 0.0);
  s += 1.0;
  go(2.0, 1.0, 0.0);
  s += 1.0;
  go(4.0, 0.5, 0.0);
  go(4.0, 0.5, 3.0);
  s += 1.0;  // at the end, t = 3
  EXPECT_NEAR(run.summary.state.q[0], x, 1e-9);
  EXPECT_NEAR(run.summary.state.v[0], v, 1e-9);
  EXPECT_NEAR(run.summary.state.v[1], s, 1e-9);
  EXPECT_LT(run.summary.energy_balance_error.value_or(1.0), 1e-10);
  std::set<std::string> changed;
  for (const auto& [name, value] : run.summary.changed) changed.insert(name);
  EXPECT_EQ(changed, (std::set<std::string>{"k", "c", "tau", "push"}));
}

TEST(ActingEvents, ARunThatIsResumedHasTheSameBits) {
  const std::string file = ::testing::TempDir() + "acting_events_checkpoint";
  std::filesystem::remove(file);
  const auto run_to = [&](std::int64_t steps, bool resume) {
    Plan plan = taut::plan(acting(switched), {.until = 3.0, .tol = 1e-8, .max_steps = steps});
    EXPECT_EQ(plan.keep_checkpoints(file, 1e9, resume), "");
    return simulate(std::move(plan));
  };
  const Result whole = simulate(acting(switched), {.until = 3.0, .tol = 1e-8});
  for (const std::int64_t steps : {2, 5, 8, 11}) {
    SCOPED_TRACE(steps);
    std::filesystem::remove(file);
    ASSERT_EQ(run_to(steps, false).summary.status, Status::step_limit);
    const Result rest = run_to(0, true);
    EXPECT_EQ(rest.summary.status, Status::ok) << rest.summary.message;
    EXPECT_EQ(rest.summary.state.q, whole.summary.state.q);
    EXPECT_EQ(rest.summary.state.v, whole.summary.state.v);
    EXPECT_EQ(rest.motion.t, whole.motion.t);
    EXPECT_EQ(rest.motion.q, whole.motion.q);
    EXPECT_EQ(rest.motion.energy, whole.motion.energy);
    EXPECT_EQ(rest.motion.work, whole.motion.work);
    EXPECT_EQ(rest.summary.changed, whole.summary.changed);
  }
  std::filesystem::remove(file);
}

TEST(ActingEvents, AHeldRunSeesWhatEventsHaveChanged) {
  Simulation held{acting(switched), {.until = 3.0, .tol = 1e-11}};
  ASSERT_EQ(held.advance_to(1.5), Status::ok) << held.message();
  EXPECT_DOUBLE_EQ(held.value("k"), 4.0);
  EXPECT_DOUBLE_EQ(held.value("c"), 1.0);
  const std::vector<std::byte> saved = held.save();
  ASSERT_EQ(held.advance_to(2.7), Status::ok) << held.message();
  EXPECT_DOUBLE_EQ(held.value("k"), 16.0);
  EXPECT_DOUBLE_EQ(held.input("push"), 3.0);
  const double x = held["x"];
  ASSERT_EQ(held.restore(saved), Status::ok) << held.message();
  EXPECT_DOUBLE_EQ(held.value("k"), 4.0);
  EXPECT_DOUBLE_EQ(held.input("push"), 0.0);
  ASSERT_EQ(held.advance_to(2.7), Status::ok) << held.message();
  EXPECT_DOUBLE_EQ(held["x"], x);
  // what is set from outside stays until an event changes it
  ASSERT_EQ(held.set_parameter("k", 1.0), Status::ok) << held.message();
  ASSERT_EQ(held.advance_to(3.0), Status::ok) << held.message();
  EXPECT_DOUBLE_EQ(held.value("k"), 4.0);
}

TEST(ActingEvents, ARunGoesOnWithWhatTheyHaveMadeOfTheModel) {
  const Result first = simulate(acting(switched), {.until = 2.7, .tol = 1e-12});
  const Result rest = go_on(first, 2.9);
  const Result whole = simulate(acting(switched), {.until = 2.9, .tol = 1e-12});
  EXPECT_NEAR(rest.summary.state.q[0], whole.summary.state.q[0], 1e-10);
  EXPECT_NEAR(rest.summary.state.v[0], whole.summary.state.v[0], 1e-10);
}

TEST(ActingEvents, ErrorsAreEstimatedAcrossThem) {
  const Result run =
      simulate(acting(bouncing), {.until = 4.0, .tol = 1e-6, .error_estimate = true});
  ASSERT_TRUE(run.summary.error_estimate.has_value()) << run.summary.no_error_estimate.text();
  const double truth =
      std::abs(run.summary.state.q[1] -
               simulate(acting(bouncing), {.until = 4.0, .tol = 1e-13}).summary.state.q[1]);
  EXPECT_LE(truth, 3 * run.summary.error_estimate->q[1] + 1e-10);
  EXPECT_LT(run.summary.error_estimate->along_run().v, 1e-3);
  Model stopped = acting(bouncing);
  std::get<Event>(stopped.elements.back().what).stop_after = Value{3.0};
  const Result end = simulate(stopped, {.until = 40.0, .tol = 1e-6, .error_estimate = true});
  ASSERT_EQ(end.summary.status, Status::stopped_by_event);
  EXPECT_NEAR(end.summary.state.t, bounce(3, 0.8), 1e-6);
  EXPECT_GT(end.summary.state.v[1], 0.0);
  ASSERT_TRUE(end.summary.error_estimate.has_value()) << end.summary.no_error_estimate.text();
  EXPECT_LT(end.summary.error_estimate->v[1], 1e-3);
}

TEST(ActingEvents, ThoseAtOneTimeActInTheOrderOfTheModel) {
  const Result run = simulate(acting(R"toml(
[parameters]
n = 1
[coordinates]
x = { mass = 1, velocity = 1 }
[[event]]
name = "later in time, not in order"
zero = "1 - t"
then = { n = "n + 3" }
[[event]]
name = "second"
zero = "t - 1"
then = { n = "10*n" }
[outputs]
shown = "n"
)toml"),
                              {.until = 2.0});
  ASSERT_EQ(run.summary.events.size(), 2U);
  EXPECT_EQ(run.summary.events[0].name, "later in time, not in order");
  EXPECT_EQ(run.motion["shown"].back(), 40.0);
}

TEST(ActingEvents, ARodThatBreaksLeavesItsWeightToFly) {
  // broken by the factor of its equation, where m v^2/L + m g cos(angle) reaches 25 N
  const Model model = acting(R"toml(
[inputs]
intact = 1
[points]
bob = { mass = 1, at = [1, 0] }
[[constraint]]
name = "rod"
zero = "intact*(hypot(bob.x, bob.y) - 1)"
[[gravity]]
acceleration = [0, -10]
[[event]]
name = "break"
zero = "bob.vx^2 + bob.vy^2 - 10*bob.y - 25"
direction = "rising"
then = { intact = 0 }
)toml");
  for (const char* const method : {"auto", "dop853", "dopri5", "radau", "rattle", "projected-rk"}) {
    SCOPED_TRACE(method);
    SimulationOptions options{.until = 1.2, .method = method};
    const bool constant = std::string_view{method} == "rattle";
    if (constant)
      options.step = 1e-4;
    else
      options.tol = 1e-10;
    const Result run = simulate(model, options);
    ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
    ASSERT_EQ(run.summary.events.size(), 1U);
    const State& s = run.summary.events[0].state;
    // v^2 = -20 y there, so that y = -25/30, and the weight flies
    EXPECT_NEAR(s.q[1], -25.0 / 30, constant ? 1e-6 : 1e-8);
    const double t = 1.2 - s.t;
    EXPECT_NEAR(run.summary.state.q[0], s.q[0] + s.v[0] * t, 1e-8);
    EXPECT_NEAR(run.summary.state.q[1], s.q[1] + s.v[1] * t - 5 * t * t, 1e-8);
    EXPECT_EQ(run.summary.lambda[0], 0.0);
    EXPECT_LT(run.summary.counters.steps, constant ? 13000 : 400);
  }
}

TEST(ActingEvents, MultipliersAreThoseBeforeTheEvent) {
  // of a pendulum let go from the level, m = 1, L = 1: lambda = 3 g sin(angle)
  const Result run = simulate(acting(R"toml(
[parameters]
heard = 0
[points]
bob = { mass = 1, at = [1, 0] }
[[rod]]
name = "rope"
between = ["origin", "bob"]
[[gravity]]
acceleration = [0, -10]
[states]
peak = { at = 0, rate = 0 }
[[event]]
name = "strong"
zero = "lambda(rope) - 20"
direction = "rising"
then = { peak = "lambda(rope)", heard = "2*lambda(rope) + bob.y" }
)toml"),
                              {.until = 0.6, .tol = 1e-11});
  ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
  ASSERT_EQ(run.summary.events.size(), 1u);
  EXPECT_NEAR(run.motion["peak"].back(), 20.0, 1e-8);
  EXPECT_NEAR(run.summary.events[0].state.q[1], -2.0 / 3.0, 1e-9);
  const auto& changed = run.summary.changed;
  ASSERT_EQ(changed.size(), 1u);
  EXPECT_EQ(changed[0].first, "heard");
  EXPECT_NEAR(changed[0].second, 40.0 - 2.0 / 3.0, 1e-7);
}

TEST(ActingEvents, MistakesAreNamed) {
  const auto mistake = [](const std::string& event) {
    Problems problems;
    const Model model = read_model(
        "[parameters]\nk = 1\n[coordinates]\nphi = { mass = \"k\" }\n[definitions]\nd = \"2*phi\"\n"
        "[[event]]\nzero = \"phi - 1\"\n" +
            event,
        problems);
    if (problems.empty()) static_cast<void>(compile(model, problems));
    return problems.empty() ? std::string{} : problems.message();
  };
  EXPECT_EQ(mistake("then = { \"v(phi)\" = 1 }"), "");
  EXPECT_THAT(mistake("then = { \"v(psi)\" = 1 }"), HasSubstr("did you mean 'v(phi)'?"));
  EXPECT_THAT(mistake("then = { d = 1 }"), HasSubstr("is a definition"));
  EXPECT_THAT(mistake("then = { k = \"2*q\" }"), HasSubstr("q"));
  EXPECT_THAT(mistake("then = {}"), HasSubstr("changes nothing"));
  EXPECT_THAT(mistake("then = 3"), HasSubstr("names with a number or expression each"));
  EXPECT_THAT(mistake("then = { k = 2, \"k\" = 3 }"), ::testing::Not(""));
  EXPECT_THAT(mistake("stop_after = 2.5"), HasSubstr("is no number of times"));
  EXPECT_THAT(mistake("stop_after = 2\naction = \"stop\""), HasSubstr("leave out one"));
}

TEST(ActingEvents, AreRefusedWhereTheyHaveNoMeaning) {
  const std::string jets = R"toml(
[jets]
unknowns = ["y"]
[[equation]]
zero = "y' - 1"
[[event]]
zero = "y - 1"
then = { y = 0 }
[start]
y = 0
)toml";
  Problems problems;
  const Model model = read_model(jets, problems);
  static_cast<void>(compile(model, problems));
  EXPECT_THAT(problems.message(), HasSubstr("is for motions in time"));

  const CompiledModel compiled = compile(acting(bouncing));
  Motion motion;
  const Summary refused = integrate(compiled.system, compiled.given,
                                    make_method("dop853", {}).value(), {.until = 1.0}, motion);
  EXPECT_EQ(refused.status, Status::invalid_argument);
  EXPECT_THAT(refused.message, HasSubstr("RunOptions::acting"));
}

TEST(StartValues, ThatAreKeptMoveTheOthers) {
  const std::string crank = R"toml(
[points]
a = { mass = 1, at = [0.6, 0.8], keep = true, velocity = [-0.8, 0.6] }
b = { mass = 5, at = [2.0, 0.1] }
[[rod]]
between = ["origin", "a"]
length = 1
[[rod]]
between = ["a", "b"]
length = 2
[[constraint]]
zero = "b.y"
)toml";
  const Result run = simulate(acting(crank), {.until = 1e-3});
  const State& start = run.plan->start.state;
  EXPECT_EQ(start.q[0], 0.6);
  EXPECT_EQ(start.q[1], 0.8);
  EXPECT_NEAR(start.q[2], 0.6 + std::sqrt(4.0 - 0.64), 1e-14);
  EXPECT_NEAR(start.q[3], 0.0, 1e-15);
  EXPECT_NEAR(start.v[0], -0.8, 1e-15);
  // (b - a) . (v_b - v_a) = 0 with b.vy = 0
  const double dx = start.q[2] - 0.6;
  EXPECT_NEAR(start.v[2], -0.8 - 0.8 * 0.6 / dx, 1e-13);
  Problems problems;
  std::string wrong = crank;
  wrong.replace(wrong.find("[0.6, 0.8]"), 10, "[0.6, 0.9]");
  const Result failed = simulate(acting(wrong), {.until = 1.0});
  EXPECT_EQ(failed.summary.status, Status::constraints_contradict) << failed.summary.message;
  EXPECT_THAT(failed.summary.message, HasSubstr("'a.x' that is kept"));
}

TEST(StartValues, FromAnEquilibriumAreAtRest) {
  const Result run = simulate(acting(R"toml(
[points]
bob = { mass = 2, at = [0.3, -1] }
[[spring]]
between = ["origin", "bob"]
stiffness = 100
length = 1
[[gravity]]
acceleration = [0, -10]
[states]
z = { at = 5, rate = "bob.y - z" }
[start]
from = "equilibrium"
)toml"),
                              {.until = 3.0, .tol = 1e-10});
  ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
  EXPECT_NEAR(run.summary.state.q[1], -1.2, 1e-9);
  EXPECT_NEAR(run.summary.state.q[0], 0.0, 1e-9);
  EXPECT_NEAR(run.summary.state.v[2], -1.2, 1e-9);
  EXPECT_NEAR(run.motion["bob.y"][0], -1.2, 1e-9);
}

}  // namespace
}  // namespace taut
