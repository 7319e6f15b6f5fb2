// SPDX-License-Identifier: BSD-3-Clause
// Figures 3, 4 and 5: the Adams code from the constraint manifold, from the slow manifold, and
// brought back to it at t = 1, ..., 9.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "items.hpp"
#include "problem.hpp"
#include "slow_solution.hpp"

namespace taut::papers::slow_manifolds {
namespace {

constexpr std::array tolerances{1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
constexpr std::array omegas{100.0, 1000.0, 10000.0};
using Series = std::array<double, tolerances.size()>;

struct Runs {
  Series q{}, p{}, evaluations{};
};
using Figure = std::array<Runs, omegas.size()>;

enum class From { constraint_manifold, slow_manifold };
enum class Projecting { no, yes };

Figure compute(From from, Projecting projecting = Projecting::no) {
  Figure figure;
  for (std::size_t w = 0; w < omegas.size(); ++w) {
    const State exact = slow_solution(omegas[w]);
    const State start =
        from == From::slow_manifold ? published_slow_point(omegas[w]) : constrained_start();
    for (std::size_t i = 0; i < tolerances.size(); ++i) {
      const Ended ended = run_adams(omegas[w], start, tolerances[i], projecting == Projecting::yes);
      const Errors e = errors(ended.state, exact);
      figure[w].q[i] = e.q;
      figure[w].p[i] = e.p;
      figure[w].evaluations[i] = static_cast<double>(ended.evaluations);
    }
  }
  return figure;
}

// What an earlier study found; 0: nothing to compare with. As long as stability limits the steps
// the runs of a code with error control differ by their rounding: those are left out.
void add_runs(std::vector<Row>& rows, const Figure& figure, const Figure& known, double factor) {
  const auto reference = [](double value) {
    return value > 0.0 ? std::optional<double>{value} : std::nullopt;
  };
  for (std::size_t w = 0; w < omegas.size(); ++w)
    for (std::size_t i = 0; i < tolerances.size(); ++i) {
      const std::string where = fmt::format("omega = {}, RelTol = {}: ", omegas[w], tolerances[i]);
      rows.push_back(
          size_row(where + "error of q", {}, reference(known[w].q[i]), figure[w].q[i], factor));
      rows.push_back(
          size_row(where + "error of p", {}, reference(known[w].p[i]), figure[w].p[i], factor));
      rows.push_back(size_row(where + "evaluations", {}, reference(known[w].evaluations[i]),
                              figure[w].evaluations[i], 1.1));
    }
}

double spread(const Series& s) {
  return *std::max_element(s.begin(), s.end()) / *std::min_element(s.begin(), s.end());
}

}  // namespace

std::vector<Row> figure3() {
  const Figure figure = compute(From::constraint_manifold);
  constexpr Figure known{Runs{.q = {3.7e-3, 2.84e-3, 2.84e-3, 2.84e-3, 2.84e-3, 2.84e-3},
                              .p = {0, 1.2e-2, 9.5e-3, 9.5e-3, 9.5e-3, 9.5e-3},
                              .evaluations = {5574, 6226, 7320, 9095, 11060, 13163}},
                         Runs{.q = {0, 1.7e-4, 7.4e-6, 9.7e-6, 9.6e-6, 9.6e-6},
                              .p = {0, 0, 3.6e-3, 5.2e-4, 5.3e-4, 5.4e-4},
                              .evaluations = {0, 68945, 68835, 73548, 89396, 109731}},
                         Runs{.q = {1.2e-2, 4.5e-4, 7.6e-6, 2.9e-8, 1.0e-7, 9.8e-8},
                              .p = {0, 0, 0, 2.2e-4, 2.0e-4, 1.9e-4},
                              .evaluations = {713681, 0, 0, 712855, 735322, 835737}}};
  std::vector<Row> rows;
  add_runs(rows, figure, known, 2.0);
  // "around"
  rows.push_back(
      size_row("omega = 100: level at which q saturates", {}, 2.84e-3, figure[0].q[5], 2));
  rows.push_back(
      size_row("omega = 100: level at which p saturates", {}, 9.5e-3, figure[0].p[5], 2));
  rows.push_back(
      size_row("omega = 1000: level at which q saturates", 1e-5, 9.6e-6, figure[1].q[5], 2));
  rows.push_back(
      size_row("omega = 1000: level at which p saturates", 1e-3, 5.4e-4, figure[1].p[5], 2));
  rows.push_back(
      size_row("omega = 10000: level at which q saturates", 1e-7, 9.8e-8, figure[2].q[5], 2));
  rows.push_back(
      size_row("omega = 10000: level at which p saturates", 1e-4, 1.9e-4, figure[2].p[5], 2));
  rows.push_back(order_row("order in 1/omega of the level of q, omega = 1000 to 10000", 2.0, {},
                           std::log10(figure[1].q[5] / figure[2].q[5])));
  rows.push_back(size_row("effort at omega = 1000 over that at 100, RelTol = 1e-4", 10.0, 11.07,
                          figure[1].evaluations[1] / figure[0].evaluations[1], 1.15));
  rows.push_back(size_row("effort at omega = 10000 over that at 1000, RelTol = 1e-6", 10.0, 9.69,
                          figure[2].evaluations[3] / figure[1].evaluations[3], 1.15));
  rows.push_back(size_row("omega = 10000: effort at RelTol = 1e-6 over that at 1e-3", 1.0, 1.0,
                          figure[2].evaluations[3] / figure[2].evaluations[0], 1.1));
  return rows;
}

std::vector<Row> figure4() {
  const Figure figure = compute(From::slow_manifold);
  constexpr Figure known{
      Runs{.q = {0, 0, 5e-6, 7e-7, 4e-8, 4e-9}, .p = {0, 0, 0, 0, 0, 7e-7}},
      Runs{.q = {0, 0, 0, 2e-7, 4e-9, 2e-9}, .p = {0, 0, 5e-4, 1e-4, 3e-5, 2e-6}},
      Runs{.q = {0, 0, 5e-6, 3e-8, 6e-10, 1e-10}, .p = {8e-2, 1.6e-2, 2e-3, 2e-4, 2e-5, 2e-6}}};
  std::vector<Row> rows;
  add_runs(rows, figure, known, 10.0);
  // no saturation, at the cost of Figure 3
  for (std::size_t w = 0; w < omegas.size(); ++w) {
    const Ended other = run_adams(omegas[w], constrained_start(), 1e-6);
    rows.push_back(
        size_row(fmt::format("omega = {}: effort over that of Figure 3, RelTol = 1e-6", omegas[w]),
                 1.0, {}, figure[w].evaluations[3] / static_cast<double>(other.evaluations), 1.3));
    rows.push_back(
        order_row(fmt::format("omega = {}: exponent of RelTol in the error of q, from 1e-5 to 1e-8",
                              omegas[w]),
                  {}, 1.1, std::log10(figure[w].q[2] / figure[w].q[5]) / 3.0, 0.5));
  }
  return rows;
}

std::vector<Row> figure5() {
  const Figure figure = compute(From::slow_manifold, Projecting::yes);
  constexpr Figure known{
      Runs{.q = {5.3e-4, 5.3e-4, 5.3e-4, 5.3e-4, 5.3e-4, 5.3e-4},
           .p = {7.8e-4, 7.8e-4, 7.8e-4, 7.8e-4, 7.8e-4, 7.8e-4},
           .evaluations = {0, 0, 0, 0, 0, 11316}},
      Runs{.q = {0, 0, 0, 0, 3.8e-8, 4.1e-8},
           .p = {0, 0, 0, 5e-7, 7e-7, 4e-7},
           .evaluations = {0, 0, 0, 0, 0, 60600}},
      Runs{.q = {5e-3, 1.6e-4, 2.5e-6, 0, 5e-10, 5e-11}, .p = {0, 0, 0, 0, 0, 4e-7}}};
  std::vector<Row> rows;
  add_runs(rows, figure, known, 4.0);
  rows.push_back(size_row("omega = 100: largest over smallest error of q of all tolerances", 1.0,
                          {}, spread(figure[0].q), 1.3));
  rows.push_back(size_row("omega = 100: largest over smallest error of p of all tolerances", 1.0,
                          {}, spread(figure[0].p), 1.3));
  rows.push_back(
      size_row("omega = 1000: level at which q saturates", 5e-8, 4.1e-8, figure[1].q[5], 2));
  rows.push_back(
      size_row("omega = 1000: level at which p saturates", 5e-7, 4e-7, figure[1].p[5], 2));
  // "a clear improvement": errors smaller and cost lower than in Figure 4
  for (std::size_t w = 1; w < omegas.size(); ++w) {
    const Ended other = run_adams(omegas[w], published_slow_point(omegas[w]), 1e-6);
    const Errors e = errors(other.state, slow_solution(omegas[w]));
    rows.push_back(
        {.name = fmt::format("omega = {}: effort over that of Figure 4, RelTol = 1e-6", omegas[w]),
         .published = 1.0,
         .obtained = figure[w].evaluations[3] / static_cast<double>(other.evaluations),
         .rule = Rule::at_most});
    rows.push_back({.name = fmt::format(
                        "omega = {}: error of p over that of Figure 4, RelTol = 1e-6", omegas[w]),
                    .published = 1.0,
                    .obtained = figure[w].p[3] / e.p,
                    .rule = Rule::at_most});
  }
  return rows;
}

}  // namespace taut::papers::slow_manifolds
