// SPDX-License-Identifier: BSD-3-Clause
#include "methods/sundials_method.hpp"

#include <utility>

#include "methods/sundials_integrator.hpp"
#include "taut/methods/fits.hpp"

namespace taut {
namespace sundials {

void Integrator::begin() {
  error_.text.clear();
  thrown_.clear();
  failure_ = Status::ok;
}

Status Integrator::create(const System& system) {
  close();
  open_ = false;
  system_ = System{};
  if (system.nc() > 0 && system.structure().C.maxCoeff() > 0.0) {
    error_.text = "constraints with compliance must be turned into springs first";
    return Status::not_supported;
  }
  error_.text = fits(info_, system.structure()).text();
  if (!error_.text.empty()) return Status::not_supported;
  if (const Status status = prepare(system); status != Status::ok) return status;
  onto_constraints_.prepare(system);
  open(system);
  system_ = system;
  open_ = true;
  return Status::ok;
}

Status Integrator::start(const System& system, const State& state) {
  begin();
  if (!open_ || system_.shared() != system.shared())
    if (const Status status = create(system); status != Status::ok) return status;
  if (const Status status = onto_constraints_.start(system, state); status != Status::ok)
    return status;
  if (const Status status = place(state); status != Status::ok) return status;
  seen_ = {};
  return restart(state.t) == 0 ? Status::ok : Status::solver_failed;
}

Status Integrator::advance(double t_stop, State& state) {
  begin();
  double t = state.t;
  if (const int flag = step(t_stop, t); flag < 0) return failed(flag);
  if (t == state.t) {
    error_.text = "the step has become too small for the time to change";
    return failure_ != Status::ok ? failure_ : Status::step_too_small;
  }
  return arrive(t, state);
}

Status Integrator::interpolate(double t, State& state) {
  begin();
  if (const int flag = dense(t); flag < 0) return failed(flag);
  return leave(t, state);
}

Status Integrator::leave(double t, State& state) {
  const Index nq = system_.nq();
  out_.t = t;
  out_.q = y_values_.head(nq);
  out_.v = y_values_.segment(nq, nq);
  if (const Status status = onto_constraints(out_); status != Status::ok) return status;
  std::swap(state, out_);
  return Status::ok;
}

Status Integrator::onto_constraints(State& state) {
  Status status = Status::ok;
  const Kkt* const kkt = factorised(status);
  return status == Status::ok ? onto_constraints_(system_, *kkt, state) : status;
}

/// A formula that failed in this step is the reason, whatever the integrator made of it.
Status Integrator::failed(int flag) const {
  if (failure_ != Status::ok) return failure_;
  return too_close(flag) ? Status::step_too_small : Status::solver_failed;
}

int Integrator::give_up(const char* what) noexcept {
  failure_ = Status::solver_failed;
  try {
    thrown_ = what;
  } catch (...) {
    // no memory for the words: the status is told all the same
  }
  return -1;
}

void Integrator::add_counters(Counters& sum) {
  if (!open_) return;
  const Counters now = counted();
  sum.steps += now.steps - seen_.steps;
  sum.rejected += now.rejected - seen_.rejected;
  sum.newton_iterations += now.newton_iterations - seen_.newton_iterations;
  sum.factorisations += now.factorisations - seen_.factorisations;
  seen_ = now;
  add(sum, std::exchange(evaluations(), {}));
  add(sum, std::exchange(onto_constraints_.counters, {}));
}

Status IndexZeroIntegrator::prepare(const System& system) {
  if (const Status status = problem_.start(system, newton_, context_.get()); status != Status::ok)
    return status;
  y_values_.setZero(2 * system.nq());
  y_ = wrap(y_values_, context_.get());
  const Structure& structure = system.structure();
  tolerance_values_.setConstant(2 * system.nq(), tol_);
  tolerance_values_.segment(structure.places(), structure.nz).setConstant(out_of_all_tests);
  tolerance_ = wrap(tolerance_values_, context_.get());
  if (newton_) linear_ = make_newton_solver(problem_, context_.get());
  return Status::ok;
}

Status IndexZeroIntegrator::place(const State& state) {
  y_values_ << state.q, state.v;
  return Status::ok;
}

int IndexZeroIntegrator::rates(double t, N_Vector y, N_Vector y_dot, void* self) {
  return guarded(self, [&] {
    auto& own = *static_cast<IndexZeroIntegrator*>(static_cast<Integrator*>(self));
    return own.remember(own.problem_.rates(t, N_VGetArrayPointer(y), N_VGetArrayPointer(y_dot)));
  });
}

int IndexZeroIntegrator::linearise(double t, N_Vector y, booleantype keep, booleantype* renewed,
                                   double gamma, void* self) {
  return guarded(self, [&] {
    auto& own = *static_cast<IndexZeroIntegrator*>(static_cast<Integrator*>(self));
    *renewed = keep ? SUNFALSE : SUNTRUE;
    if (!keep) {
      const Status status = own.problem_.linearise(t, N_VGetArrayPointer(y), gamma);
      if (status != Status::ok) return own.remember(status);
    }
    return own.problem_.factor(gamma) ? 0 : 1;
  });
}

}  // namespace sundials

SundialsMethod::SundialsMethod(std::unique_ptr<sundials::Integrator> integrator)
    : integrator_{std::move(integrator)} {}
SundialsMethod::SundialsMethod(SundialsMethod&&) noexcept = default;
SundialsMethod& SundialsMethod::operator=(SundialsMethod&&) noexcept = default;
SundialsMethod::~SundialsMethod() = default;

Status SundialsMethod::start(const System& system, const State& state) {
  const Status status = integrator_->start(system, state);
  integrator_->add_counters(counters);
  return status;
}

Status SundialsMethod::advance(const System& /*system*/, double t_stop, State& state) {
  const Status status = integrator_->advance(t_stop, state);
  integrator_->add_counters(counters);
  return status;
}

Status SundialsMethod::interpolate(const System& /*system*/, double t, State& state) {
  const Status status = integrator_->interpolate(t, state);
  integrator_->add_counters(counters);
  return status;
}

void SundialsMethod::archive(Archive& /*archive*/) {}

std::string SundialsMethod::message() const { return integrator_->message(); }

}  // namespace taut
