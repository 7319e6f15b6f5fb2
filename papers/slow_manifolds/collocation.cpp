// SPDX-License-Identifier: BSD-3-Clause
#include "collocation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "../stiff_rk/dense_algebra.hpp"

namespace taut::papers::slow_manifolds {
namespace {

constexpr Real rounding = std::numeric_limits<Real>::epsilon();
constexpr int most_iterations = 20;

// Values and derivatives of T_0, ..., T_{n-1} at t/T, the latter with respect to t:
//   T_{k+1} = 2 x T_k - T_{k-1}   and its derivatives
struct Basis {
  RealVec value, first, second;
};
Basis basis(Real t, Real half_window, Index n) {
  const Real x = t / half_window;
  Basis b{RealVec::Zero(n), RealVec::Zero(n), RealVec::Zero(n)};
  b.value(0) = 1;
  if (n > 1) {
    b.value(1) = x;
    b.first(1) = 1;
  }
  for (Index k = 2; k < n; ++k) {
    b.value(k) = 2 * x * b.value(k - 1) - b.value(k - 2);
    b.first(k) = 2 * b.value(k - 1) + 2 * x * b.first(k - 1) - b.first(k - 2);
    b.second(k) = 4 * b.first(k - 1) + 2 * x * b.second(k - 1) - b.second(k - 2);
  }
  b.first /= half_window;
  b.second /= half_window * half_window;
  return b;
}

RealVec chebyshev_nodes(Index n, Real half_window) {
  RealVec t(n);
  for (Index j = 0; j < n; ++j)
    t(j) = half_window * std::cos(std::numbers::pi_v<Real> * static_cast<Real>(2 * j + 1) /
                                  static_cast<Real>(2 * n));
  return t;
}

// The point of g = 0 nearest to q0: q = q0 - G(q)ᵀ ν. Newton's method without the derivative of G
// converges linearly with a factor of the size of ν.
bool nearest_constrained(const Constraints& constraints, const RealVec& q0, RealVec& q) {
  q = q0;
  RealVec nu = RealVec::Zero(constraints(q0).g.size());
  for (int i = 0; i < 200; ++i) {
    const ConstraintsAt at = constraints(q);
    nu += Lu<Real>{at.G.lazyProduct(at.G.transpose())}.solve(at.g);
    const RealVec next = q0 - at.G.transpose() * nu;
    const Real change = (next - q).norm();
    q = next;
    if (!std::isfinite(change)) return false;
    if (change <= 100 * rounding) return true;
  }
  return false;
}

// rows: an orthonormal basis of the directions along the constraints
RealMat tangents(const RealMat& G) {
  return orthogonal_factor(G.transpose()).rightCols(G.cols() - G.rows()).transpose();
}

// (1)-(3): residual and matrix of Newton's method. Unknowns are the coefficients of q, mode by
// mode, then those of λ.
struct Equations {
  const Constraints& constraints;
  Real omega, half_window;
  Index d, k, n;
  RealMat Z;
  RealVec q0, p0;

  [[nodiscard]] Index size() const { return d * n + k * (n - 2); }
  [[nodiscard]] Index q_at(Index mode) const { return d * mode; }
  [[nodiscard]] Index lambda_at(Index mode) const { return d * n + k * mode; }

