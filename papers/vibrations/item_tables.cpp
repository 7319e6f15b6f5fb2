// SPDX-License-Identifier: BSD-3-Clause
// Tables 2.1 to 2.3: errors of the averaged angle by the synchronous and the asynchronous methods.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "algorithm1.hpp"
#include "items.hpp"
#include "macro_run.hpp"
#include "methods/verlet.hpp"
#include "problem.hpp"

namespace taut::papers::vibrations {
namespace {

constexpr std::array denominators{10, 20, 40, 80};  // of H, and steps per period
using Column = std::array<double, denominators.size()>;

double last_digit(double value) { return std::pow(10.0, std::floor(std::log10(value)) - 2.0); }

struct Known {
  double omega;
  Column entries;
  const char* how = "";
  Why why{};                      // where an entry is not met
  std::array<bool, 4> at_odds{};  // entries that print cannot have right
};
using Microsteps = std::array<int, denominators.size()>;

// the rows of one column; `solve` is given the number of macro-steps
template <class Solve>
void add_column(std::vector<Row>& rows, const std::string& source, const Known& known,
                const Microsteps& micro_steps, Solve solve) {
  Column error;
  for (std::size_t i = 0; i < error.size(); ++i) {
    const int steps = denominators[i];
    const std::string where =
        fmt::format("omega = {:.0e}, H = 1/{}{}", known.omega, steps, known.how);
    const MacroRun run = solve(steps);
    error[i] = largest_error(run, motion(averaged_pendulum(), inverted_start(), steps, 1e-14));
    Row row = printed(where + ": error", known.entries[i], error[i], source,
                      unit_of(last_digit(known.entries[i])));
    rows.push_back(known.at_odds[i] ? at_odds(std::move(row), known.why)
                                    : tried(std::move(row), known.why));
    rows.push_back(printed(where + ": micro-steps", micro_steps[i],
                           static_cast<double>(run.micro_steps), source, counted()));
  }
  // until the error of averaging is seen
  if (known.omega == 1e6)
    rows.push_back(stated(fmt::format("omega = {:.0e}: order from H = 1/20 to 1/40", known.omega),
                          "errors behave as O(H^2)", "section 2.2", 2.0,
                          std::log2(error[1] / error[2]), at_least(0.1)));
}

MacroRun synchronous(double omega, int steps, Phase phase) {
  return algorithm1(inverted_pendulum(omega), {.steps_per_period = steps, .phase = phase},
                    inverted_start(), steps);
}

MacroRun asynchronous(double omega, int steps, const AveragedOptions& options) {
  return run_averaged(inverted_pendulum(omega), options, Verlet{}, inverted_start(), steps);
}

MacroRun with_kernel(double omega, int steps) {
  return asynchronous(omega, steps, published_averaging(steps, exponential_kernel(5.0), 40.0));
}

MacroRun with_simple_filter(double omega, int steps) {
  return asynchronous(omega, steps, published_averaging(steps));
}

}  // namespace

Shown table2_1() {
  const Known low{.omega = 1e4,
                  .entries = {4.04e-1, 1.05e-1, 2.51e-2, 4.76e-3},
                  .why = {"One entry of Table 2.1",
                          "another phase at the start (-pi/2: 4.040) or another first-order value "
                          "of P (4.05) moves it by as much; the print does not say which was "
                          "taken"}};
  const Known middle{.omega = 1e6, .entries = {4.08e-1, 1.07e-1, 2.70e-2, 6.72e-3}};
  const Column high{4.04e-1, 1.08e-1, 2.61e-2, 6.69e-3};
  const Known exact{
      .omega = 1e8,
      .entries = high,
      .how = ", exact phase",
      .why =
          {"Rounded phases in Table 2.1",
           "forces are of size 1e9 and the phase omega t is rounded to 1e-8: the print shows that "
           "rounding; with the phase reduced exactly extended precision has the same as we"},
      .at_odds = {true, false, true, true}};
  const Known rounded{.omega = 1e8,
                      .entries = high,
                      .how = ", phase as omega (t + j h)",
                      .why = {"Rounded phases in Table 2.1",
                              "the rounding of the phase depends on how it is formed"}};
  constexpr Microsteps micro_steps{4000, 16000, 64000, 256000};
  std::vector<Row> rows;
  for (const Known& column : {low, middle, exact})
    add_column(rows, "Table 2.1", column, micro_steps,
               [&](int steps) { return synchronous(column.omega, steps, Phase::exact); });
  add_column(rows, "Table 2.1", rounded, micro_steps,
             [&](int steps) { return synchronous(rounded.omega, steps, Phase::from_time); });
  return rows;
}

Shown table2_2() {
  const std::array table{Known{1e4, {4.10e-1, 1.10e-1, 2.95e-2, 9.11e-3}},
                         Known{1e6, {4.08e-1, 1.07e-1, 2.71e-2, 6.74e-3}},
                         Known{1e8, {4.05e-1, 1.05e-1, 2.51e-2, 4.81e-3}}};
  std::vector<Row> rows;
  for (const Known& column : table)
    add_column(rows, "Table 2.2", column, {2000, 8000, 32000, 128000},
               [&](int steps) { return with_kernel(column.omega, steps); });
  return rows;
}

Shown table2_3() {
  const std::array table{Known{1e3, {3.86e-1, 9.11e-2, 1.15e-2, 8.67e-3}},
                         Known{1e4, {4.05e-1, 1.05e-1, 2.55e-2, 5.20e-3}},
                         Known{1e6, {4.07e-1, 1.07e-1, 2.70e-2, 6.70e-3}},
                         Known{1e8, {4.07e-1, 1.07e-1, 2.70e-2, 6.71e-3}}};
  std::vector<Row> rows;
  for (const Known& column : table)
    add_column(rows, "Table 2.3", column, {50, 200, 800, 3200},
               [&](int steps) { return with_simple_filter(column.omega, steps); });
  return rows;
}

}  // namespace taut::papers::vibrations
