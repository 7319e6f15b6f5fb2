// SPDX-License-Identifier: BSD-3-Clause
// State spaces against closed forms, and against differences of the motion itself.
#include <gmock/gmock.h>

#include <cmath>

#include "models.hpp"
#include "taut/report/modes.hpp"

namespace taut::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Linearize, QuarterCarOnItsRoad) {
  const LinearModel linear =
      linearize(linear_test_model(quarter_car_text), {},
                {.inputs = {"road", "body.y"}, .outputs = {"body.y", "a(body.y)", "tyre.force"}});
  ASSERT_EQ(linear.status, Status::ok) << linear.reason;
  EXPECT_EQ(linear.kind, PointKind::rest);
  EXPECT_THAT(linear.state_names, ElementsAre("wheel.y", "body.y", "wheel.vy", "body.vy"));
  Mat A(4, 4), B(4, 2), C(3, 4), D(3, 2);
  A << 0, 0, 1, 0, 0, 0, 0, 1, -200000 / 40.0, 20000 / 40.0, -1250 / 40.0, 1200 / 40.0,
      20000 / 300.0, -20000 / 300.0, 1200 / 300.0, -1200 / 300.0;
  B << 0, 0, 0, 0, 180000 / 40.0, 0, 0, 1 / 300.0;
  C << 0, 1, 0, 0, 20000 / 300.0, -20000 / 300.0, 1200 / 300.0, -1200 / 300.0, 180000, 0, 0, 0;
  D << 0, 0, 0, 1 / 300.0, -180000, 0;
  EXPECT_LE((linear.A - A).norm(), 1e-11 * A.norm());
  EXPECT_LE((linear.B - B).norm(), 1e-11 * B.norm());
  EXPECT_LE((linear.C - C).norm(), 1e-11 * C.norm());
  EXPECT_LE((linear.Dt - D).norm(), 1e-11 * D.norm());
}

TEST(Linearize, TransferFunctionHasZerosPolesAndGain) {
  const LinearModel linear = linearize(linear_test_model(quarter_car_text), {},
                                       {.inputs = {"body.y"}, .outputs = {"body.y"}});
  const auto found = transfer_functions(linear);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].gain, 1 / 300.0, 1e-14);
  ASSERT_EQ(found[0].zeros.size(), 2u);
  // mu s^2 + (cs + ct) s + ks + kt = 0
  EXPECT_NEAR(found[0].zeros[0].real(), -1250 / 80.0, 1e-9);
  EXPECT_NEAR(std::abs(found[0].zeros[0].imag()), std::sqrt(5000 - std::pow(1250 / 80.0, 2)), 1e-9);
  EXPECT_NEAR(found[0].static_gain, 1 / 20000.0 + 1 / 180000.0, 1e-15);
}

// rods give the tension with the state, and the same poles as an angle
TEST(Linearize, MultipliersAndConstrainedPlacesAreOutputs) {
  const LinearModel linear = linearize(linear_test_model(R"toml(
[points]
bob = { mass = 2, at = [0.6, -0.8] }
[[rod]]
name = "rod"
between = ["origin", "bob"]
[[gravity]]
acceleration = [0, -9.81]
[[force]]
on = "bob.x"
value = "push"
[inputs]
push = "2*9.81*0.75"
)toml"),
                                       {}, {.outputs = {"bob.x", "bob.y", "rod"}});
  ASSERT_EQ(linear.status, Status::ok) << linear.reason;
  // it leans by atan(push / weight): tension sqrt(push^2 + weight^2), along the rod
  ASSERT_EQ(linear.A.rows(), 2);
  const double weight = 2 * 9.81, tension = weight * 1.25;
  EXPECT_NEAR(linear.A(1, 0), -tension / 2, 1e-10);
  // the state is the coordinate that moves more, x; dy = (0.6/0.8) dx, and dT = push sin
  EXPECT_THAT(linear.state_names, ElementsAre("bob.x", "bob.vx"));
  EXPECT_NEAR(linear.C(1, 0), 0.75, 1e-10);
  EXPECT_NEAR(linear.C(2, 0), 0.0, 1e-8);
  EXPECT_NEAR(linear.Dt(2, 0), 0.6, 1e-10);
}

// At an instant of a motion A is the derivative of (v, a) by the coordinates that were chosen. The
// truth is a pendulum in its angle phi, x = sin phi: x'' = -sin phi phi'^2 - g sin phi cos phi.
TEST(Linearize, InstantOfAMotionHasTheDerivativesOfItsEquations) {
  const LinearModel linear = linearize(linear_test_model(R"toml(
[points]
bob = { mass = 1, at = [0.28, -0.96], velocity = [1.92, 0.56] }
[[rod]]
between = ["origin", "bob"]
[[gravity]]
acceleration = [0, -9.81]
)toml"),
                                       {}, {.at = LinearizeAt::start, .outputs = {"a(bob.y)"}});
  ASSERT_EQ(linear.status, Status::ok) << linear.reason;
  EXPECT_EQ(linear.kind, PointKind::moving);
  ASSERT_THAT(linear.state_names, ElementsAre("bob.x", "bob.vx"));
  const auto accelerations = [](double x, double u) {
    const double c = std::sqrt(1 - x * x), w = u / c;  // cos phi, phi'
    const double turn = -9.81 * x;                     // phi''
    return std::pair{c * turn - x * w * w, x * turn + c * w * w};
  };
  const double x = 0.28, u = 1.92, h = 1e-4;
  const auto slope = [&](double dx, double du, bool up) {
    const auto part = [&](double k) {
      const auto [ax, ay] = accelerations(x + k * dx, u + k * du);
      return up ? ay : ax;
    };
    return (8 * (part(h) - part(-h)) - (part(2 * h) - part(-2 * h))) / (12 * h);
  };
  EXPECT_NEAR(linear.A(1, 0), slope(1, 0, false), 1e-9);
  EXPECT_NEAR(linear.A(1, 1), slope(0, 1, false), 1e-9);
  EXPECT_NEAR(linear.C(0, 0), slope(1, 0, true), 1e-9);
  EXPECT_NEAR(linear.C(0, 1), slope(0, 1, true), 1e-9);
}

