// SPDX-License-Identifier: BSD-3-Clause
// Runs with functions of a program in them: against the same as formulas, and closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <string>

#include "taut/model/model_file.hpp"
#include "taut/simulation/simulate.hpp"
#include "taut/simulation/simulation.hpp"

namespace taut::of_functions {
namespace {

using testing::HasSubstr;

Model stated(const std::string& text) {
  Problems problems;
  Model model = read_model(text, problems);
  problems.throw_if_any();
  return model;
}

/// The model with a force on its first coordinate, f(t, q, v).
template <class Function>
Plan pushed(const Model& model, const SimulationOptions& options, const Function& f) {
  Problems problems;
  PreparedModel prepared = prepare(model, options, problems);
  problems.throw_if_any();
  const std::string first = prepared.system.structure().coordinates.front();
  prepared = with_force(prepared, {.coordinates = {first},
                                   .force = [f](double t, const Vec& q, const Vec& v, Vec& out) {
                                     out[0] = f(t, q[0], v[0]);
                                     return Status::ok;
                                   }});
  Plan made = plan(std::move(prepared), options, problems);
  problems.throw_if_any();
  return made;
}

constexpr const char* driven = R"toml(
[parameters]
m = 2
k = 3
[inputs]
u = 0
[coordinates]
x = { mass = "m", at = 1 }
[[potential]]
energy = "k*x^2/2"
[[force]]
on = "x"
value = "u"
)toml";

// k + 5 = 8, so that omega = 2; then inputs, parameters and what was saved are those of the formula
TEST(Functions, AForceStaysWhereInputsAndParametersAreSet) {
  const auto spring = [](double, double x, double) { return -5 * x; };
  const SimulationOptions options{.until = 10, .tol = 1e-11};
  Simulation a{pushed(stated(driven), options, spring)};
  Simulation b{stated(std::string{driven} + "[[force]]\non = \"x\"\nvalue = \"-5*x\"\n"), options};
  ASSERT_EQ(a.advance_to(1), Status::ok) << a.message();
  EXPECT_NEAR(a["x"], std::cos(2.0), 1e-9);
  ASSERT_EQ(b.advance_to(1), Status::ok);
  const auto compare = [&](double t) {
    ASSERT_EQ(a.advance_to(t), Status::ok) << a.message();
    ASSERT_EQ(b.advance_to(t), Status::ok);
    EXPECT_NEAR(a["x"], b["x"], 1e-8) << t;
    EXPECT_NEAR(a["v(x)"], b["v(x)"], 1e-8) << t;
  };
  for (Simulation* one : {&a, &b}) ASSERT_EQ(one->set_input("u", 4), Status::ok);
  compare(2);
  const auto saved = a.save(), saved_too = b.save();
  for (Simulation* one : {&a, &b}) ASSERT_EQ(one->set_parameter("m", 0.5), Status::ok);
  compare(3);
  for (Simulation* one : {&a, &b}) ASSERT_EQ(one->set_input("u", -1), Status::ok);
  compare(4);
  const double far = a["x"];
  ASSERT_EQ(a.restore(saved), Status::ok) << a.message();
  ASSERT_EQ(b.restore(saved_too), Status::ok);
  compare(4);
  EXPECT_GT(std::abs(a["x"] - far), 0.01);
}

TEST(Functions, AForceStaysWhereEventsChangeParametersAndVelocities) {
  // falls by a function, g = 10; m is changed by the bounce, and the weight is a force m g
  const Model ball = stated(R"toml(
[parameters]
m = 2
[coordinates]
y = { mass = "m", at = 5 }
[[force]]
on = "y"
value = "-(m - 2)*10"
[[event]]
name = "floor"
zero = "y"
direction = "falling"
then = { "v(y)" = "-0.8*v(y)", m = "m + 1" }
)toml");
  const Result run = simulate(
      pushed(ball, {.until = 4, .tol = 1e-11}, [](double, double, double) { return -20.0; }));
  ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
  // bounces of a ball whose weight is m g all the time: at 1, 1 + 1.6, ...
  ASSERT_EQ(run.summary.events.size(), 3U);
  EXPECT_NEAR(run.summary.events[0].state.t, 1.0, 1e-9);
  EXPECT_NEAR(run.summary.events[1].state.t, 2.6, 1e-9);
  EXPECT_NEAR(run.summary.events[2].state.t, 3.88, 1e-9);
  EXPECT_NEAR(run.at(1.5)["y"], 8 * 0.5 - 5 * 0.25, 1e-9);
}

// Switches of the model are located beside a function as they are beside a formula.
TEST(Functions, DryFrictionSticksUnderAForceOfAProgram) {
  const std::string block = R"toml(
[coordinates]
x = { mass = 1 }
[[force]]
on = "x"
value = "-0.6*sign(v(x))"
)toml";
  const SimulationOptions options{.until = 20, .tol = 1e-9};
  const Result formula =
      simulate(stated(block + "[[force]]\non = \"x\"\nvalue = \"sin(t)\"\n"), options);
  const Result function = simulate(
      pushed(stated(block), options, [](double t, double, double) { return std::sin(t); }));
  ASSERT_EQ(function.summary.status, Status::ok) << function.summary.message;
  EXPECT_NEAR(function.summary.state.q[0], formula.summary.state.q[0], 1e-7);
  for (const double t : {2.0, 5.0, 9.0, 14.0})
    EXPECT_NEAR(function.at(t)["v(x)"], formula.at(t)["v(x)"], 1e-7) << t;
  EXPECT_NEAR(function.at(0.64)["x"], 0.0, 1e-12);  // it sticks as long as sin t < 0.6
  EXPECT_NEAR(static_cast<double>(function.summary.counters.steps),
              static_cast<double>(formula.summary.counters.steps),
              0.1 * static_cast<double>(formula.summary.counters.steps));
}

