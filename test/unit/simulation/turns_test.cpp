// SPDX-License-Identifier: BSD-3-Clause
// Angles of joints in space count turns: against closed forms, and the same in the plane.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "taut/model/model_file.hpp"
#include "taut/simulation/simulate.hpp"
#include "taut/simulation/simulation.hpp"

namespace taut {
namespace {

using testing::HasSubstr;

Model turning(const std::string& text) {
  Problems problems{"turns.toml"};
  Model model = read_model(text, problems);
  problems.throw_if_any();
  return model;
}

/// A link that turns about an oblique axis in space, or in the plane.
std::string link(bool space, const std::string& words, double spin = 30) {
  constexpr const char* in_space = R"toml(
[[body]]
name = "link"
mass = 1
inertia = [0.1, 0.2, 0.15]
rotation = [0.6, -0.3, 0.2]
spin = [0, 0, {0}]
[[joint]]
name = "elbow"
kind = "hinge"
between = ["ground", "link"]
at = [0, 0, 0]
axis = ["n1", "n2", "n3"]
{1}
[parameters]                  # the third axis of the link
a = 0.7
n1 = "-0.3*sin(a)/a + 0.6*0.2*(1 - cos(a))/a^2"
n2 = "-0.6*sin(a)/a - 0.3*0.2*(1 - cos(a))/a^2"
n3 = "cos(a) + 0.2^2*(1 - cos(a))/a^2"
[outputs]
angle = "angle(elbow)"
rate = "rate(elbow)"
[run]
until = 4
)toml";
  constexpr const char* in_the_plane = R"toml(
[[body]]
name = "link"
mass = 1
inertia = 0.15
spin = {0}
[[joint]]
name = "elbow"
kind = "hinge"
between = ["ground", "link"]
at = [0, 0]
{1}
[outputs]
angle = "angle(elbow)"
rate = "rate(elbow)"
[run]
until = 4
)toml";
  return fmt::format(fmt::runtime(space ? in_space : in_the_plane), spin, words);
}

// U = k angle²/2, over twelve turns each way: 30/w sin(w t) with w = 0.4
TEST(JointAngle, WindsASpringOverManyTurnsInSpaceInEveryMethod) {
  const double w = 0.4, amplitude = 30 / w;
  const Model model = turning(link(true, fmt::format("stiffness = {:.17g}", 0.15 * w * w)));
  struct Case {
    const char* method;
    double tol, step, error;
  };
  for (const Case& one :
       {Case{"dop853", 1e-9, 0, 1e-4}, Case{"dopri5", 1e-8, 0, 1e-3}, Case{"radau", 1e-9, 0, 1e-4},
        Case{"auto", 1e-9, 0, 1e-4}, Case{"projected-rk", 1e-8, 0, 1e-3},
        Case{"rk4", 0, 1e-3, 1e-4}, Case{"rattle", 0, 1e-3, 1e-2}, Case{"shake", 0, 1e-3, 1e-2},
        Case{"rattle-yoshida4", 0, 4e-3, 1e-2}, Case{"gauss-newton", 0, 1e-3, 2e-2},
        Case{"cvode-adams", 1e-8, 0, 1e-2}, Case{"ida", 1e-6, 0, 0.5}}) {
    SCOPED_TRACE(one.method);
    SimulationOptions options{.every = 0.25, .method = one.method};
    if (one.tol > 0) options.tol = one.tol;
    if (one.step > 0) options.step = one.step;
    const Result run = simulate(model, options);
    ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
    for (std::size_t k = 0; k < run.motion.rows(); ++k) {
      const double t = run.motion.t[k];
      EXPECT_NEAR(run.motion["angle"][k], amplitude * std::sin(w * t), one.error) << t;
      EXPECT_NEAR(run.motion["rate"][k], 30 * std::cos(w * t), one.error) << t;
    }
    // a potential: the energy is kept, whatever is remembered
    ASSERT_TRUE(run.summary.energy_error);
    EXPECT_LT(*run.summary.energy_error, one.error);
  }
}

TEST(JointAngle, IsReadByMotorsAndLimitsAsInThePlane) {
  for (const char* const words :
       {"torque = \"-0.1*angle(elbow) - 0.01*rate(elbow) + sin(angle(elbow)/5)\"",
        "limits = [-5, 24.5]\nlimit_stiffness = 30\nlimit_damping = 0.1",
        "stiffness = 0.05\nrest = 40\nfriction = 0.02\nfriction_speed = 1"}) {
    SCOPED_TRACE(words);
    const SimulationOptions options{.every = 0.5, .method = "dop853", .tol = 1e-10};
    const Result plane = simulate(turning(link(false, words)), options);
    const Result space = simulate(turning(link(true, words)), options);
    ASSERT_EQ(plane.summary.status, Status::ok) << plane.summary.message;
    ASSERT_EQ(space.summary.status, Status::ok) << space.summary.message;
    double most = 0.0;
    for (std::size_t k = 0; k < plane.motion.rows(); ++k) {
      EXPECT_NEAR(space.motion["angle"][k], plane.motion["angle"][k], 1e-5);
      EXPECT_NEAR(space.motion["rate"][k], plane.motion["rate"][k], 1e-5);
      most = std::max(most, std::abs(plane.motion["angle"][k]));
    }
    EXPECT_GT(most, 3 * 2 * 3.14);  // turns
  }
}

TEST(JointAngle, IsRememberedByWhatIsSavedAndReadInside) {
  const Model model = turning(link(true, "stiffness = 0.024"));
  Simulation run{model, {.method = "dop853", .tol = 1e-10}};
  ASSERT_EQ(run.advance_to(2.0), Status::ok);
  const double w = 0.4;
  EXPECT_NEAR(run.value("angle(elbow)"), 30 / w * std::sin(2 * w), 1e-5);
  EXPECT_NEAR(run.value("angle(elbow) + rate(elbow)"),
              30 / w * std::sin(2 * w) + 30 * std::cos(2 * w), 1e-4);
  const std::vector<std::byte> saved = run.save();
  ASSERT_EQ(run.advance_to(4.0), Status::ok);
  const State end = run.state();
  const double turned = run.value("angle(elbow)");
  ASSERT_EQ(run.restore(saved), Status::ok);
  EXPECT_NEAR(run.value("angle(elbow)"), 30 / w * std::sin(2 * w), 1e-5);
  ASSERT_EQ(run.advance_to(4.0), Status::ok);
  EXPECT_EQ(run.state().q, end.q);
  EXPECT_EQ(run.value("angle(elbow)"), turned);
  // a motion knows it, too
  const Result whole = simulate(model, {.method = "dop853", .tol = 1e-10});
  EXPECT_NEAR(whole.at(3.3)["angle"], 30 / w * std::sin(3.3 * w), 1e-5);
}

TEST(JointAngle, OfStepsThatAreTooLongForItIsRefused) {
  const Result run =
      simulate(turning(link(true, "stiffness = 0.024")), {.method = "rk4", .step = 0.06});
  EXPECT_EQ(run.summary.status, Status::unstable) << run.summary.message;
  EXPECT_THAT(run.summary.message, HasSubstr("elbow"));
  // an adaptive method takes shorter ones
  const Result loose = simulate(turning(link(true, "stiffness = 0.024")),
                                {.until = 1, .method = "dop853", .tol = 1e-2});
  ASSERT_EQ(loose.summary.status, Status::ok) << loose.summary.message;
  EXPECT_NEAR(loose.motion["angle"].back(), 75 * std::sin(0.4), 2.0);
}

}  // namespace
}  // namespace taut
