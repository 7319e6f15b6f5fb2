// SPDX-License-Identifier: BSD-3-Clause
#include "taut/model/start.hpp"

#include <gtest/gtest.h>

#include "readings/readings.hpp"
#include "support.hpp"

namespace taut::test {
namespace {

constexpr const char* double_pendulum = R"toml(
[points]
a = { mass = 3, at = [0.9, -0.6], velocity = [0.4, 0.2] }
b = { mass = 1, at = [1.8, -1.0], velocity = [-0.3, 0.9] }
[[rod]]
between = ["origin", "a"]
length = 1
[[rod]]
between = ["a", "b"]
length = 1
[[gravity]]
acceleration = [0, -9.81]
)toml";

TEST(Start, MovesToTheConstraintsByTheSmallestChangeInTheMassMetric) {
  const auto model = compile_text(double_pendulum);
  const Start start = consistent_start(model.system, model.given);
  ASSERT_EQ(start.status, Status::ok) << start.reason;
  const Vec& q = start.state.q;
  EXPECT_NEAR(q.head(2).norm(), 1.0, 1e-14);
  EXPECT_NEAR((q.tail(2) - q.head(2)).norm(), 1.0, 1e-14);
  // truth: minimise over the two angles
  const auto distance = [&](double alpha, double beta) {
    const double ax = std::cos(alpha), ay = std::sin(alpha);
    const double bx = ax + std::cos(beta), by = ay + std::sin(beta);
    return 3 * (std::pow(ax - 0.9, 2) + std::pow(ay + 0.6, 2)) + std::pow(bx - 1.8, 2) +
           std::pow(by + 1.0, 2);
  };
  const double alpha = std::atan2(q[1], q[0]), beta = std::atan2(q[3] - q[1], q[2] - q[0]);
  const double here = distance(alpha, beta);
  EXPECT_NEAR(start.distance * start.distance, here, 1e-13);
  for (const double d : {1e-3, -1e-3}) {
    EXPECT_GT(distance(alpha + d, beta), here);
    EXPECT_GT(distance(alpha, beta + d), here);
  }
  const double d = 1e-4;
  EXPECT_NEAR((distance(alpha + d, beta) - distance(alpha - d, beta)) / (2 * d), 0.0, 1e-8);
  EXPECT_NEAR((distance(alpha, beta + d) - distance(alpha, beta - d)) / (2 * d), 0.0, 1e-8);
  // velocities tangent, and moved only along M⁻¹Gᵀ
  EXPECT_NEAR(q.head(2).dot(start.state.v.head(2)), 0.0, 1e-14);
  const Vec dv = start.v_moved;
  const Vec tangent1 = (Vec(4) << -q[1], q[0], -q[1], q[0]).finished();
  const Vec tangent2 = (Vec(4) << 0, 0, -(q[3] - q[1]), q[2] - q[0]).finished();
  const Vec masses = (Vec(4) << 3, 3, 1, 1).finished();
  EXPECT_NEAR(tangent1.cwiseProduct(masses).dot(dv), 0.0, 1e-13);
  EXPECT_NEAR(tangent2.cwiseProduct(masses).dot(dv), 0.0, 1e-13);
}

TEST(Start, LeavesAConsistentStateAsItIs) {
  const auto model = compile_text(R"toml(
[points]
a = { mass = 1, at = [0.6, 0.8], velocity = [-0.8, 0.6] }
[[rod]]
between = ["origin", "a"]
length = 1
[[gravity]]
acceleration = [0, -1]
)toml");
  const Start start = consistent_start(model.system, model.given);
  ASSERT_EQ(start.status, Status::ok);
  EXPECT_EQ(start.state.q, model.given.q);
  EXPECT_EQ(start.state.v, model.given.v);
  EXPECT_EQ(start.distance, 0.0);
  // tension of a rod of length 1: v^2 - gravity along the rod
  EXPECT_NEAR(start.lambda[0], 1.0 - 0.8, 1e-14);
}

TEST(Start, ReportsTheRedundantConstraintAndGivesSharedMultipliers) {
  const auto model = compile_text(R"toml(
[points]
a = { mass = 1, at = [0, -1] }
[[rod]]
between = ["origin", "a"]
length = 1
[[rod]]
between = ["origin", "a"]
length = 1
[[gravity]]
acceleration = [0, -3]
)toml");
  const Start start = consistent_start(model.system, model.given);
  ASSERT_EQ(start.status, Status::ok) << start.reason;
  ASSERT_EQ(start.redundant, std::vector<std::string>{"rod 2"});
  // minimum norm: each rod carries half of the weight
  EXPECT_NEAR(start.lambda[0], 1.5, 1e-12);
  EXPECT_NEAR(start.lambda[1], 1.5, 1e-12);
}

TEST(Start, NamesContradictingConstraints) {
  const auto model = compile_text(R"toml(
[coordinates]
x = { mass = 1, at = 0.2 }
y = { mass = 1, at = 0.2 }
[[constraint]]
name = "sum is one"
zero = "x + y - 1"
[[constraint]]
name = "free"
zero = "x - y"
[[constraint]]
name = "sum is two"
zero = "2*x + 2*y - 4"
)toml");
  const Start start = consistent_start(model.system, model.given);
  EXPECT_EQ(start.status, Status::constraints_contradict);
  EXPECT_NE(start.reason.find("'sum is one'"), std::string::npos) << start.reason;
  EXPECT_NE(start.reason.find("'sum is two'"), std::string::npos) << start.reason;
  EXPECT_EQ(start.reason.find("'free'"), std::string::npos) << start.reason;
  EXPECT_EQ(start.state.q, model.given.q);
}

TEST(Start, FailsWithAReasonWhenTheRodsCannotReach) {
  const auto model = compile_text(R"toml(
[anchors]
far = [5, 0]
[points]
a = { mass = 1, at = [1, 0.3] }
[[rod]]
between = ["origin", "a"]
length = 1
[[rod]]
between = ["a", "far"]
length = 1
)toml");
  const Start start = consistent_start(model.system, model.given);
  EXPECT_NE(start.status, Status::ok);
  EXPECT_NE(start.reason.find("rod"), std::string::npos) << start.reason;
  EXPECT_EQ(start.state.q, model.given.q);
}

TEST(Start, NamesTheElementThatIsNotFinite) {
  const auto model = compile_text(R"toml(
[coordinates]
x = { mass = 1, at = -1 }
[[potential]]
energy = "x^2"
[[potential]]
energy = "sqrt(x)"
)toml");
  const Start start = consistent_start(model.system, model.given);
  EXPECT_EQ(start.status, Status::non_finite);
  EXPECT_NE(start.reason.find("potential 2"), std::string::npos) << start.reason;
}

TEST(Start, WorksWithPositionDependentMassAndMovingConstraints) {
  // a bead on a wire that turns: r = 1 + t, phi = 2 t, in polar coordinates
  const auto model = compile_text(R"toml(
[coordinates]
r   = { at = 1.3 }
phi = { at = 0.2 }
[[kinetic]]
energy = "(v(r)^2 + r^2*v(phi)^2)/2"
[[constraint]]
zero = "phi - 2*t"
[[constraint]]
zero = "r - 1 - t"
)toml");
  const Start start = consistent_start(model.system, model.given);
  ASSERT_EQ(start.status, Status::ok) << start.reason;
  EXPECT_NEAR(start.state.q[0], 1.0, 1e-14);
  EXPECT_NEAR(start.state.q[1], 0.0, 1e-14);
  EXPECT_NEAR(start.state.v[0], 1.0, 1e-14);
  EXPECT_NEAR(start.state.v[1], 2.0, 1e-14);
  // M a = f - Gᵀλ with a = 0: λ = inertial forces (-2 r r' phi', r phi'^2)
  EXPECT_NEAR(start.lambda[0], -4.0, 1e-13);
  EXPECT_NEAR(start.lambda[1], 4.0, 1e-13);
}

}  // namespace
}  // namespace taut::test
