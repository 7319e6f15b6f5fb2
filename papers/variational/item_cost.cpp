// SPDX-License-Identifier: BSD-3-Clause
// Running times of the paper (Matlab, fsolve) as ratios, beside those of taut measured now.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "items.hpp"
#include "methods/gauss_newton.hpp"
#include "methods/newmark.hpp"
#include "methods/newmark_linear.hpp"
#include "methods/rattle.hpp"
#include "methods/shake.hpp"
#include "methods/verlet.hpp"
#include "methods/zhang_skeel.hpp"
#include "problem.hpp"
#include "readings/readings.hpp"

namespace taut::papers::variational {
namespace {

/// Seconds per step: the least of several blocks, which a busy machine disturbs least.
double seconds_per_step(const System& system, const State& start, Method method, double h) {
  using Clock = std::chrono::steady_clock;
  constexpr int blocks = 12;
  constexpr double block_seconds = 3e-3;
  State s = start;
  if (method->start(system, s) != Status::ok) return std::nan("");
  double best = std::nan("");
  long steps = 16;
  for (int block = 0; block < blocks; ++block) {
    const auto begin = Clock::now();
    for (long n = 0; n < steps; ++n)
      if (method->step(system, h, s) != Status::ok) return std::nan("");
    const double spent = std::chrono::duration<double>(Clock::now() - begin).count();
    best = std::fmin(best, spent / static_cast<double>(steps));
    steps = std::clamp(static_cast<long>(block_seconds / best), 16L, 100'000L);
  }
  return best;
}

Row ratio_row(std::string name, std::optional<double> published, std::optional<double> reference,
              double obtained) {
  return {.name = std::move(name),
          .published = published,
          .reference = reference,
          .obtained = obtained,
          .rule = Rule::none};
}

}  // namespace

std::vector<Row> cost() {
  std::vector<Row> rows;
  const auto absolute = [&](const char* name, double seconds) {
    rows.push_back(
        {.name = fmt::format("{}: nanoseconds per step", name), .obtained = 1e9 * seconds});
  };
  {
    const CompiledModel model = double_pendulum();
    const System hard = rigid(model.system), soft = penalized(model.system, 20.0);
    const auto time = [&](const System& system, Method method, double h) {
      return seconds_per_step(system, model.given, std::move(method), h);
    };
    const double zhang_skeel = time(soft, ZhangSkeel{0.4}, 0.1);
    const double shake = time(hard, Shake{}, 0.1);
    const double rattle = time(hard, Rattle{}, 0.1);
    const double newmark = time(soft, Newmark{{.beta = 0.4}}, 0.1);
    const double linear = time(soft, NewmarkLinear{{.beta = 0.4}}, 0.1);
    const double verlet = time(soft, Verlet{}, 0.005);
    const double gauss_newton = time(hard, GaussNewton{}, 0.1);
    absolute("double pendulum, Zhang-Skeel", zhang_skeel);
    absolute("double pendulum, SHAKE", shake);
    absolute("double pendulum, RATTLE", rattle);
    absolute("double pendulum, Gauss-Newton", gauss_newton);
    rows.push_back(ratio_row("double pendulum: SHAKE over Zhang-Skeel, equal steps", 3.8 / 0.4, 1.0,
                             shake / zhang_skeel));
    rows.push_back(ratio_row("double pendulum: Newmark over Zhang-Skeel, equal steps", 5.3 / 0.4,
                             3.3, newmark / zhang_skeel));
    rows.push_back(ratio_row("double pendulum: one iteration over Zhang-Skeel, equal steps",
                             0.2 / 0.4, {}, linear / zhang_skeel));
    rows.push_back(ratio_row("double pendulum: Verlet over Zhang-Skeel, 20 steps for one",
                             1.0 / 0.4, {}, 20 * verlet / zhang_skeel));
    rows.push_back(ratio_row("double pendulum: SHAKE over Gauss-Newton, equal steps", {}, 1.4,
                             shake / gauss_newton));
    rows.push_back(ratio_row("double pendulum: RATTLE over Gauss-Newton, equal steps", {}, {},
                             rattle / gauss_newton));
  }
  {
    const CompiledModel model = chain(10);
    const System hard = rigid(model.system), soft = penalized(model.system, 20.0);
    const double zhang_skeel = seconds_per_step(soft, model.given, ZhangSkeel{0.4}, 0.05);
    const double shake = seconds_per_step(hard, model.given, Shake{}, 0.05);
    rows.push_back(ratio_row("chain of 10: SHAKE over Zhang-Skeel, equal steps", 8.1 / 1.1, 1.0,
                             shake / zhang_skeel));
  }
  for (const int n : {10, 100, 1000}) {
    const CompiledModel model = chain(n);
    const System hard = rigid(model.system);
    const double h = 0.05 * std::sqrt(10.0 / n);
    const double gauss_newton = seconds_per_step(hard, model.given, GaussNewton{}, h);
    const double shake = seconds_per_step(hard, model.given, Shake{}, h);
    const double rattle = seconds_per_step(hard, model.given, Rattle{}, h);
    absolute(fmt::format("chain of {}, Gauss-Newton, per link", n).c_str(), gauss_newton / n);
    rows.push_back(ratio_row(fmt::format("chain of {}: SHAKE over Gauss-Newton, equal steps", n),
                             {}, 1.5, shake / gauss_newton));
    rows.push_back(ratio_row(fmt::format("chain of {}: RATTLE over Gauss-Newton, equal steps", n),
                             {}, {}, rattle / gauss_newton));
  }
  {
    const CompiledModel model = dna(200);
    State start = model.given;
    start.q.setConstant(0.8);
    const double verlet = seconds_per_step(model.system, start, Verlet{}, 0.2);
    const double zhang_skeel = seconds_per_step(model.system, start, ZhangSkeel{0.3}, 1.0);
    rows.push_back(ratio_row("DNA: Verlet with h = 0.2 over Zhang-Skeel with h = 2, equal times",
                             23.26 / 3.24, 5.5, 10 * verlet / zhang_skeel));
    rows.push_back(ratio_row("DNA: Verlet with h = 0.5 over Zhang-Skeel with h = 1.5, equal times",
                             {}, 1.7, 3 * verlet / zhang_skeel));
  }
  return rows;
}

}  // namespace taut::papers::variational
