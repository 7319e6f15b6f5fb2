// SPDX-License-Identifier: BSD-3-Clause
#include "problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/accelerations.hpp"
#include "taut/model/model_file.hpp"

namespace taut::papers::variational {

CompiledModel compiled(const std::string& toml) {
  Problems problems;
  const Model model = read_model(toml, problems);
  CompiledModel made = compile(model, problems);
  if (!problems.empty()) throw ModelError{problems};
  return made;
}

CompiledModel double_pendulum(double gravity) {
  return compiled(fmt::format(R"toml(
name = "double pendulum of section 4.1"
[points]
a = {{ mass = 1, at = [0, -1] }}
b = {{ mass = 1, at = [1, -2] }}
[[constraint]]
zero = "a.x^2 + a.y^2 - 1"
[[constraint]]
zero = "(b.x - a.x)^2 + (b.y - a.y)^2 - 2"
[[gravity]]
acceleration = [0, {}]
)toml",
                              gravity));
}

CompiledModel double_pendulum_in_angles(double gravity) {
  return compiled(fmt::format(R"toml(
name = "double pendulum in angles"
[coordinates]
alpha = {{ at = 0 }}
gamma = {{ at = "pi/4" }}
[[kinetic]]
energy = "v(alpha)^2 + v(gamma)^2 + sqrt(2)*v(alpha)*v(gamma)*cos(alpha - gamma)"
[[potential]]
energy = "({})*(2*cos(alpha) + sqrt(2)*cos(gamma))"
)toml",
                              gravity));
}

Vec bobs(const Vec& angles) {
  const double s = std::sqrt(2.0);
  const double x = std::sin(angles[0]), y = -std::cos(angles[0]);
  Vec q(4);
  q << x, y, x + s * std::sin(angles[1]), y - s * std::cos(angles[1]);
  return q;
}

CompiledModel chain(int n) {
  return compiled(fmt::format(R"toml(
name = "chain of section 4.2"
[points]
p1    = {{ mass = 1, at = [1, -2] }}
"p{{k}}" = {{ mass = 1, at = ["{{k}}", "-2*{{k}}"], repeat = {{ k = "2:{0}" }} }}
[[constraint]]
zero = "p1.x^2 + p1.y^2 - 5"
[[constraint]]
zero   = "(p{{k}}.x - p{{k-1}}.x)^2 + (p{{k}}.y - p{{k-1}}.y)^2 - 5"
repeat = {{ k = "2:{0}" }}
[[gravity]]
acceleration = [0, -1]
)toml",
                              n));
}

CompiledModel dna(int N) {
  return compiled(fmt::format(R"toml(
name = "DNA of section 4.4"
[coordinates]
"a{{k}}" = {{ mass = 1, repeat = {{ k = "1:{0}" }} }}
[[potential]]
energy = "(a{{k+1}} - a{{k}})^2/2"
repeat = {{ k = "1:{1}" }}
[[potential]]
energy = "(a1 - a{0})^2/2"
[[potential]]
energy = "(exp(-7*(1 - cos(a{{k}}) - 0.3)) - 1)^2/1400"
repeat = {{ k = "1:{0}" }}
)toml",
                              N, N - 1));
}

Track track(const System& system, const State& start, Method method, double h, double until) {
  constexpr double beyond_all_bounds = 1e6;
  Track result{.states = {start}};
  State s = start;
  const auto steps = static_cast<long>(std::llround((until - start.t) / h));
  result.states.reserve(static_cast<std::size_t>(steps) + 1);
  bool good = method->start(system, s) == Status::ok;
  for (long n = 0; n < steps && good; ++n) {
    good = method->step(system, h, s) == Status::ok &&
           s.v.lpNorm<Eigen::Infinity>() < beyond_all_bounds;
    if (good) result.states.push_back(s);
  }
  result.whole = good;
  return result;
}

Track reference(const System& system, const State& start, Method method, double h, double until) {
  Track result{.states = {start}};
  State s = start;
  const auto samples = static_cast<long>(std::llround((until - start.t) / h));
  bool good = method->start(system, s) == Status::ok;
  for (long n = 1; n <= samples && good; ++n) {
    const double t = start.t + static_cast<double>(n) * h;
    while (good && s.t < t) good = method->advance(system, t, s) == Status::ok;
    if (good) result.states.push_back(s);
  }
  result.whole = good;
  return result;
}

double energy(const System& system, const State& at) {
  Evaluation ev;
  system.prepare(ev);
  const Status st = system.evaluate(needs(Target::kinetic_energy, Target::potential_energy),
                                    {.t = at.t, .q = at.q, .v = at.v}, ev);
  return st == Status::ok ? ev.kinetic_energy + ev.potential_energy : std::nan("");
}

double energy_error(const System& system, const Track& track) {
  Evaluation ev;
  system.prepare(ev);
  double first = 0.0, worst = 0.0;
  for (std::size_t n = 0; n < track.states.size(); ++n) {
    const State& s = track.states[n];
    const Status st = system.evaluate(needs(Target::kinetic_energy, Target::potential_energy),
                                      {.t = s.t, .q = s.q, .v = s.v}, ev);
    if (st != Status::ok) return std::nan("");
    const double now = ev.kinetic_energy + ev.potential_energy;
    if (n == 0) first = now;
    worst = std::max(worst, std::abs(now - first));
  }
  return track.whole ? worst : std::nan("");
}

std::vector<Vec> rigid_multipliers(const System& system, const Track& track) {
  std::vector<Vec> values;
  Accelerations accelerations;
  if (accelerations.start(system) != Status::ok) return {};
  Vec a, lambda;
  for (const State& s : track.states) {
    if (accelerations(system, s.t, s.q, s.v, a, lambda) != Status::ok) return {};
    values.push_back(lambda);
  }
  return values;
}

std::vector<Vec> spring_multipliers(const System& springs, const Track& track) {
  std::vector<Vec> values;
  Evaluation ev;
  springs.prepare(ev);
  for (const State& s : track.states) {
    Vec all;
    const Arguments at{.t = s.t, .q = s.q, .v = s.v};
    if (springs.multipliers(at, Vec{}, ev, all) != Status::ok) return {};
    values.push_back(std::move(all));
  }
  return values;
}

std::vector<Vec> window_averages(const std::vector<Vec>& values, std::size_t width) {
  std::vector<Vec> averages;
  for (std::size_t n = 0; n + width < values.size(); ++n) {
    Vec sum = (values[n] + values[n + width]) / 2;
    for (std::size_t k = 1; k < width; ++k) sum += values[n + k];
    averages.push_back(sum / static_cast<double>(width));
  }
  return averages;
}

double largest_error(const std::vector<Vec>& values, const std::vector<Vec>& exact,
                     std::size_t shift) {
  double error = values.empty() || exact.empty() ? std::nan("") : 0.0;
  for (std::size_t n = 0; n < values.size() && n + shift < exact.size(); ++n)
    error = std::max(error, (values[n] - exact[n + shift]).lpNorm<Eigen::Infinity>());
  return error;
}

std::size_t stride(const Track& fine, const Track& coarse) {
  const double h_fine = fine.states[1].t - fine.states[0].t;
  const double h_coarse = coarse.states[1].t - coarse.states[0].t;
  return static_cast<std::size_t>(std::llround(h_coarse / h_fine));
}

}  // namespace taut::papers::variational
