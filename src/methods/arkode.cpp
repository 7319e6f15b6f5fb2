// SPDX-License-Identifier: BSD-3-Clause
#include "methods/arkode.hpp"

#include <arkode/arkode_arkstep.h>

#include <utility>

#include "methods/index_zero.hpp"
#include "methods/onto_constraints.hpp"
#include "methods/sundials_support.hpp"
#include "taut/methods/fits.hpp"

namespace taut {

/// ARKODE with everything it calls back. Its address is known to ARKODE: it never moves.
class Arkode::Solver {
 public:
  explicit Solver(ArkodeOptions options) : options_{options} {}
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;
  ~Solver() { ARKStepFree(&arkode_); }

  Status start(const System& system, const State& state);
  Status advance(double t_stop, State& state);
  Status interpolate(double t, State& state);
  void add_counters(Counters& sum);
  [[nodiscard]] const std::string& message() const { return error_.text; }

 private:
  Status create(const System& system);
  Status onto_constraints(double t, double* y);
  void leave(double t, State& state) const;
  [[nodiscard]] Status failed(int flag) const;
  [[nodiscard]] Status too_small();
  int remember(Status status);

  static int rates(double t, N_Vector y, N_Vector y_dot, void* self);
  static int linear_system(double t, N_Vector y, N_Vector y_dot, SUNMatrix matrix, SUNMatrix mass,
                           booleantype keep, booleantype* renewed, double gamma, void* self,
                           N_Vector, N_Vector, N_Vector);
  static int project(double t, N_Vector y, void* self);

