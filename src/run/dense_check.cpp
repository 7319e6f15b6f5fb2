// SPDX-License-Identifier: BSD-3-Clause
#include "run/dense_check.hpp"

#include <algorithm>
#include <cmath>

#include "methods/radau_coefficients.hpp"

namespace taut {

Status DenseCheck::start(const System& system) {
  analysed_ = false;
  return accelerations_.start(system);
}

// (4) without the tolerance
double DenseCheck::size(const State& at) const {
  double most = 0.0;
  for (Index i = 0; i < at.q.size(); ++i) {
    const double e = std::max(std::abs(error_q_[i]) / (1.0 + std::abs(at.q[i])),
                              std::abs(error_v_[i]) / (1.0 + std::abs(at.v[i])));
    // what is not finite is no motion
    if (!(e <= most)) most = e;
  }
  return most;
}

double DenseCheck::of_places(const State& at, const State& rate, double h, double tolerance) {
  double most = 0.0;
  for (Index i = 0; i < at.q.size(); ++i) {
    const double e = std::abs(rate.q[i] - at.v[i]) / (1.0 + std::abs(at.q[i]));
    if (!(e <= most)) most = e;
  }
  return h / 4 * most / tolerance;
}

Status DenseCheck::operator()(const System& system, const State& at, const State& rate, double h,
                              double tolerance, double& error) {
  if (const Status status = accelerations_(system, at.t, at.q, at.v, a_, lambda_);
      status != Status::ok)
    return status;
  // (1)
  d_q_ = rate.q - at.v;
  d_v_ = rate.v - a_;
  const double eta = h / 4;
  error_q_ = eta * d_q_;
  error_v_ = eta * d_v_;
  error = size(at) / tolerance;
  if (error <= allowed || !system.structure().differentiable) return Status::ok;
  // a matrix that has no inverse says nothing
  if (filter(system, at, eta) == Status::ok) error = std::min(error, size(at) / tolerance);
  return Status::ok;
}

// (2), (3)
Status DenseCheck::filter(const System& system, const State& at, double eta) {
  const Structure& structure = system.structure();
  if (!analysed_) {
    system.prepare(ev_);
    matrix_.analyse(structure);
    right_.resize(structure.nq + structure.nc);
    analysed_ = true;
  }
  constexpr Needs wanted = needs(Target::mass, Target::stiffness, Target::damping,
                                 Target::constraint_jacobian, Target::velocity_jacobian);
  const Arguments here{.t = at.t, .q = at.q, .v = at.v, .a = &a_, .lambda = &lambda_};
  if (const Status status = system.evaluate(wanted, here, ev_); status != Status::ok) return status;
  const Sparse& M = structure.mass_constant ? structure.M : ev_.M;
  matrix_.set(structure, M, ev_.K, ev_.D, ev_.G, ev_.N, accelerations_.kkt().droppable());
  const RadauCoefficients& euler = radau_coefficients(1);
  if (const Status status = matrix_.factor(euler, eta); status != Status::ok) return status;
  right_.head(structure.nq).noalias() = eta * (M * d_v_);
  right_.head(structure.nq).noalias() -= eta * eta * (ev_.K * d_q_);
  right_.tail(structure.nc).noalias() = -(ev_.G * d_q_);
  for (const int r : matrix_.dropped()) right_[structure.nq + r] = 0.0;
  matrix_.solve(right_.data());
  error_v_ = right_.head(structure.nq);
  error_q_ = eta * (error_v_ + d_q_);
  return Status::ok;
}

}  // namespace taut
