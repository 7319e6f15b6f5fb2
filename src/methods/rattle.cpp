// SPDX-License-Identifier: BSD-3-Clause
#include "methods/rattle.hpp"

#include <cmath>
#include <limits>

#include "taut/methods/fits.hpp"

namespace taut {
namespace {

constexpr Needs at_point =
    needs(Target::force, Target::constraint_jacobian, Target::constraint_rate);
constexpr Needs at_point_in_momenta = needs(Target::mass, Target::momentum_force,
                                            Target::constraint_jacobian, Target::constraint_rate);
// of the iteration (4), (5): at the start of the step, at (q0, va), at (q1, vb)
constexpr Needs at_start = needs(Target::momentum, Target::momentum_force);
constexpr Needs at_a = need(Target::momentum_force);
constexpr Needs at_b = needs(Target::momentum, Target::constraint);
constexpr int max_iterations = 60;

double largest(const Vec& x) { return x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0.0; }

}  // namespace

Status Rattle::start(const System& system, const State& state) {
  const Structure& structure = system.structure();
  message_ = refusal(info, structure).text();
  if (!message_.empty()) return Status::not_supported;
  in_momenta_ = !structure.mass_constant || structure.force_uses_velocity;
  system.prepare(ev_);
  if (in_momenta_) system.prepare(at_);
  kkt_.analyse(structure.M, structure.G);
  if (const Status st = kkt_.factor_mass(structure.M); structure.mass_constant && st != Status::ok)
    return st;
  prediction_.start(system.nc());
  no_compliance_ = Vec::Zero(system.nc());
  s_ = lambda_ = no_compliance_;
  r_ = x_ = y_ = p0_ = va_ = Vec::Zero(system.nq());
  start_rolling(system);
  next_ = state;
  const Needs there = in_momenta_ ? at_point_in_momenta : at_point;
  projection_.start(system);
  if (const Status st = Projection::rehearse(system, state, ev_, there); st != Status::ok)
    return st;
  if (in_momenta_)
    for (const Needs wanted : {at_start, at_a, at_b})
      if (const Status st =
              system.evaluate(wanted, {.t = state.t, .q = state.q, .v = state.v}, at_);
          st != Status::ok)
        return st;
  return refresh(system, state);
}

Status Rattle::step(const System& system, double h, State& s) {
  ++counters.steps;
  Status st = current_ ? Status::ok : refresh(system, s);
  // from here on kkt_ and ev_ move to q1
  current_ = false;
  prediction_.predict(h, lambda_);
  if (st == Status::ok)
    st = rolling_.rows.empty() ? both_halves(system, h, s, {ev_, kkt_}) : roll(system, h, s);
  projection_.report(counters);
  if (st != Status::ok) return st;

  // commit: nothing above has touched the caller's state
  s.t = next_.t;
  s.q.swap(next_.q);
  s.v.swap(next_.v);
  prediction_.keep(h, lambda_);
  current_ = true;
  return Status::ok;
}

// What is read at q0 may stand where what is found at q1 goes.
Status Rattle::both_halves(const System& system, double h, const State& s, Begin q0) {
  const Status st =
      in_momenta_ ? positions_in_momenta(system, h, s, q0) : positions(system, h, s, q0);
  return st == Status::ok ? velocities(system, h) : st;
}

Status Rattle::positions(const System& system, double h, const State& s, Begin q0) {
  // (1), (2) with the predicted λ
  r_ = q0.ev.f;
  r_.noalias() -= q0.ev.G.transpose() * lambda_;
  q0.kkt.solve_mass(r_, x_);
  next_.t = s.t + h;
  for (Index i = 0; i < x_.size(); ++i) {
    next_.v[i] = s.v[i] + h / 2 * x_[i];
    next_.q[i] = s.q[i] + h * next_.v[i];
  }

  // pull q1 back along M⁻¹G(q0)ᵀ, and v½ and λ with it
  const Status st = projection_.position(system, q0.kkt, next_, ev_, at_point);
  if (st != Status::ok) return st;
  next_.v += projection_.correction() / h;
  lambda_ += 2.0 / (h * h) * projection_.lambda();
  return Status::ok;
}

Status Rattle::positions_in_momenta(const System& system, double h, const State& s, Begin q0) {
  // p0 and a first guess va = vb = v0 + h/2 M⁻¹ (F(q0, v0) - G(q0)ᵀλ)
  const Arguments start{.t = s.t, .q = s.q, .v = s.v};
  if (const Status st = system.evaluate(at_start, start, at_); st != Status::ok) return st;
  ++counters.force_evaluations;
  p0_ = at_.momentum;
  r_ = at_.momentum_force;
  r_.noalias() -= q0.ev.G.transpose() * lambda_;
  q0.kkt.solve_mass(r_, x_);
  va_ = s.v + h / 2 * x_;
  next_.v = va_;
  next_.t = s.t + h;
  next_.q = s.q + h * va_;

  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < max_iterations; ++k) {
    if (const Status st = newton_in_momenta(system, h, s, q0); st != Status::ok) return st;
    // done when the change is lost in q, or is noise that falls no more
    const double change = largest(x_) + std::abs(h) * largest(y_);
    const double size = largest(next_.q) + std::abs(h) * largest(va_);
    if (!std::isfinite(change)) return Status::projection_diverged;
    if (change <= 1e-16 * size || (change > 0.5 * last && change <= 1e-13 * size))
      return projection_.position(system, q0.kkt, next_, ev_, at_point_in_momenta);
    last = change;
  }
  return Status::iteration_limit;
}

