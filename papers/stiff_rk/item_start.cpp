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

Shown start() {
  const auto a = pendulum<Real>(), b = double_pendulum<Real>(), c = general_problem<Real>();
  struct Case {
    const Problem<Real>& problem;
    Real eps;
  };
  std::vector<Row> rows;
  for (const Case& k : {Case{*a, 1e-2L}, Case{*a, 1e-3L}, Case{*b, 1e-2L}, Case{*c, 1e-3L}})
    for (std::size_t way = 0; way < ways.size(); ++way) {
      const Distances d = distances(k.problem, way, k.eps);
      const std::string where =
          fmt::format("{}, eps = {}, start {}: distance of ", k.problem.name(),
                      static_cast<double>(k.eps), ways[way]);
      rows.push_back(ours(where + "y", d.y));
      rows.push_back(ours(where + "v", d.v));
      // at the rounding of long double
      rows[rows.size() - 2].volatile_value = d.y < 1e-16;
      rows.back().volatile_value = d.v < 1e-16;
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
        rows.push_back(stated(
            fmt::format("{}, start {}: order in eps of {}", problem->name(), ways[way], what),
            "the smooth start is O(eps^2) away and has an expansion in eps^2: N terms leave "
            "O(eps^(2N+2))",
            "Theorem 2.2, (2.6)", promised[way], obtained, at_least(0.2)));
      };
      add("y", slope(x, y));
      add("v", slope(x, v));
    }

  // (a) in closed form: |y| - 1 = eps^2 l - eps^4 (w^2 l + 3 sin^2 th - 3 w^2 cos th), l = w^2 +
  // cos th
  const Real th = 1.2L, w2 = 0.49L, l = w2 + std::cos(th), e2 = 1e-4L;
  const Real sine = std::sin(th);
  const Real two_terms = e2 * l - e2 * e2 * (w2 * l + 3 * sine * sine - 3 * w2 * std::cos(th));
  rows.push_back(ours("pendulum, eps = 1e-2: |y| - 1 by two terms of the closed form",
                      static_cast<double>(two_terms)));
  rows.push_back(ours("pendulum, eps = 1e-2: |y| - 1 on the manifold of smooth motion",
                      static_cast<double>(smooth_start(*a, 1e-2L).y.norm() - 1)));
  return rows;
}

}  // namespace taut::papers::stiff_rk
