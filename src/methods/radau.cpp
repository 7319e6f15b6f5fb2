// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/notes.hpp"
#include "methods/radau_solver.hpp"
#include "taut/methods/fits.hpp"

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

}  // namespace

Status Radau::Solver::start(const System& system, const State& state) {
  notes.clear();
  loosest_ = 0.0;
  newton_tolerance_ =
      std::max(10.0 * epsilon / options_.tol, std::min(0.003, std::sqrt(options_.tol)));
  control_.start();
  t_start_ = state.t;
  if (const Status status = take(system); status != Status::ok) return status;
  return begin(system, state, 0.0);
}

Status Radau::Solver::take(const System& system) {
  message = fits(Radau::info, system.structure()).text();
  if (!message.empty()) {
    given_ = system_ = System{};
    return Status::not_supported;
  }
  given_ = system;
  watch_.start(counters.steps);
  return Status::ok;
}

// Step, stages, factors and predictions of before serve from here on, as far as they suit. The
// directions of stiff forces do not: what makes them stiff may have been switched.
Status Radau::Solver::restart(const System& system, const State& state) {
  constexpr double rounding = 1e-9;  // of a time inside the last step
  const bool same = system.shared() == given_.shared() && system_.shared() != nullptr;
  const bool had_directions = potential_ != nullptr;
  const double h = had_directions ? 0.0 : control_.h();
  const double x = (state.t - last_.from.t) / last_.h;
  const bool remembers =
      !had_directions && (has_last_ || remembers_) && x >= 0.0 && x <= 1.0 + rounding;
  if (same && !had_directions) {
    const Status status = place(state, h);
    remembers_ = remembers;
    return status;
  }
  if (const Status status = take(system); status != Status::ok) return status;
  RadauStep last = last_;
  const Status status = begin(system, state, h);
  remembers_ = remembers && last.g0.size() == system_.nc();
  if (remembers_) last_ = std::move(last);
  return status;
}

// Anew from a state, with a system that has the motions of the given one, and h as of place().
Status Radau::Solver::begin(const System& system, const State& state, double h) {
  const Structure& structure = system.structure();
  const Index nq = structure.nq, nc = structure.nc;
  system_ = system;
  potential_ = dynamic_cast<const StiffPotential*>(&system.implementation());
  if (const Status status = here_.start(system); status != Status::ok) return status;
  if (const Status status = there_.start(system); status != Status::ok) return status;
  inside_.analyse(structure.M, structure.G);
  if (structure.mass_constant)
    if (const Status status = inside_.factor_mass(structure.M); status != Status::ok) return status;
  system.prepare(landing_);
  derivatives_.start(system);
  newton_.start(system);
  predictor_.start(nq);
  step_.resize(nq, nc);
  last_.resize(nq, nc);
  known_.resize(nc);
  known_there_.resize(nc);
  for (Vec* x : {&a_, &E_q_, &E_v_, &error_q_, &error_v_, &normal_, &force_, &scratch_})
    x->setZero(nq);
  for (Vec* x : {&lambda_, &g_, &next_g_, &target_, &rate_, &residual_, &inside_compliance_})
    x->setZero(nc);
  rhs_.assign(static_cast<std::size_t>(nq + nc), 0.0);
  return place(state, h);
}

// At a state from which no step has been made yet. The length of the first is h, or to be found.
Status Radau::Solver::place(const State& state, double h) {
  const Structure& structure = system_.structure();
  const Index nc = structure.nc;
  has_last_ = remembers_ = false;
  passage_.restart();
  if (h == 0.0)
    control_.restart();
  else
    control_.go_on();
  next_ = end_ = state;
  derivatives_.point = {.state = state, .a = a_, .lambda = lambda_, .dropped = {}};
  derivatives_.point.dropped.reserve(static_cast<std::size_t>(nc));
  derivatives_.renew();
  for (Vec* x : {&known_.value, &known_.rate, &known_.curvature}) x->setZero();

  // multipliers of compliant rows as the positions say
  if (nc > 0) {
    if (const Status status = factor_inside(state); status != Status::ok) return status;
    if (const Status status = system_.evaluate(
            needs(Target::constraint, Target::constraint_jacobian, Target::constraint_rate),
            {.t = state.t, .q = state.q, .v = state.v}, landing_);
        status != Status::ok)
      return status;
    residual_ = landing_.g_t;
    residual_.noalias() += landing_.G * state.v;
    for (Index r = 0; r < nc; ++r) {
      const double C = structure.C[r];
      g_[r] = C > 0.0 ? landing_.g[r] : 0.0;
      known_.value[r] = C > 0.0 ? (landing_.g[r] + structure.d[r] * residual_[r]) / C : 0.0;
    }
    if (potential_ != nullptr) {
      potential_->multipliers_at_rest(landing_, known_.value);
      potential_->raw(landing_, known_.value, g_);
    }
  }
  // the size of the first step is not known yet: as if it were long, so that rounding of g is not
  // magnified; then about what it will be
  control_.propose(h);
  if (h == 0.0) {
    first_h_ = 1e100;
    if (const Status status = arrive(system_, state, known_); status != Status::ok) return status;
    first_h_ =
        std::abs(control_.first_step(std::numeric_limits<double>::infinity(), state, a_, weights_));
  } else {
    first_h_ = std::abs(h);
  }
  return arrive(system_, state, known_);
}

