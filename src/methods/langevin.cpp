// SPDX-License-Identifier: BSD-3-Clause
#include "methods/langevin.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "readings/readings.hpp"

namespace taut {
namespace {

Needs at_point(const Structure& structure) {
  const Needs mass = structure.mass_constant ? 0 : need(Target::mass);
  const Needs rows =
      structure.nc > 0 ? needs(Target::constraint_jacobian, Target::constraint_rate) : Needs{0};
  return mass | rows;
}

}  // namespace

Langevin::Langevin(Method method, const HeatBath& bath)
    : method_{std::move(method)}, bath_{bath}, normal_{bath.seed} {}

MethodInfo Langevin::claims() const {
  MethodInfo claims = method_.info();
  claims.order = info.order;
  claims.symmetric = claims.symplectic = false;
  claims.thermal = true;
  return claims;
}

std::string Langevin::refusal(const Structure& structure) const {
  const std::string_view name = method_.info().name;
  if (method_.info().adaptive)
    return fmt::format(
        "{} chooses its own steps, and a heat bath needs constant ones: take verlet, rattle or "
        "gauss-newton",
        name);
  const bool rate = bath_.friction > 0.0, drag = bath_.drag > 0.0;
  if (rate == drag || !(bath_.temperature >= 0.0))
    return fmt::format(
        "a heat bath has a temperature >= 0 and either friction or drag > 0, and here it has {}, "
        "{} and {}",
        bath_.temperature, bath_.friction, bath_.drag);
  if (drag && !(structure.mass_constant && structure.mass_diagonal))
    return "drag needs a constant diagonal mass matrix: give friction, one rate for all "
           "coordinates";
  return {};
}

Status Langevin::start(const System& system, const State& state) {
  message_ = refusal(system.structure());
  if (!message_.empty()) return Status::not_supported;
  if (const Status st = method_->start(system, state); st != Status::ok) return st;
  count();

  const bool compliant = (system.structure().C.array() > 0.0).any();
  rigid_ = compliant ? springs(system) : system;
  const Structure& structure = rigid_.structure();
  rigid_.prepare(ev_);
  kkt_.analyse(structure.M, structure.G);
  if (structure.mass_constant)
    if (const Status st = kkt_.factor_mass(structure.M); st != Status::ok) return st;
  projection_.start(rigid_);
  no_compliance_ = Vec::Zero(structure.nc);
  c_ = noise_ = xi_ = kick_ = Vec::Zero(structure.nq);
  h_ = 0.0;
  next_ = state;
  return factor(state);
}

Status Langevin::step(const System& system, double h, State& s) {
  message_.clear();
  if (!(h > 0.0)) {
    message_ = "friction and noise have no way back: the step must be > 0";
    return Status::not_supported;
  }
  if (astray_) {
    // the method has taken a step that was not kept
    if (const Status st = method_->start(system, s); st != Status::ok) return st;
    astray_ = false;
  }
  next_ = s;
  Status st = method_->step(system, h, next_);
  if (st == Status::ok) {
    st = warm(h);
    astray_ = st != Status::ok;
  }
  count();
  if (st != Status::ok) return st;

  // commit: nothing above has touched the caller's state
  ++n_;
  s.t = next_.t;
  s.q.swap(next_.q);
  s.v.swap(next_.v);
  return Status::ok;
}

// (3), (4) at next_
Status Langevin::warm(double h) {
  if (h != h_) decay(h);
  if (const Status st = factor(next_); st != Status::ok) return st;
  normal_.fill(n_, xi_);
  kkt_.half_solve_mass_transposed(xi_, kick_);
  next_.v = c_.cwiseProduct(next_.v) + noise_.cwiseProduct(kick_);
  const Status st = projection_.velocity(rigid_, kkt_, ev_, next_.v);
  projection_.report(own_);
  return st;
}

// c and sqrt(kT (1 - c²)) for steps of h
void Langevin::decay(double h) {
  h_ = h;
  for (Index i = 0; i < c_.size(); ++i) {
    const double rate =
        bath_.friction > 0.0 ? bath_.friction : bath_.drag / rigid_.structure().M.coeff(i, i);
    c_[i] = std::exp(-rate * h);
    noise_[i] = std::sqrt(-bath_.temperature * std::expm1(-2 * rate * h));
  }
}

// What (3) and (4) need at a point: factors of M(q), G and its rate.
Status Langevin::factor(const State& at) {
  const Structure& structure = rigid_.structure();
  const Needs wanted = at_point(structure);
  if (wanted == 0) return Status::ok;
  if (const Status st = rigid_.evaluate(wanted, {at.t, at.q, at.v}, ev_); st != Status::ok)
    return st;
  ++own_.factorisations;
  if (structure.nc > 0) ++own_.constraint_evaluations;
  if (!structure.mass_constant)
    if (const Status st = kkt_.factor_mass(ev_.M); st != Status::ok) return st;
  return structure.nc > 0 ? kkt_.factor_constraints(ev_.G, no_compliance_) : Status::ok;
}

Status Langevin::multipliers(const System& system, const State& at, Vec& a, Vec& lambda) {
  return method_->multipliers(system, at, a, lambda);
}

std::string Langevin::message() const { return message_.empty() ? method_->message() : message_; }

void Langevin::count() {
  counters = method_->counters();
  counters.constraint_evaluations += own_.constraint_evaluations;
  counters.factorisations += own_.factorisations;
  counters.newton_iterations += own_.newton_iterations;
}

void Langevin::archive(Archive& archive) {
  archive.tag(info.name);
  archive(n_, own_);
  if (n_ < 0) throw std::runtime_error{"a number of steps below 0"};
  method_->archive(archive);
  archive(method_->counters());
  count();
}

}  // namespace taut
