// SPDX-License-Identifier: BSD-3-Clause
// Kinetic and potential energy less the work that is done is constant: driven and damped models.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "gallery.hpp"
#include "taut/model/model_file.hpp"

namespace taut {
namespace {

Model stated(std::string_view toml) {
  Problems problems;
  Model model = read_model(toml, problems);
  problems.throw_if_any();
  return model;
}

double work_of(const Summary& summary, const std::string& name) {
  for (const auto& [element, work] : summary.work)
    if (element == name) return work;
  return std::nan("");
}

constexpr const char* quarter_car = R"toml(
[coordinates]
wheel = { mass = 40 }
car = { mass = 300 }
[definitions]
road = "0.05*sin(8*t)"
[[potential]]
energy = "2e5/2*(wheel - road)^2 + 2e4/2*(car - wheel)^2"
[[force]]
on = "car"
value = "-1500*(v(car) - v(wheel))"
[[force]]
on = "wheel"
value = "1500*(v(car) - v(wheel))"
)toml";

constexpr const char* moving_anchor = R"toml(
[anchors]
hand = ["0.3*sin(3*t)", "0.1*cos(5*t)"]
[points]
bob = { mass = 2, at = [0, -1] }
[[rod]]
between = ["hand", "bob"]
length = 1.1
[[gravity]]
acceleration = [0, -9.81]
)toml";

constexpr const char* soft_and_damped = R"toml(
[points]
bob = { mass = 2, at = [1, 0] }
[[rod]]
between = ["origin", "bob"]
length = 1
compliance = 1e-3
damping = 5
[[gravity]]
acceleration = [0, -9.81]
)toml";

constexpr const char* slider_crank = R"toml(
[anchors]
base = [0, 0]
[points]
crank = { mass = 1, at = [0.3, 0] }
slider = { mass = 2, at = [1.3, 0] }
[[rod]]
between = ["base", "crank"]
[[rod]]
between = ["crank", "slider"]
[[constraint]]
zero = "slider.y"
[[force]]
name = "motor"
on = "crank"
value = ["-5*crank.y", "5*crank.x"]
[[damper]]
between = ["base", "slider"]
damping = 3
)toml";

TEST(EnergyBalance, ClosesInDrivenAndDampedModels) {
  for (const char* const toml : {quarter_car, moving_anchor, soft_and_damped, slider_crank})
    for (const char* const method : {"auto", "dop853", "radau"}) {
      SCOPED_TRACE(std::string{method} + toml);
      const Result run =
          simulate(stated(toml), {.until = 3, .method = method, .tol = 1e-10, .max_step = 0.25});
      ASSERT_TRUE(run.good()) << run.summary.message;
      ASSERT_TRUE(run.summary.energy_balance_error);
      EXPECT_FALSE(run.summary.energy_error);
      EXPECT_LT(*run.summary.energy_balance_error, 1e-8);
      EXPECT_GT(std::abs(run.summary.energy_end - run.summary.energy_start),
                1e-4 * run.summary.energy_passed);
      double sum = 0.0;
      for (const auto& [name, work] : run.summary.work) sum += work;
      EXPECT_NEAR(sum, run.motion["work"].back(), 1e-12 * run.summary.energy_passed);
    }
}

// A block on a spring sticks to a belt that moves, and slips: while it sticks, friction does the
// work of the force that holds it, k x, which the belt gives.
TEST(EnergyBalance, ClosesWhereFrictionSticksOnWhatMoves) {
  constexpr const char* belt = R"toml(
[parameters]
speed = 0.3
[coordinates]
x = { mass = 1 }
[[potential]]
energy = "50*x^2/2"
[definitions]
slip = "speed - v(x)"
[[force]]
name  = "belt"
on    = "x"
value = "9.81*(0.3 + 0.2*exp(-10*abs(slip)))*sign(slip)"
[run]
until = 5
)toml";
  for (const char* const method : {"dop853", "dopri5", "radau"}) {
    SCOPED_TRACE(method);
    const Result run = simulate(stated(belt), {.method = method, .tol = 1e-10});
    ASSERT_TRUE(run.good()) << run.summary.message;
    ASSERT_TRUE(run.summary.energy_balance_error);
    EXPECT_LT(*run.summary.energy_balance_error, 1e-8);
  }
  // two on one belt, joined by a spring: each sticks and slips, at times both
  constexpr const char* two = R"toml(
