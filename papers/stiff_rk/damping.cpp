// SPDX-License-Identifier: BSD-3-Clause
#include "damping.hpp"

#include "slow_manifold.hpp"

namespace taut::papers::stiff_rk {

using Real = long double;

Tableau<Real> theta_method(Real theta) {
  Tableau<Real> t{"theta-method", 1, 1, 1, {}, {}, {}};
  t.A = MatOf<Real>::Constant(1, 1, theta);
  t.b = VecOf<Real>::Ones(1);
  t.c = VecOf<Real>::Constant(1, theta);
  return t;
}

std::vector<Deviation> deviations(const Problem<Real>& problem, const Tableau<Real>& tableau,
                                  const Push& push, int steps) {
  const Real h = push.h;
  Point<Real> smooth = smooth_start(problem, push.eps), pushed = smooth;
  const MatOf<Real> G = problem.constraints(smooth.y).G;
  const MatOf<Real> N = Lu{problem.mass(smooth.y).M}.solve(G.transpose());
  const VecOf<Real> direction =
      N * Lu<Real>{G.lazyProduct(N)}.solve(VecOf<Real>::Ones(problem.m()));
  pushed.y += h * h * direction;
  pushed.v += push.velocity * h * direction;

  const FixedStep<Real> method{problem, tableau, Form::index3, push.eps};
  std::vector<Deviation> list;
  for (int i = 0;; ++i) {
    const ConstraintsAt<Real> a = problem.constraints(pushed.y), b = problem.constraints(smooth.y);
    list.push_back({a.g - b.g, h * (a.G * pushed.v - b.G * smooth.v)});
    if (i == steps) return list;
    const auto next_pushed = method.step(pushed, h), next_smooth = method.step(smooth, h);
    if (!next_pushed || !next_smooth) return list;
    pushed = *next_pushed;
    smooth = *next_smooth;
  }
}

}  // namespace taut::papers::stiff_rk
