// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "errors.hpp"
#include "items.hpp"
#include "slow_manifold.hpp"

namespace taut::papers::stiff_rk {
namespace {

using Real = long double;

// the ways of section "start" in docs/manual/stiff-rk-laboratory.md
constexpr std::array<const char*, 4> ways{"unchanged", "expanded to eps^2", "one sweep",
                                          "two sweeps"};

Point<Real> start_by(const Problem<Real>& problem, std::size_t way, Real eps) {
  const Point<Real> from = problem.start();
  switch (way) {
    case 0:
      return from;
    case 1:
      return expanded_start(problem, from, eps);
    default:
      return smooth_motion(problem, from, eps, static_cast<int>(way) - 1).at(0);
  }
}

struct Distances {
  double y = 0.0, v = 0.0;
};
Distances distances(const Problem<Real>& problem, std::size_t way, Real eps) {
  const Point<Real> exact = smooth_start(problem, eps), from = start_by(problem, way, eps);
  return {static_cast<double>((from.y - exact.y).norm()),
          static_cast<double>((from.v - exact.v).norm())};
}

}  // namespace

std::vector<Row> start() {
  const auto a = pendulum<Real>(), b = double_pendulum<Real>(), c = general_problem<Real>();
  struct Known {
    const Problem<Real>& problem;
    Real eps;
    std::array<Distances, 4> distance;
  };
  const std::array known{
      Known{
          *a, 1e-2L, {{{8.5e-5, 2.0e-4}, {2.5e-8, 7.5e-9}, {2.1e-8, 3.8e-8}, {8.6e-12, 1.8e-12}}}},
      Known{*a,
            1e-3L,
            {{{8.5e-7, 2.0e-6}, {2.5e-12, 7.5e-13}, {2.1e-12, 3.8e-12}, {8.7e-18, 1.8e-18}}}},
      Known{*b, 1e-2L, {{{1.7e-4, 7.8e-4}, {6.7e-7, 5.1e-6}, {4.8e-7, 3.7e-6}, {4.1e-9, 3.9e-8}}}},
      Known{*c,
            1e-3L,
            {{{2.1e-6, 8.4e-6}, {6.4e-11, 3.3e-10}, {4.4e-11, 1.8e-10}, {7.9e-16, 1.1e-14}}}},
  };
  std::vector<Row> rows;
  for (const Known& k : known)
    for (std::size_t way = 0; way < ways.size(); ++way) {
      const Distances d = distances(k.problem, way, k.eps);
      const std::string where =
          fmt::format("{}, eps = {}, start {}: distance of ", k.problem.name(),
                      static_cast<double>(k.eps), ways[way]);
      // the last line of (a) is at the rounding of long double
      rows.push_back(value_row(where + "y", {}, k.distance[way].y, d.y, 0.05));
      rows.push_back(value_row(where + "v", {}, k.distance[way].v, d.v,
                               k.distance[way].v < 1e-17 ? 0.5 : 0.05));
    }

  // Theorem 2.2: each term of the expansion gains a factor eps^2
  constexpr std::array<double, 4> promised{2, 4, 4, 6};
  const std::array eps{1e-2L, 3e-3L, 1e-3L};
  for (const auto* problem : {a.get(), b.get(), c.get()})
    for (std::size_t way = 0; way < ways.size(); ++way) {
      std::vector<double> x, y, v;
      for (const Real e : eps) {
        const Distances d = distances(*problem, way, e);
        x.push_back(static_cast<double>(e));
        y.push_back(d.y);
        v.push_back(d.v);
      }
      const auto add = [&](const char* what, double obtained) {
        rows.push_back(order_row(
            fmt::format("{}, start {}: order in eps of {}", problem->name(), ways[way], what),
            promised[way], promised[way], obtained, 0.2));
      };
      add("y", slope(x, y));
      add("v", slope(x, v));
    }

  // (a) in closed form: |y| - 1 = eps^2 l - eps^4 (w^2 l + 3 sin^2 th - 3 w^2 cos th), l = w^2 +
  // cos th
  const Real th = 1.2L, w2 = 0.49L, l = w2 + std::cos(th), e2 = 1e-4L;
  const Real sine = std::sin(th);
  const Real two_terms = e2 * l - e2 * e2 * (w2 * l + 3 * sine * sine - 3 * w2 * std::cos(th));
  rows.push_back(value_row("pendulum, eps = 1e-2: |y| - 1 by two terms of the closed form", {},
                           8.521086465e-5, static_cast<double>(two_terms), 1e-9));
  rows.push_back(value_row("pendulum, eps = 1e-2: |y| - 1 on the manifold of smooth motion", {},
                           8.521087423e-5,
                           static_cast<double>(smooth_start(*a, 1e-2L).y.norm() - 1), 1e-9));
  return rows;
}

}  // namespace taut::papers::stiff_rk
