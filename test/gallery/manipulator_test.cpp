// SPDX-License-Identifier: BSD-3-Clause
// The parallel manipulator in joint coordinates against the same in points and uniform bars: a
// constant mass matrix, other constraints, torques as forces on the elbows.
#include <cmath>
#include <numbers>

#include "end_of_run.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"

namespace taut::test {
namespace {

constexpr const char* in_points = R"toml(
name = "parallel manipulator in points"

[parameters]
base     = 1.0
crank    = 0.6
rod      = 0.7
platform = 0.3
mc       = 1.0
mr       = 0.8
mp       = 1.5
torque   = 4.0
omega    = 3.0
friction = 0.4
elbow    = 0.1

[anchors]
"A{k}" = { at = ["base*cos(2*pi*{k}/3)", "base*sin(2*pi*{k}/3)"], repeat = { k = "1:3" } }

[points]
"E{k}" = { at = [0, 0], repeat = { k = "1:3" } }
"P{k}" = { at = [0, 0], repeat = { k = "1:3" } }

[definitions]
"cx{k}" = { value = "E{k}.x - base*cos(2*pi*{k}/3)", repeat = { k = "1:3" } }
"cy{k}" = { value = "E{k}.y - base*sin(2*pi*{k}/3)", repeat = { k = "1:3" } }
"rx{k}" = { value = "P{k}.x - E{k}.x", repeat = { k = "1:3" } }
"ry{k}" = { value = "P{k}.y - E{k}.y", repeat = { k = "1:3" } }
# angular velocities of crank and rod, torque of the motor's joint and of the elbow on the rod
"wa{k}" = { value = "(cx{k}*E{k}.vy - cy{k}*E{k}.vx)/crank^2", repeat = { k = "1:3" } }
"wb{k}" = { value = "(rx{k}*(P{k}.vy - E{k}.vy) - ry{k}*(P{k}.vx - E{k}.vx))/rod^2", repeat = { k = "1:3" } }
"ta{k}" = { value = "torque*sin(omega*t + 2*pi*{k}/3) - friction*wa{k} - elbow*(wa{k} - wb{k})", repeat = { k = "1:3" } }
"tb{k}" = { value = "-elbow*(wb{k} - wa{k})", repeat = { k = "1:3" } }

[[force]]
on     = "E{k}"
value  = ["-ta{k}*cy{k}/crank^2 + tb{k}*ry{k}/rod^2", "ta{k}*cx{k}/crank^2 - tb{k}*rx{k}/rod^2"]
repeat = { k = "1:3" }

[[force]]
on     = "P{k}"
value  = ["-tb{k}*ry{k}/rod^2", "tb{k}*rx{k}/rod^2"]
repeat = { k = "1:3" }

[[rod]]
between = ["A{k}", "E{k}"]
length  = "crank"
mass    = "mc"
repeat  = { k = "1:3" }

[[rod]]
between = ["E{k}", "P{k}"]
length  = "rod"
mass    = "mr"
repeat  = { k = "1:3" }

[[rod]]
between = ["P{k}", "P{k - 3*floor(k/3) + 1}"]
length  = "sqrt(3)*platform"
mass    = "mp/3"
repeat  = { k = "1:3" }

[run]
until = 2
)toml";

using std::numbers::pi;

Vec unit(double angle) { return Eigen::Vector2d{std::cos(angle), std::sin(angle)}; }

/// Elbows and corners of the platform that go with joint coordinates, and their velocities.
State to_points(const System& joints, const System& points, const State& s) {
  const auto at = [&](const std::string& name) { return coordinate(joints, name); };
  State out{.t = s.t, .q = Vec::Zero(points.nq()), .v = Vec::Zero(points.nq())};
  for (int k = 1; k <= 3; ++k) {
    const std::string number = std::to_string(k);
    const double leg = 2 * pi * k / 3;
    const Index a = at("a" + number), phi = at("phi");
    const Index E = coordinate(points, "E" + number + ".x");
    const Index P = coordinate(points, "P" + number + ".x");
    out.q.segment<2>(E) = unit(leg) + 0.6 * unit(s.q(a));
    out.v.segment<2>(E) = 0.6 * s.v(a) * unit(s.q(a) + pi / 2);
    out.q.segment<2>(P) = s.q.segment<2>(at("x")) + 0.3 * unit(s.q(phi) + leg);
    out.v.segment<2>(P) = s.v.segment<2>(at("x")) + 0.3 * s.v(phi) * unit(s.q(phi) + leg + pi / 2);
  }
  return out;
}

TEST(ParallelManipulator, MovesAsItsPointsDo) {
  const Loaded joints = load("parallel_manipulator");
  EXPECT_FALSE(joints.system.structure().mass_constant);
  EXPECT_TRUE(joints.system.structure().force_uses_velocity);

  Problems problems;
  const CompiledModel compiled = compile(read_model(in_points, problems), problems);
  ASSERT_TRUE(problems.empty()) << problems.message();
  const System& points = compiled.system;
  ASSERT_TRUE(points.structure().mass_constant);

  const State end = end_of_run(joints.system, joints.start, 2.0, "dop853", 1e-12);
  const State in_points_end =
      end_of_run(points, to_points(joints.system, points, joints.start), 2.0, "dop853", 1e-12);
  const State expected = to_points(joints.system, points, end);
  EXPECT_LE((in_points_end.q - expected.q).lpNorm<Eigen::Infinity>(), 1e-9);
  EXPECT_LE((in_points_end.v - expected.v).lpNorm<Eigen::Infinity>(), 1e-8);
  EXPECT_NEAR(end.q(coordinate(joints.system, "x")), -0.4435286816, 1e-9);
  EXPECT_NEAR(end.q(coordinate(joints.system, "phi")), -0.6289813289, 1e-9);
}

}  // namespace
}  // namespace taut::test
