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
#include "methods/zhang_skeel_stiff.hpp"
#include "problem.hpp"
#include "readings/readings.hpp"
#include "so3_methods.hpp"
#include "water.hpp"

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

// The paper's times are those of Matlab with fsolve, and "should serve only as a qualitative
// illustration": which of two is faster is what is compared.
Row faster(std::string name, double published, double obtained, std::string source) {
  Row row =
      stated(std::move(name),
             fmt::format("the first is slower, in Matlab with fsolve {:.1f} times", published),
             std::move(source), 1.0, obtained, at_least());
  if (published < 1.0) {
    row.statement =
        fmt::format("the first is faster, in Matlab with fsolve {:.1f} times", 1.0 / published);
    row.tolerance = at_most();
  }
  row.volatile_value = true;
  return tried(
      std::move(row),
      {"Running times",
       "compiled, with the multipliers of the step before as a guess, the nonlinear solver "
       "costs no more than the linear one"});
}

}  // namespace

Shown cost() {
  std::vector<Row> rows;
  const auto absolute = [&](const char* name, double seconds) {
    rows.push_back(
        not_repeatable(ours(fmt::format("{}: nanoseconds per step", name), 1e9 * seconds)));
  };
  const auto ratio = [&](const std::string& name, double value) {
    rows.push_back(not_repeatable(ours(name, value)));
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
    constexpr const char* source = "section 4.1, running times";
    rows.push_back(faster("double pendulum: SHAKE over Zhang-Skeel, equal steps", 3.8 / 0.4,
                          shake / zhang_skeel, source));
    rows.push_back(faster("double pendulum: Newmark over Zhang-Skeel, equal steps", 5.3 / 0.4,
                          newmark / zhang_skeel, source));
    rows.push_back(faster("double pendulum: one iteration over Zhang-Skeel, equal steps", 0.2 / 0.4,
                          linear / zhang_skeel, source));
    rows.push_back(faster("double pendulum: Verlet over Zhang-Skeel, 20 steps for one", 1.0 / 0.4,
                          20 * verlet / zhang_skeel, source));
    ratio("double pendulum: SHAKE over Gauss-Newton, equal steps", shake / gauss_newton);
    ratio("double pendulum: RATTLE over Gauss-Newton, equal steps", rattle / gauss_newton);
  }
  {
    const CompiledModel model = chain(10);
    const System hard = rigid(model.system), soft = penalized(model.system, 20.0);
    const double zhang_skeel = seconds_per_step(soft, model.given, ZhangSkeel{0.4}, 0.05);
    const double shake = seconds_per_step(hard, model.given, Shake{}, 0.05);
    rows.push_back(faster("chain of 10: SHAKE over Zhang-Skeel, equal steps", 8.1 / 1.1,
                          shake / zhang_skeel, "section 4.2, running times"));
  }
  for (const int n : {10, 100, 1000}) {
    const CompiledModel model = chain(n);
    const System hard = rigid(model.system);
    const double h = 0.05 * std::sqrt(10.0 / n);
    const double gauss_newton = seconds_per_step(hard, model.given, GaussNewton{}, h);
    const double shake = seconds_per_step(hard, model.given, Shake{}, h);
    const double rattle = seconds_per_step(hard, model.given, Rattle{}, h);
    absolute(fmt::format("chain of {}, Gauss-Newton, per link", n).c_str(), gauss_newton / n);
    ratio(fmt::format("chain of {}: SHAKE over Gauss-Newton, equal steps", n),
          shake / gauss_newton);
    ratio(fmt::format("chain of {}: RATTLE over Gauss-Newton, equal steps", n),
          rattle / gauss_newton);
  }
  for (const int n : {7, 100}) {
    const CompiledModel rigid_model = waters(n, Units::kcal_per_mol);
    const CompiledModel soft = penalized_waters(n, Units::kcal_per_mol, 20.0);
    const double shake = seconds_per_step(rigid_model.system, rigid_model.given, Shake{}, 1e-3);
    const double simplified = seconds_per_step(soft.system, soft.given, ZhangSkeelStiff{0.4}, 1e-3);
    const double published = n == 7 ? 13472.0 / 1549 : 42234.0 / 30059;
    rows.push_back(faster(fmt::format("{} waters: SHAKE over Zhang-Skeel stiff, equal steps", n),
                          published, shake / simplified, "section 4.3, running times"));
  }
  {
    const CompiledModel model = dna(200);
    State start = model.given;
    start.q.setConstant(0.8);
    const double verlet = seconds_per_step(model.system, start, Verlet{}, 0.2);
    const double zhang_skeel = seconds_per_step(model.system, start, ZhangSkeel{0.3}, 1.0);
    rows.push_back(faster("DNA: Verlet with h = 0.2 over Zhang-Skeel with h = 2, equal times",
                          23.26 / 3.24, 10 * verlet / zhang_skeel, "section 4.4, running times"));
    ratio("DNA: Verlet with h = 0.5 over Zhang-Skeel with h = 1.5, equal times",
          3 * verlet / zhang_skeel);
  }
  {
    using namespace rotations;
    const Magnet magnet;
    const auto time = [&](auto at, const auto& step) {
      double best = std::nan("");
      for (int block = 0; block < 12; ++block) {
        const auto begin = std::chrono::steady_clock::now();
        constexpr int steps = 2000;
        for (int n = 0; n < steps; ++n) step(at);
        best = std::fmin(
            best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() /
                      steps);
      }
      return best;
    };
    const double group = time(start_on_group(magnet),
                              [&](OnGroup& at) { hamilton_pontryagin_cayley(magnet, 0.1, at); });
    const double linearized = time(start_penalized(magnet), [&](Penalized& at) {
      linearized_euler(magnet, 0.1, 0.4, Third::corrected, at);
    });
    rows.push_back(
        tried(faster("magnetized body: (34) over the linearized method, equal steps", 1.45 / 0.03,
                     group / linearized, "section 4.5, running times"),
              {"Running times",
               "the nonlinear equation of (34) is one cubic for a length: it costs less than the "
               "linear solve with nine unknowns"}));
  }
  return rows;
}

}  // namespace taut::papers::variational
