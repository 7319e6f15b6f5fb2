// SPDX-License-Identifier: BSD-3-Clause
// (2.17), (3.7), section 2.5 and the appendices: formulas that the methods do without, against
// forces found by micro-simulation.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "algorithm1.hpp"
#include "items.hpp"
#include "macro_run.hpp"
#include "methods/verlet.hpp"
#include "problem.hpp"

namespace taut::papers::vibrations {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Vec averaged_force_at(const System& vibrated, const State& at) {
  const AveragedReading reading = averaged(vibrated, at);
  Evaluation found;
  if (reading.status != Status::ok) return Vec::Constant(at.q.size(), nan);
  reading.system.prepare(found);
  const Status status =
      reading.system.evaluate(need(Target::force), {.t = 0.0, .q = at.q, .v = at.v}, found);
  return status == Status::ok ? Vec{found.f} : Vec::Constant(at.q.size(), nan);
}

// (2.16) on kappa(t) cos(k omega t) with kappa = cos t, and on kappa sin with kappa = sin(t + 1)
void add_simple_filter(std::vector<Row>& rows) {
  const auto left = [](double omega, bool even) {
    constexpr int points = 4000;  // of the trapezoidal rule over the period
    double sum = 0.0;
    for (int j = 0; j < points; ++j) {
      const double t = (-1.0 + 2.0 * j / points) * std::numbers::pi / omega;
      sum += even ? std::cos(t) * std::cos(omega * t) : std::sin(t + 1.0) * std::sin(omega * t);
    }
    // the integrand is not periodic: half of its jump is missing
    const double end = std::numbers::pi / omega;
    const double jump = even ? 0.0
                             : std::sin(1.0 + end) * std::sin(omega * end) -
                                   std::sin(1.0 - end) * std::sin(-omega * end);
    return std::abs((sum + 0.5 * jump) / points);
  };
  rows.push_back(stated("order in 1/omega of what the simple filter leaves of cos t cos(omega t)",
                        "even oscillations are divided by omega^2", "(2.17)", 2.0,
                        std::log10(left(20.0, true) / left(200.0, true)), near(0.05)));
  rows.push_back(
      stated("order in 1/omega of what the simple filter leaves of sin(t + 1) sin(omega t)",
             "others by omega only", "section 2.4", 1.0,
             std::log10(left(20.0, false) / left(200.0, false)), near(0.05)));
}

// Two coordinates with masses 1 and 2 and
//   f1 = (y sin x cos θ, x² cos θ + y cos 2θ),   f0 = (-x + y cos θ, -y)
void add_general_formula(std::vector<Row>& rows) {
  const State at{0.0, Vec{{0.7, -0.4}}, Vec::Zero(2)};
  const double x = at.q(0), y = at.q(1);
  // <f1' M⁻¹ s> + <f0> with s = (-y sin x cos θ, -x² cos θ - y/4 cos 2θ)
  const std::array formula{
      -0.5 * std::cos(x) * std::sin(x) * y * y - 0.25 * std::sin(x) * x * x - x,
      -x * std::sin(x) * y - y / 16 - y};
  for (const double omega : {1e4, 1e6}) {
    const System vibrated = compiled(fmt::format(R"toml(
[coordinates]
x = {{ mass = 1 }}
y = {{ mass = 2 }}
[vibration]
omega = {}
[[force]]
on    = "x"
value = "omega*y*sin(x)*cos(theta) - x + y*cos(theta)"
[[force]]
on    = "y"
value = "omega*(x^2*cos(theta) + y*cos(2*theta)) - y"
)toml",
                                                 omega));
    const Vec F = averaged_force_at(vibrated, at);
    for (std::size_t i = 0; i < 2; ++i)
      rows.push_back(
          stated(fmt::format("two coordinates, omega = {:.0e}: force {} by micro-simulation", omega,
                             i + 1),
                 "the averaged force is <f1' M^-1 s> + <f0>, up to O(1/omega)", "(3.7)", formula[i],
                 F(static_cast<Index>(i)), near(10.0 / omega + 1e-4)));
  }
}