Status Radau::Solver::arrive(const System& system, const State& state,
                             const MultiplierEstimate& estimate) {
  ++counters.force_evaluations;
  weights_.set(state, options_.tol, system_.structure().nz);
  const double h = control_.h();
  return here_(system, {.t = state.t, .q = state.q, .v = state.v}, h == 0.0 ? first_h_ : h,
               estimate, a_, lambda_);
}

// The loop over tries.
// --------------------------------------------------------------------------------

Status Radau::Solver::advance(double t_stop, State& state) {
  if (t_stop == state.t) return Status::ok;
  const double proposed = control_.h();
  if (proposed == 0.0 || std::signbit(proposed) != std::signbit(t_stop - state.t)) {
    control_.propose(control_.first_step(t_stop, state, a_, weights_));
    if (const Status status = arrive(system_, state, known_); status != Status::ok) return status;
  }
  if (const Status status =
          potential_ != nullptr ? renew_directions(state) : look_for_stiff_forces(t_stop, state);
      status != Status::ok)
    return status;

  if (passage_.ahead(system_, here_.kkt(), state, control_.h()) &&
      leap(t_stop, state, control_.h()))
    return arrive(system_, state, known_);
  const double begun = control_.clipped(state.t, t_stop);

  Status cause = Status::ok;
  for (bool rejected = false;; rejected = true) {
    const double h = control_.clipped(state.t, t_stop);
    const bool last = h == t_stop - state.t;
    const double resolution =
        std::max(10.0 * epsilon * std::abs(state.t), epsilon * std::abs(t_stop - t_start_));
    if (!std::isfinite(h)) return Status::non_finite;
    if (!(std::abs(h) > resolution) && (!last || rejected)) {
      // rounding that constraints magnify as they come to depend on each other
      if (passage_.insist() && leap(t_stop, state, begun)) return arrive(system_, state, known_);
      return cause == Status::ok ? Status::step_too_small : cause;
    }

    ++counters.steps;
    double error = 0.0;
    cause = try_step(system_, h, last ? t_stop : state.t + h, state, error);
    if (cause == Status::ok && !std::isfinite(error)) cause = Status::non_finite;
    if (cause == Status::ok && error < 1.0) {
      accept(h, error, rejected);
      end_ = next_;
      std::swap(state, next_);
      return arrive(system_, state, known_);
    }
    ++counters.rejected;
    control_.count_rejection();
    derivatives_.renew();
    if (cause == Status::ok) {
      control_.reject(h, error);
      continue;
    }
    // no solution of the stage equations: a smaller step with fresh derivatives
    control_.count_failure();
    if (control_.failures() == 4 && here_.share_loads())
      if (const Status status = arrive(system_, state, known_); status != Status::ok) return status;
    const bool not_converged = cause == Status::iteration_limit;
    if (not_converged) ++watch_.not_converged;
    const double remaining = newton_.remaining();
    control_.shrink_after_failure(h, not_converged ? &remaining : nullptr);
    derivatives_.drop_factors();
  }
}

// A step of the explicit method, from which everything begins anew.
bool Radau::Solver::leap(double t_stop, State& state, double usual) {
  State at;
  if (!passage_.leap(system_, std::abs(usual), t_stop, state, at, counters)) return false;
  if (passage_.loosened()) tell_loosened(state.t, *passage_.loosened(), notes);
  last_.from = state;
  end_ = at;
  has_last_ = remembers_ = false;
  derivatives_.renew();
  control_.passed(at.t - state.t);
  state = std::move(at);
  next_ = state;
  return true;
}

