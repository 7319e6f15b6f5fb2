// SPDX-License-Identifier: BSD-3-Clause
#include "problem.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <limits>
#include <string>

#include "methods/dormand_prince.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/force_only.hpp"
#include "taut/model/model_file.hpp"

namespace taut::papers::vibrations {

System compiled(const std::string& toml) {
  Problems problems;
  const CompiledModel model = compile(read_model(toml, problems), problems);
  assert(problems.empty());
  return model.system;
}

System inverted_pendulum(double omega) {
  return compiled(fmt::format(R"toml(
name = "vibrated inverted pendulum"
[parameters]
l    = {}
g    = {}
vmax = {}
[coordinates]
q = {{ mass = 1 }}
[vibration]
omega = {}
[[force]]
on    = "q"
value = "(g + vmax*omega*cos(theta))*sin(q)/l"
)toml",
                              pendulum_length, gravity, vmax, omega));
}

State inverted_start() { return {0.0, Vec::Constant(1, 0.5), Vec::Zero(1)}; }

double averaged_force(double Q) {
  constexpr double l = pendulum_length;
  return (gravity / l - vmax * vmax / (2 * l * l) * std::cos(Q)) * std::sin(Q);
}

System averaged_pendulum() {
  return force_only({.coordinates = {"Q"},
                     .mass = Vec::Ones(1),
                     .force =
                         [](double, const Vec& Q, Vec& F) {
                           F(0) = averaged_force(Q(0));
                           return Status::ok;
                         },
                     .uses_time = false});
}

System double_pendulum(double omega) {
  return compiled(fmt::format(R"toml(
name = "vibrated double pendulum"
[parameters]
m1   = {}
m2   = {}
l1   = {}
l2   = {}
g    = {}
vmax = {}
[points]
bob1 = {{ mass = "m1", at = [0, "l1"] }}
bob2 = {{ mass = "m2", at = [0, "l1 + l2"] }}
[vibration]
omega = {}
[[constraint]]
zero = "bob1.x^2 + bob1.y^2 - l1^2"
[[constraint]]
zero = "(bob2.x - bob1.x)^2 + (bob2.y - bob1.y)^2 - l2^2"
[[force]]
on    = "bob1"
value = [0, "-m1*(g + vmax*omega*cos(theta))"]
[[force]]
on    = "bob2"
value = [0, "-m2*(g + vmax*omega*cos(theta))"]
)toml",
                              mass1, mass2, length1, length2, gravity, vmax, omega));
}

State double_start() {
  const double x1 = length1 * std::sin(0.5), y1 = length1 * std::cos(0.5);
  return {0.0, Vec{{x1, y1, x1, y1 + length2}}, Vec::Zero(4)};
}

Angles angles(const Vec& x) {
  return {std::atan2(x(0), x(1)), std::atan2(x(2) - x(0), x(3) - x(1))};
}

std::vector<State> motion(const System& system, const State& from, int steps, double tol) {
  DormandPrince853 dop853{{.tol = tol}};
  State state = from;
  std::vector<State> states{state};
  Status status = dop853.start(system, state);
  for (int n = 1; n <= steps; ++n) {
    const double t = until * n / steps;
    while (status == Status::ok && state.t < t) status = dop853.advance(system, t, state);
    states.push_back(status == Status::ok ? state : no_state(system.nq()));
  }
  return states;
}

State no_state(Index nq) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  return {nan, Vec::Constant(nq, nan), Vec::Constant(nq, nan)};
}

}  // namespace taut::papers::vibrations
