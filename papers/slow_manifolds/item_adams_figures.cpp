// SPDX-License-Identifier: BSD-3-Clause
// Figures 3, 4 and 5: the Adams code from the constraint manifold, from the slow manifold, and
// brought back to it at t = 1, ..., 9.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "error_figure.hpp"
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
using Runs3 = std::array<Runs, omegas.size()>;

enum class From { constraint_manifold, slow_manifold };
enum class Projecting { no, yes };

Runs3 compute(From from, Projecting projecting = Projecting::no) {
  Runs3 figure;
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

// As long as stability limits the steps the runs of a code with error control differ by their
// rounding.
void add_runs(std::vector<Row>& rows, const Runs3& runs) {
  for (std::size_t w = 0; w < omegas.size(); ++w)
    for (std::size_t i = 0; i < tolerances.size(); ++i) {
      const std::string where = fmt::format("omega = {}, RelTol = {}: ", omegas[w], tolerances[i]);
      rows.push_back(not_repeatable(ours(where + "error of q", runs[w].q[i])));
      rows.push_back(not_repeatable(ours(where + "error of p", runs[w].p[i])));
      rows.push_back(not_repeatable(ours(where + "evaluations", runs[w].evaluations[i])));
    }
}

Figure drawn(const char* title, const Runs3& runs) {
  Figure figure{.title = title,
                .caption =
                    "Errors at t = 10 against force evaluations, RelTol = 1e-3 to 1e-8, by "
                    "an Adams code in the place of ode113.",
                .panels = error_panels("force evaluations")};
  for (std::size_t w = 0; w < omegas.size(); ++w)
    for (std::size_t i = 0; i < tolerances.size(); ++i)
      add_point(figure, w, runs[w].evaluations[i], {runs[w].q[i], runs[w].p[i]});
  return figure;
}

double spread(const Series& s) {
  return *std::max_element(s.begin(), s.end()) / *std::min_element(s.begin(), s.end());
}

}  // namespace

Shown figure3() {
  const Runs3 runs = compute(From::constraint_manifold);
  std::vector<Row> rows;
  add_runs(rows, runs);
  rows.push_back(ours("omega = 100: level at which q saturates", runs[0].q[5]));
  rows.push_back(ours("omega = 100: level at which p saturates", runs[0].p[5]));
  constexpr std::array<std::array<double, 2>, 3> said{{{}, {1e-5, 1e-3}, {1e-7, 1e-4}}};
  for (std::size_t w = 1; w < omegas.size(); ++w) {
    const std::string where = fmt::format("omega = {}: level at which ", omegas[w]);
    // "at around"
    rows.push_back(printed(where + "q saturates", said[w][0], runs[w].q[5], "section 6.2",
                           factor(std::sqrt(10.0))));
    rows.push_back(printed(where + "p saturates", said[w][1], runs[w].p[5], "section 6.2",
                           factor(std::sqrt(10.0))));
  }
  rows.push_back(stated("order in 1/omega of the level of q, omega = 1000 to 10000",
                        "ripples are O(omega^-2) in q", "section 6.2, Remark 1", 2.0,
                        std::log10(runs[1].q[5] / runs[2].q[5]), at_least(0.15)));
  rows.push_back(stated("order in 1/omega of the level of p, omega = 100 to 1000",
                        "ripples are O(omega^-1) in p", "section 6.2, Remark 1", 1.0,
                        std::log10(runs[0].p[5] / runs[1].p[5]), at_least(0.15)));
  const auto more = [&](std::size_t from, std::size_t tolerance) {
    return runs[from + 1].evaluations[tolerance] / runs[from].evaluations[tolerance];
  };
  rows.push_back(printed("effort at omega = 1000 over that at 100, RelTol = 1e-4", 10.0, more(0, 1),
                         "section 6.2", about(2.0)));
  rows.push_back(tried(
      stated(
          "effort at omega = 10000 over that at 1000, RelTol = 1e-4, over the same ratio of 1000 "
          "and 100",
          "the increase of effort is even larger from omega = 1000 to 10000 than from 100 to 1000",
          "section 6.2", 1.0, more(1, 1) / more(0, 1), at_least()),
      {"The effort of Figure 3",
       "with our Adams code the effort is nearly proportional to omega both times; ode113 itself "
       "was not at hand"}));
  rows.push_back(stated("omega = 10000: effort at RelTol = 1e-6 over that at 1e-3",
                        "with larger tolerances the effort hardly depends on them", "section 6.2",
                        1.0, runs[2].evaluations[3] / runs[2].evaluations[0], near(0.1)));
  return {std::move(rows), {drawn("Figure 3: from the constraint manifold", runs)}};
}

