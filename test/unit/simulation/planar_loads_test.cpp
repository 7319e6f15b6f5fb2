// SPDX-License-Identifier: BSD-3-Clause
// The same as joint_loads_test.cpp in the plane: motion and loads of every joint against
// m x'' = sum of forces,  I a'' = sum of torques.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "taut/model/model_file.hpp"
#include "taut/simulation/simulate.hpp"

namespace taut {
namespace {

using Vec2 = Eigen::Vector2d;

double cross(const Vec2& a, const Vec2& b) { return a[0] * b[1] - a[1] * b[0]; }
Vec2 turned(const Vec2& a, double angle) {
  return {a[0] * std::cos(angle) - a[1] * std::sin(angle),
          a[0] * std::sin(angle) + a[1] * std::cos(angle)};
}

struct PlanarCase {
  std::string kind;
  std::string words;
  double stiffness = 0.0, damping = 0.0;
  bool driven = false;

  [[nodiscard]] bool turns() const { return kind == "hinge"; }
  [[nodiscard]] bool slides() const {
    return kind == "slider" || kind == "point-on-line" || kind == "point-on-curve";
  }
};

class PlanarLoads : public testing::TestWithParam<PlanarCase> {
 protected:
  static constexpr double m[2] = {1.3, 0.8}, I[2] = {0.07, 0.04}, angle_at_start[2] = {0.4, -0.7};
  const Vec2 centre[2] = {{0.3, 0.1}, {0.6, 0.5}}, at[2] = {{0.1, 0.2}, {0.4, 0.1}};
  const Vec2 axis[2] = {Vec2{0.3, -0.5}.normalized(), Vec2{0.8, 0.4}.normalized()};
  const Vec2 gravity{1.1, -9.3}, push{0.4, 1.7};

  /// A curve along the axes of the first side, which is at the place of the joint where s = 0.
  [[nodiscard]] Vec2 begin_of_curve(int k) const {
    return k == 0 ? at[0] : turned(at[1] - centre[0], -angle_at_start[0]);
  }
  [[nodiscard]] Vec2 curve_at(int k, double s) const {
    return begin_of_curve(k) + Vec2{0.3 * std::sin(s), 0.2 * s + 0.1 * s * s};
  }