  void build(const RealMat& q, const RealMat& lambda, RealVec& residual, RealMat& J) const {
    residual.setZero();
    J.setZero();
    Index row = 0;
    for (const Real t : chebyshev_nodes(n - 2, half_window)) {
      const Basis b = basis(t, half_window, n);
      const ConstraintsAt at = constraints(q * b.value);
      const RealVec l = lambda * b.value.head(n - 2);
      RealMat stiffness = RealMat::Zero(d, d);
      for (Index i = 0; i < k; ++i) stiffness += l(i) * at.hessian[static_cast<std::size_t>(i)];
      residual.segment(row, d) = q * b.second + at.G.transpose() * l;
      for (Index m = 0; m < n; ++m) {
        J.block(row, q_at(m), d, d) = b.value(m) * stiffness;
        J.block(row, q_at(m), d, d).diagonal().array() += b.second(m);
      }
      for (Index m = 0; m < n - 2; ++m)
        J.block(row, lambda_at(m), d, k) = b.value(m) * at.G.transpose();
      row += d;
    }
    for (const Real t : chebyshev_nodes(n, half_window)) {
      const Basis b = basis(t, half_window, n);
      const ConstraintsAt at = constraints(q * b.value);
      residual.segment(row, k) = at.g - lambda * b.value.head(n - 2) / (omega * omega);
      for (Index m = 0; m < n; ++m) J.block(row, q_at(m), k, d) = b.value(m) * at.G;
      for (Index m = 0; m < n - 2; ++m)
        J.block(row, lambda_at(m), k, k).diagonal().array() -= b.value(m) / (omega * omega);
      row += k;
    }
    const Basis b = basis(0, half_window, n);
    residual.segment(row, d - k) = Z * (q * b.value - q0);
    residual.segment(row + d - k, d - k) = Z * (q * b.first - p0);
    for (Index m = 0; m < n; ++m) {
      J.block(row, q_at(m), d - k, d) = b.value(m) * Z;
      J.block(row + d - k, q_at(m), d - k, d) = b.first(m) * Z;
    }
  }
};

}  // namespace

RealVec SlowMotion::q(Real t) const { return q_ * basis(t, half_window_, q_.cols()).value; }
RealVec SlowMotion::p(Real t) const { return q_ * basis(t, half_window_, q_.cols()).first; }
RealVec SlowMotion::a(Real t) const { return q_ * basis(t, half_window_, q_.cols()).second; }
RealVec SlowMotion::lambda(Real t) const {
  return lambda_ * basis(t, half_window_, lambda_.cols()).value;
}
State SlowMotion::start() const { return {0.0, q(0).cast<double>(), p(0).cast<double>()}; }

SlowMotion slow_motion(const Constraints& constraints, Real omega, const State& near,
                       const CollocationOptions& options) {
  SlowMotion motion;
  motion.half_window_ = options.half_window;
  const RealVec q0 = near.q.cast<Real>(), p0 = near.v.cast<Real>();
  RealVec on_constraints;
  if (!nearest_constrained(constraints, q0, on_constraints)) {
    motion.status = Status::projection_diverged;
    motion.reason = "there is no point of g = 0 near the given one";
    return motion;
  }
  const ConstraintsAt at = constraints(on_constraints);
  const Index d = q0.size(), k = at.g.size(), n = options.nodes;
  const Equations equations{constraints, omega, options.half_window, d, k, n, tangents(at.G),
                            q0,          p0};

  // from the straight line through the constrained point
  RealMat q = RealMat::Zero(d, n), lambda = RealMat::Zero(k, n - 2);
  q.col(0) = on_constraints;
  q.col(1) = options.half_window * equations.Z.transpose() * (equations.Z * p0);
  RealVec residual(equations.size());
  RealMat J(equations.size(), equations.size());
  Real last = std::numeric_limits<Real>::infinity();
  for (int i = 1; i <= most_iterations; ++i) {
    equations.build(q, lambda, residual, J);
    const RealVec step = Lu{J}.solve(residual);
    q -= step.head(d * n).reshaped(d, n);
    lambda -= step.tail(k * (n - 2)).reshaped(k, n - 2);
    motion.iterations = i;
    const Real change = step.head(d * n).norm();
    if (!std::isfinite(change)) break;
    // Newton's method has converged when rounding is all that is left of its steps
    if (change < 1e-12L && change > last / 2) {
      motion.q_ = q;
      motion.lambda_ = lambda;
      return motion;
    }
    last = change;
  }
  motion.status = Status::iteration_limit;
  motion.reason = fmt::format(
      "Newton's method on the collocation equations did not converge in {} "
      "iterations; last change {:.1e}",
      motion.iterations, static_cast<double>(last));
  return motion;
}

State slow_point(double omega, const State& near) {
  const SlowMotion motion = slow_motion(double_pendulum_constraints, omega, near);
  if (motion.status != Status::ok) {
    const Vec nan = Vec::Constant(near.q.size(), std::numeric_limits<double>::quiet_NaN());
    return {near.t, nan, nan};
  }
  State point = motion.start();
  point.t = near.t;
  return point;
}

NormalErrors normal_errors(double omega, const State& state) {
  const State exact = slow_point(omega, state);
  return {(state.q - exact.q).norm(), (state.v - exact.v).norm()};
}

}  // namespace taut::papers::slow_manifolds
