// SPDX-License-Identifier: BSD-3-Clause
#include "effective.hpp"

#include <fmt/format.h>

#include <cmath>

namespace taut::papers::vibrations {

System effective_double_pendulum() {
  return compiled(fmt::format(R"toml(
name = "vibrated double pendulum in its effective potential"
[parameters]
m1   = {}
m2   = {}
m    = "m1 + m2"
l1   = {}
l2   = {}
g    = {}
vmax = {}
[coordinates]
q1 = 0.5
q2 = 0
[definitions]
c = "cos(q1 - q2)"
[[kinetic]]
energy = "m*l1^2*v(q1)^2/2 + m2*l1*l2*c*v(q1)*v(q2) + m2*l2^2*v(q2)^2/2"
[[potential]]
energy = "g*(m*l1*cos(q1) + m2*l2*cos(q2))"
[[potential]]
energy = "vmax^2/4*m*(m*sin(q1)^2 - 2*m2*sin(q1)*sin(q2)*c + m2*sin(q2)^2)/(m - m2*c^2)"
)toml",
                              mass1, mass2, length1, length2, gravity, vmax));
}

State effective_start() { return {0.0, Vec{{0.5, 0.0}}, Vec::Zero(2)}; }

std::array<double, 2> effective_multipliers(const State& in_angles) {
  // (3) in the angles: |r₁'| = l₁ q₁', |r₂' - r₁'| = l₂ q₂', r₁ . (r₂ - r₁) = l₁ l₂ c
  const double c = std::cos(in_angles.q(0) - in_angles.q(1));
  const double bend1 = 2 * std::pow(length1 * in_angles.v(0), 2);
  const double bend2 = 2 * std::pow(length2 * in_angles.v(1), 2);
  const double s11 = 4 * length1 * length1 / mass1;
  const double s12 = -4 * length1 * length2 * c / mass1;
  const double s22 = 4 * length2 * length2 * (1 / mass1 + 1 / mass2);
  const double det = s11 * s22 - s12 * s12;
  return {-(s22 * bend1 - s12 * bend2) / det, -(s11 * bend2 - s12 * bend1) / det};
}

}  // namespace taut::papers::vibrations
