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
using Column = std::array<double, denominators.size()>;
constexpr Column averaged_column{2.74e-1, 7.43e-2, 1.90e-2, 4.72e-3};

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
  struct Known {
    double omega, one_phase, two_phases;
  };
  for (const Known& k : {Known{1e3, 4.5e-1, 5e-3}, Known{1e4, 4.4e-2, 4e-5}}) {
    const std::string where = fmt::format("omega = {:.0e}, h -> 0: error of F(0.5), ", k.omega);
    rows.push_back(value_row(where + "one phase", {}, k.one_phase,
                             force_error(k.omega, extrapolated(512)), 0.05));
    rows.push_back(
        size_row(where + "two phases", {}, k.two_phases, force_error(k.omega, both(512)), 1.5));
  }
  rows.push_back(order_row("order in 1/omega of F(0.5) from two phases", {}, 2.0,
                           std::log10(force_error(1e3, both(512)) / force_error(1e4, both(512)))));
  rows.push_back(value_row("40 steps per period: error of F(0.5)", {}, 1.7e-1,
                           force_error(1e6, antithetic(40)), 0.05));
  rows.push_back(value_row("20 and 40 steps per period, extrapolated: error of F(0.5)", {}, 9e-4,
                           force_error(1e6, both(40)), 0.1));
}

void add_errors(std::vector<Row>& rows) {
  constexpr Column known_two_phases{4.07e-1, 1.07e-1, 2.69e-2, 6.54e-3};
  constexpr Column known_extrapolated{2.74e-1, 7.43e-2, 1.90e-2, 4.67e-3};
  for (std::size_t i = 0; i < denominators.size(); ++i) {
    const int steps = denominators[i];
    rows.push_back(value_row(fmt::format("two phases, omega = 1e+03, H = 1/{}: error", steps), {},
                             known_two_phases[i],
                             error(pendulum(1e3, antithetic(steps), steps, Verlet{})), 0.01));
  }
  rows.push_back(value_row("two phases, omega = 1e+03, H = 1/160: error", {}, 1.5e-3,
                           error(pendulum(1e3, antithetic(160), 160, Verlet{})), 0.05));
  rows.push_back(value_row("one phase, omega = 1e+03, H = 1/160: error", {}, 1.4e-2,
                           error(pendulum(1e3, published_averaging(160), 160, Verlet{})), 0.05));
  for (std::size_t i = 0; i < denominators.size(); ++i) {
    const int steps = denominators[i];
    rows.push_back(value_row(
        fmt::format("20 and 40 steps per period, omega = 1e+04, H = 1/{}: error", steps), {},
        known_extrapolated[i], error(pendulum(1e4, both(40), steps, Verlet{})), 0.01));
  }
}

// against the column "Averaged", which has the exact force
void add_accurate(std::vector<Row>& rows) {
  for (std::size_t i = 0; i < denominators.size(); ++i) {
    const int steps = denominators[i];
    const MacroRun plain = pendulum(1e6, published_averaging(steps), steps, Verlet{});
    const MacroRun accurate = pendulum(1e6, both(steps), steps, Verlet{});
    const std::string where =
        fmt::format("two phases, extrapolated, omega = 1e+06, H = 1/{}: ", steps);
    rows.push_back(value_row(where + "error", averaged_column[i], {}, error(accurate), 0.05));
    rows.push_back(
        {.name = where + "micro-steps, over those of Table 2.3",
         .obtained =
             static_cast<double>(accurate.micro_steps) / static_cast<double>(plain.micro_steps),
         .note = "as many steps per period as the table, rounded up to a multiple of four"});
  }
  for (std::size_t i = 0; i < denominators.size(); ++i) {
    const int steps = denominators[i];
    const MacroRun chosen = pendulum(1e6, {}, steps, Verlet{});
    const std::string where =
        fmt::format("steps per period from tol = 1e-6, omega = 1e+06, H = 1/{}: ", steps);
    rows.push_back(value_row(where + "error", averaged_column[i], {}, error(chosen), 0.05));
    rows.push_back(
        {.name = where + "micro-steps", .obtained = static_cast<double>(chosen.micro_steps)});
  }
}

void add_orders(std::vector<Row>& rows) {
  using Fourth = Composition<Verlet, Suzuki4>;
  AveragedOptions options;
  options.tol = 1e-8;
  const auto add = [&]<class M>(M method, int coarse, int fine, double promised) {
    const auto at = [&](int steps) { return error(pendulum(1e6, options, steps, method)); };
    rows.push_back(
        {.name = fmt::format("tol = 1e-8, omega = 1e+06, {}: order from H = 1/{} to 1/{}",
                             M::info.name, coarse, fine),
         .published = promised,
         .obtained = std::log(at(coarse) / at(fine)) / std::log(1.0 * fine / coarse),
         .allowed = 0.1});
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
    rows.push_back({.name = fmt::format("double pendulum, omega = 1e+04, {}: largest distance of "
                                        "an angle from the effective potential",
                                        two ? "two phases" : "one phase"),
                    .reference = two ? std::optional{0.0} : std::nullopt,
                    .obtained = distance,
                    .allowed = 1e-3});
  }
}

}  // namespace

std::vector<Row> improved() {
  std::vector<Row> rows;
  add_forces(rows);
  add_errors(rows);
  add_accurate(rows);
  add_orders(rows);
  add_double_pendulum(rows);
  return rows;
}

}  // namespace taut::papers::vibrations
