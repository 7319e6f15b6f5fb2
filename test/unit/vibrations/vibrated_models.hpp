// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "averaged/averaged.hpp"
#include "models.hpp"
#include "slow/from_toml.hpp"

namespace taut::test {

using Settings = std::vector<std::pair<std::string, double>>;

// the inverted pendulum of the gallery
inline constexpr double l = 0.2, gravity = 9.8, vmax = 4.0;

/// (2.6): the averaged force of the inverted pendulum, closed form.
inline double pendulum_force(double Q, double v_squared = vmax * vmax) {
  return (gravity / l - v_squared / (2 * l * l) * std::cos(Q)) * std::sin(Q);
}

inline Loaded inverted_pendulum(double omega) {
  return load("inverted_pendulum", {{"omega", omega}});
}

/// Any model with one coordinate q, mass 1, and the vibration `acceleration` of the pivot.
inline Loaded pendulum_shaken_by(const std::string& acceleration, double omega) {
  const CompiledModel model = from_toml(R"toml(
[parameters]
l = 0.2
g = 9.8
omega = 1e6
[coordinates]
q = { mass = 1, at = 0.5 }
[vibration]
omega = "omega"
[[force]]
on = "q"
value = ")toml" + ("(g + " + acceleration + ")*sin(q)/l\"\n"),
                                        {{"omega", omega}});
  return {model.system, model.given};
}

inline AveragedReading read(const Loaded& model, const AveragedOptions& options = {}) {
  AveragedReading reading = averaged(model.system, model.start, options);
  EXPECT_EQ(reading.status, Status::ok) << reading.reason;
  return reading;
}

inline Vec force_at(const System& system, const Vec& q, double t = 0.0) {
  Evaluation ev;
  system.prepare(ev);
  const Vec v = Vec::Zero(q.size());
  EXPECT_EQ(system.evaluate(need(Target::force), {.t = t, .q = q, .v = v}, ev), Status::ok);
  return ev.f;
}

inline double force_at(const System& system, double Q) {
  return force_at(system, Vec::Constant(1, Q))[0];
}

/// The double pendulum of the gallery in its angles from the upright position: positions, their
/// derivatives, and the averaged motion as omega grows, from an effective potential.
struct DoublePendulum {
  double m1 = 0.01, m2 = 0.005, l1 = 0.2, l2 = 0.1;

  [[nodiscard]] Vec positions(double a, double b) const {
    const double x = l1 * std::sin(a), y = l1 * std::cos(a);
    return Eigen::Vector4d{x, y, x + l2 * std::sin(b), y + l2 * std::cos(b)};
  }
  [[nodiscard]] Mat derivative(double a, double b) const {
    Mat J = Mat::Zero(4, 2);
    J(0, 0) = J(2, 0) = l1 * std::cos(a);
    J(1, 0) = J(3, 0) = -l1 * std::sin(a);
    J(2, 1) = l2 * std::cos(b);
    J(3, 1) = -l2 * std::sin(b);
    return J;
  }
  [[nodiscard]] Vec masses() const { return Eigen::Vector4d{m1, m1, m2, m2}; }
  /// V + (vmax²/4) eᵀ M P e,  P = J (Jᵀ M J)⁻¹ Jᵀ M,  e upwards
  [[nodiscard]] double potential(double a, double b) const {
    const Vec x = positions(a, b), e = Eigen::Vector4d{0, 1, 0, 1};
    const Mat J = derivative(a, b), M = masses().asDiagonal();
    const Vec along = J.transpose() * M * e;
    const Mat inertia = J.transpose() * M * J;
    return gravity * (m1 * x[1] + m2 * x[3]) +
           vmax * vmax / 4 * along.dot(inertia.inverse() * along);
  }
  /// -d potential, by differences of order 4.
  [[nodiscard]] Vec force(double a, double b) const {
    constexpr double d = 1e-3;
    const auto slope = [](const auto& f) {
      return (8 * (f(d) - f(-d)) - (f(2 * d) - f(-2 * d))) / (12 * d);
    };
    return Eigen::Vector2d{-slope([&](double s) { return potential(a + s, b); }),
                           -slope([&](double s) { return potential(a, b + s); })};
  }
};

}  // namespace taut::test
