// SPDX-License-Identifier: BSD-3-Clause
// Opposite phases and extrapolation in the micro-step: what they bring, at what cost.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "effective.hpp"
#include "items.hpp"
#include "macro_run.hpp"
#include "methods/composition.hpp"
#include "methods/rattle.hpp"
#include "methods/verlet.hpp"
#include "problem.hpp"

namespace taut::papers::vibrations {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::array denominators{10, 20, 40, 80};

AveragedOptions antithetic(int steps) {
  AveragedOptions options = published_averaging(steps);
  options.antithetic = true;
  return options;
}

AveragedOptions extrapolated(int steps) {
  AveragedOptions options = published_averaging(steps);
  options.richardson = true;
  return options;
}

AveragedOptions both(int steps) {
  AveragedOptions options = antithetic(steps);
  options.richardson = true;
  return options;
}

double error(const MacroRun& run) {
  const auto steps = static_cast<int>(run.states.size()) - 1;
  return largest_error(run, motion(averaged_pendulum(), inverted_start(), steps, 1e-14));
}

MacroRun pendulum(double omega, const AveragedOptions& options, int steps, Method method) {
  return run_averaged(inverted_pendulum(omega), options, std::move(method), inverted_start(),
                      steps);
}

// |F - (2.6)| at Q = 0.5
double force_error(double omega, const AveragedOptions& options) {
  const AveragedReading reading = averaged(inverted_pendulum(omega), inverted_start(), options);
  if (reading.status != Status::ok) return nan;
  const State at = inverted_start();
  Evaluation found;
  reading.system.prepare(found);
  const Status status =
      reading.system.evaluate(need(Target::force), {.t = 0.0, .q = at.q, .v = at.v}, found);
  return status == Status::ok ? std::abs(found.f(0) - averaged_force(at.q(0))) : nan;
}

void add_forces(std::vector<Row>& rows) {
  for (const double omega : {1e3, 1e4}) {
    const std::string where = fmt::format("omega = {:.0e}, h -> 0: error of F(0.5), ", omega);
    rows.push_back(ours(where + "one phase", force_error(omega, extrapolated(512))));
    rows.push_back(ours(where + "two phases", force_error(omega, both(512))));
  }
  rows.push_back(ours("order in 1/omega of F(0.5) from two phases",
                      std::log10(force_error(1e3, both(512)) / force_error(1e4, both(512)))));
  rows.push_back(ours("40 steps per period: error of F(0.5)", force_error(1e6, antithetic(40))));
  rows.push_back(ours("20 and 40 steps per period, extrapolated: error of F(0.5)",
                      force_error(1e6, both(40))));
}

void add_errors(std::vector<Row>& rows) {
  for (const int steps : denominators)
    rows.push_back(ours(fmt::format("two phases, omega = 1e+03, H = 1/{}: error", steps),
                        error(pendulum(1e3, antithetic(steps), steps, Verlet{}))));
  rows.push_back(ours("two phases, omega = 1e+03, H = 1/160: error",
                      error(pendulum(1e3, antithetic(160), 160, Verlet{}))));
  rows.push_back(ours("one phase, omega = 1e+03, H = 1/160: error",
                      error(pendulum(1e3, published_averaging(160), 160, Verlet{}))));
  for (const int steps : denominators)
    rows.push_back(
        ours(fmt::format("20 and 40 steps per period, omega = 1e+04, H = 1/{}: error", steps),
             error(pendulum(1e4, both(40), steps, Verlet{}))));
}

// beside the column "Averaged", which has the exact force
void add_accurate(std::vector<Row>& rows) {
  constexpr std::array exact_force{2.74e-1, 7.43e-2, 1.90e-2, 4.72e-3};
  for (std::size_t i = 0; i < denominators.size(); ++i) {
    const int steps = denominators[i];
    const MacroRun plain = pendulum(1e6, published_averaging(steps), steps, Verlet{});
    const MacroRun accurate = pendulum(1e6, both(steps), steps, Verlet{});
    const std::string where =
        fmt::format("two phases, extrapolated, omega = 1e+06, H = 1/{}: ", steps);
    const std::string beside =
        fmt::format("the column \"Averaged\", with the exact force, has {}", exact_force[i]);
    rows.push_back(ours(where + "error", error(accurate), beside));
    rows.push_back(
        ours(where + "micro-steps, over those of Table 2.3",
             static_cast<double>(accurate.micro_steps) / static_cast<double>(plain.micro_steps),
             "as many steps per period as the table, rounded up to a multiple of four"));
  }
  for (const int steps : denominators) {
    const MacroRun chosen = pendulum(1e6, {}, steps, Verlet{});
    const std::string where =
        fmt::format("steps per period from tol = 1e-6, omega = 1e+06, H = 1/{}: ", steps);
    rows.push_back(ours(where + "error", error(chosen)));
    rows.push_back(ours(where + "micro-steps", static_cast<double>(chosen.micro_steps)));
  }
}

void add_orders(std::vector<Row>& rows) {
  using Fourth = Composition<Verlet, Suzuki4>;
  AveragedOptions options;
  options.tol = 1e-8;
  const auto add = [&]<class M>(M method, int coarse, int fine, double promised) {
    const auto at = [&](int steps) { return error(pendulum(1e6, options, steps, method)); };
    rows.push_back(
        stated(fmt::format("tol = 1e-8, omega = 1e+06, {}: order from H = 1/{} to 1/{}",
                           M::info.name, coarse, fine),
               promised == 2.0 ? "errors behave as O(H^2)" : "higher-order versions are possible",
               promised == 2.0 ? "section 2.2" : "section 1", promised,
               std::log(at(coarse) / at(fine)) / std::log(1.0 * fine / coarse), near(0.1)));
  };
  add(Verlet{}, 40, 80, 2.0);
  add(Verlet{}, 80, 160, 2.0);
  add(Fourth{}, 20, 40, 4.0);
  add(Fourth{}, 40, 80, 4.0);
}

// the O(1/ω) of one phase, which the double pendulum magnifies, and what two leave of it
void add_double_pendulum(std::vector<Row>& rows) {
  using Fourth = Composition<Rattle, Suzuki4>;
  constexpr int steps = 160;
  const auto exact = motion(effective_double_pendulum(), effective_start(), steps, 1e-13);
  for (const bool two : {false, true}) {
    AveragedOptions options;
    options.antithetic = two;
    const MacroRun run =
        run_averaged(double_pendulum(1e4), options, Fourth{}, double_start(), steps);
    double distance = 0.0;
    for (std::size_t n = 0; n < run.states.size(); ++n) {
      const Angles found = angles(run.states[n].q);
      const double here =
          std::max(std::abs(found.q1 - exact[n].q(0)), std::abs(found.q2 - exact[n].q(1)));
      distance = std::isnan(here) ? nan : std::max(distance, here);
    }
    rows.push_back(
        ours(fmt::format("double pendulum, omega = 1e+04, {}: largest distance of an angle "
                         "from the effective potential",
                         two ? "two phases" : "one phase"),
             distance));
  }
}

}  // namespace

Shown improved() {
  std::vector<Row> rows;
  add_forces(rows);
  add_errors(rows);
  add_accurate(rows);
  add_orders(rows);
  add_double_pendulum(rows);
  return rows;
}

}  // namespace taut::papers::vibrations