[coordinates]
x = { mass = 1 }
y = { mass = 2, at = 0.01 }
[definitions]
a = "0.3 - v(x)"
b = "0.3 - v(y)"
[[potential]]
energy = "50*x^2/2 + 80*(y - x)^2/2"
[[force]]
on    = "x"
value = "9.81*(0.3 + 0.2*exp(-10*abs(a)))*sign(a)"
[[force]]
on    = "y"
value = "2*9.81*(0.3 + 0.2*exp(-10*abs(b)))*sign(b)"
[run]
until = 10
)toml";
  for (const double tol : {1e-6, 1e-8, 1e-10, 1e-12}) {
    SCOPED_TRACE(tol);
    const Result run = simulate(stated(two), {.method = "dop853", .tol = tol});
    ASSERT_TRUE(run.good()) << run.summary.message;
    EXPECT_LT(run.summary.energy_balance_error.value_or(1.0), 10 * tol);
  }
  // from rest it sticks at once: until k x = 0.5 m g the belt has stored k x²/2
  const Result stuck = simulate(stated(belt), {.until = 0.2, .tol = 1e-10});
  ASSERT_TRUE(stuck.good()) << stuck.summary.message;
  const double at_speed = stuck.motion["v(x)"].back();
  ASSERT_NEAR(at_speed, 0.3, 1e-9);
  EXPECT_NEAR(work_of(stuck.summary, "belt"), stuck.motion["energy"].back(), 1e-9);
}

TEST(EnergyBalance, ClosesInTheMechanismsOfTheGallery) {
  for (const char* const name :
       {"geared_motor", "hoist", "quarter_car", "rolling_coin", "bicycle", "centrifugal_clutch",
        "slack_rope", "breaking_rod", "robot_arm", "cam", "rough_hoop", "crank_slider", "servo"}) {
    SCOPED_TRACE(name);
    const Result run = simulate(gallery(name), {.tol = 1e-10, .error_estimate = false});
    ASSERT_TRUE(run.good()) << run.summary.message;
    const auto& error = run.summary.energy_balance_error ? run.summary.energy_balance_error
                                                         : run.summary.energy_error;
    ASSERT_TRUE(error);
    EXPECT_LT(*error, 1e-8);
  }
}

TEST(EnergyBalance, ClosesBetweenStepsAndInThePenalizedReading) {
  const Result rows = simulate(stated(moving_anchor), {.until = 3, .every = 0.01, .tol = 1e-10});
  ASSERT_TRUE(rows.summary.energy_balance_error);
  EXPECT_LT(*rows.summary.energy_balance_error, 1e-8);
  const Result steps = simulate(stated(moving_anchor), {.until = 3, .tol = 1e-10});
  EXPECT_NEAR(steps.at(1.5)["work"], rows.motion["work"][150], 1e-7);
  const Result soft = simulate(stated(moving_anchor),
                               {.until = 1, .reading = Reading::penalized(300), .tol = 1e-10});
  ASSERT_TRUE(soft.summary.energy_balance_error);
  EXPECT_LT(*soft.summary.energy_balance_error, 1e-8);
}

// m x'' + c x' + k x = 0 in closed form: what the damper has taken.
TEST(EnergyBalance, ADamperTakesWhatTheClosedFormSays) {
  const Result run = simulate(stated(R"toml(
[coordinates]
x = { mass = 2, at = 0.3 }
[[potential]]
energy = "50*x^2"
[[force]]
name = "drag"
on = "x"
value = "-1.5*v(x)"
)toml"),
                              {.until = 4, .tol = 1e-11});
  const double m = 2, c = 1.5, k = 100, t = 4, x_0 = 0.3;
  const double decay = c / (2 * m), w = std::sqrt(k / m - decay * decay);
  const double x = x_0 * std::exp(-decay * t) * (std::cos(w * t) + decay / w * std::sin(w * t));
  const double v = -x_0 * std::exp(-decay * t) * (w + decay * decay / w) * std::sin(w * t);
  const double taken = k / 2 * (x * x - x_0 * x_0) + m / 2 * v * v;
  EXPECT_NEAR(work_of(run.summary, "drag"), taken, 1e-9 * std::abs(taken));
}

