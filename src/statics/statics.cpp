// SPDX-License-Identifier: BSD-3-Clause
#include "statics/statics.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/dense_decompositions.hpp"
#include "projections/row_scales.hpp"

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
// of g in units of Row::scale: what is not worth a step, and what a stagnating iteration may leave
constexpr double settled = 8 * epsilon, solved = 1e4 * epsilon;
constexpr double independent = 1e-8;  // of rows of G: the sine of their angle, in the metric of M⁻¹
constexpr int max_iterations = 50;

}  // namespace

Statics::Statics(const System& system, double t) : system_{system}, t_{t} {
  system.prepare(ev_);
  rest_ = no_acceleration_ = Vec::Zero(system.nq());
  scale_ = row_scales(system.structure());
  lambda_ = Vec::Zero(system.nc());
}

Status Statics::factor_mass() {
  const Structure& structure = system_.structure();
  if (structure.mass_constant && L_.size() > 0) return Status::ok;
  const Eigen::LLT<Mat> factor{Mat{structure.mass_constant ? structure.M : ev_.M}};
  if (factor.info() != Eigen::Success) return Status::mass_singular;
  L_ = factor.matrixL();
  return Status::ok;
}

Status Statics::onto_constraints(Vec& q) {
  if (system_.nc() == 0) return Status::ok;
  Needs wanted = needs(Target::constraint, Target::constraint_jacobian);
  if (!system_.structure().mass_constant) wanted |= need(Target::mass);
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < max_iterations; ++k) {
    if (const Status st = system_.evaluate(wanted, here(q), ev_); st != Status::ok) return st;
    if (const Status st = factor_mass(); st != Status::ok) return st;
    const double now = ev_.g.cwiseQuotient(scale_).lpNorm<Eigen::Infinity>();
    if (now <= settled || (now <= solved && now > 0.5 * last)) return Status::ok;
    last = now;

    // the smallest x with G x = -g
    Mat Y = Mat{ev_.G}.transpose();
    L_.triangularView<Eigen::Lower>().solveInPlace(Y);
    Vec x = MinimumNorm{Y.transpose(), independent}.solve(-ev_.g);
    L_.transpose().triangularView<Eigen::Upper>().solveInPlace(x);
    q += x;
    if (!q.allFinite()) return Status::projection_diverged;
  }
  return Status::projection_diverged;
}

Status Statics::forces(const Vec& q) {
  const Index nq = system_.nq(), nc = system_.nc();
  Needs wanted = needs(Target::mass, Target::force);
  if (nc > 0) wanted |= needs(Target::constraint, Target::constraint_jacobian);
  if (const Status st = system_.evaluate(wanted, here(q), ev_); st != Status::ok) return st;
  if (const Status st = factor_mass(); st != Status::ok) return st;
  q_ = q;

  // (1)
  const auto lower = L_.triangularView<Eigen::Lower>();
  const Vec y = lower.solve(ev_.f);
  size_ = y.norm();
  if (nc == 0) {
    Z_ = L_.transpose().triangularView<Eigen::Upper>().solve(Mat::Identity(nq, nq));
    F_ = y;
    return Status::ok;
  }
  const Mat Y = lower.solve(Mat{ev_.G}.transpose());
  LeastSquares balance = least_squares(Y, y, independent);
  // where constraints leave no way to move there is nothing to solve for
  Z_.resize(nq, balance.complement.cols());
  if (Z_.size() > 0) Z_ = L_.transpose().triangularView<Eigen::Upper>().solve(balance.complement);

  // (2); of several λ that serve, the smallest
  F_ = balance.complement.transpose() * y;
  lambda_ = std::move(balance.x);
  return Status::ok;
}

Status Statics::stiffness() {
  const bool damped = system_.structure().force_uses_velocity || nz() > 0;
  Needs wanted = need(Target::stiffness);
  if (damped) wanted |= need(Target::damping);
  const Arguments at{
      .t = t_, .q = q_, .v = rest_, .a = &no_acceleration_, .lambda = &lambda_, .theta = nullptr};
  if (const Status st = system_.evaluate(wanted, at, ev_); st != Status::ok) return st;
  K_ = Z_.transpose() * (ev_.K * Z_);
  if (damped)
    D_ = Z_.transpose() * (ev_.D * Z_);
  else
    D_ = Mat::Zero(K_.rows(), K_.cols());
  K_.rightCols(nz()) = D_.rightCols(nz());
  return K_.allFinite() && D_.allFinite() ? Status::ok : Status::non_finite;
}

Status Statics::multipliers(Vec& all_rows) {
  return system_.multipliers(here(q_), lambda_, ev_, all_rows);
}

}  // namespace taut
