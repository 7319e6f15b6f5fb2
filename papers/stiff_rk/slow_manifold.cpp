// SPDX-License-Identifier: BSD-3-Clause
#include "slow_manifold.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace taut::papers::stiff_rk {
namespace {

template <class Real>
using SeriesVec = std::vector<Series<Real>>;

template <class Real>
SeriesVec<Real> zeros(int size) {
  return SeriesVec<Real>(static_cast<std::size_t>(size), Series<Real>(0.0L));
}

template <class Real>
SeriesVec<Real> derivative(SeriesVec<Real> x) {
  for (auto& row : x) row = row.derivative();
  return x;
}

template <class Real>
VecOf<Real> coefficient(const SeriesVec<Real>& x, int k) {
  VecOf<Real> column(static_cast<Eigen::Index>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) column(static_cast<Eigen::Index>(i)) = x[i][k];
  return column;
}

// One sweep: the series of (1), (2) for a given λ''.
template <class Real>
class Sweep {
 public:
  Sweep(const Problem<Real>& problem, const VecOf<Real>& y0, const VecOf<Real>& v0, Real eps,
        SeriesVec<Real> l2)
      : problem_{problem}, eps2_{eps * eps}, l2_{std::move(l2)}, y0_{y0}, v0_{v0} {}

  [[nodiscard]] const VecOf<Real>& y0() const { return y0_; }
  [[nodiscard]] const VecOf<Real>& v0() const { return v0_; }

  // Picard iteration on (1): each pass knows one more coefficient of a and λ
  Smooth<Real> solve(int degree) const {
    Smooth<Real> x{zeros<Real>(problem_.n()), zeros<Real>(problem_.n()), {}};
    for (std::size_t i = 0; i < x.y.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      x.v[i] = Series<Real>(v0_(row));
      x.v[i].set_degree(0);
      x.y[i] = x.v[i].integral(y0_(row));
    }
    for (int k = 0; k <= degree; ++k) {
      // the coefficient k+2 of y drops out of g_yy(v, v) = (g(y))'' - G y''
      for (auto& row : x.y) row.set_degree(k + 2);
      for (auto& row : x.v) row.set_degree(k + 1);
      const SeriesVec<Real> a = accelerations(x, k);
      for (std::size_t i = 0; i < x.y.size(); ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        x.v[i] = a[i].integral(v0_(row));
        x.y[i] = x.v[i].integral(y0_(row));
      }
    }
    return x;
  }

  // moves y(0), v(0) along N until (2) holds; λ(0) and λ'(0) need the series up to degree 1 only
  void meet_initial_conditions(const MatOf<Real>& N) {
    if (eps2_ == 0) return;
    Real last = std::numeric_limits<Real>::infinity();
    for (int i = 0; i < 60; ++i) {
      const Smooth<Real> x = solve(1);
      const VecOf<Real> y_before = y0_, v_before = v0_;
      VecOf<Real> target = eps2_ * coefficient(x.lambda, 0);
      for (int newton = 0; newton < 4; ++newton) {
        const ConstraintsAt<Real> at = problem_.constraints(y0_);
        y0_ += N * Lu<Real>{at.G.lazyProduct(N)}.solve(target - at.g);
      }
      target = eps2_ * coefficient(x.lambda, 1);
      const MatOf<Real> G = problem_.constraints(y0_).G;
      v0_ += N * Lu<Real>{G.lazyProduct(N)}.solve(target - G * v0_);
      // contraction O(ε²) down to rounding, which is left when it no longer shrinks
      const Real moved = (y0_ - y_before).norm() + (v0_ - v_before).norm();
      if (moved == 0 || (moved >= last && moved < Real(1e-9L))) return;
      last = moved;
    }
  }

 private:
  // a and λ of (1) up to degree k, λ left in x
  SeriesVec<Real> accelerations(Smooth<Real>& x, int k) const {
    const int n = problem_.n(), m = problem_.m();
    const SeriesAt<Real> at = problem_.series(x.y, x.v);
    const SeriesVec<Real> acceleration = derivative(derivative(x.y));

    // right-hand side f, -(g(y))'' + G y'' + ε² λ''
    SeriesVec<Real> rhs = at.f;
    for (int row = 0; row < m; ++row) {
      const auto r = static_cast<std::size_t>(row);
      Series<Real> sum = Series<Real>(eps2_) * l2_[r] - at.g[r].derivative().derivative();
      for (std::size_t j = 0; j < acceleration.size(); ++j)
        sum = sum + at.G[r][j] * acceleration[j];
      rhs.push_back(sum);
    }
    // K(t) x(t) = r(t), coefficient by coefficient
    std::vector<MatOf<Real>> K(static_cast<std::size_t>(k + 1), MatOf<Real>::Zero(n + m, n + m));
    for (int c = 0; c <= k; ++c) {
      MatOf<Real>& matrix = K[static_cast<std::size_t>(c)];
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) matrix(i, j) = entry(at.M, i, j)[c];
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) matrix(n + i, j) = matrix(j, n + i) = entry(at.G, i, j)[c];
    }
    const Lu lu{K[0]};
    SeriesVec<Real> solution = zeros<Real>(n + m);
    for (auto& row : solution) row.set_degree(k);
    std::vector<VecOf<Real>> found;
    for (int c = 0; c <= k; ++c) {
      VecOf<Real> r = coefficient(rhs, c);
      for (int j = 1; j <= c; ++j)
        r -= K[static_cast<std::size_t>(j)] * found[static_cast<std::size_t>(c - j)];
      found.push_back(lu.solve(r));
      for (int i = 0; i < n + m; ++i) solution[static_cast<std::size_t>(i)][c] = found.back()(i);
    }
    x.lambda.assign(solution.begin() + n, solution.end());
    solution.resize(static_cast<std::size_t>(n));
    return solution;
  }

  static const Series<Real>& entry(const std::vector<SeriesVec<Real>>& matrix, int i, int j) {
    return matrix[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  }

  const Problem<Real>& problem_;
  Real eps2_;
  SeriesVec<Real> l2_;
  VecOf<Real> y0_, v0_;
};

