// SPDX-License-Identifier: BSD-3-Clause
#include "taut/simulation/simulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gallery.hpp"

namespace taut {
namespace {

using test::gallery;
using testing::HasSubstr;

// x'' = (u - k x) / m
Model mass_on_a_spring() {
  Model model;
  model.name = "mass on a spring";
  model.parameters = {{.name = "m", .value = 2.0}, {.name = "k", .value = 8.0}};
  model.inputs = {{.name = "u", .value = 0.0}};
  model.coordinates = {{.name = "x", .mass = "m", .at = 1.0}};
  model.elements = {{.what = Potential{"k/2*x^2"}}, {.what = Force{.on = {"x"}, .value = {"u"}}}};
  return model;
}

TEST(Simulation, IsTheEngineOfSimulate) {
  for (const char* const name : {"double_pendulum", "stiff_double_pendulum", "andrews", "chain"}) {
    SCOPED_TRACE(name);
    const Model model = gallery(name);
    const Result run = simulate(model);
    Simulation held{model};
    const double until = run.summary.state.t;
    while (held.t() < until) ASSERT_EQ(held.step(), Status::ok) << held.message();
    for (Index i = 0; i < run.summary.state.q.size(); ++i) {
      EXPECT_EQ(held.q()[i], run.summary.state.q[i]);
      EXPECT_EQ(held.v()[i], run.summary.state.v[i]);
    }
    const Result finished = held.finish();
    EXPECT_EQ(finished.summary.counters.steps, run.summary.counters.steps);
    EXPECT_EQ(finished.motion.q, run.motion.q);
  }
}

TEST(Simulation, MeetsTheTimesThatAreAskedFor) {
  Simulation held{mass_on_a_spring(), {.until = 10}};
  for (const double t : {0.1, 0.1, 0.5, 3.0, 12.0}) {  // beyond the end that was planned, too
    ASSERT_EQ(held.advance_to(t), Status::ok) << held.message();
    EXPECT_EQ(held.t(), t);
    EXPECT_NEAR(held["x"], std::cos(2 * t), 1e-6);
  }
}

// With u = 4 from t = 1 on the mass swings about u/k: a closed form on both sides.
TEST(Simulation, InputsActFromTheInstantAtWhichTheyAreSet) {
  for (const char* const method : {"auto", "dop853", "radau", "verlet", "rk4", "cvode-bdf"}) {
    SCOPED_TRACE(method);
    SimulationOptions options{.until = 3, .method = method};
    const bool constant = std::string_view{method} == "verlet" || std::string_view{method} == "rk4";
    if (constant) options.step = 1e-4;
    Simulation held{mass_on_a_spring(), options};
    ASSERT_EQ(held.advance_to(1.0), Status::ok);
    ASSERT_EQ(held.set_input("u", 4.0), Status::ok);
    EXPECT_EQ(held.input("u"), 4.0);
    ASSERT_EQ(held.advance_to(3.0), Status::ok);
    const double x1 = std::cos(2.0), v1 = -2 * std::sin(2.0), about = 0.5;
    const double exact = about + (x1 - about) * std::cos(4.0) + v1 / 2 * std::sin(4.0);
    EXPECT_NEAR(held["x"], exact, 2e-6);
    EXPECT_NEAR(held["a(x)"], (4.0 - 8.0 * exact) / 2.0, 2e-5);
  }
}

TEST(Simulation, InputsHaveAFirstValueThatOptionsMaySet) {
  const Result rests = simulate(mass_on_a_spring(), {.set = {{"u", "k"}}, .until = 1});
  EXPECT_EQ(rests.summary.state.q[0], 1.0);
}

TEST(Simulation, TwoSimulationsHaveInputsOfTheirOwn) {
  const Model model = mass_on_a_spring();
  Simulation one{model, {.until = 1}}, other{model, {.until = 1}};
  ASSERT_EQ(one.set_input("u", 8.0), Status::ok);
  ASSERT_EQ(one.advance_to(1), Status::ok);
  ASSERT_EQ(other.advance_to(1), Status::ok);
  EXPECT_NEAR(one["x"], 1.0, 1e-9);  // at rest: u = k x
  EXPECT_NEAR(other["x"], std::cos(2.0), 1e-6);
}

TEST(Simulation, ParametersChangeWithoutRecompiling) {
  Simulation held{mass_on_a_spring(), {.until = 3}};
  ASSERT_EQ(held.advance_to(1.0), Status::ok);
  ASSERT_EQ(held.set_parameter("k", 50.0), Status::ok) << held.message();
  ASSERT_EQ(held.advance_to(2.0), Status::ok);
  const double x1 = std::cos(2.0), v1 = -2 * std::sin(2.0);
  EXPECT_NEAR(held["x"], x1 * std::cos(5.0) + v1 / 5 * std::sin(5.0), 1e-6);
  EXPECT_EQ(held.value("k"), 50.0);
}

TEST(Simulation, ExpressionsAreValuesOfThePresent) {
  Simulation held{mass_on_a_spring(), {.until = 1}};
  ASSERT_EQ(held.set_input("u", 3.0), Status::ok);
  ASSERT_EQ(held.advance_to(0.25), Status::ok);
  EXPECT_EQ(held.value("u + k*x"), 3.0 + 8.0 * held["x"]);
  EXPECT_NEAR(held.value("m/2*v(x)^2 + k/2*x^2"), held["energy"], 1e-12);
  EXPECT_THROW(static_cast<void>(held.value("u + y")), ModelError);
}

TEST(Simulation, GoesBackToWhereItWasSavedToTheSameBits) {
  for (const char* const method : {"auto", "dop853", "radau", "rattle", "gauss-newton"}) {
    SCOPED_TRACE(method);
    SimulationOptions options{.until = 2, .method = method};
    const std::string_view name = method;
    if (name == "rattle" || name == "gauss-newton") options.step = 1e-3;
    Simulation held{gallery("double_pendulum"), options};
    ASSERT_EQ(held.advance_to(0.7), Status::ok) << held.message();
    const std::vector<std::byte> here = held.save();
    ASSERT_EQ(held.advance_to(1.3), Status::ok);
    const Vec q = held.q();
    ASSERT_EQ(held.restore(here), Status::ok) << held.message();
    EXPECT_EQ(held.t(), 0.7);
    ASSERT_EQ(held.advance_to(1.3), Status::ok);
    for (Index i = 0; i < q.size(); ++i) EXPECT_EQ(held.q()[i], q[i]);
  }
}

TEST(Simulation, InputsAndParametersAreSavedToo) {
  Simulation held{mass_on_a_spring(), {.until = 2}};
  ASSERT_EQ(held.set_input("u", 1.5), Status::ok);
  ASSERT_EQ(held.set_parameter("k", 3.0), Status::ok);
  const std::vector<std::byte> here = held.save();
  ASSERT_EQ(held.set_input("u", -1.0), Status::ok);
  ASSERT_EQ(held.set_parameter("k", 4.0), Status::ok);
  ASSERT_EQ(held.restore(here), Status::ok) << held.message();
  EXPECT_EQ(held.input("u"), 1.5);
  EXPECT_EQ(held.value("k"), 3.0);
}

TEST(Simulation, EventsStopItAndItGoesOnBehindThem) {
  Model model = mass_on_a_spring();
  model.elements.push_back(
      {.what = Event{.zero = "x", .action = Event::Action::stop}, .name = "zero"});
  Simulation held{model, {.until = 3}};
  EXPECT_EQ(held.advance_to(3), Status::stopped_by_event);
  EXPECT_NEAR(held.t(), std::acos(0.0) / 2, 1e-8);
  ASSERT_EQ(held.events().size(), 1u);
  EXPECT_EQ(held.reset_events(), Status::ok);
  EXPECT_TRUE(held.events().empty());
  EXPECT_EQ(held.advance_to(3), Status::stopped_by_event);
  EXPECT_NEAR(held.t(), 3 * std::acos(0.0) / 2, 1e-7);
}

TEST(Simulation, MistakesAreAStatusWithAMessageAndChangeNothing) {
  Simulation held{mass_on_a_spring(), {.until = 3}};
  ASSERT_EQ(held.advance_to(1), Status::ok);
  const auto refused = [&](Status status, const char* why) {
    EXPECT_EQ(status, Status::invalid_argument);
    EXPECT_THAT(held.message(), HasSubstr(why));
    EXPECT_EQ(held.t(), 1.0);
  };
  refused(held.advance_to(0.5), "before the present");
  refused(held.advance_to(std::nan("")), "before the present");
  refused(held.set_input("w", 1.0), "there is no input 'w'");
  refused(held.set_input("u", std::nan("")), "nan");
  refused(held.set_parameter("kk", 1.0), "did you mean 'k'");
  refused(held.set_parameter("m", -1.0), "m");
  refused(held.set_state(Vec::Zero(2), Vec::Zero(1)), "2 positions");
  refused(held.restore({std::byte{1}, std::byte{2}}), "saved");
  Simulation other{gallery("pendulum"), {.until = 1}};
  refused(held.restore(other.save()), "saved");
  EXPECT_EQ(held.at(2.0).status(), Status::invalid_argument);
  EXPECT_EQ(held.advance_to(2), Status::ok);  // and it goes on
  EXPECT_TRUE(held.message().empty());
  EXPECT_NEAR(held["x"], std::cos(4.0), 1e-6);
  EXPECT_THROW(static_cast<void>(held["nothing"]), ModelError);
  EXPECT_THROW(Simulation{gallery("plug_flow")}, ModelError);
}

// A method would jump onto the constraints in its first step, and nobody would know.
TEST(Simulation, StatesOffTheConstraintsAreRefusedWhateverBroughtThemThere) {
  Model model;
  model.name = "pendulum";
  model.parameters = {{.name = "L", .value = 1.0}, {.name = "g", .value = 9.81}};
  model.inputs = {{.name = "pull", .value = 0.0}};
  model.points = {{.name = "bob", .mass = 1.0, .at = {1.0, 0.0}}};
  model.elements = {{.what = Constraint{.zero = "hypot(bob.x, bob.y) - L - pull"}},
                    {.what = Gravity{.acceleration = {0.0, "-g"}}}};
  Simulation held{model, {.until = 2}};
  ASSERT_EQ(held.advance_to(0.5), Status::ok);
  const Vec q = held.q(), v = held.v();
  EXPECT_EQ(held.set_parameter("L", 1.5), Status::invalid_argument);
  EXPECT_THAT(held.message(), HasSubstr("off the constraint"));
  EXPECT_EQ(held.value("L"), 1.0);
  EXPECT_EQ(held.set_input("pull", 0.1), Status::invalid_argument);
  EXPECT_EQ(held.input("pull"), 0.0);
  EXPECT_EQ(held.set_state(q + Vec::Constant(2, 0.1), v), Status::invalid_argument);
  EXPECT_EQ(held.q(), q);
  ASSERT_EQ(held.set_parameter("g", 5.0), Status::ok) << held.message();
  ASSERT_EQ(held.set_state(q, 2 * v), Status::ok) << held.message();
  EXPECT_EQ(held.advance_to(1.0), Status::ok);
  EXPECT_NEAR(held.value("hypot(bob.x, bob.y)"), 1.0, 1e-12);
}

TEST(Simulation, TheInsideOfTheLastStepIsDenseOutput) {
  Simulation held{mass_on_a_spring(), {.until = 3}};
  ASSERT_EQ(held.step(), Status::ok);
  ASSERT_EQ(held.step(), Status::ok);
  const double begin = held.t();
  ASSERT_EQ(held.step(), Status::ok);
  const double middle = (begin + held.t()) / 2;
  EXPECT_NEAR(held.at(middle)["x"], std::cos(2 * middle), 1e-7);
  EXPECT_NEAR(held["x"], std::cos(2 * held.t()), 1e-7);  // the present is not forgotten
}

}  // namespace
}  // namespace taut
