// SPDX-License-Identifier: BSD-3-Clause
// What is shown of a motion besides its coordinates: outputs, and quantities of elements.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "gallery.hpp"
#include "taut/model/model_file.hpp"
#include "taut/simulation/simulation.hpp"
#include "taut/studies/measure.hpp"

namespace taut {
namespace {

using test::gallery;
using testing::HasSubstr;

Model written(std::string_view toml) {
  Problems problems;
  Model model = read_model(toml, problems);
  problems.throw_if_any();
  return model;
}

std::string mistakes(std::string_view toml) {
  Problems problems;
  const Model model = read_model(toml, problems);
  static_cast<void>(compile(model, problems));
  return problems.empty() ? "" : ModelError{problems}.what();
}

Model swinging() {
  Model model = gallery("double_pendulum");
  model.outputs = {{"swing", "atan2(bob1.x, -bob1.y)"},
                   {"twice", "2*swing"},
                   {"speed", "sqrt(bob1.vx^2 + bob1.vy^2)"}};
  return model;
}

TEST(Outputs, AreColumnsAndNumbersByName) {
  const Result run = simulate(swinging(), {.until = 2});
  ASSERT_TRUE(run.good());
  const Motion& motion = run.motion;
  for (std::size_t row = 0; row < motion.rows(); ++row) {
    const double swing = std::atan2(motion["bob1.x"][row], -motion["bob1.y"][row]);
    EXPECT_NEAR(motion["swing"][row], swing, 1e-15);
    EXPECT_NEAR(motion["twice"][row], 2 * swing, 1e-15);
    EXPECT_NEAR(motion["speed"][row], std::hypot(motion["bob1.vx"][row], motion["bob1.vy"][row]),
                1e-14);
  }
  const Instant then = run.at(1.234);
  EXPECT_NEAR(then["swing"], std::atan2(then["bob1.x"], -then["bob1.y"]), 1e-15);
  Simulation held{swinging(), {.until = 2}};
  ASSERT_EQ(held.advance_to(1.234), Status::ok);
  EXPECT_EQ(held["twice"], 2 * held["swing"]);
  EXPECT_EQ(held.value("twice - swing"), held["swing"]);
}

TEST(Outputs, AreNamesForEventsAndMeasures) {
  Model model = swinging();
  model.elements.push_back(
      {.what = Event{.zero = "swing - 0.1", .action = Event::Action::stop}, .name = "there"});
  Problems problems;
  const std::vector<RunMeasure> measures =
      read_measures({"end(swing)", "max(bob1.ax)", "max(kinetic_energy)", "min(rod 1)"}, problems);
  add_measures(measures, model);
  const CompiledModel compiled = compile(model);
  RunMeter meter{measures, compiled, problems};
  ASSERT_TRUE(problems.empty());
  SimulationOptions options{.until = 20};
  options.observers.emplace_back([&](const Frame& frame) { meter(frame); });
  const Result run = simulate(model, options);
  ASSERT_EQ(run.summary.status, Status::stopped_by_event);
  const std::vector<double> found = meter.result(run.summary);
  EXPECT_NEAR(found[0], 0.1, 1e-9);
  const auto largest = [&](const char* name) {
    const Column column = run.motion[name];
    return *std::max_element(column.begin(), column.end());
  };
  EXPECT_EQ(found[1], largest("bob1.ax"));
  EXPECT_EQ(found[2], largest("kinetic_energy"));
  const Column rod = run.motion["rod 1"];
  EXPECT_EQ(found[3], *std::min_element(rod.begin(), rod.end()));
}

TEST(Outputs, ChangeNoBitOfTheMotion) {
  const Result plain = simulate(gallery("double_pendulum"), {.until = 5, .columns = "stated"});
  const Result shown = simulate(swinging(), {.until = 5, .columns = "all"});
  EXPECT_EQ(plain.motion.q, shown.motion.q);
  EXPECT_EQ(plain.motion.lambda, shown.motion.lambda);
  EXPECT_TRUE(plain.motion.quantities.empty());
  EXPECT_FALSE(shown.motion.quantities.empty());
}

TEST(Outputs, MistakesAreSaidWithTheirRemedies) {
  constexpr std::string_view model = "[points]\nbob = { mass = 1, at = [1, 0] }\n[outputs]\n";
  const auto with = [&](const char* outputs) { return mistakes(std::string{model} + outputs); };
  EXPECT_EQ(with("far = \"bob.x^2\""), "");
  EXPECT_THAT(with("far = \"bbo.x^2\""), HasSubstr("did you mean 'bob.x'?"));
  EXPECT_THAT(with("a = \"b\"\nb = \"2*a\""), HasSubstr("depends on itself: a -> b -> a"));
  EXPECT_THAT(with("bob = \"1\""), HasSubstr("already"));
}

TEST(Outputs, OfModelsWithJets) {
  Model model = gallery("pendulum_dae");
  model.outputs = {{"length", "x^2 + y^2"}, {"turn", "x*y' - y*x'"}};
  const Result run = simulate(model, {.until = 1});
  ASSERT_TRUE(run.good());
  const CurveMotion& motion = run.curve->motion;
  ASSERT_GT(motion.rows(), 3u);
  for (std::size_t row = 0; row < motion.rows(); ++row) {
    EXPECT_NEAR(motion["length"][row], 1.0, 1e-9);
    EXPECT_NEAR(motion["turn"][row],
                motion["x"][row] * motion["y'"][row] - motion["y"][row] * motion["x'"][row], 1e-9);
  }
}

// Quantities.
// -------------------------------------------------------------------------------------------

TEST(Quantities, OfSpringsAndDampers) {
  const Result run = simulate(written(R"toml(
[points]
bob = { mass = 2, at = [1.5, 0], velocity = [0, 0.7] }
[[spring]]
between = ["origin", "bob"]
stiffness = 30
length = 1
[[damper]]
name = "shock"
between = ["origin", "bob"]
damping = 0.4
)toml"),
                              {.until = 1});
  ASSERT_TRUE(run.good());
  const Motion& m = run.motion;
  for (std::size_t row = 0; row < m.rows(); ++row) {
    const double x = m["bob.x"][row], y = m["bob.y"][row], r = std::hypot(x, y);
    const double rate = (x * m["bob.vx"][row] + y * m["bob.vy"][row]) / r;
    const double pull = 30 * (r - 1), drag = 0.4 * rate;
    EXPECT_NEAR(m["spring 1.force"][row], pull, 1e-12);
    EXPECT_NEAR(m["spring 1.length"][row], r, 1e-14);
    EXPECT_NEAR(m["spring 1.power"][row], -pull * rate, 1e-12);
    EXPECT_NEAR(m["shock.force"][row], drag, 1e-13);
    EXPECT_NEAR(m["shock.power"][row], -drag * rate, 1e-13);
    EXPECT_NEAR(m["bob.ax"][row], -(pull + drag) * x / r / 2, 1e-11);
    EXPECT_NEAR(m["bob.ay"][row], -(pull + drag) * y / r / 2, 1e-11);
  }
}

// The tension of a uniform bar that swings about its end is, a distance s below it,
// (m/L) (w²(L² - s²)/2 + g cos(angle) (L - s)): its mean over s is what the multiplier is.
TEST(Quantities, OfARodWithMassTheForceIsTheMeanTension) {
  const Result run = simulate(written(R"toml(
[points]
tip = { at = [1.2, 0] }
[[rod]]
between = ["origin", "tip"]
mass = 3
[[gravity]]
acceleration = [0, -9.81]
)toml"),
                              {.until = 1});
  ASSERT_TRUE(run.good());
  const Motion& m = run.motion;
  for (std::size_t row = 0; row < m.rows(); ++row) {
    const double w = std::hypot(m["tip.vx"][row], m["tip.vy"][row]) / 1.2;
    const double down = -m["tip.y"][row] / 1.2;
    EXPECT_NEAR(m["rod 1.force"][row], 3 * (w * w * 1.2 / 3 + 9.81 * down / 2), 1e-9);
    EXPECT_NEAR(m["rod 1.length"][row], 1.2, 1e-12);
  }
}

TEST(Quantities, OfABodyAreItsAnglesAndAngularVelocity) {
  const Result run = simulate(written(R"toml(
[[body]]
name = "top"
mass = 1
inertia = [3, 2, 1.5]
at = [0, 0, 0]
rotation = [0.2, -0.5, 0.9]
spin = [0.3, 2, -0.4]
)toml"),
                              {.until = 1});
  ASSERT_TRUE(run.good());
  const Motion& m = run.motion;
  EXPECT_NEAR(m["top.w1"][0], 0.3, 1e-13);
  EXPECT_NEAR(m["top.w2"][0], 2.0, 1e-13);
  EXPECT_NEAR(m["top.w3"][0], -0.4, 1e-13);
  for (std::size_t row = 0; row < m.rows(); ++row) {
    const auto c = [&](const char* name) { return std::cos(m[name][row]); };
    const auto s = [&](const char* name) { return std::sin(m[name][row]); };
    // R_z(yaw) R_y(pitch) R_x(roll), entry by entry
    EXPECT_NEAR(m["top.r11"][row], c("top.yaw") * c("top.pitch"), 1e-10);
    EXPECT_NEAR(m["top.r21"][row], s("top.yaw") * c("top.pitch"), 1e-10);
    EXPECT_NEAR(m["top.r31"][row], -s("top.pitch"), 1e-10);
    EXPECT_NEAR(m["top.r12"][row],
                c("top.yaw") * s("top.pitch") * s("top.roll") - s("top.yaw") * c("top.roll"),
                1e-10);
    EXPECT_NEAR(m["top.r23"][row],
                s("top.yaw") * s("top.pitch") * c("top.roll") - c("top.yaw") * s("top.roll"),
                1e-10);
    // Euler's equations keep the angular momentum in space
    double L_x = 0.0, energy = 0.0;
    const std::array J{3.0, 2.0, 1.5};
    for (int k = 0; k < 3; ++k) {
      const double w = m["top.w" + std::to_string(k + 1)][row];
      L_x += m["top.r1" + std::to_string(k + 1)][row] * J[static_cast<std::size_t>(k)] * w;
      energy += J[static_cast<std::size_t>(k)] * w * w / 2;
    }
    EXPECT_NEAR(energy, m["kinetic_energy"][row], 1e-8);
    double at_start = 0.0;
    for (int k = 0; k < 3; ++k)
      at_start += m["top.r1" + std::to_string(k + 1)][0] * J[static_cast<std::size_t>(k)] *
                  m["top.w" + std::to_string(k + 1)][0];
    EXPECT_NEAR(L_x, at_start, 1e-7);
  }
}

// A body that swings on a hinge: the joint gives m a - m g, and no torque about its axis.
TEST(Quantities, ForceOfAJointIsThatOnItsSecondSide) {
  for (const bool swapped : {false, true}) {
    SCOPED_TRACE(swapped);
    const std::string between = swapped ? "[\"arm\", \"ground\"]" : "[\"ground\", \"arm\"]";
    const Result run = simulate(written(R"toml(
[[body]]
name = "arm"
mass = 2
inertia = [0.1, 0.2, 0.3]
at = [0.5, 0.2, -0.1]
[[joint]]
name = "pivot"
kind = "hinge"
between = )toml" + between + R"toml(
at = [0, 0, 0]
axis = [0.3, 1, 0.1]
[[gravity]]
acceleration = [0, 0, -9.81]
)toml"),
                                {.until = 1});
    ASSERT_TRUE(run.good());
    const Motion& m = run.motion;
    const double sign = swapped ? -1.0 : 1.0;
    for (std::size_t row = 0; row < m.rows(); ++row) {
      EXPECT_NEAR(m["pivot.fx"][row], sign * 2 * m["arm.ax"][row], 1e-8);
      EXPECT_NEAR(m["pivot.fy"][row], sign * 2 * m["arm.ay"][row], 1e-8);
      EXPECT_NEAR(m["pivot.fz"][row], sign * 2 * (m["arm.az"][row] + 9.81), 1e-8);
      EXPECT_NEAR(m["pivot.t3"][row], 0.0, 1e-8);
      double space = 0.0, own = 0.0;
      for (const char* axis : {"x", "y", "z"})
        space += std::pow(m[std::string{"pivot.t"} + axis][row], 2);
      for (const char* axis : {"1", "2", "3"})
        own += std::pow(m[std::string{"pivot.t"} + axis][row], 2);
      EXPECT_NEAR(space, own, 1e-8 * (1 + space));
      EXPECT_GT(space, 1e-3);
    }
  }
}

// A skew rotor: what holds it in its hinge turns with it, w x (J w) with J_xz = 0.3, J_yz = -0.2.
TEST(Quantities, TorqueOfAHingeOnASkewRotor) {
  const Result run = simulate(written(R"toml(
[[body]]
name = "rotor"
mass = 2
inertia = [2, 2.2, 1.7, 0, 0.3, -0.2]
at = [1, 2, 3]
spin = [0, 0, 5]
[[joint]]
name = "bearing"
kind = "hinge"
between = ["ground", "rotor"]
at = [1, 2, 3]
axis = [0, 0, 1]
)toml"),
                              {.until = 1});
  ASSERT_TRUE(run.good());
  const Motion& m = run.motion;
  for (std::size_t row = 0; row < m.rows(); ++row) {
    const double yaw = m["rotor.yaw"][row];
    EXPECT_NEAR(m["rotor.wz"][row], 5.0, 1e-8);
    const double t_1 = 25 * 0.2, t_2 = 25 * 0.3;
    EXPECT_NEAR(m["bearing.tx"][row], std::cos(yaw) * t_1 - std::sin(yaw) * t_2, 1e-6);
    EXPECT_NEAR(m["bearing.ty"][row], std::sin(yaw) * t_1 + std::cos(yaw) * t_2, 1e-6);
    EXPECT_NEAR(m["bearing.tz"][row], 0.0, 1e-8);
    EXPECT_NEAR(m["bearing.fx"][row], 0.0, 1e-7);
  }
}

// A load at the end of a beam that is clamped: the torque is that about the place of the joint.
TEST(Quantities, TorqueOfAFixedJointIsAboutItsPlace) {
  const Result run = simulate(written(R"toml(
[[body]]
name = "beam"
mass = 2
inertia = [0.1, 0.2, 0.3]
at = [0.5, 0, 0]
[[joint]]
name = "wall"
kind = "fixed"
between = ["ground", "beam"]
at = [-0.25, 0, 0]
[[gravity]]
acceleration = [0, 0, -10]
)toml"),
                              {.until = 0.1});
  ASSERT_TRUE(run.good());
  EXPECT_NEAR(run.motion["wall.fz"].back(), 20.0, 1e-10);
  EXPECT_NEAR(run.motion["wall.ty"].back(), -20.0 * 0.75, 1e-10);
  EXPECT_NEAR(run.motion["wall.t2"].back(), -20.0 * 0.75, 1e-10);
  EXPECT_NEAR(run.motion["wall.tx"].back(), 0.0, 1e-10);
}

TEST(Quantities, OfLargeModelsAreThereWhenAskedFor) {
  const Model model = gallery("argon");
  SimulationOptions options{.until = 1e-3};
  EXPECT_TRUE(simulate(model, options).motion.quantities.empty());
  options.columns = "all";
  EXPECT_FALSE(simulate(model, options).motion.quantities.empty());
}

// Other values of parameters, inputs, readings: quantities are those of the same motion.
TEST(Quantities, FollowParametersInputsAndReadings) {
  const Model model = written(R"toml(
[parameters]
k = 10
[inputs]
push = 0
[points]
bob = { mass = 1, at = [1, 0] }
[[spring]]
between = ["origin", "bob"]
stiffness = "k"
length = 0.5
[[rod]]
between = ["origin", "bob"]
compliance = 0.01
length = 0.9
[[force]]
on = "bob"
value = ["push", 0]
[outputs]
pushed = "push + k"
)toml");
  Simulation held{model, {.until = 1}};
  ASSERT_EQ(held.set_parameter("k", 20), Status::ok);
  ASSERT_EQ(held.set_input("push", 3), Status::ok);
  ASSERT_EQ(held.advance_to(0.1), Status::ok);
  EXPECT_EQ(held["pushed"], 23.0);
  EXPECT_NEAR(held["spring 1.force"], 20 * (std::hypot(held["bob.x"], held["bob.y"]) - 0.5), 1e-12);
  for (const Reading& reading : {Reading::rigid(), Reading::penalized(100)}) {
    const Result run = simulate(model, {.until = 0.1, .reading = reading});
    ASSERT_TRUE(run.good());
    EXPECT_EQ(run.motion["rod 1.force"].back(), run.motion["rod 1"].back());
  }
}

}  // namespace
}  // namespace taut