TEST(Functions, FormulasOfEventsAreScannedUnderAForceOfAProgram) {
  // one step of dop853 is longer than the pulse that the event sees
  const Model free = stated(
      "[coordinates]\nx = { mass = 1, velocity = 1 }\n"
      "[[event]]\nname = \"short\"\nzero = \"(x - 3)^2 - 1e-6\"\n");
  const Result run =
      simulate(pushed(free, {.until = 10}, [](double, double, double) { return 0.0; }));
  ASSERT_EQ(run.summary.events.size(), 2U);
  EXPECT_NEAR(run.summary.events[0].state.t, 2.999, 1e-9);
  EXPECT_NEAR(run.summary.events[1].state.t, 3.001, 1e-9);
}

// Joints in space count their turns beside a function, for the formulas that read them.
TEST(Functions, AnglesOfJointsCountTurnsUnderAForceOfAProgram) {
  const Model link = stated(R"toml(
[[body]]
name = "link"
mass = 1
inertia = [0.1, 0.2, 0.15]
spin = [0, 0, 30]
[[joint]]
name = "elbow"
kind = "hinge"
between = ["ground", "link"]
at = [0, 0, 0]
axis = [0, 0, 1]
[[potential]]
energy = "0.05*angle(elbow)^2/2"
[outputs]
angle = "angle(elbow)"
)toml");
  const SimulationOptions options{.until = 1, .tol = 1e-10};
  const Result run = simulate(pushed(link, options, [](double, double, double) { return 0.0; }));
  ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
  // 0.15 a'' = -0.05 a: four turns and more
  const double omega = std::sqrt(0.05 / 0.15);
  EXPECT_NEAR(run.at(1)["angle"], 30 / omega * std::sin(omega), 1e-6);
}

const std::string ball = R"toml(
[coordinates]
y = { mass = 1, at = 5 }
[[potential]]
energy = "10*y"
[[event]]
name = "floor"
zero = "t"
direction = "falling"
then = { "v(y)" = "-0.8*v(y)" }
[[event]]
name = "level"
zero = "y - 1"
)toml";

Plan with_floor(const SimulationOptions& options,
                std::function<Status(const State&, double&)> floor,
                const std::string& text = ball) {
  Plan made = plan(stated(text), options);
  made.run.event_functions = {{"floor", std::move(floor)}};
  return made;
}

Status height(const State& at, double& value) {
  value = at.q[0];
  return Status::ok;
}

