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
  if (const Status status = evaluate(system, t, q, v); status != Status::ok) return status;
  return solve(system, a, lambda);
}

Status Accelerations::at_stage(const System& system, double t, const Vec& q, const Vec& v, Vec& a,
                               Vec& lambda, double independence, bool& alone) {
  if (const Status status = evaluate(system, t, q, v); status != Status::ok) return status;
  minus_curvature_ = -ev_.curvature;
  alone = system.nc() > 0 &&
          kkt_.solve_chain(ev_.G, no_compliance_, ev_.f, minus_curvature_, a, lambda, independence);
  return alone ? Status::ok : solve(system, a, lambda);
}

Status Accelerations::evaluate(const System& system, double t, const Vec& q, const Vec& v) {
  constexpr Needs unconstrained = needs(Target::mass, Target::force);
  constexpr Needs constrained =
      unconstrained | needs(Target::constraint_jacobian, Target::constraint_curvature);
  if (auto st = system.evaluate(system.nc() > 0 ? constrained : unconstrained,
                                {.t = t, .q = q, .v = v}, ev_);
      st != Status::ok)
    return st;
  return system.structure().mass_constant ? Status::ok : kkt_.factor_mass(ev_.M);
}

// (1), (2)
Status Accelerations::solve(const System& system, Vec& a, Vec& lambda) {
  if (system.nc() == 0) {
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