// In its steady motion a driven oscillator takes pi c w X^2 from its drive in each period.
TEST(EnergyBalance, ADriveGivesWhatTheClosedFormSays) {
  const double m = 2, c = 1.5, k = 100, w = 6, F = 4;
  const double real = k - m * w * w, imaginary = c * w;
  const double X = F / std::hypot(real, imaginary), phase = std::atan2(imaginary, real);
  Model model = stated(R"toml(
[coordinates]
x = { mass = 2 }
[[potential]]
energy = "50*x^2"
[[force]]
name = "drag"
on = "x"
value = "-1.5*v(x)"
[[force]]
name = "drive"
on = "x"
value = "4*cos(6*t)"
)toml");
  model.coordinates.front().at = X * std::cos(phase);
  model.coordinates.front().velocity = X * w * std::sin(phase);
  const Result run = simulate(model, {.until = 2 * std::numbers::pi / w, .tol = 1e-11});
  const double given = std::numbers::pi * c * w * X * X;
  EXPECT_NEAR(work_of(run.summary, "drive"), given, 1e-9 * given);
  EXPECT_NEAR(work_of(run.summary, "drag"), -given, 1e-9 * given);
}

// Of methods of constant steps the balance is as good as the method: halving the step divides the
// error by 4, and by 16 at least of rk4.
TEST(EnergyBalance, OfConstantStepsHasTheOrderOfTheMethod) {
  for (const auto& [method, factor] : {std::pair{"rattle", 3.5}, std::pair{"rk4", 14.0}}) {
    SCOPED_TRACE(method);
    const auto error = [&, name = method](double step) {
      return *simulate(stated(quarter_car), {.until = 1, .method = name, .step = step})
                  .summary.energy_balance_error;
    };
    EXPECT_GT(error(2e-3) / error(1e-3), factor);
  }
}

TEST(EnergyBalance, EndsOfStepsAtSwitchesAndEventsKeepItClosed) {
  const Result run = simulate(stated(R"toml(
[coordinates]
x = { mass = 1, at = 1 }
[[potential]]
energy = "20*x^2"
[[force]]
on = "x"
value = "-2*sign(v(x))"
[[event]]
zero = "x + 0.2"
action = "stop"
)toml"),
                              {.until = 2, .tol = 1e-10});
  ASSERT_TRUE(run.good());
  ASSERT_TRUE(run.summary.energy_balance_error);
  EXPECT_LT(*run.summary.energy_balance_error, 1e-8);
}

TEST(EnergyBalance, RatesOfFirstOrderStatesAreNoPower) {
  const Result mixed = simulate(stated(R"toml(
[coordinates]
x = { mass = 1, at = 1 }
[states]
heat = { at = 3, rate = "100*v(x)^2 + 5" }
[[potential]]
energy = "2*x^2"
[[force]]
on = "x"
value = "-0.3*v(x)"
)toml"),
                                {.until = 5, .tol = 1e-11});
  ASSERT_TRUE(mixed.summary.energy_balance_error);
  EXPECT_LT(*mixed.summary.energy_balance_error, 1e-9);
  EXPECT_EQ(mixed.summary.work.size(), 1U);
  const Result alone = simulate(stated("[states]\nz = { at = 1, rate = \"-z\" }"), {.until = 5});
  EXPECT_FALSE(alone.summary.energy_balance_error);
}

TEST(EnergyBalance, IsNotOfModelsThatKeepTheirEnergy) {
  const Result run = simulate(test::gallery("pendulum"), {.until = 1});
  EXPECT_TRUE(run.summary.energy_error);
  EXPECT_FALSE(run.summary.energy_balance_error);
  EXPECT_TRUE(run.summary.work.empty());
  EXPECT_EQ(run.motion["work"].back(), 0.0);
}

}  // namespace
}  // namespace taut
