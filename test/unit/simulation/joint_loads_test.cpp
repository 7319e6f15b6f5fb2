// SPDX-License-Identifier: BSD-3-Clause
// Motion and loads of every joint against Newton's and Euler's laws, which share nothing with how
// taut states bodies:  m x'' = sum of forces,  I alpha + omega x I omega = sum of torques.  Where
// the loads do no work along what a joint leaves free and both sides stay where it holds them,
// motion and loads are the only ones.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "taut/model/model_file.hpp"
#include "taut/simulation/simulate.hpp"

namespace taut {
namespace {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;

/// What a joint is made of in these mechanisms, and what is stated on its coordinate.
struct JointCase {
  std::string kind;
  std::string words;
  double stiffness = 0.0, damping = 0.0;
  bool turns = false, slides = false, driven = false;
  double pitch = 0.0;
};

struct BodyFrame {
  Vec3 x, acceleration, omega, alpha;
  Mat3 R;
};

/// A body of a frame of a run: with R'' = (hat(alpha) + hat(omega)²) R.
BodyFrame body_of(const Motion& motion, const Frame& frame, const std::string& name) {
  const auto& names = motion.coordinates;
  const auto find = [&](const std::string& coordinate) {
    const auto at = std::find(names.begin(), names.end(), name + "." + coordinate);
    EXPECT_NE(at, names.end()) << coordinate;
    return at - names.begin();
  };
  BodyFrame body;
  Mat3 R_dot, R_dot_dot;
  for (int i = 0; i < 3; ++i) {
    const auto k = find(std::string{"xyz"[i]});
    body.x[i] = frame.state.q[k];
    body.acceleration[i] = frame.a[k];
    for (int c = 0; c < 3; ++c) {
      const auto e = find(fmt::format("r{}{}", i + 1, c + 1));
      body.R(i, c) = frame.state.q[e];
      R_dot(i, c) = frame.state.v[e];
      R_dot_dot(i, c) = frame.a[e];
    }
  }
  const auto skew = [](const Mat3& W) {
    return Vec3{Vec3{W(2, 1) - W(1, 2), W(0, 2) - W(2, 0), W(1, 0) - W(0, 1)} / 2};
  };
  body.omega = skew(R_dot * body.R.transpose());
  body.alpha = skew(R_dot_dot * body.R.transpose());
  return body;
}

/// One side of a joint, moved with its body from the start on.
struct Side {
  Vec3 place, axis, second_axis;
  [[nodiscard]] Side moved(const BodyFrame& start, const BodyFrame& now) const {
    const Mat3 turn = now.R * start.R.transpose();
    return {now.x + turn * (place - start.x), turn * axis, turn * second_axis};
  }
};

class JointLoads : public testing::TestWithParam<JointCase> {
 protected:
  // ground - joint "one" - upper - joint "two" - lower, with oblique places, axes and inertias
  static constexpr double m[2] = {1.3, 0.8};
  const Vec3 gravity{1.1, -2.3, -9.0}, push{0.4, 1.7, -0.6};
  const Vec3 inertia[2] = {{0.05, 0.08, 0.11}, {0.03, 0.02, 0.04}};
  const Vec3 at[2] = {{0.1, 0.2, -0.1}, {0.4, 0.1, 0.3}};
  const Vec3 axis[2] = {Vec3{0.3, -0.5, 0.9}.normalized(), Vec3{0.8, 0.4, -0.2}.normalized()};
  Vec3 second[2];  // across the axis

  JointLoads() {
    for (int k = 0; k < 2; ++k) second[k] = axis[k].cross(Vec3{0.2, 0.9, 0.1}).normalized();
  }

