// SPDX-License-Identifier: BSD-3-Clause
// Zhang and Skeel's method, with its third derivatives and without.
#include "methods/zhang_skeel.hpp"

#include "taut/methods/fits.hpp"

namespace taut {

Status SimplifiedFilter::start(const MethodInfo& method, const System& system, const State& state,
                               Counters& counters) {
  const Structure& structure = system.structure();
  message_ = refusal(method, structure).text();
  if (!message_.empty()) return Status::not_supported;
  system.prepare(ev_);
  matrix_.analyse(structure.M, structure.K);
  // rehearsal, in which the matrix is M
  Vec a = Vec::Zero(system.nq());
  const Status st = (*this)(system, state, 0.0, a, counters);
  return st == Status::indefinite_matrix ? Status::mass_singular : st;
}

Status SimplifiedFilter::operator()(const System& system, const State& at, double h, Vec& a,
                                    Counters& counters) {
  message_.clear();
  ++counters.force_evaluations;
  ++counters.jacobian_evaluations;
  const Arguments here{.t = at.t, .q = at.q, .v = at.v, .a = &a};
  if (const Status st = system.evaluate(needs(Target::force, Target::stiffness), here, ev_);
      st != Status::ok)
    return st;
  ++counters.factorisations;
  if (const Status st = matrix_.factor(ev_.K, h); st != Status::ok) {
    message_ = matrix_.reason(system.structure(), ev_.K, at.t);
    return st;
  }
  matrix_.solve(ev_.f, a);
  return Status::ok;
}

Status SymplecticFilter::start(const System& system, const State& state, Counters& counters) {
  if (const Status st = linear_.start(info, system, state, counters); st != Status::ok) return st;
  const Structure& structure = system.structure();
  system.prepare(ev_);
  mass_.analyse(structure.M, structure.G);
  if (const Status st = mass_.factor_mass(structure.M); st != Status::ok) return st;
  third_ = Vec::Zero(system.nq());
  return third(system, state, third_);
}

Status SymplecticFilter::operator()(const System& system, const State& at, double h, Vec& a,
                                    Counters& counters) {
  // (1)
  if (const Status st = linear_(system, at, h, a, counters); st != Status::ok) return st;
  // (2)
  if (const Status st = third(system, at, a); st != Status::ok) return st;
  const double b = linear_.b(h);
  a -= b * b / 2 * third_;
  return Status::ok;
}

Status SymplecticFilter::third(const System& system, const State& at, const Vec& a) {
  const Arguments here{.t = at.t, .q = at.q, .v = at.v, .a = &a};
  if (const Status st = system.evaluate(need(Target::third), here, ev_); st != Status::ok)
    return st;
  mass_.solve_mass(ev_.third, third_);
  return Status::ok;
}

}  // namespace taut
