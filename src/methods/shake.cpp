// SPDX-License-Identifier: BSD-3-Clause
#include "methods/shake.hpp"

#include "taut/methods/fits.hpp"

namespace taut {

Status Shake::start(const System& system, const State& state) {
  const Structure& structure = system.structure();
  message_ = refusal(info, structure).text();
  if (!message_.empty()) return Status::not_supported;
  system.prepare(ev_);
  kkt_.analyse(structure.M, structure.G);
  if (const Status st = kkt_.factor_mass(structure.M); st != Status::ok) return st;
  prediction_.start(system.nc());
  no_compliance_ = lambda_ = Vec::Zero(system.nc());
  r_ = a_ = Vec::Zero(system.nq());
  next_ = after_ = state;
  v_ = state.v;
  ahead_ = false;
  projection_.start(system);
  if (const Status st = Projection::rehearse(system, state, ev_); st != Status::ok) return st;
  const Status st = evaluate_and_factor(system, state);
  current_ = st == Status::ok;
  return st;
}

Status Shake::step(const System& system, double h, State& s) {
  ++counters.steps;
  const Status st = try_step(system, h, s);
  current_ = false;  // kkt_ and ev_ have moved on
  projection_.report(counters);
  ahead_ = st == Status::ok;
  if (st != Status::ok) return st;

  // commit; next_.v is v½ and after_.v the v½ of the following step
  h_ = h;
  s.t = next_.t;
  s.q.swap(next_.q);
  s.v = v_ = (next_.v + after_.v) / 2;
  std::swap(next_, after_);
  return Status::ok;
}

Status Shake::try_step(const System& system, double h, const State& s) {
  // (1), (2), unless the step before has looked ahead just as far, with these velocities
  if (!ahead_ || h != h_ || s.v != v_) {
    if (!current_)
      if (const Status st = evaluate_and_factor(system, s); st != Status::ok) return st;
    if (const Status st = look_ahead(system, h, h / 2, s, next_); st != Status::ok) return st;
  }
  // (4); (3) follows from it when the step is committed
  if (const Status st = evaluate_and_factor(system, next_); st != Status::ok) return st;
  return look_ahead(system, h, h, next_, after_);
}

Status Shake::evaluate_and_factor(const System& system, const State& at) {
  ++counters.force_evaluations;
  ++counters.factorisations;
  const Arguments here{.t = at.t, .q = at.q, .v = at.v};
  const Needs wanted = needs(Target::force, Target::constraint_jacobian);
  if (const Status st = system.evaluate(wanted, here, ev_); st != Status::ok) return st;
  return kkt_.factor_constraints(ev_.G, no_compliance_);
}

Status Shake::look_ahead(const System& system, double h, double kick, const State& from,
                         State& to) {
  prediction_.predict(h, lambda_);
  r_ = ev_.f;
  r_.noalias() -= ev_.G.transpose() * lambda_;
  kkt_.solve_mass(r_, a_);
  to.t = from.t + h;
  to.v = from.v + kick * a_;
  to.q = from.q + h * to.v;

  // pull back along M⁻¹Gᵀ at `from`
  if (const Status st = projection_.position(system, kkt_, to, ev_); st != Status::ok) return st;
  to.v += projection_.correction() / h;
  lambda_ += 1.0 / (h * kick) * projection_.lambda();
  prediction_.keep(h, lambda_);
  return Status::ok;
}

void Shake::archive(Archive& archive) {
  archive.tag(info.name);
  archive(counters, prediction_, ahead_, h_, next_, v_);
  // what start() has evaluated, a run that was never interrupted does not have
  if (archive.loading() && ahead_) current_ = false;
}

}  // namespace taut
