// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <string>
#include <vector>

#include "taut/model/model_file.hpp"
#include "taut/modes/modes.hpp"

namespace taut::test {

inline Model linear_test_model(const std::string& text) {
  Problems problems{"linear.toml"};
  Model model = read_model(text, problems);
  problems.throw_if_any();
  return model;
}

/// Roots with Im s >= 0 that are not zero, by size.
inline std::vector<std::complex<double>> roots_in(const Modes& modes) {
  std::vector<std::complex<double>> list;
  for (const Mode& mode : modes.modes)
    if (mode.s != 0.0) list.push_back(mode.s);
  return list;
}

inline void expect_root(std::complex<double> found, std::complex<double> expected,
                        double error = 1e-10) {
  EXPECT_LE(std::abs(found - expected), error * std::abs(expected))
      << found.real() << " + " << found.imag() << "i instead of " << expected.real() << " + "
      << expected.imag() << "i";
}

/// A quarter of a car on rods that guide it, with what the mechanics of two masses needs.
inline const char* const quarter_car_text = R"toml(
name = "quarter car"
[parameters]
ms = 300
mu = 40
ks = 20000
cs = 1200
kt = 180000
ct = 50
[inputs]
road = 0
[anchors]
ground = [0, "road"]
[points]
wheel = { mass = "mu", at = [0, 0.3] }
body = { mass = "ms", at = [0, 0.9] }
[[constraint]]
zero = "wheel.x"
[[constraint]]
zero = "body.x"
[[spring]]
name = "tyre"
between = ["ground", "wheel"]
stiffness = "kt"
length = 0.3
[[damper]]
name = "carcass"
between = ["ground", "wheel"]
damping = "ct"
[[spring]]
name = "suspension"
between = ["wheel", "body"]
stiffness = "ks"
length = 0.6
[[damper]]
name = "shock"
between = ["wheel", "body"]
damping = "cs"
[[gravity]]
acceleration = [0, -9.81]
)toml";

/// A disc that rolls upright, as a body with conditions on velocities.
inline std::string disc_text(double speed) {
  return fmt::format(R"toml(
[parameters]
g = 9.81
R = 0.5
m = 2
V = {}
[[body]]
name = "disc"
mass = "m"
inertia = ["m*R^2/4", "m*R^2/2", "m*R^2/4"]
at = [0, 0, "R"]
velocity = ["V", 0, 0]
spin = [0, "V/R", 0]
[definitions]
s = "sqrt(1 - disc.r32^2)"
[[constraint]]
zero = "disc.z - R*s"
[[rolling]]
zero = "disc.vx - R/s*(disc.r31*v(disc.r11) + disc.r33*v(disc.r13))"
[[rolling]]
zero = "disc.vy - R/s*(disc.r31*v(disc.r21) + disc.r33*v(disc.r23))"
[[gravity]]
acceleration = [0, 0, "-g"]
)toml",
                     speed);
}

}  // namespace taut::test