Shown figure4() {
  const Runs3 runs = compute(From::slow_manifold);
  const Runs3 before = compute(From::constraint_manifold);
  std::vector<Row> rows;
  add_runs(rows, runs);
  for (std::size_t w = 0; w < omegas.size(); ++w) {
    const std::string where = fmt::format("omega = {}: ", omegas[w]);
    rows.push_back(stated(where + "effort over that of Figure 3, RelTol = 1e-6",
                          "costs approximately coincide with those of Figure 3", "section 6.3", 1.0,
                          runs[w].evaluations[3] / before[w].evaluations[3], near(0.35)));
    rows.push_back(stated(where + "error of q over that of Figure 3, RelTol = 1e-8",
                          "the projection destroys the saturation of errors", "section 6.3", 0.01,
                          runs[w].q[5] / before[w].q[5], at_most()));
    rows.push_back(stated(where + "error of p over that of q, RelTol = 1e-6",
                          "errors of p are considerably larger than those of q: three times",
                          "section 6.3", 3.0, runs[w].p[3] / runs[w].q[3], at_least()));
    rows.push_back(
        not_repeatable(ours(where + "exponent of RelTol in the error of q, from 1e-5 to 1e-8",
                            std::log10(runs[w].q[2] / runs[w].q[5]) / 3.0)));
  }
  return {std::move(rows), {drawn("Figure 4: from the slow manifold", runs)}};
}

Shown figure5() {
  const Runs3 runs = compute(From::slow_manifold, Projecting::yes);
  const Runs3 before = compute(From::slow_manifold);
  std::vector<Row> rows;
  add_runs(rows, runs);
  const std::string independent = "errors are independent of the tolerance";
  rows.push_back(stated("omega = 100: largest over smallest error of q of all tolerances",
                        independent, "section 6.4", 1.0, spread(runs[0].q), near(0.3)));
  rows.push_back(stated("omega = 100: largest over smallest error of p of all tolerances",
                        independent, "section 6.4", 1.0, spread(runs[0].p), near(0.3)));
  // "approximately", read off the figure
  rows.push_back(printed("omega = 1000: level at which q saturates", 5e-8, runs[1].q[5],
                         "section 6.4", about(2e-8)));
  rows.push_back(printed("omega = 1000: level at which p saturates", 5e-7, runs[1].p[5],
                         "section 6.4", about(2e-7)));
  for (std::size_t w = 1; w < omegas.size(); ++w) {
    const std::string better =
        "a clear improvement: errors smaller and costs lower than in Figure 4";
    const std::string where = fmt::format("omega = {}: ", omegas[w]);
    rows.push_back(stated(where + "effort over that of Figure 4, RelTol = 1e-6", better,
                          "section 6.4", 1.0, runs[w].evaluations[3] / before[w].evaluations[3],
                          at_most()));
    rows.push_back(stated(where + "error of p over that of Figure 4, RelTol = 1e-6", better,
                          "section 6.4", 1.0, runs[w].p[3] / before[w].p[3], at_most()));
  }
  return {std::move(rows), {drawn("Figure 5: projected at t = 1, ..., 9", runs)}};
}

}  // namespace taut::papers::slow_manifolds
