// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "error_figure.hpp"
#include "items.hpp"
#include "slow_solution.hpp"

namespace taut::papers::slow_manifolds {
namespace {

constexpr std::array denominators{8, 16, 32, 64, 128, 512, 2048};
constexpr std::array omegas{100.0, 1000.0, 10000.0};

// two step sizes give the limit of errors a + b H²
State limit(const State& coarse, const State& fine, double ratio) {
  const double weight = 1.0 / (ratio * ratio - 1.0);
  return {fine.t, fine.q + weight * (fine.q - coarse.q), fine.v + weight * (fine.v - coarse.v)};
}

}  // namespace

Shown figure2() {
  std::array<Ended, denominators.size()> runs;
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i] = run_rattle(1.0 / denominators[i]);
  const State exact_dae = limit(runs[5].state, runs[6].state, 4.0);

  std::vector<Row> rows;
  Figure figure{.title = "Figure 2: integrating the DAE by RATTLE",
                .caption =
                    "Errors at t = 10 against force evaluations, H = 1/8 to 1/2048. They end "
                    "where the DAE differs from the slow solution.",
                .panels = error_panels("force evaluations")};
  std::array<Errors, omegas.size()> floors;
  std::array<std::array<Errors, denominators.size()>, omegas.size()> all;
  for (std::size_t k = 0; k < omegas.size(); ++k) {
    const State slow = slow_solution(omegas[k]);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const Errors e = all[k][i] = errors(runs[i].state, slow);
      const std::string where =
          fmt::format("RATTLE, omega = {}, H = 1/{}: error of ", omegas[k], denominators[i]);
      rows.push_back(ours(where + "q", e.q));
      rows.push_back(ours(where + "p", e.p));
      add_point(figure, k, static_cast<double>(runs[i].evaluations), e);
    }
    floors[k] = errors(exact_dae, slow);
    const std::string where =
        fmt::format("omega = {}: level at which errors saturate, ", omegas[k]);
    rows.push_back(ours(where + "q", floors[k].q));
    rows.push_back(ours(where + "p", floors[k].p));
  }

  // the DAE's solution and the slow one differ by O(ω⁻²)
  const std::string apart = "the DAE differs from the slow solution by O(omega^-2) in q and in p";
  for (std::size_t k = 1; k < omegas.size(); ++k) {
    const std::string where =
        fmt::format("order in 1/omega of the level between {} and {}, ", omegas[k - 1], omegas[k]);
    rows.push_back(stated(where + "q", apart, "section 6.1", 2.0,
                          std::log10(floors[k - 1].q / floors[k].q), at_least(0.1)));
    rows.push_back(stated(where + "p", apart, "section 6.1", 2.0,
                          std::log10(floors[k - 1].p / floors[k].p), at_least(0.1)));
  }
  rows.push_back(stated("omega = 100: error of q at H = 1/2048 over that at 1/512",
                        "errors saturate as H tends to 0", "section 6.1, Figure 2", 1.0,
                        all[0][6].q / all[0][5].q, near(0.02)));
  rows.push_back(ours("RATTLE, omega = 10000: order in H, q, from H = 1/16 to 1/128",
                      std::log2(all[2][1].q / all[2][4].q) / 3.0));
  return {std::move(rows), {std::move(figure)}};
}

}  // namespace taut::papers::slow_manifolds