  /// A curve through the place of joint k, along the axes of its first side, where s = 0.
  [[nodiscard]] Vec3 begin_of_curve(int k) const {
    const Vec3 rotation{0.4, -0.2, 0.3}, centre{0.3, 0.1, 0.1};
    const Mat3 R = Eigen::AngleAxisd{rotation.norm(), rotation.normalized()}.toRotationMatrix();
    return k == 0 ? at[0] : Vec3{R.transpose() * (at[1] - centre)};
  }
  [[nodiscard]] Vec3 curve_at(int k, double s) const {
    return begin_of_curve(k) + Vec3{0.2 * std::sin(s), 0.1 * s, 0.3 * (1 - std::cos(s))};
  }
  [[nodiscard]] static Vec3 tangent_at(double s) {
    return {0.2 * std::cos(s), 0.1, 0.3 * std::sin(s)};
  }
  [[nodiscard]] std::string curve(int k, int component) const {
    const char* const of_s[] = {"0.2*sin(s)", "0.1*s", "0.3*(1 - cos(s))"};
    return fmt::format("{:.17g} + {}", begin_of_curve(k)[component], of_s[component]);
  }

  [[nodiscard]] std::string text() const {
    const JointCase& joint = GetParam();
    std::string text = fmt::format(R"toml(
[[body]]
name = "upper"
mass = {}
inertia = [0.05, 0.08, 0.11]
at = [0.3, 0.1, 0.1]
rotation = [0.4, -0.2, 0.3]
velocity = [0.3, -0.2, 0.1]
spin = [0.5, 1.2, -0.8]
[[body]]
name = "lower"
mass = {}
inertia = [0.03, 0.02, 0.04]
at = [0.5, 0.4, 0.2]
rotation = [-0.3, 0.5, 0.1]
velocity = [-0.1, 0.4, 0.2]
spin = [-1.1, 0.4, 0.9]
[[gravity]]
acceleration = [1.1, -2.3, -9.0]
[[force]]
on = "lower"
value = [0.4, 1.7, -0.6]
[run]
until = 0.4
)toml",
                                   m[0], m[1]);
    const char* const names[] = {"one", "two"};
    const char* const between[] = {"\"ground\", \"upper\"", "\"upper\", \"lower\""};
    for (int k = 0; k < 2; ++k) {
      const auto vector = [](const Vec3& v) {
        return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v[0], v[1], v[2]);
      };
      text += fmt::format("[[joint]]\nname = \"{}\"\nkind = \"{}\"\nbetween = [{}]\nat = {}\n",
                          names[k], joint.kind, between[k], vector(at[k]));
      const bool on_curve = joint.kind == "point-on-curve";
      if (on_curve)
        text += fmt::format("curve = [\"{}\", \"{}\", \"{}\"]\n", curve(k, 0), curve(k, 1),
                            curve(k, 2));
      if (joint.kind != "ball" && joint.kind != "fixed" && !on_curve)
        text += "axis = " + vector(axis[k]) + "\n";
      if (joint.kind == "universal") text += "second_axis = " + vector(second[k]) + "\n";
      if (joint.pitch != 0.0) text += fmt::format("pitch = {}\n", joint.pitch);
      text += joint.words + "\n";
    }
    text += "[outputs]\n";
    for (const char* const name : names) {
      if (joint.turns)
        text += fmt::format("{0}_angle = \"angle({0})\"\n{0}_rate = \"rate({0})\"\n", name);
      if (joint.slides)
        text += fmt::format("{0}_travel = \"travel({0})\"\n{0}_speed = \"speed({0})\"\n", name);
    }
    return text;
  }
};

