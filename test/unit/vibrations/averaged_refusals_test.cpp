// SPDX-License-Identifier: BSD-3-Clause
// What cannot be averaged is refused with a reason and a remedy.
#include <gtest/gtest.h>

#include <string>

#include "vibrated_models.hpp"

namespace taut::test {
namespace {

void expect_refused(const AveragedReading& reading, const std::string& words) {
  EXPECT_NE(reading.status, Status::ok);
  EXPECT_NE(reading.reason.find(words), std::string::npos) << reading.reason;
}

AveragedReading read_toml(const std::string& text, const AveragedOptions& options = {}) {
  const CompiledModel model = from_toml(text);
  return averaged(model.system, model.given, options);
}

TEST(AveragedRefusals, NoVibration) {
  const Loaded model = load("pendulum");
  expect_refused(averaged(model.system, model.start), "no [vibration]: add the section");
}

TEST(AveragedRefusals, MeanOfTheSizeOfOmega) {
  for (const double omega : {1e4, 1e6, 1e8}) {
    const Loaded model = pendulum_shaken_by("4*omega*(1 + cos(theta))", omega);
    expect_refused(averaged(model.system, model.start), "has a mean of");
    const Loaded square = pendulum_shaken_by("4*omega*cos(theta)^2", omega);
    expect_refused(averaged(square.system, square.start), "force on 'q'");
  }
}

TEST(AveragedRefusals, WeakAndNoVibrationsAreNoMistake) {
  EXPECT_EQ(read(pendulum_shaken_by("0*omega*cos(theta)", 1e3)).status, Status::ok);
  EXPECT_EQ(read(pendulum_shaken_by("0.1*cos(theta)", 1e6)).status, Status::ok);
  EXPECT_EQ(read(pendulum_shaken_by("1*omega*cos(theta)", 200)).status, Status::ok);
}

TEST(AveragedRefusals, VibrationThatIsNotFast) {
  for (const double omega : {5.0, 30.0}) {
    const Loaded model = inverted_pendulum(omega);
    expect_refused(averaged(model.system, model.start), "not fast compared with the motion");
  }
  const AveragedReading poor = read(inverted_pendulum(100));
  ASSERT_EQ(poor.notes.size(), 1u);
  EXPECT_NE(poor.notes.front().text().find("not fast compared with the motion"), std::string::npos);
  EXPECT_TRUE(read(inverted_pendulum(1e3)).notes.empty());
}

TEST(AveragedRefusals, ThetaInAConstraint) {
  expect_refused(read_toml(R"toml(
[points.p]
mass = 1
at = [0, 0.2]
[vibration]
omega = 1e4
[[constraint]]
zero = "p.x^2 + (p.y - cos(theta)/omega)^2 - 0.04"
)toml"),
                 "relative to the shaken frame");
}

TEST(AveragedRefusals, ThetaInAMass) {
  expect_refused(read_toml(R"toml(
[coordinates]
q = { at = 0.2 }
[vibration]
omega = 1e4
[[kinetic]]
energy = "(v(q) + sin(theta))^2/2"
)toml"),
                 "kinetic energy");
}

TEST(AveragedRefusals, VariableMassAndDampers) {
  expect_refused(read_toml(R"toml(
[coordinates]
q = { at = 0.2 }
[vibration]
omega = 1e4
[[kinetic]]
energy = "(1 + q^2)*v(q)^2/2"
)toml"),
                 "points and rods");
  expect_refused(read_toml(R"toml(
[coordinates]
q = { mass = 1, at = 0.2 }
[vibration]
omega = 1e4
[[force]]
on = "q"
value = "omega*cos(theta)*sin(q) - v(q)"
)toml"),
                 "depend on velocities");
}

TEST(AveragedRefusals, ForceThatIsNotThere) {
  const AveragedReading reading = read_toml(R"toml(
[coordinates]
q = { mass = 1, at = -0.2 }
[vibration]
omega = 1e4
[[force]]
on = "q"
value = "omega*cos(theta)*sqrt(q)"
)toml");
  EXPECT_EQ(reading.status, Status::non_finite);
  EXPECT_NE(reading.reason.find("force"), std::string::npos) << reading.reason;
}

TEST(AveragedRefusals, SpringsThatAreFasterThanTheVibration) {
  const auto tied_by = [](double k) {
    const CompiledModel model = from_toml(R"toml(
[parameters]
k = 1
[coordinates]
q = { mass = 1, at = 0.2 }
r = { mass = 1, at = 0.1 }
[vibration]
omega = 1e3
[[potential]]
energy = "k*(r - sin(q)/2)^2/2"
[[force]]
on = "q"
value = "omega*cos(theta)*sin(q)"
)toml",
                                          {{"k", k}});
    return averaged(model.system, model.given);
  };
  EXPECT_EQ(tied_by(1e3).status, Status::ok);
  expect_refused(tied_by(1e6), "make stiff springs rigid");
  expect_refused(tied_by(1e14), "make stiff springs rigid");
}

TEST(AveragedRefusals, ForcesThatJumpWithTheta) {
  const Loaded model = pendulum_shaken_by("4*omega*sign(cos(theta))", 1e6);
  expect_refused(averaged(model.system, model.start), "smooth a force that jumps");
}

TEST(AveragedRefusals, OptionsThatMeanNothing) {
  const Loaded model = inverted_pendulum(1e4);
  expect_refused(averaged(model.system, model.start, {.steps = -4}), "steps = -4");
  expect_refused(averaged(model.system, model.start, {.tol = 0.0}), "tol = 0");
  expect_refused(
      averaged(model.system, model.start, published_averaging(10, exponential_kernel(5), 0.0)),
      "periods = 0");
}

TEST(AveragedRefusals, StepsAreRoundedUpToWholeHalfWindows) {
  EXPECT_EQ(read(inverted_pendulum(1e4), published_averaging(9)).steps, 10);
  EXPECT_EQ(read(inverted_pendulum(1e4), {.steps = 9}).steps, 12);
}

TEST(AveragedRefusals, StiffnessOfManyCoordinates) {
  const CompiledModel model = from_toml(R"toml(
[coordinates."q{k}"]
repeat = { k = "1:250" }
mass = 1
at = 0.1
[vibration]
omega = 1e5
[[force]]
repeat = { k = "1:250" }
on = "q{k}"
value = "omega*cos(theta)*sin(q{k})"
)toml");
  const AveragedReading reading = read({model.system, model.given}, {.steps = 8});
  EXPECT_FALSE(reading.system.structure().differentiable);
  Evaluation ev;
  reading.system.prepare(ev);
  EXPECT_EQ(reading.system.evaluate(need(Target::stiffness),
                                    {.t = 0, .q = model.given.q, .v = model.given.v}, ev),
            Status::not_supported);
}

}  // namespace
}  // namespace taut::test
