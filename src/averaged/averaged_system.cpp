// SPDX-License-Identifier: BSD-3-Clause
#include "averaged/averaged_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "averaged/averaged.hpp"

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr Needs forces = needs(Target::force, Target::momentum_force);
constexpr Needs of_base =
    needs(Target::momentum, Target::kinetic_energy, Target::constraint, Target::constraint_jacobian,
          Target::constraint_rate, Target::constraint_curvature, Target::velocity_jacobian,
          Target::observable, Target::observable_q, Target::observable_v, Target::observable_t);

void copy_values(const Sparse& from, Sparse& to) {
  std::copy_n(from.valuePtr(), from.nonZeros(), to.valuePtr());
}

}  // namespace

Status AveragedForce::find(const System& base, const AveragingPlan& plan, double t, const Vec& Q) {
  micro.F.setZero();
  micro.lambda.setZero();
  evaluations = steps = 0;
  for (const AveragingPlan::Part& part : plan.parts) {
    const Status st = micro.run(base, part.window, t, Q, part.factor);
    evaluations += micro.evaluations();
    steps += micro.steps();
    if (st != Status::ok) return st;
  }
  return micro.F.allFinite() ? Status::ok : Status::non_finite;
}

/// What an Evaluation of the reading keeps.
struct AveragedSystem::Scratch final : ReadingScratch {
  explicit Scratch(const AveragedForce& started) : force{started} {}
  [[nodiscard]] std::unique_ptr<ReadingScratch> clone() const override {
    return std::make_unique<Scratch>(*this);
  }
  AveragedForce force;
  bool known = false;  // F belongs to (t, q)
  double t = 0.0;
  Vec q;
  Vec moved, ahead, behind;  // of differences
  Vec total;                 // multipliers
};

AveragedSystem::AveragedSystem(System base, AveragingPlan plan, AveragedForce force,
                               ForceScales scales)
    : base_{std::move(base)},
      plan_{std::move(plan)},
      started_{std::move(force)},
      scales_{scales},
      structure_{base_.structure()} {
  Structure& s = structure_;
  if (s.vibration.omega > 0.0) s.force_uses_time = s.vibration.slow_time;
  s.vibration = {};
  s.force_constant = false;
  s.conservative = false;
  s.differentiable = s.nq <= largest_stiffness;
  s.D = s.K = Sparse(s.nq, s.nq);
  if (s.differentiable) s.K = Mat::Ones(s.nq, s.nq).sparseView();
  s.K.makeCompressed();
  s.D.makeCompressed();
}

void AveragedSystem::prepare(Evaluation& out) const {
  base_.prepare(out);
  out.inner.resize(1);
  base_.prepare(out.inner.front());
  out.K = structure_.K;
  out.D = structure_.D;
  auto scratch = std::make_unique<Scratch>(started_);
  for (Vec* x : {&scratch->q, &scratch->moved, &scratch->ahead, &scratch->behind})
    x->setZero(structure_.nq);
  scratch->total.setZero(structure_.nc);
  out.own.reset(std::move(scratch));
}

Status AveragedSystem::evaluate(Needs wanted, const Arguments& at, Evaluation& out) const {
  const auto asks = [wanted](Target target) { return (wanted & need(target)) != 0; };
  if (asks(Target::third) || asks(Target::constraint_stiffness)) return Status::not_supported;
  if (asks(Target::stiffness) && !structure_.differentiable) return Status::not_supported;
  if ((wanted & of_base) != 0) {
    Evaluation& in = out.inner.front();
    if (const Status st = base_.evaluate(wanted & of_base, at, in); st != Status::ok) return st;
    copy(wanted, in, out);
  }
  // not a failure: a run that records energies has this much to say about them
  if (asks(Target::potential_energy))
    out.potential_energy = std::numeric_limits<double>::quiet_NaN();
  if (asks(Target::stiffness))
    if (const Status st = find_stiffness(at, out); st != Status::ok) return st;
  if ((wanted & forces) == 0) return Status::ok;
  Scratch& own = out.own.as<Scratch>();
  if (const Status st = find_force(at.t, at.q, own); st != Status::ok) return st;
  if (asks(Target::force)) out.f = own.force.micro.F;
  if (asks(Target::momentum_force)) out.momentum_force = own.force.micro.F;
  return Status::ok;
}