// One iteration on (4), (5): Newton with the derivatives of M and F left out, so that
//   x = h (δva + δvb) / 2,   y = M⁻¹ (T_v(q1, vb) - p½),   δva = x/h + y/2,   δvb = x/h - y/2
Status Rattle::newton_in_momenta(const System& system, double h, const State& s, Begin q0) {
  const Arguments a{.t = s.t, .q = s.q, .v = va_};
  const Arguments b{.t = next_.t, .q = next_.q, .v = next_.v};
  Status st = system.evaluate(at_a, a, at_);
  if (st == Status::ok) st = system.evaluate(at_b, b, at_);
  if (st != Status::ok) return st;
  ++counters.force_evaluations;
  ++counters.constraint_evaluations;
  ++counters.newton_iterations;

  // what is missing in (4): r_ in the first equation, y_ in T_v(q1, vb) = p½
  x_ = va_ - s.v;
  y_.noalias() = q0.ev.M * x_;  // p½ - p0
  r_ = at_.momentum_force;
  r_.noalias() -= q0.ev.G.transpose() * lambda_;
  r_ = h / 2 * r_ - y_;
  y_ = at_.momentum - (p0_ + y_);
  r_ = h * r_ - h / 2 * y_;
  s_ = -at_.g;
  q0.kkt.solve_mass(y_, y_);
  q0.kkt.solve(r_, s_, x_, s_);

  lambda_ += 2.0 / (h * h) * s_;
  va_ += x_ / h + y_ / 2;
  next_.v += x_ / h - y_ / 2;
  next_.q = s.q + h / 2 * (va_ + next_.v);
  return Status::ok;
}

Status Rattle::velocities(const System& system, double h) {
  if (const Status st = factor(); st != Status::ok) return st;
  // (3) or (6): kick at q1 and drop the velocity normal to the constraints, in one solve
  s_ = -ev_.g_t;
  s_.noalias() -= ev_.G * next_.v;
  r_ = h / 2 * (in_momenta_ ? ev_.momentum_force : ev_.f);
  kkt_.solve(r_, s_, x_, s_);
  next_.v += x_;
  return projection_.velocity(system, kkt_, ev_, next_.v);
}

Status Rattle::refresh(const System& system, const State& s) {
  ++counters.force_evaluations;
  const Arguments here{.t = s.t, .q = s.q, .v = s.v};
  const Needs wanted = in_momenta_ ? at_point_in_momenta : at_point;
  if (const Status st = system.evaluate(wanted, here, ev_); st != Status::ok) return st;
  const Status st = factor();
  current_ = st == Status::ok;
  return st;
}

Status Rattle::factor() {
  ++counters.factorisations;
  return in_momenta_ ? kkt_.factor(ev_.M, ev_.G, no_compliance_)
                     : kkt_.factor_constraints(ev_.G, no_compliance_);
}

void Rattle::archive(Archive& archive) {
  archive.tag(info.name);
  archive(counters, prediction_);
}

}  // namespace taut