constexpr int first_degree = 22;

}  // namespace

template <class Real>
Point<Real> Smooth<Real>::at(Real t) const {
  const auto evaluate = [t](const std::vector<Series<Real>>& x) {
    VecOf<Real> value(static_cast<Eigen::Index>(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i) value(static_cast<Eigen::Index>(i)) = x[i].at(t);
    return value;
  };
  return {evaluate(y), evaluate(v), evaluate(lambda)};
}

template <class Real>
Smooth<Real> smooth_motion(const Problem<Real>& problem, const Point<Real>& from, Real eps,
                           int sweeps) {
  const MatOf<Real> N = Lu{problem.mass(from.y).M}.solve(problem.constraints(from.y).G.transpose());
  VecOf<Real> y0 = from.y, v0 = from.v;
  SeriesVec<Real> l2 = zeros<Real>(problem.m());
  Smooth<Real> x;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    Sweep<Real> s{problem, y0, v0, eps, l2};
    s.meet_initial_conditions(N);
    x = s.solve(first_degree - 2 * sweep);
    y0 = s.y0();
    v0 = s.v0();
    l2 = derivative(derivative(x.lambda));
  }
  return x;
}

template <class Real>
int sweeps_for(Real eps) {
  if (eps == 0) return 1;
  const Real per_sweep = -2 * std::log10(eps);
  return std::clamp(static_cast<int>(std::ceil(18 / per_sweep)) + 1, 2, 8);
}

template <class Real>
Point<Real> smooth_start(const Problem<Real>& problem, Real eps) {
  return smooth_motion(problem, problem.start(), eps, sweeps_for(eps)).at(0);
}

template <class Real>
Point<Real> smooth_reference(const Problem<Real>& problem, Real eps, Real until) {
  // each sweep costs two degrees: with few sweeps the series reaches twice as far
  const int sweeps = sweeps_for(eps);
  const Real reach = sweeps <= 4 ? Real(1) / 16 : Real(1) / 32;
  const int pieces = static_cast<int>(std::ceil(until / reach - Real(1e-9L)));
  Point<Real> point = problem.start();
  for (int i = 0; i < pieces; ++i)
    point = smooth_motion(problem, point, eps, sweeps).at(until / static_cast<Real>(pieces));
  return point;
}

template <class Real>
Acceleration<Real> constrained_acceleration(const Problem<Real>& problem, const VecOf<Real>& y,
                                            const VecOf<Real>& v) {
  const int n = problem.n(), m = problem.m();
  const ConstraintsAt<Real> at = problem.constraints(y);
  MatOf<Real> K = MatOf<Real>::Zero(n + m, n + m);
  K << problem.mass(y).M, at.G.transpose(), at.G, MatOf<Real>::Zero(m, m);
  VecOf<Real> rhs(n + m);
  rhs.head(n) = problem.force(y, v).f;
  for (int k = 0; k < m; ++k) rhs(n + k) = -v.dot(at.hessian[static_cast<std::size_t>(k)] * v);
  const VecOf<Real> x = Lu{K}.solve(rhs);
  return {x.head(n), x.tail(m)};
}

template <class Real>
Point<Real> expanded_start(const Problem<Real>& problem, const Point<Real>& from, Real eps) {
  const ConstraintsAt<Real> at = problem.constraints(from.y);
  const MatOf<Real> N = Lu{problem.mass(from.y).M}.solve(at.G.transpose());
  const Lu<Real> S{at.G.lazyProduct(N)};
  // λ⁰ and λ⁰' along the constrained motion
  const Smooth<Real> constrained = smooth_motion(problem, from, Real(0), 1);
  const VecOf<Real> y1 = N * S.solve(coefficient(constrained.lambda, 0));
  VecOf<Real> rhs = coefficient(constrained.lambda, 1);
  for (int k = 0; k < problem.m(); ++k)
    rhs(k) -= from.v.dot(at.hessian[static_cast<std::size_t>(k)] * y1);
  const VecOf<Real> v1 = N * S.solve(rhs);
  return {from.y + eps * eps * y1, from.v + eps * eps * v1, coefficient(constrained.lambda, 0)};
}

#define TAUT_INSTANTIATE(Real)                                                                   \
  template struct Smooth<Real>;                                                                  \
  template Smooth<Real> smooth_motion(const Problem<Real>&, const Point<Real>&, Real, int);      \
  template int sweeps_for(Real);                                                                 \
  template Point<Real> smooth_start(const Problem<Real>&, Real);                                 \
  template Point<Real> smooth_reference(const Problem<Real>&, Real, Real);                       \
  template Acceleration<Real> constrained_acceleration(const Problem<Real>&, const VecOf<Real>&, \
                                                       const VecOf<Real>&);                      \
  template Point<Real> expanded_start(const Problem<Real>&, const Point<Real>&, Real);
TAUT_INSTANTIATE(double)
TAUT_INSTANTIATE(long double)
#undef TAUT_INSTANTIATE

}  // namespace taut::papers::stiff_rk
