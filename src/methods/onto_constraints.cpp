// SPDX-License-Identifier: BSD-3-Clause
#include "methods/onto_constraints.hpp"

namespace taut::sundials {

void OntoConstraints::prepare(const System& system) {
  projection_.start(system);
  system.prepare(ev_);
}

Status OntoConstraints::start(const System& system, const State& state) {
  if (system.nc() == 0) return Status::ok;
  const Arguments at{.t = state.t, .q = state.q, .v = state.v};
  return system.evaluate(need(Target::constraint_jacobian), at, ev_);
}

Status OntoConstraints::operator()(const System& system, const Kkt& kkt, State& state) {
  if (system.nc() == 0) return Status::ok;
  constexpr Needs also = needs(Target::constraint_jacobian, Target::constraint_rate);
  Status status = projection_.position(system, kkt, state, ev_, also);
  if (status == Status::ok) status = projection_.velocity(system, kkt, ev_, state.v);
  projection_.report(counters);
  return status;
}

}  // namespace taut::sundials
