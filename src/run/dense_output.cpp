// SPDX-License-Identifier: BSD-3-Clause
#include "run/dense_output.hpp"

#include <utility>

namespace taut {

void quintic_hermite(const Knot& begin, const Knot& end, double t, State& out) {
  const double t0 = begin.state.t;
  const double h = end.state.t - t0;
  const double x = (t - t0) / h;
  const Index nq = begin.state.q.size();
  out.t = t;
  out.q.resize(nq);
  out.v.resize(nq);
  for (Index i = 0; i < nq; ++i) {
    const double q0 = begin.state.q[i], hv0 = h * begin.state.v[i], hha0 = h * h * begin.a[i];

    // (1), (2)
    const double d = end.state.q[i] - q0 - hv0 - hha0 / 2;
    const double e = h * end.state.v[i] - hv0 - hha0;
    const double s = h * h * end.a[i] - hha0;
    const double c3 = 10 * d - 4 * e + s / 2;
    const double c4 = -15 * d + 7 * e - s;
    const double c5 = 6 * d - 3 * e + s / 2;

    // (3), (4)
    out.q[i] = q0 + x * (hv0 + x * (hha0 / 2 + x * (c3 + x * (c4 + x * c5))));
    out.v[i] = (hv0 + x * (hha0 + x * (3 * c3 + x * (4 * c4 + x * 5 * c5)))) / h;
  }
}

Status OutputProjection::start(const System& system) {
  const Structure& structure = system.structure();
  if (structure.nc == 0) return Status::ok;
  system.prepare(ev_);
  projection_.start(system);
  no_compliance_.setZero(structure.nc);
  kkt_.analyse(structure.M, structure.G);
  return structure.mass_constant ? kkt_.factor_mass(structure.M) : Status::ok;
}

Status OutputProjection::operator()(const System& system, State& state) {
  if (system.nc() == 0) return Status::ok;
  at_ = state;

  // directions M⁻¹Gᵀ at the interpolated point
  Needs wanted = need(Target::constraint_jacobian);
  if (!system.structure().mass_constant) wanted |= need(Target::mass);
  if (const Status status = system.evaluate(wanted, {at_.t, at_.q, at_.v}, ev_);
      status != Status::ok)
    return status;
  if (!system.structure().mass_constant)
    if (const Status status = kkt_.factor_mass(ev_.M); status != Status::ok) return status;
  if (const Status status = kkt_.factor_constraints(ev_.G, no_compliance_); status != Status::ok)
    return status;

  const Needs rates = needs(Target::constraint_jacobian, Target::constraint_rate);
  if (const Status status = projection_.position(system, kkt_, at_, ev_, rates);
      status != Status::ok)
    return status;
  if (const Status status = projection_.velocity(system, kkt_, ev_, at_.v); status != Status::ok)
    return status;
  std::swap(state, at_);
  return Status::ok;
}

}  // namespace taut
