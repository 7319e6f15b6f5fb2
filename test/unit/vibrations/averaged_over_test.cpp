// SPDX-License-Identifier: BSD-3-Clause
// Oscillation of unknown period: a smooth window is all that is given.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "methods/dormand_prince.hpp"
#include "vibrated_models.hpp"

namespace taut::test {
namespace {

// x vibrates fast about -G(y)/omega with amplitudes of size 1/omega, y is pulled by omega x G'(y):
// on the average y moves in the potential cos(y) - G(y)²/2
Loaded fast_and_slow(double omega) {
  const CompiledModel model = from_toml(R"toml(
[parameters]
omega = 1e3
[definitions]
G = "1 + 0.5*sin(2*y)"
[coordinates]
x = { mass = 1, at = "1/omega" }
y = { mass = 1, at = 0.4, velocity = 0.2 }
[[potential]]
energy = "omega^2*x^2/2 + omega*x*G + cos(y)"
)toml",
                                        {{"omega", omega}});
  return {model.system, model.given};
}

double slow_force(double y) { return std::sin(y) + (1 + 0.5 * std::sin(2 * y)) * std::cos(2 * y); }

AveragedReading over(const Loaded& model, double omega, double periods = 40) {
  const double period = 2 * std::numbers::pi / omega;
  return averaged_over(model.system, model.start, periods * period, period / 40,
                       exponential_kernel(5));
}

TEST(AveragedOver, FindsTheForceOfTheSlowCoordinate) {
  for (const double omega : {1e3, 1e5}) {
    const Loaded model = fast_and_slow(omega);
    const AveragedReading reading = over(model, omega);
    ASSERT_EQ(reading.status, Status::ok) << reading.reason;
    EXPECT_TRUE(reading.even);
    EXPECT_NEAR(force_at(reading.system, model.start.q)[1], slow_force(0.4), 20 / omega);
    EXPECT_EQ(micro_steps(reading.system), 800);
    // of x about its place: 1/omega + G/omega
    EXPECT_NEAR(reading.amplitude * omega, 2 + 0.5 * std::sin(0.8), 0.2);
  }
}

TEST(AveragedOver, FollowsTheSlowMotion) {
  const double omega = 2e3;
  const Loaded model = fast_and_slow(omega);
  const AveragedReading reading = over(model, omega);
  ASSERT_EQ(reading.status, Status::ok) << reading.reason;
  const auto end = [&](const System& system) {
    DormandPrince853 method{{.tol = 1e-8}};
    State s = model.start;
    Status st = method.start(system, s);
    while (st == Status::ok && s.t < 1.0) st = method.advance(system, 1.0, s);
    EXPECT_EQ(st, Status::ok);
    return s.q[1];
  };
  EXPECT_NEAR(end(reading.system), end(model.system), 20 / omega);
  EXPECT_GT(std::abs(end(reading.system) - 0.4), 0.3);
}

TEST(AveragedOver, RefusesWindowsThatDoNotFilter) {
  const Loaded model = fast_and_slow(1e3);
  const AveragedReading reading = over(model, 1e3, 5.0);
  EXPECT_EQ(reading.status, Status::not_supported);
  EXPECT_NE(reading.reason.find("longer window"), std::string::npos) << reading.reason;
  const AveragedReading poor = over(model, 1e3, 1.3);
  ASSERT_EQ(poor.notes.size(), 1u);
  EXPECT_NE(poor.notes.front().text().find("longer window"), std::string::npos)
      << poor.notes.front().text();
  const AveragedReading none =
      averaged_over(model.system, model.start, 1e-3, 1e-3, exponential_kernel(5));
  EXPECT_NE(none.reason.find("do not go together"), std::string::npos) << none.reason;
}

TEST(AveragedOver, TellsWhenMicroStepsAreTooLong) {
  const Loaded model = fast_and_slow(1e6);
  const AveragedReading reading =
      averaged_over(model.system, model.start, 1.0, 1e-3, exponential_kernel(5));
  EXPECT_NE(reading.status, Status::ok);
  EXPECT_NE(reading.reason.find("micro-simulations with steps of 0.001 s"), std::string::npos)
      << reading.reason;
}

TEST(AveragedOver, ForcesOfTimeAreSeenFromBothSides) {
  const CompiledModel model = from_toml(R"toml(
[coordinates]
q = { mass = 1, at = 0.5 }
[[force]]
on = "q"
value = "(9.8 + 4*1e5*cos(1e5*t + 0.3))*sin(q)/0.2"
)toml");
  const Loaded loaded{model.system, model.given};
  const AveragedReading reading = over(loaded, 1e5);
  ASSERT_EQ(reading.status, Status::ok) << reading.reason;
  EXPECT_FALSE(reading.even);
  EXPECT_NEAR(force_at(reading.system, 0.5), pendulum_force(0.5), 0.3);
}

}  // namespace
}  // namespace taut::test
