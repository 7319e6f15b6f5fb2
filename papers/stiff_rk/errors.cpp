// SPDX-License-Identifier: BSD-3-Clause
#include "errors.hpp"

#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>

#include "slow_manifold.hpp"

namespace taut::papers::stiff_rk {

using Real = ErrorStudy::Real;

Errors errors(const Problem<Real>& problem, const Point<Real>& numerical,
              const Point<Real>& exact) {
  const MatOf<Real> G = problem.constraints(exact.y).G;
  const MatOf<Real> N = Lu{problem.mass(exact.y).M}.solve(G.transpose());
  const VecOf<Real> dv = numerical.v - exact.v;
  const VecOf<Real> tangential = dv - N * Lu<Real>{G.lazyProduct(N)}.solve(G * dv);
  const auto norm = [](const VecOf<Real>& x) { return static_cast<double>(x.norm()); };
  return {norm(numerical.y - exact.y), norm(dv), norm(tangential),
          norm(numerical.lambda - exact.lambda)};
}

ErrorStudy::ErrorStudy(const Problem<Real>& problem, Real eps)
    : problem_{problem},
      eps_{eps},
      start_{smooth_start(problem, eps)},
      end_{smooth_reference(problem, eps, Real(1))} {}

Errors ErrorStudy::run(const Tableau<Real>& tableau, Form form, int steps) const {
  const auto numerical =
      FixedStep<Real>{problem_, tableau, form, eps_}.run(start_, Real(1) / steps, steps);
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  return numerical ? errors(problem_, *numerical, end_) : Errors{nan, nan, nan, nan};
}

Point<Real> ErrorStudy::difference(const Tableau<Real>& tableau, Form form, int steps) const {
  const auto numerical =
      FixedStep<Real>{problem_, tableau, form, eps_}.run(start_, Real(1) / steps, steps);
  if (!numerical) return {};
  return {numerical->y - end_.y, numerical->v - end_.v, numerical->lambda - end_.lambda};
}

double last_slope(std::span<const double> x, std::span<const double> y, double floor) {
  assert(x.size() == y.size());
  std::size_t used = 0;
  while (used < y.size() && y[used] >= floor) ++used;
  if (used < 2) return std::numeric_limits<double>::quiet_NaN();
  return std::log(y[used - 2] / y[used - 1]) / std::log(x[used - 2] / x[used - 1]);
}

double slope(std::span<const double> x, std::span<const double> y) {
  assert(x.size() == y.size());
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = std::log(x[i]), b = std::log(y[i]);
    n += 1;
    sx += a;
    sy += b;
    sxx += a * a;
    sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace taut::papers::stiff_rk