// Appendix B on the double pendulum, M made the identity by x̃ = M^½ x; only the part along the
// constraints counts, the rest is taken up by Λ.
void add_appendix_b(std::vector<Row>& rows) {
  const Eigen::Vector4d mass{mass1, mass1, mass2, mass2};
  const Eigen::Vector4d root = mass.cwiseSqrt();
  for (const std::array angle : {std::array{0.5, 0.0}, std::array{-0.3, 0.9}}) {
    State at = double_start();
    at.q << length1 * std::sin(angle[0]), length1 * std::cos(angle[0]),
        length1 * std::sin(angle[0]) + length2 * std::sin(angle[1]),
        length1 * std::cos(angle[0]) + length2 * std::cos(angle[1]);
    Eigen::Matrix<double, 2, 4> G;  // of squared lengths
    G << 2 * at.q(0), 2 * at.q(1), 0, 0, -2 * (at.q(2) - at.q(0)), -2 * (at.q(3) - at.q(1)),
        2 * (at.q(2) - at.q(0)), 2 * (at.q(3) - at.q(1));
    std::array<Eigen::Matrix4d, 2> H;
    H[0] = Eigen::Vector4d{2, 2, 0, 0}.asDiagonal();
    H[1] << 2, 0, -2, 0, 0, 2, 0, -2, -2, 0, 2, 0, 0, -2, 0, 2;
    for (Eigen::Matrix4d& h : H)
      h = root.cwiseInverse().asDiagonal() * h * root.cwiseInverse().asDiagonal();
    const Eigen::Matrix<double, 2, 4> g = G * root.cwiseInverse().asDiagonal();
    const Eigen::Matrix2d gg = g * g.transpose();
    const Eigen::Matrix4d P = Eigen::Matrix4d::Identity() - g.transpose() * gg.inverse() * g;
    // f1 = -vmax cos θ (0, m^½, 0, m^½), s = +vmax cos θ (...): <cos²> = 1/2
    const Eigen::Vector4d e = root.cwiseProduct(Eigen::Vector4d{0, 1, 0, 1});
    const Eigen::Vector4d u = P * (vmax * e);
    const Eigen::Vector2d c = gg.inverse() * (g * (-vmax * e));
    Eigen::Vector4d F = -gravity * e;
    for (std::size_t k = 0; k < 2; ++k) F -= 0.5 * c(static_cast<Index>(k)) * (H[k] * u);
    const Eigen::Vector4d tangential = P * F;
    const Vec force = averaged_force_at(double_pendulum(1e6), at);
    const Eigen::Vector4d found = P * Eigen::Vector4d(force.cwiseQuotient(root));
    rows.push_back(stated(
        fmt::format("double pendulum at ({}, {}): force of Appendix B against micro-simulation, "
                    "relative",
                    angle[0], angle[1]),
        "the active force of the averaged equations", "Appendix B", 0.0,
        (found - tangential).norm() / tangential.norm(), at_most(1e-3)));
  }
}

// Appendix A: p - v sin(q)/l varies slowly, p does not
void add_slow_variable(std::vector<Row>& rows) {
  constexpr std::array omegas{200.0, 2000.0};
  std::array<double, 2> of_p{}, of_slow{};
  for (std::size_t i = 0; i < 2; ++i) {
    const double omega = omegas[i];
    const int steps = static_cast<int>(32 * omega / (2 * std::numbers::pi));
    const auto states = motion(inverted_pendulum(omega), inverted_start(), steps, 1e-10);
    const auto slow = [&](const State& s) {
      return s.v(0) - vmax * std::sin(omega * s.t) * std::sin(s.q(0)) / pendulum_length;
    };
    for (std::size_t n = 1; n < states.size(); ++n) {
      const double dt = states[n].t - states[n - 1].t;
      of_p[i] = std::max(of_p[i], std::abs(states[n].v(0) - states[n - 1].v(0)) / dt);
      of_slow[i] = std::max(of_slow[i], std::abs(slow(states[n]) - slow(states[n - 1])) / dt);
    }
  }
  rows.push_back(stated("largest |dp/dt| at omega = 2000 over that at 200",
                        "the derivative of p is O(omega)", "section 2.1", 10.0, of_p[1] / of_p[0],
                        near(2.0)));
  rows.push_back(stated("largest |d(p - v sin(q)/l)/dt| at omega = 2000 over that at 200",
                        "the generalized momentum p - v sin(q)/l evolves slowly", "Appendix A", 1.0,
                        of_slow[1] / of_slow[0], near(0.3)));
}