Status Radau::Solver::try_step(const System& system, double h, double t1, const State& from,
                               double& error) {
  const RadauCoefficients& method = control_.method();
  step_.method = &method;
  step_.h = h;
  step_.from = from;
  step_.g0 = g_;
  predict(h);
  if (potential_ != nullptr)
    if (const Status status = newton_.settle(system, weights_, newton_tolerance_, step_, counters);
        status != Status::ok)
      return status;
  if (derivatives_.wanted()) {
    ++counters.jacobian_evaluations;
    choose_derivative_point(from);
    if (const Status status = evaluate_derivatives(); status != Status::ok) return status;
  }
  if (!derivatives_.factored(method, h)) {
    ++counters.factorisations;
    if (const Status status = derivatives_.factor(method, h); status != Status::ok) return status;
  }

  // rounding of positions, seen through D
  double largest = 0.0;
  for (Index i = 0; i < system.structure().places(); ++i)
    largest = std::max(largest, std::abs(from.q[i]) * weights_.v[i]);
  const double noise =
      4.0 * epsilon * (1.0 + method.A_inverse.cwiseAbs().maxCoeff() / std::abs(h) * largest);
  if (const Status status =
          newton_.solve(system, derivatives_.matrix(), derivatives_.D(), here_.kkt(),
                        here_.stabilised(), weights_, newton_tolerance_, noise, step_, counters);
      status != Status::ok)
    return status;
  control_.converged(newton_.theta());
  if (const Status status = estimate(system, error); status != Status::ok) return status;
  return error < 1.0 ? land(system, t1) : Status::ok;
}

// In the middle of the step, as far as it can be foreseen: half the way to either end.
void Radau::Solver::choose_derivative_point(const State& at) {
  const int s = step_.stages(), middle = s / 2;
  DerivativePoint& point = derivatives_.point;
  point.dropped = here_.droppable();
  if (!(has_last_ || remembers_) || s == 1 || control_.failures() >= 2) {
    point.state = at;
    point.a = a_;
    point.lambda = lambda_;
    return;
  }
  for (int i = 0; i < s; ++i) step_.differentiate(i, step_.Z, step_.V[i]);
  step_.differentiate(middle, step_.V, step_.from.v, point.a);
  point.state.t = step_.time(middle);
  point.state.q = at.q + step_.Z[middle];
  point.state.v = step_.V[middle];
  point.lambda = step_.lambda[middle];
}

Status Radau::Solver::evaluate_derivatives() {
  return derivatives_.evaluate(system_, control_.method(), control_.converges_quickly());
}

void Radau::Solver::predict(double h) {
  if (has_last_) {
    predictor_.extrapolate(last_, weights_, newton_tolerance_, step_);
    return;
  }
  if (remembers_) {
    predictor_.extrapolate_anew(last_, weights_, newton_tolerance_, a_, lambda_, step_);
    return;
  }
  for (int i = 0; i < step_.stages(); ++i) {
    const double x = step_.method->c[i] * h;
    step_.Z[i] = x * step_.from.v + (x * x / 2) * a_;
    step_.U[i].setZero();
    step_.lambda[i] = lambda_;
  }
}

// After a try.
// ----------------------------------------------------------------------------------------

void Radau::Solver::accept(double h, double error, bool rejected) {
  control_.accept(h, error, rejected, newton_.iterations());
  // what the next step starts from
  std::swap(step_, last_);
  has_last_ = true;
  remembers_ = false;
  passage_.stepped();
  estimate_multipliers(last_, 1.0, known_);
  std::swap(g_, next_g_);
  derivatives_.renew();
}

Radau::Radau(RadauOptions options) : solver_{std::make_unique<Solver>(options)} {}
Radau::Radau(Radau&&) noexcept = default;
Radau& Radau::operator=(Radau&&) noexcept = default;
Radau::~Radau() = default;

Status Radau::start(const System& system, const State& state) {
  solver_->counters = counters;
  const Status status = solver_->start(system, state);
  counters = solver_->counters;
  return status;
}

Status Radau::restart(const System& system, const State& state) {
  solver_->counters = counters;
  const Status status = solver_->restart(system, state);
  counters = solver_->counters;
  return status;
}

Status Radau::advance(const System& /*system*/, double t_stop, State& state) {
  solver_->counters = counters;  // may have been loaded
  const Status status = solver_->advance(t_stop, state);
  counters = solver_->counters;
  return status;
}

Status Radau::interpolate(const System& /*system*/, double t, State& state) {
  solver_->counters = counters;
  const Status status = solver_->interpolate(t, state);
  counters = solver_->counters;
  return status;
}

Status Radau::rates(const System& /*system*/, double t, State& rate) {
  return solver_->rates(t, rate);
}

Status Radau::multipliers(const System& /*system*/, const State& at, Vec& a, Vec& lambda) {
  return solver_->multipliers(at, a, lambda);
}

void Radau::bound_steps(double most) { solver_->bound_steps(most); }
double Radau::tolerance() const { return solver_->tolerance(); }

void Radau::archive(Archive& archive) {
  solver_->archive(archive);
  archive(counters);
}

const std::string& Radau::message() const { return solver_->message; }

const std::vector<Note>& Radau::notes() const { return solver_->notes; }

int Radau::stages() const { return solver_->stages(); }

double Radau::next_step() const { return solver_->next_step(); }

}  // namespace taut
