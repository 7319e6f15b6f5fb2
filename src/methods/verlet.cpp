// SPDX-License-Identifier: BSD-3-Clause
#include "methods/verlet.hpp"

#include "taut/methods/fits.hpp"

namespace taut {

Status Verlet::start(const System& system, const State& state) {
  const Structure& structure = system.structure();
  message_ = refusal(info, structure).text();
  if (!message_.empty()) return Status::not_supported;
  system.prepare(ev_);
  mass_.analyse(structure.M, structure.G);
  if (const Status st = mass_.factor_mass(structure.M); st != Status::ok) return st;
  a1_ = Vec::Zero(system.nq());
  next_ = state;
  return acceleration(system, state, a0_);
}

Status Verlet::step(const System& system, double h, State& s) {
  ++counters.steps;
  // (1), (2)
  next_.t = s.t + h;
  next_.v = s.v + h / 2 * a0_;
  next_.q = s.q + h * next_.v;

  // (3)
  if (const Status st = acceleration(system, next_, a1_); st != Status::ok) return st;
  next_.v += h / 2 * a1_;

  // commit: nothing above has touched the caller's state
  s.t = next_.t;
  s.q.swap(next_.q);
  s.v.swap(next_.v);
  a0_.swap(a1_);
  return Status::ok;
}

Status Verlet::acceleration(const System& system, const State& at, Vec& a) {
  ++counters.force_evaluations;
  const Arguments here{.t = at.t, .q = at.q, .v = at.v};
  if (const Status st = system.evaluate(need(Target::force), here, ev_); st != Status::ok)
    return st;
  mass_.solve_mass(ev_.f, a);
  return Status::ok;
}

void Verlet::archive(Archive& archive) {
  archive.tag(info.name);
  archive(counters);
}

}  // namespace taut
