// SPDX-License-Identifier: BSD-3-Clause
#include "model/accelerations.hpp"

namespace taut {

Status Accelerations::start(const System& system) {
  const Structure& structure = system.structure();
  system.prepare(ev_);
  if (analysed_ != nullptr && analysed_ == system.shared()) return Status::ok;
  analysed_.reset();
  kkt_.analyse(structure.M, structure.G);
  minus_curvature_.setZero(structure.nc);
  no_compliance_.setZero(structure.nc);
  const Status status = structure.mass_constant ? kkt_.factor_mass(structure.M) : Status::ok;
  if (status == Status::ok) analysed_ = system.shared();
  return status;
}

Status Accelerations::operator()(const System& system, double t, const Vec& q, const Vec& v, Vec& a,
                                 Vec& lambda) {
  constexpr Needs unconstrained = needs(Target::mass, Target::force);
  constexpr Needs constrained =
      unconstrained | needs(Target::constraint_jacobian, Target::constraint_curvature);
  const bool has_constraints = system.nc() > 0;
  if (auto st = system.evaluate(has_constraints ? constrained : unconstrained,
                                {.t = t, .q = q, .v = v}, ev_);
      st != Status::ok)
    return st;
  if (!system.structure().mass_constant)
    if (auto st = kkt_.factor_mass(ev_.M); st != Status::ok) return st;

  // (1), (2)
  if (!has_constraints) {
    kkt_.solve_mass(ev_.f, a);
    lambda.resize(0);
    return Status::ok;
  }
  if (auto st = kkt_.factor_constraints(ev_.G, no_compliance_); st != Status::ok) return st;
  minus_curvature_ = -ev_.curvature;
  kkt_.solve(ev_.f, minus_curvature_, a, lambda);
  return Status::ok;
}

}  // namespace taut
