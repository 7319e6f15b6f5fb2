// SPDX-License-Identifier: BSD-3-Clause
#include "methods/projected_rk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>
#include <utility>

#include "core/archive_list.hpp"
#include "core/notes.hpp"
#include "curves/holonomic_constants.hpp"
#include "taut/methods/fits.hpp"

namespace taut {
namespace {

// what projections may leave of f is a thousandth of their tolerance: with this one, rounding
constexpr double projection_tolerance = 1e-11;
// of an invariant, beside the size of its gradient and of (1, v, a)
constexpr double small_rate = 1e-6;

CurveIntegratorOptions integrator_options(const ProjectedRkOptions& options,
                                          Parametrisation parameter) {
  CurveIntegratorOptions own;
  own.tableau = options.tableau;
  own.parameter = parameter;
  own.tol = options.tol;
  own.last_step_in_x = true;
  own.project_stages = options.project_stages;
  own.projection.method = options.projection;
  own.projection.tol = std::min(0.1 * options.tol, projection_tolerance);
  if (parameter == Parametrisation::time) {
    own.first_step = options.first_step;
  }
  return own;
}

bool uses_time(const Structure& structure) {
  // integrals of states, which nothing is known of, would be a part of the length
  return structure.force_uses_time || structure.constraint_uses_time || structure.nz > 0 ||
         structure.vibration.omega > 0.0;
}

int order_of(CurveTableau tableau) {
  switch (tableau) {
    case CurveTableau::euler:
      return 1;
    case CurveTableau::rk4:
      return 4;
    case CurveTableau::dopri54:
      return 5;
    case CurveTableau::dop853:
      return 8;
  }
  return 0;
}

void write(const State& state, Vec& p) {
  p[0] = state.t;
  p.segment(1, state.q.size()) = state.q;
  p.tail(state.v.size()) = state.v;
}

void read(const Vec& p, State& state) {
  const Index n = (p.size() - 1) / 2;
  state.t = p[0];
  state.q = p.segment(1, n);
  state.v = p.tail(n);
}

bool is_at(const Vec& p, const State& state) {
  const Index n = state.q.size();
  return p[0] == state.t && p.segment(1, n) == state.q && p.tail(n) == state.v;
}

void add(const Counters& more, Counters& sum) {
  sum.steps += more.steps;
  sum.rejected += more.rejected;
  sum.force_evaluations += more.force_evaluations;
  sum.constraint_evaluations += more.constraint_evaluations;
  sum.factorisations += more.factorisations;
  sum.newton_iterations += more.newton_iterations;
}

}  // namespace

ProjectedRk::ProjectedRk(ProjectedRkOptions options)
    : options_{options}, integrator_{integrator_options(options, parameter_)} {}

MethodInfo ProjectedRk::claims() const {
  MethodInfo own = info;
  own.order = order_of(options_.tableau);
  return own;
}

Status ProjectedRk::start(const System& system, const State& state) {
  started_ = false;
  message_ = refusal(info, system.structure()).text();
  if (!message_.empty()) return Status::not_supported;
  CurveForm form = holonomic_form(
      system, state, {.energy = options_.keep_energy, .distribution = options_.distribution});
  message_ = std::move(form.reason);
  if (!message_.empty()) return Status::not_supported;
  curve_ = std::move(form.curve);
  parameter_ = options_.parameter.value_or(uses_time(system.structure()) ? Parametrisation::time
                                                                         : Parametrisation::arc);
  integrator_ = CurveIntegrator{integrator_options(options_, parameter_)};
  bound_steps(most_);
  const bool second = options_.projection == ProjectionMethod::exact ||
                      options_.projection == ProjectionMethod::inexact;
  if (second && curve_.equations() > 0 && !curve_.structure().second_derivatives) {
    message_ =
        "exact and inexact projections need second derivatives of all equations, which are not "
        "known of this system: take identity or gauss-newton";
    return Status::not_supported;
  }
  p_ = point_ = Vec::Zero(curve_.size());
  before_ = {};
  integrator_.counters = {};
  first_ = true;
  curve_.prepare(ev_);
  onto_.start(curve_);
  const Status status = start_at(state, 1.0);
  started_ = status == Status::ok;
  return status;
}

Status ProjectedRk::start_at(const State& state, double sense) {
  count();
  before_ = counters;
  write(state, p_);
  sense_ = sense;
  t_from_ = state.t;
  if (const Status st = integrator_.start(curve_, p_, sense); st != Status::ok) return fail(st);
  write(state, p_);
  count();
  return check_invariants(p_, small_rate);
}

Status ProjectedRk::check_invariants(const Vec& p, double small) {
  message_ = lost_invariant(curve_, p, integrator_.direction(), small, ev_);
  if (message_.empty()) return Status::ok;
  started_ = false;
  return Status::constraints_contradict;
}

Status ProjectedRk::fail(Status status) {
  count();
  // what is no invariant may be the cause though it hardly changes yet, where projections are bound
  // to fail as soon as it does
  if (started_)
    if (const Status st = check_invariants(p_, 1e-12); st != Status::ok) return st;
  message_ = integrator_.reason(curve_);
  // velocities without bound, in the words of methods in time
  return status == Status::impasse ? Status::step_too_small : status;
}

Status ProjectedRk::advance(const System& /*system*/, double t_stop, State& state) {
  if (t_stop == state.t) return Status::ok;
  const double sense = t_stop > state.t ? 1.0 : -1.0;
  if (sense != sense_ || !is_at(p_, state))
    if (const Status st = start_at(state, sense); st != Status::ok) return st;

  if (const Status st = integrator_.advance(curve_, bounded(state.t, t_stop), p_); st != Status::ok)
    return fail(st);
  count();
  if (const Status st = check_invariants(p_, small_rate); st != Status::ok) {
    write(state, p_);
    return st;
  }
  if (p_[0] == state.t) {
    // the curve goes on, but time has no room for it
    write(state, p_);
    message_ =
        fmt::format("at t = {:.17g} steps along the curve do not change t any more", state.t);
    return Status::step_too_small;
  }
  first_ = false;
  t_from_ = state.t;
  read(p_, state);
  return Status::ok;
}

// Where a step has to end at the latest: within the bounds on its length; or half-way to t_stop
// where two steps are left, so that the last is not a tiny one. In the parametrisation by length
// the integrator sees to the latter.
double ProjectedRk::bounded(double t, double t_stop) const {
  const double rest = std::abs(t_stop - t);
  if (parameter_ == Parametrisation::time) {
    const double h = integrator_.next_step();
    return 1.01 * h < rest && rest < 2.0 * h ? t + (t_stop - t) / 2 : t_stop;
  }
  double most = most_step();
  if (first_ && options_.first_step > 0.0) most = std::min(most, options_.first_step);
  return most < rest ? t + std::copysign(most, t_stop - t) : t_stop;
}

void ProjectedRk::bound_steps(double most) {
  most_ = most;
  if (parameter_ == Parametrisation::time) integrator_.bound_steps(most_step());
}

double ProjectedRk::most_step() const {
  return options_.max_step > 0.0 ? std::min(options_.max_step, most_) : most_;
}

Status ProjectedRk::interpolate(const System& /*system*/, double t, State& state) {
  std::optional<double> theta;
  if (t == p_[0] || t == t_from_) {
    theta = t == p_[0] ? 1.0 : 0.0;
  } else if (parameter_ == Parametrisation::time) {
    theta = (t - t_from_) / (p_[0] - t_from_);
  } else if (const Status st = integrator_.find(curve_, t, theta); st != Status::ok) {
    return fail(st);
  }
  assert(theta);
  if (const Status st = integrator_.interpolate(curve_, *theta, point_); st != Status::ok)
    return fail(st);
  if (point_[0] != t) {
    // by rounding; or because the projection has moved t, where constraints depend on it
    const bool moved = curve_.structure().uses_x && parameter_ == Parametrisation::arc;
    point_[0] = t;
    if (moved)
      if (const Status st = onto_.keeping_x(curve_, point_, ev_); st != Status::ok) {
        message_ = onto_.reason(curve_);
        return st;
      }
  }
  count();
  read(point_, state);
  return Status::ok;
}

void ProjectedRk::archive(Archive& archive) {
  archive.tag("projected-rk");
  Vec constants = invariant_constants(curve_);
  archive(sense_, first_, constants, before_, integrator_);
  if (!archive.loading()) return;
  require_sense(constants.size() == invariant_constants(curve_).size(), "sizes in it");
  curve_ = with_invariant_constants(curve_, std::move(constants));
  p_ = integrator_.point();
  count();
}

void ProjectedRk::count() {
  const CurveCounters& made = integrator_.counters;
  const bool factorises = curve_.equations() > 0;
  counters = before_;
  add({.steps = made.steps + made.rejected,
       .rejected = made.rejected,
       .force_evaluations = made.directions,
       .constraint_evaluations = factorises ? made.projections + made.iterations : 0,
       .factorisations = factorises ? made.directions + made.iterations : 0,
       .newton_iterations = made.iterations},
      counters);
}

std::vector<Note> ProjectedRk::notes() const {
  std::vector<Note> all;
  if (!started_) return all;
  if (!options_.parameter && parameter_ == Parametrisation::time)
    all.push_back(note<notes::steps_in_time>());
  const std::vector<std::string>& rows = curve_.structure().rows;
  if (const Index invariants = invariant_constants(curve_).size(); invariants > 0) {
    all.push_back(note<notes::invariants_kept>(
        std::vector<std::string>(rows.end() - invariants, rows.end())));
  }
  if (Note stiff = stiffness_note(integrator_.counters, false); !stiff.empty())
    all.push_back(std::move(stiff));
  return all;
}

}  // namespace taut