TEST(Functions, AnEventThatIsAFunctionHappensAsItsFormula) {
  for (const char* const method : {"dop853", "radau", "rattle"}) {
    SCOPED_TRACE(method);
    SimulationOptions options{.until = 4, .method = method};
    if (std::string_view{method} == "rattle")
      options.step = 0.01;
    else
      options.tol = 1e-11;
    const Result run = simulate(with_floor(options, height));
    ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
    std::vector<double> floors, levels;
    for (const EventRecord& event : run.summary.events)
      (event.name == "floor" ? floors : levels).push_back(event.state.t);
    ASSERT_EQ(floors.size(), 3U);
    EXPECT_NEAR(floors[0], 1.0, 1e-9);
    EXPECT_NEAR(floors[1], 2.6, 1e-9);
    EXPECT_NEAR(floors[2], 3.88, 1e-9);
    EXPECT_EQ(levels.size(), 5U);  // 5 -> 0 -> 3.2 -> 0 -> 2.048 -> 0
    // the inside of steps knows it, where the run is taken again, too
    EXPECT_NEAR(run.at(1.5)["y"], 8 * 0.5 - 5 * 0.25, 1e-9);
  }
}

TEST(Functions, AnEventIsFoundInTheMiddleOfAStep) {
  // x = t in steps of any length; the value is below zero from 4.5 to 6.5 alone
  const std::string free =
      "[coordinates]\nx = { mass = 1, velocity = 1 }\n[[event]]\nname = \"floor\"\nzero = \"t\"\n";
  const auto pulse = [](const State& at, double& value) {
    value = (at.q[0] - 4.5) * (at.q[0] - 6.5);
    return Status::ok;
  };
  const Result run = simulate(with_floor({.until = 10}, pulse, free));
  ASSERT_EQ(run.summary.events.size(), 2U);
  EXPECT_NEAR(run.summary.events[0].state.t, 4.5, 1e-9);
  EXPECT_NEAR(run.summary.events[1].state.t, 6.5, 1e-9);
}

TEST(Functions, OneThatGoesOnThroughZeroHappensOnce) {
  // what it sets does not turn the motion back
  const std::string sliding =
      "[parameters]\nk = 0\n[coordinates]\nx = { mass = 1, at = 1, velocity = -1 }\n"
      "[[force]]\non = \"x\"\nvalue = \"k\"\n"
      "[[event]]\nname = \"floor\"\nzero = \"t\"\nthen = { k = \"k + 0.5\" }\n";
  const Result run = simulate(with_floor({.until = 10}, height, sliding));
  // x = 1 - t, then -(t-1) + (t-1)^2/4: at zero again 4 s later, going up
  ASSERT_EQ(run.summary.events.size(), 2U);
  EXPECT_NEAR(run.summary.events[0].state.t, 1.0, 1e-9);
  EXPECT_NEAR(run.summary.events[1].state.t, 5.0, 1e-9);
}

TEST(Functions, EventsAreSeenInTheHand) {
  Simulation held{with_floor({.until = 4, .tol = 1e-11}, height)};
  ASSERT_EQ(held.advance_to(1.2), Status::ok) << held.message();
  EXPECT_NEAR(held["y"], 8 * 0.2 - 5 * 0.04, 1e-9);
  EXPECT_EQ(held.events().size(), 3U);  // level, floor, level
}

TEST(Functions, MistakesAndFailuresAreNamed) {
  Simulation moved{plan(stated(ball), {.until = 1})};
  EXPECT_THAT(moved.finish().at(0).message(), HasSubstr("held in the hand"));
  Plan unknown = plan(stated(ball), {.until = 1});
  unknown.run.event_functions = {{"flor", height}};
  const Result refused = simulate(unknown);
  EXPECT_FALSE(refused.summary.good());
  EXPECT_THAT(refused.summary.message, HasSubstr("no event 'flor'"));
  unknown.run.event_functions = {{"floor", nullptr}};
  EXPECT_THAT(simulate(unknown).summary.message, HasSubstr("has no function"));

  const Result broken = simulate(with_floor({.until = 2}, [](const State& at, double& value) {
    value = at.t > 0.5 ? std::nan("") : 1.0;
    return Status::ok;
  }));
  EXPECT_EQ(broken.summary.status, Status::non_finite);
  EXPECT_THAT(broken.summary.message, HasSubstr("the function of event 'floor'"));
  const Result ended = simulate(with_floor({.until = 2}, [](const State& at, double& value) {
    value = 1.0;
    return at.t > 0.5 ? Status::solver_failed : Status::ok;
  }));
  EXPECT_EQ(ended.summary.status, Status::solver_failed);
  EXPECT_GT(ended.motion.rows(), 0U);
}

}  // namespace
}  // namespace taut::of_functions
