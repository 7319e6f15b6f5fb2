// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "items.hpp"
#include "slow_solution.hpp"

namespace taut::papers::slow_manifolds {
namespace {

constexpr std::array denominators{8, 16, 32, 64, 128, 512, 2048};
struct Known {
  double omega;
  std::array<double, denominators.size()> q;
  double floor_q, floor_p;  // of an exact DAE solver; 0: not known
};
constexpr std::array known{
    Known{100, {3.6e-2, 1.5e-2, 9.9e-3, 8.6e-3, 8.3e-3, 8.2e-3, 8.2e-3}, 8.21e-3, 4.02e-3},
    Known{1000, {2.8e-2, 7.0e-3, 1.8e-3, 4.8e-4, 1.5e-4, 5.1e-5, 4.5e-5}, 4.44e-5, 2.02e-5},
    Known{10000, {2.8e-2, 6.9e-3, 1.7e-3, 4.3e-4, 1.1e-4, 7.2e-6, 8.6e-7}, 0.0, 0.0}};

// two step sizes give the limit of errors a + b H²
State limit(const State& coarse, const State& fine, double ratio) {
  const double weight = 1.0 / (ratio * ratio - 1.0);
  return {fine.t, fine.q + weight * (fine.q - coarse.q), fine.v + weight * (fine.v - coarse.v)};
}

}  // namespace

std::vector<Row> figure2() {
  std::array<State, denominators.size()> ends;
  for (std::size_t i = 0; i < ends.size(); ++i) ends[i] = run_rattle(1.0 / denominators[i]).state;
  const State exact_dae = limit(ends[5], ends[6], 4.0);

  std::vector<Row> rows;
  std::array<Errors, known.size()> floors;
  for (std::size_t k = 0; k < known.size(); ++k) {
    const State slow = slow_solution(known[k].omega);
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const Errors e = errors(ends[i], slow);
      const std::string where =
          fmt::format("RATTLE, omega = {}, H = 1/{}: error of ", known[k].omega, denominators[i]);
      rows.push_back(value_row(where + "q", {}, known[k].q[i], e.q, 0.05));
      rows.push_back(value_row(where + "p", {}, {}, e.p, 0.0));
    }
    floors[k] = errors(exact_dae, slow);
    if (known[k].floor_q == 0.0) continue;
    const std::string where =
        fmt::format("omega = {}: level at which errors saturate, ", known[k].omega);
    rows.push_back(value_row(where + "q", {}, known[k].floor_q, floors[k].q, 0.02));
    rows.push_back(value_row(where + "p", {}, known[k].floor_p, floors[k].p, 0.02));
  }

  // the DAE's solution and the slow one differ by O(ω⁻²)
  for (std::size_t k = 1; k < known.size(); ++k) {
    const std::string where = fmt::format("order in 1/omega of the level between {} and {}, ",
                                          known[k - 1].omega, known[k].omega);
    rows.push_back(order_row(where + "q", 2.0, {}, std::log10(floors[k - 1].q / floors[k].q)));
    rows.push_back(order_row(where + "p", 2.0, {}, std::log10(floors[k - 1].p / floors[k].p)));
  }
  const State slow = slow_solution(10000);
  rows.push_back(order_row("RATTLE, omega = 10000: order in H, q, from H = 1/16 to 1/128", 2.0, 2.0,
                           std::log2(errors(ends[1], slow).q / errors(ends[4], slow).q) / 3.0));
  return rows;
}

}  // namespace taut::papers::slow_manifolds
