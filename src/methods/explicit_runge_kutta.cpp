// SPDX-License-Identifier: BSD-3-Clause
#include "methods/explicit_runge_kutta.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

#include "readings/base_of.hpp"
#include "taut/methods/fits.hpp"

namespace taut {
namespace {

// of their usual distance from depending on each other: there constraints depend for a moment
constexpr double momentary = 0.01;

// what the projection of a velocity reads
constexpr Needs on_constraints = needs(Target::constraint_jacobian, Target::constraint_rate);

// Of a reading in which every row of the model is an equation, the model: its forces and its rows.
System rigid_base(const System& system) {
  const auto& rows = system.structure().rows;
  const bool all =
      std::all_of(rows.begin(), rows.end(), [](const Row& row) { return row.equation >= 0; });
  return all ? base_of(system) : system;
}

// y += factor Σ w_i k_i in one pass, each sum from the left; tables have many zeros
void add(double factor, std::span<const double> w, const std::vector<Vec>& k, Vec& y) {
  struct Term {
    double weight;
    const double* k;
  };
  constexpr std::size_t most = 16;  // stages of all tables, dense output included
  assert(w.size() <= most);
  std::array<Term, most> terms;
  std::size_t count = 0;
  for (std::size_t i = 0; i < w.size(); ++i)
    if (w[i] != 0.0) terms[count++] = {factor * w[i], k[i].data()};
  const std::span<const Term> all{terms.data(), count};
  double* const to = y.data();
  using Four = Eigen::Array4d;
  Index i = 0;
  for (; i + 4 <= y.size(); i += 4) {
    Four sum = Eigen::Map<const Four>(to + i);
    for (const Term& term : all) sum += term.weight * Eigen::Map<const Four>(term.k + i);
    Eigen::Map<Four>(to + i) = sum;
  }
  for (; i < y.size(); ++i) {
    double sum = to[i];
    for (const Term& term : all) sum += term.weight * term.k[i];
    to[i] = sum;
  }
}

}  // namespace

Status ExplicitRungeKutta::start(const System& system, const State& s, const MethodInfo& info,
                                 std::string& why) {
  const Structure& structure = system.structure();
  why = refusal(info, structure).text();
  if (!why.empty()) return Status::not_supported;
  if (const Status st = accelerations_.start(system); st != Status::ok) return st;
  fused_.start(rigid_base(system));
  const Vec zero = Vec::Zero(system.nq());
  kq_.assign(static_cast<std::size_t>(tableau_->all_stages()), zero);
  kv_ = kq_;
  rq_.assign(static_cast<std::size_t>(3 + tableau_->dense_rows()), zero);
  rv_ = rq_;
  no_compliance_ = lambda_ = Vec::Zero(system.nc());
  from_ = next_ = point_ = s;
  committed_ = dense_ready_ = false;
  independence_ = independence_at_begin_ = independence_at_end_ = 1.0;
  fewest_ = system.nc();
  best_independence_ = expected_independence_;
  if (structure.has_manifold) {
    // finds room for what a projection needs
    system.prepare(ev_);
    if (const Status st = system.project(point_, ev_); st != Status::ok) {
      why = "the start is too far from the manifold of slow motions: take a smooth start";
      return st;
    }
  }
  if (system.nc() > 0) {
    system.prepare(ev_);
    projection_.start(system);
    if (const Status st = Projection::rehearse(system, s, ev_, on_constraints); st != Status::ok)
      return st;
    kkt_.analyse(structure.M, structure.G);
    if (structure.mass_constant)
      if (const Status st = kkt_.factor_mass(structure.M); st != Status::ok) return st;
    of_ = system.shared();
    // finds room for the null space where constraints depend on each other
    if (const Status st = factor_at(system, s); st != Status::ok) return st;
  }
  return evaluate(system, s, 0);
}

Status ExplicitRungeKutta::restart(const System& system, const State& s) {
  // what is remembered of an evaluation may be of other values
  if (const Status st = accelerations_.start(system); st != Status::ok) return st;
  fused_.start(rigid_base(system));
  const Structure& structure = system.structure();
  if (structure.has_manifold || system.nc() > 0) system.prepare(ev_);
  if (system.nc() > 0 && of_ != system.shared()) {
    projection_.start(system);
    kkt_.analyse(structure.M, structure.G);
    if (structure.mass_constant)
      if (const Status st = kkt_.factor_mass(structure.M); st != Status::ok) return st;
    of_ = system.shared();
  }
  from_ = next_ = point_ = s;
  committed_ = dense_ready_ = false;
  // other constraints may depend on each other than before
  independence_ = independence_at_begin_ = independence_at_end_ = 1.0;
  fewest_ = system.nc();
  best_independence_ = 0.0;
  return evaluate(system, s, 0);
}

Status ExplicitRungeKutta::evaluate(const System& system, const State& at, int i) {
  ++counters.force_evaluations;
  if (system.nc() > 0 || !system.structure().mass_constant) ++counters.factorisations;
  const auto k = static_cast<std::size_t>(i);
  kq_[k] = at.v;
  // the factorisation of the last stage is that of the projection
  double independence = 1.0;
  if (i != tableau_->stages - 1 && fused_(at.t, at.q, at.v, kv_[k], independence)) {
    if (system.nc() > 0) watch_independence(0, independence);
    if (i == 0) independence_at_begin_ = independence_at_end_;
    return Status::ok;
  }
  if (i < tableau_->stages - 1) {
    // far enough from each other for watch_independence() to see nothing
    const double far = std::max(1e-6, momentary * best_independence_);
    bool alone = false;
    const Status st =
        accelerations_.at_stage(system, at.t, at.q, at.v, kv_[k], lambda_, far, alone);
    if (i == 0 && alone) independence_at_begin_ = 1.0;
    if (st != Status::ok || alone || system.nc() == 0) return st;
  } else if (const Status st = accelerations_(system, at.t, at.q, at.v, kv_[k], lambda_);
             st != Status::ok || system.nc() == 0) {
    return st;
  }
  const Kkt& kkt = accelerations_.kkt();
  watch_independence(static_cast<std::int64_t>(kkt.dependent().size()), kkt.independence());
  if (i == 0) independence_at_begin_ = independence_at_end_;
  return Status::ok;
}

void ExplicitRungeKutta::watch_independence(std::int64_t dependent, double here) {
  fewest_ = std::min(fewest_, dependent);
  if (dependent <= fewest_) best_independence_ = std::max(best_independence_, here);
  // a small one that stays as it is belongs to the mechanism
  const double relative = here / best_independence_;
  independence_at_end_ = dependent > fewest_ ? 0.0 : relative < momentary ? relative : 1.0;
  independence_ = std::min(independence_, independence_at_end_);
}

Status ExplicitRungeKutta::stages(const System& system, double h, const State& s) {
  if (committed_) {
    kq_[0].swap(kq_[static_cast<std::size_t>(tableau_->stages)]);
    kv_[0].swap(kv_[static_cast<std::size_t>(tableau_->stages)]);
    committed_ = dense_ready_ = false;
    // a thermostat may have changed the velocities since
    if (s.v != next_.v)
      if (const Status st = evaluate(system, s, 0); st != Status::ok) return st;
  }
  from_ = s;
  independence_ = 1.0;
  for (int i = 1; i < tableau_->stages; ++i) {
    stage_point(h, i, point_);
    if (const Status st = evaluate(system, point_, i); st != Status::ok) return st;
  }
  stage_point(h, tableau_->stages, next_);
  return Status::ok;
}

void ExplicitRungeKutta::stage_point(double h, int i, State& to) const {
  to.t = from_.t + tableau_->c[static_cast<std::size_t>(i)] * h;
  to.q = from_.q;
  to.v = from_.v;
  add(h, tableau_->row(i), kq_, to.q);
  add(h, tableau_->row(i), kv_, to.v);
}

Status ExplicitRungeKutta::finish(const System& system, double t1) {
  // the caller's end of the step: from_.t + h but for rounding
  next_.t = t1;
  if (const Status st = project(system, accelerations_.kkt(), next_); st != Status::ok) return st;
  const Status st = evaluate(system, next_, tableau_->stages);
  independence_at_next_ = independence_at_end_;
  if (st == Status::ok) estimate_rate();
  return st;
}

void ExplicitRungeKutta::estimate_rate() {
  const auto s = static_cast<std::size_t>(tableau_->stages);
  const double change = (kq_[s] - kq_[s - 1]).squaredNorm() + (kv_[s] - kv_[s - 1]).squaredNorm();
  const double distance = (next_.q - point_.q).squaredNorm() + (next_.v - point_.v).squaredNorm();
  rate_ = distance > 0.0 ? std::sqrt(change / distance) : 0.0;
}

Status ExplicitRungeKutta::project(const System& system, const Kkt& kkt, State& at) {
  if (system.structure().has_manifold) return system.project(at, ev_);
  if (system.nc() == 0) return Status::ok;
  Status st = projection_.position(system, kkt, at, ev_, on_constraints);
  if (st == Status::ok) st = projection_.velocity(system, kkt, ev_, at.v);
  projection_.report(counters);
  return st;
}

Status ExplicitRungeKutta::factor_at(const System& system, const State& at) {
  const bool constant = system.structure().mass_constant;
  const Needs wanted = need(Target::constraint_jacobian) | (constant ? 0 : need(Target::mass));
  const Arguments here{.t = at.t, .q = at.q, .v = at.v};
  if (const Status st = system.evaluate(wanted, here, ev_); st != Status::ok) return st;
  ++counters.factorisations;
  return constant ? kkt_.factor_constraints(ev_.G, no_compliance_)
                  : kkt_.factor(ev_.M, ev_.G, no_compliance_);
}

void ExplicitRungeKutta::commit(State& s) {
  s = next_;
  independence_at_begin_ = independence_at_next_;
  committed_ = true;
}

void ExplicitRungeKutta::combine(std::span<const double> w, Vec& dq, Vec& dv) const {
  dq.setZero();
  dv.setZero();
  add(1.0, w, kq_, dq);
  add(1.0, w, kv_, dv);
}

Status ExplicitRungeKutta::prepare_dense(const System& system) {
  const double h = next_.t - from_.t;
  const int s = tableau_->stages;
  for (int i = s + 1; i < tableau_->all_stages(); ++i) {
    stage_point(h, i, point_);
    if (const Status st = evaluate(system, point_, i); st != Status::ok) return st;
  }
  // (5) of ExplicitTableau
  const auto coefficients = [&](const Vec& y0, const Vec& y1, const std::vector<Vec>& k,
                                std::vector<Vec>& r) {
    r[0] = y1 - y0;
    r[1] = h * k[0] - r[0];
    r[2] = r[0] - h * k[static_cast<std::size_t>(s)] - r[1];
    for (int m = 0; m < tableau_->dense_rows(); ++m) {
      Vec& r_m = r[static_cast<std::size_t>(3 + m)];
      r_m.setZero();
      add(h, tableau_->dense_row(m), k, r_m);
    }
  };
  coefficients(from_.q, next_.q, kq_, rq_);
  coefficients(from_.v, next_.v, kv_, rv_);
  dense_ready_ = true;
  return Status::ok;
}

Status ExplicitRungeKutta::interpolate(const System& system, double t, State& out) {
  assert(committed_);
  if (t == next_.t || t == from_.t) {
    out = t == next_.t ? next_ : from_;
    return Status::ok;
  }
  if (!dense_ready_)
    if (const Status st = prepare_dense(system); st != Status::ok) return st;

  // (4) of ExplicitTableau, from the inside out
  const double theta = (t - from_.t) / (next_.t - from_.t);
  point_.t = t;
  point_.q.setZero();
  point_.v.setZero();
  for (int m = static_cast<int>(rq_.size()) - 1; m >= 0; --m) {
    const double factor = m % 2 == 0 ? theta : 1.0 - theta;
    point_.q = factor * (point_.q + rq_[static_cast<std::size_t>(m)]);
    point_.v = factor * (point_.v + rv_[static_cast<std::size_t>(m)]);
  }
  point_.q += from_.q;
  point_.v += from_.v;

  if (system.nc() > 0)
    if (const Status st = factor_at(system, point_); st != Status::ok) return st;
  if (const Status st = project(system, kkt_, point_); st != Status::ok) return st;
  out = point_;
  return Status::ok;
}

Status ExplicitRungeKutta::rates(const System& system, double t, State& rate) {
  assert(committed_);
  if (!dense_ready_)
    if (const Status st = prepare_dense(system); st != Status::ok) return st;
  // the derivative of (4) of ExplicitTableau, from the inside out with its value
  const double h = next_.t - from_.t, theta = (t - from_.t) / h;
  const auto nested = [&](const std::vector<Vec>& r, Vec& value, Vec& slope) {
    value.setZero(r[0].size());
    slope.setZero(r[0].size());
    for (int m = static_cast<int>(r.size()) - 1; m >= 0; --m) {
      const bool even = m % 2 == 0;
      const double factor = even ? theta : 1.0 - theta;
      value += r[static_cast<std::size_t>(m)];
      slope = factor * slope + (even ? value : -value);
      value *= factor;
    }
    slope /= h;
  };
  nested(rq_, point_.q, rate.q);
  nested(rv_, point_.v, rate.v);
  return Status::ok;
}

}  // namespace taut
