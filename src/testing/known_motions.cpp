// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <stdexcept>
#include <string_view>

#include "taut/core/problems.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"
#include "taut/testing/method_laws.hpp"

namespace taut::laws {
namespace {

constexpr double length = 0.8, mass = 1.3, drag = 0.2, gravity = 9.81;  // of the texts below
constexpr long double first_angle = 1.1L, first_rate = 0.7L;

constexpr std::string_view in_its_angle = R"toml(
name = "pendulum in its angle"
[coordinates]
angle = { mass = "1.3*0.8^2", at = 1.1, velocity = 0.7 }
[[potential]]
energy = "-1.3*9.81*0.8*cos(angle)"
)toml";

constexpr std::string_view on_a_rod = R"toml(
name = "pendulum on a rod"
[points]
bob = { mass = 1.3, at = ["0.8*sin(1.1)", "-0.8*cos(1.1)"], velocity = ["0.56*cos(1.1)", "0.56*sin(1.1)"] }
[[rod]]
between = ["origin", "bob"]
length = 0.8
[[gravity]]
acceleration = [0, -9.81]
)toml";

constexpr std::string_view with_drag = R"toml(
[[force]]
on = "bob"
value = ["-0.2*bob.vx", "-0.2*bob.vy"]
)toml";

// angle = x + x³/3
constexpr std::string_view in_a_bent_coordinate = R"toml(
name = "pendulum in a bent coordinate"
[coordinates]
x = 0
[[kinetic]]
energy = "1.3*0.8^2/2*(1 + x^2)^2*v(x)^2"
[[potential]]
energy = "-1.3*9.81*0.8*cos(x + x^3/3)"
)toml";

struct Swing {
  long double value = first_angle, rate = first_rate;
};

// angle'' = -g/L sin(angle) - c/m angle', by Runge and Kutta's method with errors below 1e-15
Swing angle_at(double t, double c) {
  const auto acceleration = [&](const Swing& at) {
    return -(gravity / static_cast<long double>(length)) * std::sin(at.value) -
           c / static_cast<long double>(mass) * at.rate;
  };
  const auto moved = [&](const Swing& by, const Swing& from, long double h) {
    return Swing{from.value + h * by.rate, from.rate + h * acceleration(by)};
  };
  const int steps = 1 + static_cast<int>(std::abs(t) * 20000);
  const long double h = static_cast<long double>(t) / steps;
  Swing y;
  for (int n = 0; n < steps; ++n) {
    const Swing k1 = y, k2 = moved(k1, y, h / 2), k3 = moved(k2, y, h / 2), k4 = moved(k3, y, h);
    y = {y.value + h / 6 * (k1.rate + 2 * k2.rate + 2 * k3.rate + k4.rate),
         y.rate + h / 6 *
                      (acceleration(k1) + 2 * acceleration(k2) + 2 * acceleration(k3) +
                       acceleration(k4))};
  }
  return y;
}

State one_coordinate(double t, long double q, long double v) {
  return {t, Vec::Constant(1, static_cast<double>(q)), Vec::Constant(1, static_cast<double>(v))};
}

State angle_state(double t) {
  const Swing y = angle_at(t, 0.0);
  return one_coordinate(t, y.value, y.rate);
}

State rod_state(double t, double c) {
  const Swing y = angle_at(t, c);
  const long double s = std::sin(y.value), k = std::cos(y.value);
  State state{t, Vec(2), Vec(2)};
  state.q << static_cast<double>(length * s), static_cast<double>(-length * k);
  state.v << static_cast<double>(length * k * y.rate), static_cast<double>(length * s * y.rate);
  return state;
}

State bent_state(double t) {
  const Swing y = angle_at(t, 0.0);
  long double x = y.value;
  for (int n = 0; n < 50; ++n) x -= (x + x * x * x / 3 - y.value) / (1 + x * x);
  return one_coordinate(t, x, y.rate / (1 + x * x));
}

KnownMotion known(std::string_view text, std::function<State(double)> truth) {
  Problems problems;
  const Model model = read_model(text, problems);
  problems.throw_if_any();
  KnownMotion motion{model.name, compile(model).system, truth(0.0), {}};
  motion.truth = std::move(truth);
  return motion;
}

}  // namespace

std::vector<KnownMotion> known_motions(const MethodInfo& claims) {
  std::vector<KnownMotion> list{known(in_its_angle, angle_state)};
  if (claims.constraints)
    list.push_back(known(on_a_rod, [](double t) { return rod_state(t, 0.0); }));
  if (claims.constraints && claims.velocity_forces)
    list.push_back(known(std::string{on_a_rod} + std::string{with_drag},
                         [](double t) { return rod_state(t, drag); }));
  if (claims.variable_mass) list.push_back(known(in_a_bent_coordinate, bent_state));
  return list;
}

}  // namespace taut::laws