TEST(Linearize, CompliantRowsAreSpringsWithDampers) {
  const LinearModel linear = linearize(linear_test_model(R"toml(
[points]
bob = { mass = 0.5, at = [0, -1] }
[[rod]]
name = "rope"
between = ["origin", "bob"]
length = 1
compliance = 0.01
damping = 3
[[gravity]]
acceleration = [0, -9.81]
)toml"),
                                       {}, {.outputs = {"rope"}});
  ASSERT_EQ(linear.status, Status::ok) << linear.reason;
  ASSERT_THAT(linear.state_names, ElementsAre("bob.x", "bob.y", "bob.vx", "bob.vy"));
  // g = (d^2 - L^2) / 2L at d = 1.04.. with g d g/dd = m g C; along y: k = (G^2 + g) / C / m
  const double d = -linear.state.q[1], g = (d * d - 1) / 2;
  EXPECT_NEAR(g * d / 0.01, 0.5 * 9.81, 1e-10);
  EXPECT_NEAR(linear.A(3, 1), -(d * d + g) / 0.01 / 0.5, 1e-8);
  EXPECT_NEAR(linear.A(2, 0), -g / 0.01 / 0.5, 1e-9);
  EXPECT_NEAR(linear.A(3, 3), -3 * d * d / 0.5, 1e-9);  // c of lambda = g / compliance + c g'
  EXPECT_NEAR(linear.C(0, 1), -d / 0.01, 1e-8);
}

TEST(Linearize, ParametersBecomeInputs) {
  const LinearModel linear = linearize(linear_test_model(R"toml(
[parameters]
k = 4
m = 2
[coordinates]
x = { mass = "m", at = 1 }
[[potential]]
energy = "k*x^2/2 - 6*x"
)toml"),
                                       {}, {.inputs = {"k"}});
  ASSERT_EQ(linear.status, Status::ok) << linear.reason;
  EXPECT_NEAR(linear.B(1, 0), -1.5 / 2, 1e-12);  // -x / m at x = 6 / k
}

TEST(Linearize, MistakesAreSaid) {
  const Model model = linear_test_model(quarter_car_text);
  const auto said = [&](const LinearizeOptions& options) {
    Problems problems;
    static_cast<void>(linearize(model, {}, options, problems));
    return problems.message();
  };
  EXPECT_THAT(said({.inputs = {"body.z"}}), HasSubstr("did you mean 'body."));
  EXPECT_THAT(said({.outputs = {"tyre.forces"}}), HasSubstr("did you mean 'tyre.force'?"));
  const Model rigid = linear_test_model(R"toml(
[points]
bob = { mass = 1, at = [0, -1] }
[inputs]
up = 0
[anchors]
pivot = [0, "up"]
[[rod]]
between = ["pivot", "bob"]
length = 1
[[gravity]]
acceleration = [0, -9.81]
)toml");
  Problems problems;
  static_cast<void>(linearize(rigid, {}, {}, problems));
  EXPECT_THAT(problems.message(), HasSubstr("second derivative"));

  // an input that moves a row which gives way, whose multiplier a force reads
  const Model read = linear_test_model(R"toml(
[inputs]
u = 0
[points]
block = { mass = 2, at = [0.3, 0] }
[[constraint]]
name = "floor"
zero = "-block.y - u"
compliance = 1e-4
[[force]]
on = "block"
value = ["-50*block.x - 0.05*lambda(floor)*block.vx", -3]
)toml");
  Problems others;
  static_cast<void>(linearize(read, {}, {}, others));
  EXPECT_THAT(others.message(), HasSubstr("the constraint 'floor' reads it"));
}

TEST(Linearize, FrictionFromThePressureDamps) {
  // pressed by 3 N: 2 x'' + 0.05*3 x' + 50 x = 0
  const Modes found = modes(linear_test_model(R"toml(
[points]
block = { mass = 2, at = [0.3, 0] }
[[constraint]]
name = "floor"
zero = "-block.y"
[[force]]
on = "block"
value = ["-50*block.x - 0.05*abs(lambda(floor))*block.vx", -3]
)toml"));
  ASSERT_EQ(found.linear.status, Status::ok) << found.linear.reason;
  ASSERT_EQ(found.modes.size(), 1u);
  const double loss = 0.05 * 3 / 4;
  expect_root(found.modes[0].s, {-loss, std::sqrt(25 - loss * loss)}, 1e-10);
}

}  // namespace
}  // namespace taut::test