/// The force at the point asked for last is kept: methods ask for it, and again for multipliers.
Status AveragedSystem::find_force(double t, const Vec& q, Scratch& own) const {
  if (own.known && own.t == t && own.q == q) return Status::ok;
  own.known = false;
  const Status st = own.force.find(base_, plan_, t, q);
  evaluations_.fetch_add(own.force.evaluations, std::memory_order_relaxed);
  steps_.fetch_add(own.force.steps, std::memory_order_relaxed);
  if (st != Status::ok) return st;
  own.t = t;
  own.q = q;
  own.known = true;
  return Status::ok;
}

/// d(Gᵀλ - F)/dq by central differences. Their error is smallest where that of the formula, the
/// square of the step, is the noise of F divided by the step.
Status AveragedSystem::find_stiffness(const Arguments& at, Evaluation& out) const {
  Scratch& own = out.own.as<Scratch>();
  const double step = std::cbrt(std::max(scales_.noise, epsilon)) * scales_.length;
  own.moved = at.q;
  const Arguments there{
      .t = at.t, .q = own.moved, .v = at.v, .lambda = at.lambda, .theta = at.theta};
  for (Index j = 0; j < structure_.nq; ++j) {
    own.moved[j] = at.q[j] + step;
    const double q_ahead = own.moved[j];
    if (const Status st = residual(there, out, own.ahead); st != Status::ok) return st;
    own.moved[j] = at.q[j] - step;
    const double width = q_ahead - own.moved[j];
    if (const Status st = residual(there, out, own.behind); st != Status::ok) return st;
    own.moved[j] = at.q[j];
    for (Index i = 0; i < structure_.nq; ++i)
      out.K.valuePtr()[i * structure_.nq + j] = (own.ahead[i] - own.behind[i]) / width;
  }
  return Status::ok;
}

/// Gᵀλ - F
Status AveragedSystem::residual(const Arguments& at, Evaluation& out, Vec& r) const {
  Scratch& own = out.own.as<Scratch>();
  if (const Status st = find_force(at.t, at.q, own); st != Status::ok) return st;
  r = -own.force.micro.F;
  if (at.lambda == nullptr || structure_.nc == 0) return Status::ok;
  Evaluation& in = out.inner.front();
  if (const Status st = base_.evaluate(need(Target::constraint_jacobian), at, in); st != Status::ok)
    return st;
  r.noalias() += in.G.transpose() * *at.lambda;
  return Status::ok;
}

Status AveragedSystem::multipliers(const Arguments& at, const Vec& lambda, Evaluation& out,
                                   Vec& all_rows) const {
  Scratch& own = out.own.as<Scratch>();
  if (structure_.nc > 0) {
    if (const Status st = find_force(at.t, at.q, own); st != Status::ok) return st;
    own.total = lambda + own.force.micro.lambda;
  }
  return base_.multipliers(at, own.total, out.inner.front(), all_rows);
}

std::string AveragedSystem::culprit(const Arguments& at) const { return base_.culprit(at); }

void AveragedSystem::copy(Needs wanted, const Evaluation& in, Evaluation& out) const {
  const auto asks = [wanted](Target target) { return (wanted & need(target)) != 0; };
  if (asks(Target::momentum)) out.momentum = in.momentum;
  if (asks(Target::kinetic_energy)) out.kinetic_energy = in.kinetic_energy;
  if (asks(Target::constraint)) out.g = in.g;
  if (asks(Target::constraint_jacobian)) copy_values(in.G, out.G);
  if (asks(Target::constraint_rate)) out.g_t = in.g_t;
  if (asks(Target::constraint_curvature)) out.curvature = in.curvature;
  if (asks(Target::velocity_jacobian)) copy_values(in.N, out.N);
  if (asks(Target::observable)) out.observable = in.observable;
  if (asks(Target::observable_t)) out.observable_t = in.observable_t;
  if (asks(Target::observable_q)) copy_values(in.observable_q, out.observable_q);
  if (asks(Target::observable_v)) copy_values(in.observable_v, out.observable_v);
}

std::int64_t micro_steps(const System& system) {
  const auto* averaged = dynamic_cast<const AveragedSystem*>(&system.implementation());
  return averaged != nullptr ? averaged->micro_steps() : 0;
}

}  // namespace taut
