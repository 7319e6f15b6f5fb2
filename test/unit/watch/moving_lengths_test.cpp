// SPDX-License-Identifier: BSD-3-Clause
// Lengths of rods and springs that change during a run, against closed motions.
#include <gtest/gtest.h>

#include <cmath>

#include <fmt/format.h>

#include "models.hpp"

namespace taut {
namespace {

// without gravity the angular momentum L² phi' stays: phi = phi'_0 L_0² ∫ dt / L²
TEST(MovingLengths, ARodThatIsDrawnInKeepsItsAngularMomentum) {
  for (const char* method : {"dop853", "radau", "projected-rk", "auto"}) {
    const Model model = test::stated(fmt::format(R"toml(
[points]
bob = {{ mass = 2, at = [2, 0], velocity = [-0.1, 1] }}
[[rod]]
name = "rope"
between = ["origin", "bob"]
length = "2 - 0.1*t"
[run]
until = 10
tol = 1e-10
method = "{}"
)toml",
                                                 method));
    const Result run = simulate(model);
    ASSERT_TRUE(run.summary.good()) << method << ": " << run.summary.message;
    const Vec& q = run.summary.state.q;
    const Vec& v = run.summary.state.v;
    EXPECT_NEAR(std::hypot(q[0], q[1]), 1.0, 1e-9) << method;
    EXPECT_NEAR(q[0] * v[1] - q[1] * v[0], 2.0, 1e-7) << method;
    // ∫ 2 / L² dt = 20 (1/1 - 1/2), the angle
    const double angle = 10.0;
    EXPECT_NEAR(q[0], std::cos(angle), 1e-6) << method;
    EXPECT_NEAR(q[1], std::sin(angle), 1e-6) << method;
  }
}

// m r² + J is what the load turns: a = g m r² / (J + m r²), and the rope carries m (g - a)
TEST(MovingLengths, ARopeOnADrumPullsByItsRadius) {
  const Model model = test::stated(R"toml(
[points]
load = { mass = 5, at = [0, -4] }
[coordinates]
drum = { mass = 0.2 }
[[rod]]
name = "rope"
between = ["origin", "load"]
length = "4 + 0.1*drum"
[[gravity]]
acceleration = [0, -9.81]
[run]
until = 1
tol = 1e-10
)toml");
  const Result run = simulate(model);
  ASSERT_TRUE(run.summary.good()) << run.summary.message;
  const double a = 9.81 * 5 * 0.01 / (0.2 + 5 * 0.01);
  EXPECT_NEAR(run.summary.state.q[1], -4 - a / 2, 1e-9);
  EXPECT_NEAR(run.summary.state.q[2], a / 2 / 0.1, 1e-8);
  EXPECT_NEAR(run.motion.lambda.back(), 5 * (9.81 - a), 1e-7);
}

// k (x - L(t)) with L = 1 + t/2: about the moving point x is 1 + t/2 - sin(w t)/(2 w)
TEST(MovingLengths, ASpringThatIsFedOutSwingsAboutItsMovingEnd) {
  const Model model = test::stated(R"toml(
[points]
bob = { mass = 1, at = [1, 0] }
[[spring]]
between = ["origin", "bob"]
stiffness = 4
length = "1 + t/2"
[run]
until = 3
tol = 1e-11
method = "dop853"
)toml");
  const Result run = simulate(model);
  ASSERT_TRUE(run.summary.good()) << run.summary.message;
  EXPECT_NEAR(run.summary.state.q[0], 1 + 1.5 - std::sin(6.0) / 4, 1e-9);
  EXPECT_FALSE(run.summary.energy_error.has_value());  // who feeds it does work
}

TEST(MovingLengths, MistakesAreReportedOnceWithTheirLine) {
  const auto mistakes = [](const std::string& length) {
    Problems problems{"test.toml"};
    const Model model = read_model(
        fmt::format("[points]\nbob = {{ mass = 1, at = [1, 0] }}\n[[rod]]\nbetween = [\"origin\", "
                    "\"bob\"]\nlength = \"{}\"\n",
                    length),
        problems);
    static_cast<void>(compile(model, problems));
    return problems;
  };
  EXPECT_EQ(mistakes("1 - x*t").count(), 1U) << mistakes("1 - x*t").message();
  EXPECT_NE(mistakes("1 - x*t").message().find("unknown name 'x'"), std::string::npos);
  EXPECT_NE(mistakes("t - 1").message().find("is -1 at the start, not > 0"), std::string::npos);
  EXPECT_NE(mistakes("1 + bob.vx").message().find("is a velocity"), std::string::npos);
  EXPECT_TRUE(mistakes("1 + sin(t)").empty()) << mistakes("1 + sin(t)").message();
}

}  // namespace
}  // namespace taut