TEST_P(JointLoads, AreThoseOfNewtonAndEuler) {
  const JointCase& joint = GetParam();
  Problems problems{"loads.toml"};
  const Model model = read_model(text(), problems);
  problems.throw_if_any();
  std::vector<Frame> frames;
  SimulationOptions options{.every = 0.05, .method = "dop853", .tol = 1e-11};
  options.observers.emplace_back([&](const Frame& frame) { frames.push_back(frame); });
  const Result run = simulate(model, options);
  ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
  const Motion& motion = run.motion;
  ASSERT_EQ(frames.size(), motion.rows());

  const std::string names[] = {"one", "two"}, body_names[] = {"upper", "lower"};
  BodyFrame start[2];
  for (std::size_t row = 0; row < frames.size(); ++row) {
    SCOPED_TRACE(motion.t[row]);
    BodyFrame body[2];
    for (int k = 0; k < 2; ++k) body[k] = body_of(motion, frames[row], body_names[k]);
    if (row == 0) std::copy_n(body, 2, start);
    const auto number = [&](const std::string& name) { return motion[name][row]; };
    const auto vector = [&](const std::string& name, char letter, const char* letters) {
      Vec3 v;
      for (int i = 0; i < 3; ++i) v[i] = number(fmt::format("{}.{}{}", name, letter, letters[i]));
      return v;
    };
    Vec3 force[2] = {m[0] * gravity, m[1] * gravity + push};
    Vec3 torque[2] = {Vec3::Zero(), Vec3::Zero()};
    for (int k = 0; k < 2; ++k) {
      const Side stated{at[k], axis[k], second[k]};
      const Side first = k == 0 ? stated : stated.moved(start[0], body[0]);
      const Side other = stated.moved(start[k], body[k]);
      Vec3 f = vector(names[k], 'f', "xyz"), t = vector(names[k], 't', "xyz");
      const Vec3 n = first.axis, way = other.place - first.place;

      // along its own axes the same
      if (joint.kind == "hinge" || joint.kind == "slider") {
        EXPECT_NEAR(number(names[k] + ".f3"), f.dot(other.axis), 1e-8);
        EXPECT_NEAR(number(names[k] + ".t3"), t.dot(other.axis), 1e-8);
      }
      EXPECT_NEAR(vector(names[k], 'f', "123").norm(), f.norm(), 1e-8);
      EXPECT_NEAR(vector(names[k], 't', "123").norm(), t.norm(), 1e-8);

      // no load along what is free, and both sides where they belong
      const std::string& kind = joint.kind;
      const bool holds_place =
          kind == "hinge" || kind == "ball" || kind == "fixed" || kind == "universal";
      const bool on_axis =
          kind == "slider" || kind == "cylindrical" || kind == "screw" || kind == "point-on-line";
      if (holds_place) {
        EXPECT_LT(way.norm(), 1e-10);
      }
      if (on_axis) {
        EXPECT_LT(way.cross(n).norm(), 1e-10);
      }
      if (kind == "planar" || kind == "point-on-plane") {
        EXPECT_NEAR(way.dot(n), 0.0, 1e-10);
        EXPECT_LT(f.cross(n).norm(), 1e-8);
      }
      if (kind == "hinge" || kind == "cylindrical" || kind == "planar" || kind == "screw") {
        EXPECT_LT(n.cross(other.axis).norm(), 1e-10);
      }
      if (kind == "universal") {
        EXPECT_NEAR(n.dot(other.second_axis), 0.0, 1e-10);
        EXPECT_NEAR(t.dot(n), 0.0, 1e-8);
        EXPECT_NEAR(t.dot(other.second_axis), 0.0, 1e-8);
      }
      if (kind == "fixed" || kind == "slider") {
        const Mat3 turn = body[k].R * start[k].R.transpose();
        const Mat3 before =
            k == 0 ? Mat3{Mat3::Identity()} : Mat3{body[0].R * start[0].R.transpose()};
        EXPECT_LT((turn - before).norm(), 1e-9);
      }
      if (kind == "ball" || kind == "point-on-line" || kind == "point-on-plane") {
        EXPECT_LT(t.norm(), 1e-8);
      }
      if ((kind == "hinge" && !joint.driven) || kind == "cylindrical" || kind == "planar") {
        EXPECT_NEAR(t.dot(n), 0.0, 1e-8);
      }
      if ((kind == "slider" && !joint.driven) || kind == "cylindrical" || kind == "point-on-line") {
        EXPECT_NEAR(f.dot(n), 0.0, 1e-8);
      }
      if (kind == "screw") {
        EXPECT_NEAR(f.dot(n) * joint.pitch / (2 * std::numbers::pi) + t.dot(n), 0.0, 1e-8);
        EXPECT_NEAR(number(names[k] + "_travel"),
                    joint.pitch / (2 * std::numbers::pi) * number(names[k] + "_angle"), 1e-10);
      }
      if (kind == "point-on-curve") {
        const double s = number(names[k] + "_travel");
        const Mat3 R = k == 0 ? Mat3{Mat3::Identity()} : body[0].R;
        const Vec3 origin = k == 0 ? Vec3{Vec3::Zero()} : body[0].x;
        EXPECT_LT((other.place - origin - R * curve_at(k, s)).norm(), 1e-10);
        EXPECT_NEAR(f.dot(R * tangent_at(s)), 0.0, 1e-8);
        EXPECT_LT(t.norm(), 1e-8);
      } else if (joint.slides) {
        EXPECT_NEAR(number(names[k] + "_travel"), way.dot(n), 1e-10);
      }
      if (joint.turns) {
        const Vec3 relative = body[k].omega - (k == 0 ? Vec3{Vec3::Zero()} : body[0].omega);
        EXPECT_NEAR(number(names[k] + "_rate"), relative.dot(n), 1e-9);
      }
      if (joint.driven) {
        EXPECT_NEAR(number(names[k] + (joint.turns ? "_angle" : "_travel")),
                    0.3 * std::sin(4 * motion.t[row]), 1e-10);
      }

      // springs and dampers on the coordinate are forces of their own
      if (joint.turns)
        t -= n * (joint.stiffness * number(names[k] + "_angle") +
                  joint.damping * number(names[k] + "_rate"));
      else if (joint.slides)
        f -= n * (joint.stiffness * number(names[k] + "_travel") +
                  joint.damping * number(names[k] + "_speed"));
      force[k] += f;
      torque[k] += t + (other.place - body[k].x).cross(f);
      if (k == 0) continue;
      force[0] -= f;
      torque[0] -= t + (other.place - body[0].x).cross(f);
    }
    for (int k = 0; k < 2; ++k) {
      const BodyFrame& b = body[k];
      const Mat3 I = b.R * inertia[k].asDiagonal() * b.R.transpose();
      EXPECT_LT((m[k] * b.acceleration - force[k]).norm(), 1e-8) << body_names[k];
      EXPECT_LT((I * b.alpha + b.omega.cross(I * b.omega) - torque[k]).norm(), 1e-8)
          << body_names[k];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, JointLoads,
    testing::Values(
        JointCase{.kind = "ball"}, JointCase{.kind = "fixed"},
        JointCase{.kind = "hinge", .turns = true},
        JointCase{.kind = "hinge",
                  .words = "stiffness = 2.5\ndamping = 0.2",
                  .stiffness = 2.5,
                  .damping = 0.2,
                  .turns = true},
        JointCase{
            .kind = "hinge", .words = "angle = \"0.3*sin(4*t)\"", .turns = true, .driven = true},
        JointCase{.kind = "slider", .slides = true},
        JointCase{.kind = "slider",
                  .words = "stiffness = 60\ndamping = 3",
                  .stiffness = 60,
                  .damping = 3,
                  .slides = true},
        JointCase{
            .kind = "slider", .words = "travel = \"0.3*sin(4*t)\"", .slides = true, .driven = true},
        JointCase{.kind = "cylindrical", .turns = true, .slides = true},
        JointCase{.kind = "screw", .turns = true, .slides = true, .pitch = -0.3},
        JointCase{.kind = "universal"}, JointCase{.kind = "planar"},
        JointCase{.kind = "point-on-line", .slides = true}, JointCase{.kind = "point-on-plane"},
        JointCase{.kind = "point-on-curve", .slides = true}),
    [](const auto& joint) {
      std::string name = joint.param.kind;
      name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
      return name + (joint.param.driven ? "Driven" : joint.param.words.empty() ? "" : "Sprung");
    });

}  // namespace
}  // namespace taut
