// SPDX-License-Identifier: BSD-3-Clause
#include "problem.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "taut/model/model_file.hpp"

namespace taut::papers::involutive {
namespace {

using formula::Sym;
using Sym3 = std::array<Sym, 3>;
using Jets = JetBuilder::Jets;

Sym3 three(const std::vector<Sym>& y) { return {y[0], y[1], y[2]}; }

Sym dot(const Sym3& a, const Sym3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

template <class T>
std::array<T, 3> cross(const std::array<T, 3>& a, const std::array<T, 3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

std::string numbered(const char* name, std::size_t i) { return fmt::format("{} {}", name, i + 1); }

}  // namespace

JetSystem rigid_body() {
  constexpr double alpha = 0.01;
  constexpr std::array inertia{5.0 / 8, 5.0 / 8, 1.0 / 4};
  // y' of (6.1)
  const auto slope = [inertia]<class T>(const std::array<T, 3>& y) {
    std::array<T, 3> gradient;
    for (std::size_t i = 0; i < 3; ++i) gradient[i] = y[i] / inertia[i];
    const std::array<T, 3> turning = cross(y, gradient);
    const std::array<T, 3> losing = cross(y, turning);
    std::array<T, 3> sum;
    for (std::size_t i = 0; i < 3; ++i) sum[i] = turning[i] + alpha * losing[i];
    return sum;
  };
  const double size = std::sqrt(69.0);
  const std::array start{1 / size, 8 / size, 2 / size};
  const std::array rate = slope(start);
  JetBuilder builder{{"y1", "y2", "y3"}, 1};
  builder.start(0.0, {{start.begin(), start.end()}, {rate.begin(), rate.end()}});
  for (std::size_t i = 0; i < 3; ++i)
    builder.equation(numbered("spin", i),
                     [&](const Jets& j) { return j.y[1][i] - slope(three(j.y[0]))[i]; });
  builder.equation("sphere", [](const Jets& j) {
    const Sym3 y = three(j.y[0]);
    return dot(y, y) - 1.0;
  });
  return builder.build();
}

namespace {

struct Flow {
  double R = 45.72, c1 = 44.017, c2 = 35545, c3 = 929940, c4 = 9090.9;
};

}  // namespace

JetSystem plug_flow() {
  constexpr Flow c;
  JetBuilder builder{{"y1", "y2", "y3"}, 1};
  builder.start(0.0, {{13.78, 11.394, 4.8147}});
  builder.equation("pressure", [](const Jets& j) {
    return j.y[0][2] * j.y[0][2] * j.y[1][0] + j.y[0][1] * j.y[0][1];
  });
  builder.equation("core", [c](const Jets& j) {
    const Sym &y1 = j.y[0][0], &y2 = j.y[0][1], &y3 = j.y[0][2];
    const Sym wall = c.R - y3;
    return y1 * y2 * wall * wall * (2.5 * log(c.c1 * y2 - 5.0) + 10.5) - c.c2 * y1 * y3 - c.c3 * y3;
  });
  builder.equation("annulus", [c](const Jets& j) {
    const Sym &y2 = j.y[0][1], &y3 = j.y[0][2];
    return y2 * (2.5 * c.R - 1.25 * y3) * log(c.c1 * y2 - 5.0) + y2 * (3.0 * c.R - 2.125 * y3) -
           (13.6 * c.R + c.c1 * c.c4) / c.c1;
  });
  return builder.build();
}

JetSystem plug_flow_as_modelled() {
  constexpr Flow c;
  JetBuilder builder{{"u1", "u2", "u3"}, 1};
  builder.start(0.0, {{13.78, 11.394 / 4.8147, 4.8147}});
  builder.equation("pressure", [](const Jets& j) { return j.y[1][0] + j.y[0][1] * j.y[0][1]; });
  builder.equation("core", [c](const Jets& j) {
    const Sym &u1 = j.y[0][0], &u2 = j.y[0][1], &u3 = j.y[0][2];
    const Sym wall = c.R - u3;
    return u2 * wall * wall * (2.5 * log(c.c1 * u2 * u3 - 5.0) + 10.5) - c.c2 - c.c3 / u1;
  });
  builder.equation("annulus", [c](const Jets& j) {
    const Sym &u2 = j.y[0][1], &u3 = j.y[0][2];
    return (2.5 * c.R * u3 - 1.25 * u3 * u3) * log(c.c1 * u2 * u3 - 5.0) + 3.0 * c.R * u3 -
           2.125 * u3 * u3 - (13.6 * c.R + c.c1 * c.c4) / (c.c1 * u2);
  });
  return builder.build();
}

JetSystem magnetic_particle() {
  const Sym3 field{0.0, 0.0, 1.0};
  const double slope = -1 / std::sqrt(27.0);
  JetBuilder builder{{"y1", "y2", "y3"}, 2};
  builder.start(0.0, {{1, 1, 1}, {0, 0, 0}, {slope, slope, slope}});
  for (std::size_t i = 0; i < 3; ++i)
    builder.equation(numbered("force", i), [&](const Jets& j) {
      const Sym3 y = three(j.y[0]);
      const Sym r2 = dot(y, y);
      return j.y[2][i] + y[i] / (r2 * sqrt(r2)) - cross(field, three(j.y[1]))[i];
    });
  builder.invariant("magnetic momentum", [&](const Jets& j) {
    const Sym3 y = three(j.y[0]);
    const Sym3 half = cross(y, field);
    Sym3 momentum;
    for (std::size_t i = 0; i < 3; ++i) momentum[i] = j.y[1][i] + 0.5 * half[i];
    return dot(cross(y, momentum), field);
  });
  builder.invariant("energy", [](const Jets& j) {
    const Sym3 y = three(j.y[0]), v = three(j.y[1]);
    return 0.5 * dot(v, v) - 1.0 / sqrt(dot(y, y));
  });
  return builder.build();
}

JetSystem magnetohydrodynamics() {
  constexpr double beta = 1.0, gamma = 1.0;
  JetBuilder builder{{"y1", "y2", "y3"}, 2};
  builder.start(0.0, {{1, 1, 1}, {0.4, 0.5, 0.6}, {0, 0.3333, 4}});
  builder.equation("first", [](const Jets& j) {
    return j.y[2][0] - j.y[0][0] * j.y[0][2] / 3.0 + beta / 3 * j.y[0][0];
  });
  builder.equation("second", [](const Jets& j) {
    return j.y[2][1] - j.y[0][1] * j.y[0][2] / 3.0 - beta / 3 * j.y[0][1] + gamma / 3 * j.y[0][0];
  });
  builder.equation("third", [](const Jets& j) {
    return j.y[2][2] - j.y[0][2] * j.y[0][2] - 8.0 * j.y[1][1] + beta * beta;
  });
  builder.invariant("24 I", [](const Jets& j) {
    const auto &y = j.y[0], &v = j.y[1];
    return 96.0 * y[1] * y[1] + 72.0 * y[2] * v[1] + 2.0 * y[2] * y[2] * y[2] - 24.0 * y[1] * v[2] -
           3.0 * v[2] * v[2] - 72.0 * beta * v[1] - 6.0 * beta * beta * y[2] + 72.0 * gamma * v[0];
  });
  return builder.build();
}

CompiledModel chain(int n, double energy) {
  // omega² S/2 + 5 (n - 2) = energy with S = Σ |y_i|²; each of the n - 2 springs has length 1
  double squares = 0.0;
  for (int i = 0; i < n; ++i) squares += 0.25 * i * i + 3.0 / 16;
  const double omega = std::sqrt(2.0 * (energy - 5.0 * (n - 2)) / squares);
  const std::string file = fmt::format(R"toml(
name = "zigzag"
[parameters]
n = {}
omega = {:.17g}
c = 10
[points."p{{i}}"]
mass = 1
at = ["{{i}}/2", "-sqrt(3)/4*cos(pi*{{i}})"]
velocity = ["omega*sqrt(3)/4*cos(pi*{{i}})", "omega*{{i}}/2"]
repeat = {{ i = "0:n-1" }}
[[constraint]]
zero = "((p{{i}}.x - p{{i+1}}.x)^2 + (p{{i}}.y - p{{i+1}}.y)^2 - 1)/2"
repeat = {{ i = "0:n-2" }}
[[potential]]
energy = "c/2*((p{{i}}.x - p{{i+2}}.x)^2 + (p{{i}}.y - p{{i+2}}.y)^2)"
repeat = {{ i = "0:n-3" }}
)toml",
                                       n, omega);
  Problems problems{"zigzag"};
  const Model model = read_model(file, problems);
  problems.throw_if_any();
  return compile(model);
}

}  // namespace taut::papers::involutive
