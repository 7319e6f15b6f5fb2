// SPDX-License-Identifier: BSD-3-Clause
#include "general_potential.hpp"

#include <cmath>
#include <limits>

#include "slow_manifold.hpp"

namespace taut::papers::stiff_rk {

template <class Real>
std::vector<int> pivot_columns(MatOf<Real> H, int m) {
  std::vector<int> columns;
  for (int k = 0; k < m; ++k) {
    Eigen::Index pivot = 0;
    H.diagonal().maxCoeff(&pivot);
    const VecOf<Real> column = H.col(pivot);
    H -= column * column.transpose() / column(pivot);
    columns.push_back(static_cast<int>(pivot));
  }
  return columns;
}

template <class Real>
MatOf<Real> left_inverse(const MatOf<Real>& H, const std::vector<int>& J, const MatOf<Real>& x) {
  const MatOf<Real> E = H(J, J);
  return Lu{E}.solve(x(J, Eigen::all));
}

template std::vector<int> pivot_columns(MatOf<double>, int);
template std::vector<int> pivot_columns(MatOf<long double>, int);
template MatOf<double> left_inverse(const MatOf<double>&, const std::vector<int>&,
                                    const MatOf<double>&);
template MatOf<long double> left_inverse(const MatOf<long double>&, const std::vector<int>&,
                                         const MatOf<long double>&);

using Real = GeneralPotential::Real;

GeneralPotential::GeneralPotential(const Problem<Real>& problem, const Tableau<Real>& tableau,
                                   Real eps, Options options)
    : problem_{problem},
      tableau_{tableau},
      A2_{tableau.A.lazyProduct(tableau.A)},
      eps2_{eps * eps},
      options_{options} {}

auto GeneralPotential::stages(const Point<Real>& from, Real h) const -> std::optional<Solution> {
  const Eigen::Index n = problem_.n(), m = problem_.m(), s = tableau_.s;
  const MatOf<Real> H0 = problem_.potential(from.y).hessian;
  const std::vector<int> J = pivot_columns<Real>(H0, problem_.m());

  // (8.8)
  const MatOf<Real> M0 = problem_.mass(from.y).M, KG0 = left_inverse<Real>(H0, J, H0);
  MatOf<Real> matrix = MatOf<Real>::Zero(s * (n + m), s * (n + m));
  for (Eigen::Index i = 0; i < s; ++i) {
    matrix.block(i * n, i * n, n, n) = M0;
    matrix.block(i * n, s * n + i * m, n, m) = H0(Eigen::all, J);
    for (Eigen::Index k = 0; k < s; ++k) matrix.block(s * n + i * m, k * n, m, n) = A2_(i, k) * KG0;
  }
  matrix.diagonal().tail(s * m).array() = -eps2_ / (h * h);
  const Lu lu{matrix};

  Solution found;
  const VecOf<Real> singular = singular_values(matrix);
  found.condition = singular(0) / singular(singular.size() - 1);

  // start: the acceleration at the point as if constrained, Gᵀ as chosen
  MatOf<Real> start = MatOf<Real>::Zero(n + m, n + m);
  start << M0, H0(Eigen::all, J), KG0, MatOf<Real>::Zero(m, m);
  VecOf<Real> rhs = VecOf<Real>::Zero(n + m);
  rhs.head(n) = problem_.force(from.y, from.v).f;
  const VecOf<Real> guess = Lu{start}.solve(rhs);
  MatOf<Real> a = guess.head(n).replicate(1, s);
  found.Lambda = guess.tail(m).replicate(1, s);
  MatOf<Real> r = MatOf<Real>::Zero(n, s);

  const auto positions = [&] {
    return MatOf<Real>(
        (h * from.v * tableau_.c.transpose() + h * h * a.lazyProduct(A2_.transpose())).colwise() +
        from.y);
  };
  for (int outer = 0; outer <= options_.outer; ++outer) {
    Real second = 0, last = std::numeric_limits<Real>::infinity();
    bool converged = false;
    for (int inner = 1; inner <= 60 && !converged; ++inner) {
      const MatOf<Real> Y = positions();
      const MatOf<Real> V = (h * a.lazyProduct(tableau_.A.transpose())).colwise() + from.v;
      VecOf<Real> F(s * (n + m));
      for (Eigen::Index i = 0; i < s; ++i) {
        const PotentialAt<Real> at = problem_.potential(Y.col(i));
        F.segment(i * n, n) = problem_.mass(Y.col(i)).M * a.col(i) -
                              problem_.force(Y.col(i), V.col(i)).f +
                              at.hessian(Eigen::all, J) * found.Lambda.col(i) - r.col(i);
        F.segment(s * n + i * m, m) =
            (left_inverse<Real>(at.hessian, J, at.gradient) - eps2_ * found.Lambda.col(i)) /
            (h * h);
      }
      const VecOf<Real> dx = lu.solve(-F);
      a += dx.head(s * n).reshaped(n, s);
      found.Lambda += dx.tail(s * m).reshaped(m, s);
      const Real size = dx.head(s * n).norm();
      if (outer == 0) {
        found.inner_iterations = inner;
        if (inner == 2) second = size;
        if (inner > 2 && size > Real(1e-12L))  // above rounding
          found.contraction = std::pow(size / second, 1 / static_cast<Real>(inner - 2));
      }
      converged = size <= options_.inner_tolerance || (size < Real(1e-13L) && size >= last);
      if (!dx.allFinite()) return {};
      last = size;
    }
    if (!converged) return {};
    found.acceleration.push_back(a);
    // (8.7) or (2)
    const MatOf<Real> Y = positions();
    for (Eigen::Index i = 0; i < s; ++i) {
      const PotentialAt<Real> at = problem_.potential(Y.col(i));
      const VecOf<Real> Lambda =
          options_.remainder == Remainder::paper
              ? VecOf<Real>(found.Lambda.col(i))
              : VecOf<Real>(left_inverse<Real>(at.hessian, J, at.gradient) / eps2_);
      r.col(i) = at.hessian(Eigen::all, J) * Lambda - at.gradient / eps2_;
    }
  }
  return found;
}

std::optional<Point<Real>> GeneralPotential::run(Point<Real> from, Real h, int steps) const {
  for (int i = 0; i < steps; ++i) {
    const auto x = stages(from, h);
    if (!x) return {};
    // (5.1a)
    const MatOf<Real>& a = x->acceleration.back();
    from.y += h * from.v + h * h * a * (tableau_.A.transpose() * tableau_.b);
    from.v += h * a * tableau_.b;
    from.lambda = x->Lambda.col(tableau_.s - 1);
  }
  return from;
}

}  // namespace taut::papers::stiff_rk
