// SPDX-License-Identifier: BSD-3-Clause
// Tables 2.1 to 2.3: errors of the averaged angle by the synchronous and the asynchronous methods.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

#include "algorithm1.hpp"
#include "items.hpp"
#include "macro_run.hpp"
#include "methods/verlet.hpp"
#include "problem.hpp"

namespace taut::papers::vibrations {
namespace {

constexpr std::array denominators{10, 20, 40, 80};  // of H, and steps per period
using Column = std::array<double, denominators.size()>;

// three digits are printed, in Table 2.3 cut off instead of rounded: one unit of the last
double one_unit(double printed) {
  return 1.0000001 * std::pow(10.0, std::floor(std::log10(printed)) - 2.0);
}

struct Known {
  double omega;
  std::optional<Column> printed;
  Column reference;
  double within = 0.0;  // relative, where digits cannot be expected
  const char* how = "";
  const char* note = "";
};
using Counts = std::array<int, denominators.size()>;

// the rows of one column; `solve` is given the number of macro-steps
template <class Solve>
void add_column(std::vector<Row>& rows, const Known& known, const Counts& counts, Solve solve) {
  Column error;
  for (std::size_t i = 0; i < error.size(); ++i) {
    const int steps = denominators[i];
    const std::string where =
        fmt::format("omega = {:.0e}, H = 1/{}{}", known.omega, steps, known.how);
    const MacroRun run = solve(steps);
    error[i] = largest_error(run, motion(averaged_pendulum(), inverted_start(), steps, 1e-14));
    const double size = known.printed ? (*known.printed)[i] : known.reference[i];
    rows.push_back({.name = where + ": error",
                    .published = known.printed ? std::optional{size} : std::nullopt,
                    .reference = known.reference[i],
                    .obtained = error[i],
                    .allowed = known.within > 0.0 ? known.within * size : one_unit(size),
                    .note = known.note});
    rows.push_back({.name = where + ": micro-steps",
                    .published = counts[i],
                    .reference = counts[i],
                    .obtained = static_cast<double>(run.micro_steps)});
  }
  // "errors behave as O(H²)", until that of averaging is seen
  if (known.omega == 1e6)
    rows.push_back({.name = fmt::format("omega = {:.0e}: order from H = 1/20 to 1/40", known.omega),
                    .published = 2.0,
                    .obtained = std::log2(error[1] / error[2]),
                    .allowed = 0.1});
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

std::vector<Row> table2_1() {
  const std::array table{
      Known{.omega = 1e4,
            .printed = {{4.04e-1, 1.05e-1, 2.51e-2, 4.76e-3}},
            .reference = {4.025e-1, 1.050e-1, 2.504e-2, 4.752e-3},
            .within = 5e-3,
            .note = "it is seen which first-order value of P starts the micro-simulations"},
      Known{.omega = 1e6,
            .printed = {{4.08e-1, 1.07e-1, 2.70e-2, 6.72e-3}},
            .reference = {4.075e-1, 1.072e-1, 2.705e-2, 6.718e-3}},
      // reference: the same in extended precision
      Known{.omega = 1e8,
            .printed = {},
            .reference = {4.06310e-1, 1.07011e-1, 2.70332e-2, 6.71344e-3},
            .within = 1e-4,
            .how = ", exact phase"},
  };
  const Known rounded{
      .omega = 1e8,
      .printed = {{4.04e-1, 1.08e-1, 2.61e-2, 6.69e-3}},
      .reference = {4.049e-1, 1.078e-1, 2.627e-2, 6.670e-3},
      .within = 2e-2,
      .how = ", phase as omega (t + j h)",
      .note = "forces are of size 1e9: the phase is rounded to 1e-8, and that is seen"};
  constexpr Counts counts{4000, 16000, 64000, 256000};
  std::vector<Row> rows;
  for (const Known& column : table)
    add_column(rows, column, counts,
               [&](int steps) { return synchronous(column.omega, steps, Phase::exact); });
  add_column(rows, rounded, counts,
             [&](int steps) { return synchronous(rounded.omega, steps, Phase::from_time); });
  return rows;
}

std::vector<Row> table2_2() {
  const std::array table{
      Known{1e4, {{4.10e-1, 1.10e-1, 2.95e-2, 9.11e-3}}, {4.103e-1, 1.096e-1, 2.946e-2, 9.112e-3}},
      Known{1e6, {{4.08e-1, 1.07e-1, 2.71e-2, 6.74e-3}}, {4.075e-1, 1.072e-1, 2.707e-2, 6.735e-3}},
      Known{1e8, {{4.05e-1, 1.05e-1, 2.51e-2, 4.81e-3}}, {4.053e-1, 1.052e-1, 2.514e-2, 4.815e-3}}};
  std::vector<Row> rows;
  for (const Known& column : table) {
    const auto solve = [&](int steps) { return with_kernel(column.omega, steps); };
    add_column(rows, column, {2000, 8000, 32000, 128000}, solve);
  }
  return rows;
}

std::vector<Row> table2_3() {
  const std::array table{
      Known{1e3, {{3.86e-1, 9.11e-2, 1.15e-2, 8.67e-3}}, {3.865e-1, 9.115e-2, 1.156e-2, 8.669e-3}},
      Known{1e4, {{4.05e-1, 1.05e-1, 2.55e-2, 5.20e-3}}, {4.054e-1, 1.056e-1, 2.552e-2, 5.200e-3}},
      Known{1e6, {{4.07e-1, 1.07e-1, 2.70e-2, 6.70e-3}}, {4.075e-1, 1.071e-1, 2.703e-2, 6.703e-3}},
      Known{1e8, {{4.07e-1, 1.07e-1, 2.70e-2, 6.71e-3}}, {4.075e-1, 1.072e-1, 2.705e-2, 6.718e-3}}};
  std::vector<Row> rows;
  for (const Known& column : table) {
    const auto solve = [&](int steps) { return with_simple_filter(column.omega, steps); };
    add_column(rows, column, {50, 200, 800, 3200}, solve);
  }
  return rows;
}

}  // namespace taut::papers::vibrations