// section 2.5: one step of Algorithm 2 as a map of the plane
void add_symplecticness(std::vector<Row>& rows) {
  const AveragedReading reading =
      averaged(inverted_pendulum(1e4), inverted_start(), published_averaging(20));
  const auto step = [&](double Q, double P, double H) {
    State s{0.0, Vec::Constant(1, Q), Vec::Constant(1, P)};
    Verlet verlet;
    if (reading.status != Status::ok || verlet.start(reading.system, s) != Status::ok ||
        verlet.step(reading.system, H, s) != Status::ok)
      return Eigen::Vector2d{nan, nan};
    return Eigen::Vector2d{s.q(0), s.v(0)};
  };
  constexpr double H = 0.05, d = 1e-4, Q = 0.4, P = 1.5;
  const Eigen::Vector2d dQ = (step(Q + d, P, H) - step(Q - d, P, H)) / (2 * d);
  const Eigen::Vector2d dP = (step(Q, P + d, H) - step(Q, P - d, H)) / (2 * d);
  rows.push_back(stated("Algorithm 2: area of a step's image less 1",
                        "the one-step map is symplectic", "section 2.5", 0.0,
                        std::abs(dQ[0] * dP[1] - dQ[1] * dP[0] - 1.0), at_most(1e-6)));
  rows.back().volatile_value = true;
  const Eigen::Vector2d there = step(Q, P, H), back = step(there[0], -there[1], H);
  rows.push_back(stated("Algorithm 2: distance after a step forth and back",
                        "the one-step map is reversible", "section 2.5", 0.0,
                        std::abs(back[0] - Q) + std::abs(back[1] + P), at_most(1e-9)));
  rows.back().volatile_value = true;
}

// The same of Algorithm 1 as a map of (Q, P), P in the middle of its leap-frog. omega H is a
// multiple of 2 pi, so that every step begins at phase 0, in which the vibration is even.
void add_first_algorithm(std::vector<Row>& rows) {
  constexpr int steps = 20;
  constexpr double omega = 2 * std::numbers::pi * 8 * steps, H = until / steps;
  const System vibrated = inverted_pendulum(omega);
  const auto step = [&](double Q, double P) {
    const State from{0.0, Vec::Constant(1, Q), Vec::Constant(1, P)};
    const MacroRun run = algorithm1(vibrated, {.steps_per_period = 20}, from, steps);
    return Eigen::Vector2d{run.states[1].q(0), (run.states[2].q(0) - Q) / (2 * H)};
  };
  constexpr double d = 1e-4, Q = 0.4, P = 1.5;
  const Eigen::Vector2d dQ = (step(Q + d, P) - step(Q - d, P)) / (2 * d);
  const Eigen::Vector2d dP = (step(Q, P + d) - step(Q, P - d)) / (2 * d);
  rows.push_back(stated("Algorithm 1, omega = 1005: area of a step's image less 1",
                        "Algorithm 1 is not symplectic", "section 2.5", 1e-5,
                        std::abs(dQ[0] * dP[1] - dQ[1] * dP[0] - 1.0), at_least()));
  const Eigen::Vector2d there = step(Q, P), back = step(there[0], -there[1]);
  rows.push_back(stated("Algorithm 1, omega = 1005: distance after a step forth and back",
                        "Algorithm 1 is not reversible", "section 2.5", 1e-5,
                        std::abs(back[0] - Q) + std::abs(back[1] + P), at_least()));
}

}  // namespace

Shown formulas() {
  std::vector<Row> rows;
  add_simple_filter(rows);
  add_general_formula(rows);
  add_symplecticness(rows);
  add_first_algorithm(rows);
  add_slow_variable(rows);
  add_appendix_b(rows);
  return rows;
}

}  // namespace taut::papers::vibrations
