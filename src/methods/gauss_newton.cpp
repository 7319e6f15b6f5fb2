// SPDX-License-Identifier: BSD-3-Clause
#include "methods/gauss_newton.hpp"

#include <fmt/format.h>

#include <cmath>

#include "model/finite.hpp"
#include "taut/methods/fits.hpp"

namespace taut {
namespace {

constexpr Needs of_rows = needs(Target::constraint, Target::constraint_jacobian);
constexpr Needs in_step = of_rows | need(Target::force);
constexpr Needs at_start = in_step | need(Target::constraint_curvature);
// of Row::scale: rounding of g with some room, far below b c of any step worth taking
constexpr double on_constraint = 1e-12;
// of b c: less is a start that knows nothing of b
constexpr double near_smooth = 0.1;
constexpr int lift_iterations = 60;

double largest(const Vec& x) { return x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0.0; }

}  // namespace

Status GaussNewton::start(const System& system, const State& state) {
  const Structure& structure = system.structure();
  message_ = refusal(info, structure).text();
  if (message_.empty() && !(options_.beta >= 0.25))
    message_ = fmt::format("gauss-newton is unstable with beta = {}: take 0.3, or at least 0.25",
                           options_.beta);
  if (!message_.empty()) return Status::not_supported;
  system.prepare(ev_);
  kkt_.analyse(structure.M, structure.G);
  if (const Status st = kkt_.factor_mass(structure.M); st != Status::ok) return st;
  a_ = a_begin_ = x_ = Vec::Zero(system.nq());
  lambda_ = lambda_begin_ = s_ = compliance_ = Vec::Zero(system.nc());
  from_ = next_ = state;
  current_ = stepped_ = begin_known_ = false;

  if (const Status st = first_multipliers(system, state); st != Status::ok) return st;
  fresh_ = on_constraints(structure);
  known_ = true;
  return Status::ok;
}

bool GaussNewton::on_constraints(const Structure& structure) const {
  for (const Row& row : structure.rows)
    if (row.equation >= 0 && row.compliance == 0.0 &&
        std::abs(ev_.g[row.equation]) > on_constraint * row.scale)
      return false;
  return structure.nc > 0;
}

// λ = g/C of compliant rows; G a = -c of the others
Status GaussNewton::first_multipliers(const System& system, const State& at) {
  const Structure& structure = system.structure();
  ++counters.force_evaluations;
  const Arguments here{.t = at.t, .q = at.q, .v = at.v};
  if (const Status st = system.evaluate(at_start, here, ev_); st != Status::ok) return st;
  constant_force_ = ev_.f;
  for (Index c = 0; c < structure.nc; ++c) {
    const bool compliant = structure.C[c] > 0.0;
    lambda_[c] = compliant ? ev_.g[c] / structure.C[c] : 0.0;
    s_[c] = compliant ? 0.0 : -ev_.curvature[c];
    compliance_[c] = compliant ? 1.0 : 0.0;
  }
  ev_.f.noalias() -= ev_.G.transpose() * lambda_;
  // the solve leaves out rows without entries
  for (Index c = 0; c < structure.nc; ++c)
    if (structure.C[c] > 0.0)
      for (Sparse::InnerIterator entry(ev_.G, c); entry; ++entry) entry.valueRef() = 0.0;
  if (const Status st = kkt_.factor_constraints(ev_.G, compliance_); st != Status::ok) return st;
  kkt_.solve(ev_.f, s_, a_, lambda_begin_);
  lambda_ += lambda_begin_;
  return Status::ok;
}

Status GaussNewton::step(const System& system, double h, State& s) {
  ++counters.steps;
  const State* from = &s;
  if (fresh_) {
    from_ = s;
    if (const Status st = onto_smooth_motion(system, h, from_); st != Status::ok) return st;
    from = &from_;
  }
  set_step(h, system.structure());
  known_ = false;
  if (!current_)
    if (const Status st = accelerate(system, *from, a_, lambda_); st != Status::ok) return st;

  // (2)
  const Index nq = s.q.size();
  next_.t = from->t + h;
  for (Index i = 0; i < nq; ++i) {
    next_.v[i] = from->v[i] + h / 2 * a_[i];
    next_.q[i] = from->q[i] + h * next_.v[i];
  }
  current_ = false;  // until the state is where a_ is
  if (const Status st = accelerate(system, next_, a_, lambda_); st != Status::ok) return st;
  next_.v += h / 2 * a_;
  // f and G are finite
  if (!all_finite({lambda_.data(), static_cast<std::size_t>(lambda_.size())}))
    return Status::non_finite;

  // commit: nothing above has touched the caller's state, and next_ becomes what it was
  if (fresh_) std::swap(s, from_);
  t_begin_ = s.t;
  s.t = t_end_ = next_.t;
  s.q.swap(next_.q);
  s.v.swap(next_.v);
  current_ = known_ = stepped_ = true;
  begin_known_ = fresh_ = false;
  return Status::ok;
}

void GaussNewton::set_step(double h, const Structure& structure) {
  const double b = options_.beta * h * h;
  if (b == b_ && current_) return;
  b_ = b;
  current_ = false;
  compliance_ = structure.C / b;
}

// (1)
Status GaussNewton::accelerate(const System& system, const State& at, Vec& a, Vec& lambda) {
  ++counters.force_evaluations;
  ++counters.factorisations;
  const Arguments here{.t = at.t, .q = at.q, .v = at.v};
  const bool constant = system.structure().force_constant;
  const Needs wanted = constant ? of_rows : in_step;
  if (const Status st = system.evaluate(wanted, here, ev_); st != Status::ok) return st;
  ev_.g *= -1.0 / b_;
  return kkt_.factor_and_solve(ev_.G, compliance_, constant ? constant_force_ : ev_.f, ev_.g, a,
                               lambda);
}

// The start.
// -------------------------------------------------------------------------------------------

// (3) for the rigid rows, and for compliant rows that are near g = Cλ already: others vibrate, as
// the model does.
Status GaussNewton::onto_smooth_motion(const System& system, double h, State& s) {
  const Structure& structure = system.structure();
  const double b = options_.beta * h * h;
  const Arguments here{.t = s.t, .q = s.q, .v = s.v};
  const Needs wanted = at_start | need(Target::constraint_rate);
  ++counters.force_evaluations;
  if (const Status st = system.evaluate(wanted, here, ev_); st != Status::ok) return st;
  compliance_.setZero();
  if (const Status st = kkt_.factor_constraints(ev_.G, compliance_); st != Status::ok) return st;
  s_ = -ev_.curvature;
  kkt_.solve(ev_.f, s_, a_begin_, lambda_begin_);
  Vec shift = b * ev_.curvature, rate = ev_.G * s.v + ev_.g_t;
  const Vec stretch = ev_.g - structure.C.cwiseProduct(lambda_begin_);
  if (const Status st = smooth_rate(system, h, s, s_); st != Status::ok) return st;
  for (Index c = 0; c < structure.nc; ++c) {
    const bool smooth =
        structure.C[c] == 0.0 || std::abs(stretch[c]) <= near_smooth * std::abs(shift[c]);
    if (smooth)
      rate[c] += s_[c];
    else
      shift[c] = 0.0;
  }

  // q + x,  G x = b c
  kkt_.solve_constraint(shift, x_, lambda_begin_);
  lambda_begin_ = -lambda_begin_;
  message_.clear();
  if (const Status st = lift_velocities(system, lambda_begin_, s); st != Status::ok) {
    message_ = fmt::format(
        "the constraints would turn by more than a radian in the first step of {} s: take smaller "
        "steps",
        h);
    return st;
  }
  s.q += x_;

  // a kick at the new place
  const Arguments there{.t = s.t, .q = s.q, .v = s.v};
  const Needs rates = needs(Target::constraint_jacobian, Target::constraint_rate);
  if (const Status st = system.evaluate(rates, there, ev_); st != Status::ok) return st;
  if (const Status st = kkt_.factor_constraints(ev_.G, compliance_); st != Status::ok) return st;
  s_ = rate - ev_.g_t;
  s_.noalias() -= ev_.G * s.v;
  kkt_.solve_constraint(s_, x_, lambda_begin_);
  s.v += x_;
  return Status::ok;
}

// The rate of (3): derivatives along the motion, with a in a_begin_, are differences over two
// steps, as exact as the method.
Status GaussNewton::smooth_rate(const System& system, double h, const State& s, Vec& rate) {
  const Needs wanted = needs(Target::constraint_jacobian, Target::constraint_curvature);
  const double of_curvature = options_.beta * h * h - h * h / 6, of_jacobian = -h * h / 6;
  rate.setZero();
  for (const double sign : {1.0, -1.0}) {
    const double d = sign * h;
    next_.q = s.q + d * s.v + d * d / 2 * a_begin_;
    next_.v = s.v + d * a_begin_;
    const Arguments there{.t = s.t + d, .q = next_.q, .v = next_.v};
    if (const Status st = system.evaluate(wanted, there, ev_); st != Status::ok) return st;
    rate += of_curvature / (2 * d) * ev_.curvature;
    rate.noalias() += of_jacobian / (2 * d) * (ev_.G * a_begin_);
  }
  return Status::ok;
}

// The shift q + M⁻¹G(q)ᵀν takes the momenta with it, p' = (dq'/dq)⁻ᵀ p, so that every momentum of a
// symmetry stays what it was:  (M + H) v' = M v,  H = d(Gᵀν)/dq,  by iteration, as H = O(h²)
Status GaussNewton::lift_velocities(const System& system, const Vec& nu, State& s) {
  const Vec zero = Vec::Zero(s.q.size()), given = s.v;
  const Arguments here{.t = s.t, .q = s.q, .v = s.v, .a = &zero, .lambda = &nu};
  const Status st = system.evaluate(need(Target::constraint_stiffness), here, ev_);
  if (st == Status::not_supported)
    return Status::ok;  // a reading without it has no symmetry to keep
  if (st != Status::ok) return st;
  Vec y(s.v.size());
  for (int k = 0; k < lift_iterations; ++k) {
    y.noalias() = ev_.H * s.v;
    kkt_.solve_mass(y, y);
    y = given - y;
    s.v.swap(y);
    y -= s.v;
    if (largest(y) <= 0x1p-51 * largest(given)) return Status::ok;
  }
  return Status::iteration_limit;
}

Status GaussNewton::multipliers(const System& system, const State& at, Vec& a, Vec& lambda) {
  if (a_.size() != at.q.size()) return Status::not_supported;  // start() has refused
  // a failed step has left its own
  if (!known_) {
    const Status st =
        stepped_ ? accelerate(system, at, a_, lambda_) : first_multipliers(system, at);
    if (st != Status::ok) return st;
    known_ = true;
  }
  const double x = stepped_ ? (at.t - t_begin_) / (t_end_ - t_begin_) : 1.0;
  if (std::abs(x - 1.0) < 1e-9) {
    a = a_;
    lambda = lambda_;
    return Status::ok;
  }
  if (!begin_known_) {
    next_.t = t_begin_;
    if (const Status st = accelerate(system, next_, a_begin_, lambda_begin_); st != Status::ok)
      return st;
    begin_known_ = true;
  }
  a = x * a_ + (1.0 - x) * a_begin_;
  lambda = x * lambda_ + (1.0 - x) * lambda_begin_;
  return Status::ok;
}

void GaussNewton::archive(Archive& archive) {
  archive.tag(info.name);
  archive(counters, fresh_, stepped_, current_, t_begin_, t_end_, b_);
  archive(compliance_, a_, lambda_);
}

}  // namespace taut