  [[nodiscard]] std::string text() const {
    const PlanarCase& joint = GetParam();
    std::string text;
    const char* const bodies[] = {"upper", "lower"};
    for (int k = 0; k < 2; ++k)
      text += fmt::format(
          "[[body]]\nname = \"{}\"\nmass = {}\ninertia = {}\nat = [{}, {}]\nrotation = "
          "{}\nvelocity = [0.3, {}]\nspin = {}\n",
          bodies[k], m[k], I[k], centre[k][0], centre[k][1], angle_at_start[k], 0.4 * k,
          1.2 - 2 * k);
    const char* const names[] = {"one", "two"};
    const char* const between[] = {"\"ground\", \"upper\"", "\"upper\", \"lower\""};
    for (int k = 0; k < 2; ++k) {
      text +=
          fmt::format("[[joint]]\nname = \"{}\"\nkind = \"{}\"\nbetween = [{}]\nat = [{}, {}]\n",
                      names[k], joint.kind, between[k], at[k][0], at[k][1]);
      if (joint.kind == "slider" || joint.kind == "point-on-line")
        text += fmt::format("axis = [{:.17g}, {:.17g}]\n", axis[k][0], axis[k][1]);
      if (joint.kind == "point-on-curve")
        text += fmt::format("curve = [\"{:.17g} + 0.3*sin(s)\", \"{:.17g} + 0.2*s + 0.1*s^2\"]\n",
                            begin_of_curve(k)[0], begin_of_curve(k)[1]);
      text += joint.words + "\n";
    }
    text +=
        "[[gravity]]\nacceleration = [1.1, -9.3]\n[[force]]\non = \"lower\"\nvalue = [0.4, 1.7]\n"
        "[run]\nuntil = 0.4\n[outputs]\n";
    for (const char* const name : names) {
      if (joint.turns())
        text += fmt::format("{0}_s = \"angle({0})\"\n{0}_rate = \"rate({0})\"\n", name);
      if (joint.slides())
        text += fmt::format("{0}_s = \"travel({0})\"\n{0}_rate = \"speed({0})\"\n", name);
    }
    return text;
  }
};

TEST_P(PlanarLoads, AreThoseOfNewtonAndEuler) {
  const PlanarCase& joint = GetParam();
  Problems problems{"loads.toml"};
  const Model model = read_model(text(), problems);
  problems.throw_if_any();
  const Result run = simulate(model, {.every = 0.05, .method = "dop853", .tol = 1e-11});
  ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
  const Motion& motion = run.motion;
  const std::string names[] = {"one", "two"}, bodies[] = {"upper", "lower"};
  for (std::size_t row = 0; row < motion.rows(); ++row) {
    SCOPED_TRACE(motion.t[row]);
    const auto number = [&](const std::string& name) { return motion[name][row]; };
    Vec2 x[2], force[2] = {m[0] * gravity, m[1] * gravity + push};
    double angle[2], torque[2] = {0, 0};
    for (int k = 0; k < 2; ++k) {
      x[k] = {number(bodies[k] + ".x"), number(bodies[k] + ".y")};
      angle[k] = number(bodies[k] + ".angle");
    }
    for (int k = 0; k < 2; ++k) {
      const Vec2 place = x[k] + turned(at[k] - centre[k], angle[k] - angle_at_start[k]);
      const double of_first = k == 0 ? 0.0 : angle[0] - angle_at_start[0];
      const Vec2 first = k == 0 ? at[0] : Vec2{x[0] + turned(at[1] - centre[0], of_first)};
      const Vec2 n = turned(axis[k], of_first), way = place - first;
      Vec2 f{number(names[k] + ".fx"), number(names[k] + ".fy")};
      double t = number(names[k] + ".tz");
      const double relative = angle[k] - angle_at_start[k] - of_first;

      if (joint.kind == "hinge" || joint.kind == "fixed") {
        EXPECT_LT(way.norm(), 1e-10);
      }
      if (joint.kind == "fixed" || joint.kind == "slider") {
        EXPECT_NEAR(relative, 0.0, 1e-10);
      } else if (!joint.driven || joint.slides()) {
        EXPECT_NEAR(t, 0.0, 1e-8);
      }
      if (joint.kind == "slider" || joint.kind == "point-on-line") {
        EXPECT_NEAR(cross(way, n), 0.0, 1e-10);
        EXPECT_NEAR(way.dot(n), number(names[k] + "_s"), 1e-10);
        if (!joint.driven) {
          EXPECT_NEAR(f.dot(n), 0.0, 1e-8);
        }
      }
      Vec2 along = n;
      if (joint.kind == "point-on-curve") {
        const double s = number(names[k] + "_s");
        const double frame = k == 0 ? 0.0 : angle[0];
        const Vec2 origin = k == 0 ? Vec2{0, 0} : x[0];
        EXPECT_LT((place - origin - turned(curve_at(k, s), frame)).norm(), 1e-10);
        along = turned(Vec2{0.3 * std::cos(s), 0.2 + 0.2 * s}, frame);
        if (!joint.driven) {
          EXPECT_NEAR(f.dot(along),
                      joint.words.empty()
                          ? 0.0
                          : -joint.stiffness * s - joint.damping * number(names[k] + "_rate"),
                      1e-7);
        }
      }
      if (joint.turns()) {
        EXPECT_NEAR(number(names[k] + "_s"), relative, 1e-10);
      }
      if (joint.driven) {
        EXPECT_NEAR(number(names[k] + "_s"), 0.3 * std::sin(4 * motion.t[row]), 1e-10);
      }
      if (joint.stiffness > 0.0 && joint.kind != "point-on-curve") {
        const double own =
            -joint.stiffness * number(names[k] + "_s") - joint.damping * number(names[k] + "_rate");
        if (joint.turns())
          t += own;
        else
          f += own * along;
      }
      force[k] += f;
      torque[k] += t + cross(place - x[k], f);
      if (k == 0) continue;
      force[0] -= f;
      torque[0] -= t + cross(place - x[0], f);
    }
    for (int k = 0; k < 2; ++k) {
      const Vec2 acceleration{number(bodies[k] + ".ax"), number(bodies[k] + ".ay")};
      EXPECT_LT((m[k] * acceleration - force[k]).norm(), 1e-8) << bodies[k];
      EXPECT_NEAR(I[k] * number("a(" + bodies[k] + ".angle)"), torque[k], 1e-8) << bodies[k];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, PlanarLoads,
    testing::Values(
        PlanarCase{.kind = "hinge"}, PlanarCase{.kind = "fixed"},
        PlanarCase{.kind = "hinge",
                   .words = "stiffness = 2.5\ndamping = 0.2",
                   .stiffness = 2.5,
                   .damping = 0.2},
        PlanarCase{.kind = "hinge", .words = "angle = \"0.3*sin(4*t)\"", .driven = true},
        PlanarCase{.kind = "slider"},
        PlanarCase{.kind = "slider",
                   .words = "stiffness = 60\ndamping = 3",
                   .stiffness = 60,
                   .damping = 3},
        PlanarCase{.kind = "slider", .words = "travel = \"0.3*sin(4*t)\"", .driven = true},
        PlanarCase{.kind = "point-on-line"}, PlanarCase{.kind = "point-on-curve"},
        PlanarCase{.kind = "point-on-curve",
                   .words = "stiffness = 5\ndamping = 0.3",
                   .stiffness = 5,
                   .damping = 0.3}),
    [](const auto& joint) {
      std::string name = joint.param.kind;
      name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
      return name + (joint.param.driven ? "Driven" : joint.param.words.empty() ? "" : "Sprung");
    });

}  // namespace
}  // namespace taut
