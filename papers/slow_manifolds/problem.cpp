// SPDX-License-Identifier: BSD-3-Clause
#include "problem.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cmath>

#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"

namespace taut::papers::slow_manifolds {
namespace {

System compiled(const std::string& toml) {
  Problems problems;
  const CompiledModel model = compile(read_model(toml, problems), problems);
  assert(problems.empty());  // the models below are part of the program
  return model.system;
}

// adds g = |d| - 1 for d = q(at) - q(other), or d = q(at) when there is no other, as row `row`
void add_distance(const RealVec& q, Index row, Index at, Index other, ConstraintsAt& out) {
  const bool to_origin = other < 0;
  const Real x = q(at) - (to_origin ? 0 : q(other)), y = q(at + 1) - (to_origin ? 0 : q(other + 1));
  const Real r = std::hypot(x, y);
  const Eigen::Matrix<Real, 2, 1> u{x / r, y / r};
  const Eigen::Matrix<Real, 2, 2> H =
      (Eigen::Matrix<Real, 2, 2>::Identity() - u * u.transpose()) / r;
  out.g(row) = r - 1;
  out.G.block(row, at, 1, 2) = u.transpose();
  RealMat& hessian = out.hessian[static_cast<std::size_t>(row)];
  hessian.block(at, at, 2, 2) = H;
  if (to_origin) return;
  out.G.block(row, other, 1, 2) = -u.transpose();
  hessian.block(other, other, 2, 2) = H;
  hessian.block(at, other, 2, 2) = -H;
  hessian.block(other, at, 2, 2) = -H;
}

ConstraintsAt zeros(Index rows, Index n) {
  return {RealVec::Zero(rows), RealMat::Zero(rows, n),
          std::vector<RealMat>(static_cast<std::size_t>(rows), RealMat::Zero(n, n))};
}

}  // namespace

System double_pendulum(double omega, double ratio, double gravity) {
  return compiled(fmt::format(R"toml(
name = "stiff double pendulum"
[parameters]
omega = {}
ratio = {}
[points]
bob1 = {{ mass = 1, at = [1, 0] }}
bob2 = {{ mass = 1, at = [2, 0] }}
[[constraint]]
zero       = "hypot(bob1.x, bob1.y) - 1"
compliance = "1/omega^2"
[[constraint]]
zero       = "hypot(bob1.x - bob2.x, bob1.y - bob2.y) - 1"
compliance = "1/(ratio*omega)^2"
[[gravity]]
acceleration = [0, {}]
)toml",
                              omega, ratio, -gravity));
}

System uncoupled_problem(double omega) {
  return compiled(fmt::format(R"toml(
name = "a slow and a driven oscillator"
[parameters]
omega = {}
[coordinates]
x = {{ mass = 1, at = 0.8 }}
y = {{ mass = 1, at = 1 }}
[[potential]]
energy = "x^2/2"
[[constraint]]
zero       = "y - cos(t)"
compliance = "1/omega^2"
)toml",
                              omega));
}

System linear_problem(double omega) {
  return compiled(fmt::format(R"toml(
name = "driven oscillator"
[parameters]
omega = {}
[coordinates]
q = {{ mass = 1, at = 1 }}
[[constraint]]
zero       = "q - cos(t)"
compliance = "1/omega^2"
)toml",
                              omega));
}

State linear_slow_point(double omega, double t) {
  const double A = omega * omega / (omega * omega - 1.0);
  return {t, Vec::Constant(1, A * std::cos(t)), Vec::Constant(1, -A * std::sin(t))};
}

State far_start() { return {0.0, Vec{{1.0, 0.25, 2.0, 0.0}}, Vec{{0.0, -0.5, 0.0, 0.5}}}; }
State constrained_start() { return {0.0, Vec{{1.0, 0.0, 2.0, 0.0}}, Vec{{0.0, -0.5, 0.0, 0.5}}}; }

void double_pendulum_acceleration(double omega, const Vec& q, Vec& a) {
  const double k = omega * omega, dx = q(0) - q(2), dy = q(1) - q(3);
  const double r1 = std::sqrt(q(0) * q(0) + q(1) * q(1)), r12 = std::sqrt(dx * dx + dy * dy);
  const double pull1 = k * (r1 - 1.0) / r1, pull12 = k * (r12 - 1.0) / r12;
  a(0) = -pull1 * q(0) - pull12 * dx;
  a(1) = -pull1 * q(1) - pull12 * dy;
  a(2) = pull12 * dx;
  a(3) = pull12 * dy;
}

ConstraintsAt double_pendulum_constraints(const RealVec& q) {
  ConstraintsAt at = zeros(2, 4);
  add_distance(q, 0, 0, -1, at);
  add_distance(q, 1, 0, 2, at);
  return at;
}

ConstraintsAt spring_constraints(const RealVec& q) {
  ConstraintsAt at = zeros(1, 2);
  add_distance(q, 0, 0, -1, at);
  return at;
}

Eigen::Vector4d constraint_values(const State& state) {
  const ConstraintsAt at = double_pendulum_constraints(state.q.cast<Real>());
  const RealVec g_dot = at.G * state.v.cast<Real>();
  return {static_cast<double>(at.g(0)), static_cast<double>(at.g(1)), static_cast<double>(g_dot(0)),
          static_cast<double>(g_dot(1))};
}

}  // namespace taut::papers::slow_manifolds