  ArkodeOptions options_;
  sundials::Owned<SUNContext> context_ = sundials::make_context();
  System system_;
  sundials::IndexZero problem_;
  sundials::OntoConstraints onto_constraints_;
  sundials::ErrorText error_;
  Status failure_ = Status::ok;  // of the last callback that failed
  Vec y_values_;
  State projected_;
  sundials::Owned<N_Vector> y_;
  sundials::NewtonSolver newton_;
  void* arkode_ = nullptr;
  Counters seen_;  // of this ARKODE object, already added
};

Status Arkode::Solver::create(const System& system) {
  ARKStepFree(&arkode_);
  system_ = System{};
  if (system.nc() > 0 && system.structure().C.maxCoeff() > 0.0) {
    error_.text = "constraints with compliance must be turned into springs first";
    return Status::not_supported;
  }
  error_.text = fits(info, system.structure());
  if (!error_.text.empty()) return Status::not_supported;
  if (const Status status = problem_.start(system, true, context_.get()); status != Status::ok)
    return status;
  onto_constraints_.prepare(system);

  y_values_.setZero(2 * system.nq());
  y_ = sundials::wrap(y_values_, context_.get());
  arkode_ = ARKStepCreate(nullptr, rates, 0.0, y_.get(), context_.get());
  if (arkode_ == nullptr) throw std::bad_alloc{};
  ARKStepSetErrHandlerFn(arkode_, sundials::ErrorText::record, &error_);
  ARKStepSetUserData(arkode_, this);
  ARKStepSetOrder(arkode_, info.order);
  ARKStepSStolerances(arkode_, options_.tol, options_.tol);
  ARKStepSetMaxHnilWarns(arkode_, -1);
  newton_ = sundials::make_newton_solver(problem_, context_.get());
  ARKStepSetLinearSolver(arkode_, newton_.solver.get(), newton_.matrix.get());
  ARKStepSetLinSysFn(arkode_, linear_system);
  if (system.nc() > 0) ARKStepSetPostprocessStepFn(arkode_, project);
  system_ = system;
  return Status::ok;
}

Status Arkode::Solver::start(const System& system, const State& state) {
  error_.text.clear();
  failure_ = Status::ok;
  if (arkode_ == nullptr || system_.shared() != system.shared())
    if (const Status status = create(system); status != Status::ok) return status;
  if (const Status status = onto_constraints_.start(system, state); status != Status::ok)
    return status;
  y_values_ << state.q, state.v;
  seen_ = {};
  return ARKStepReInit(arkode_, nullptr, rates, state.t, y_.get()) == ARK_SUCCESS
             ? Status::ok
             : Status::solver_failed;
}

Status Arkode::Solver::advance(double t_stop, State& state) {
  error_.text.clear();
  failure_ = Status::ok;
  double t = state.t;
  int flag = ARKStepSetStopTime(arkode_, t_stop);
  if (flag == ARK_SUCCESS) flag = ARKStepEvolve(arkode_, t_stop, y_.get(), &t, ARK_ONE_STEP);
  if (flag < 0) return failed(flag);
  if (t == state.t) return too_small();
  leave(t, state);
  return Status::ok;
}

Status Arkode::Solver::interpolate(double t, State& state) {
  error_.text.clear();
  failure_ = Status::ok;
  if (const int flag = ARKStepGetDky(arkode_, t, 0, y_.get()); flag < 0) return failed(flag);
  if (const Status status = onto_constraints(t, y_values_.data()); status != Status::ok)
    return status;
  leave(t, state);
  return Status::ok;
}

Status Arkode::Solver::onto_constraints(double t, double* y) {
  const Index nq = system_.nq();
  Eigen::Map<Vec> point{y, 2 * nq};
  projected_.t = t;
  projected_.q = point.head(nq);
  projected_.v = point.tail(nq);
  const Status status = onto_constraints_(system_, problem_.kkt(), projected_);
  if (status == Status::ok) point << projected_.q, projected_.v;
  return status;
}

void Arkode::Solver::leave(double t, State& state) const {
  const Index nq = system_.nq();
  state.t = t;
  state.q = y_values_.head(nq);
  state.v = y_values_.tail(nq);
}

/// A formula that failed in this step is the reason, whatever ARKODE made of it.
Status Arkode::Solver::failed(int flag) const {
  if (failure_ != Status::ok) return failure_;
  return flag == ARK_TOO_CLOSE ? Status::step_too_small : Status::solver_failed;
}

Status Arkode::Solver::too_small() {
  error_.text = "the step has become too small for the time to change";
  return failure_ != Status::ok ? failure_ : Status::step_too_small;
}

void Arkode::Solver::add_counters(Counters& sum) {
  if (arkode_ == nullptr) return;
  long steps = 0, error_failures = 0, solve_failures = 0, iterations = 0;
  ARKStepGetNumSteps(arkode_, &steps);
  ARKStepGetNumErrTestFails(arkode_, &error_failures);
  ARKStepGetNumStepSolveFails(arkode_, &solve_failures);
  ARKStepGetNumNonlinSolvIters(arkode_, &iterations);
  Counters now;
  now.rejected = error_failures + solve_failures;
  now.steps = steps + now.rejected;
  now.newton_iterations = iterations;

  sum.steps += now.steps - seen_.steps;
  sum.rejected += now.rejected - seen_.rejected;
  sum.newton_iterations += now.newton_iterations - seen_.newton_iterations;
  seen_ = now;
  sundials::add(sum, std::exchange(problem_.counters, {}));
  sundials::add(sum, std::exchange(onto_constraints_.counters, {}));
}

/// What a callback tells ARKODE: 0 done, 1 try a smaller step.
int Arkode::Solver::remember(Status status) {
  if (status == Status::ok) return 0;
  failure_ = status;
  return 1;
}

int Arkode::Solver::rates(double t, N_Vector y, N_Vector y_dot, void* self) {
  auto& solver = *static_cast<Solver*>(self);
  return solver.remember(
      solver.problem_.rates(t, N_VGetArrayPointer(y), N_VGetArrayPointer(y_dot)));
}

int Arkode::Solver::linear_system(double t, N_Vector y, N_Vector /*y_dot*/, SUNMatrix /*A*/,
                                  SUNMatrix /*mass*/, booleantype keep, booleantype* renewed,
                                  double gamma, void* self, N_Vector, N_Vector, N_Vector) {
  auto& solver = *static_cast<Solver*>(self);
  *renewed = keep ? SUNFALSE : SUNTRUE;
  if (!keep) {
    const Status status = solver.problem_.linearise(t, N_VGetArrayPointer(y), gamma);
    if (status != Status::ok) return solver.remember(status);
  }
  return solver.problem_.factor(gamma) ? 0 : 1;
}

/// Called with the end of an accepted step, before ARKODE keeps it. A failure ends the step.
int Arkode::Solver::project(double t, N_Vector y, void* self) {
  auto& solver = *static_cast<Solver*>(self);
  return solver.remember(solver.onto_constraints(t, N_VGetArrayPointer(y)));
}

Arkode::Arkode(ArkodeOptions options) : solver_{std::make_unique<Solver>(options)} {}
Arkode::Arkode(Arkode&&) noexcept = default;
Arkode& Arkode::operator=(Arkode&&) noexcept = default;
Arkode::~Arkode() = default;

Status Arkode::start(const System& system, const State& state) {
  const Status status = solver_->start(system, state);
  solver_->add_counters(counters);
  return status;
}

Status Arkode::advance(const System& /*system*/, double t_stop, State& state) {
  const Status status = solver_->advance(t_stop, state);
  solver_->add_counters(counters);
  return status;
}

Status Arkode::interpolate(const System& /*system*/, double t, State& state) {
  const Status status = solver_->interpolate(t, state);
  solver_->add_counters(counters);
  return status;
}

void Arkode::archive(Archive& /*archive*/) {}

std::string Arkode::message() const { return solver_->message(); }

}  // namespace taut
