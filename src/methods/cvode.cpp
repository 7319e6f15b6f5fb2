// SPDX-License-Identifier: BSD-3-Clause
#include "methods/cvode.hpp"

#include <cvode/cvode.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <utility>

#include "methods/index_zero.hpp"
#include "methods/onto_constraints.hpp"
#include "methods/sundials_support.hpp"
#include "taut/methods/fits.hpp"

namespace taut {

/// CVODE with everything it calls back. Its address is known to CVODE: it never moves.
class CvodeMethod::Solver {
 public:
  Solver(Formula formula, CvodeOptions options) : formula_{formula}, options_{options} {}
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;
  ~Solver() { CVodeFree(&cvode_); }

  Status start(const System& system, const State& state);
  Status advance(double t_stop, State& state);
  Status interpolate(double t, State& state);
  void add_counters(Counters& sum);
  [[nodiscard]] const std::string& message() const { return error_.text; }

 private:
  Status create(const System& system);
  Status leave(double t, State& state);
  void move_history(const State& state);
  [[nodiscard]] Status failed(int flag) const;
  [[nodiscard]] Status too_small();
  int remember(Status status);

  static int rates(double t, N_Vector y, N_Vector y_dot, void* self);
  static int linear_system(double t, N_Vector y, N_Vector y_dot, SUNMatrix matrix, booleantype keep,
                           booleantype* renewed, double gamma, void* self, N_Vector, N_Vector,
                           N_Vector);

  Formula formula_;
  CvodeOptions options_;
  sundials::Owned<SUNContext> context_ = sundials::make_context();
  System system_;
  sundials::IndexZero problem_;
  sundials::OntoConstraints onto_constraints_;
  sundials::ErrorText error_;
  Status failure_ = Status::ok;  // of the last callback that failed
  Vec y_values_;
  State out_;
  sundials::Owned<N_Vector> y_;
  sundials::Owned<SUNNonlinearSolver> iteration_;
  sundials::NewtonSolver newton_;
  void* cvode_ = nullptr;
  Counters seen_;  // of this CVODE object, already added
};

Status CvodeMethod::Solver::create(const System& system) {
  CVodeFree(&cvode_);
  system_ = System{};
  if (system.nc() > 0 && system.structure().C.maxCoeff() > 0.0) {
    error_.text = "constraints with compliance must be turned into springs first";
    return Status::not_supported;
  }
  error_.text =
      fits(formula_ == Formula::bdf ? CvodeBdf::info : CvodeAdams::info, system.structure());
  if (!error_.text.empty()) return Status::not_supported;
  const bool newton = formula_ == Formula::bdf;
  if (const Status status = problem_.start(system, newton, context_.get()); status != Status::ok)
    return status;
  onto_constraints_.prepare(system);

  y_values_.setZero(2 * system.nq());
  y_ = sundials::wrap(y_values_, context_.get());
  cvode_ = CVodeCreate(newton ? CV_BDF : CV_ADAMS, context_.get());
  if (cvode_ == nullptr) throw std::bad_alloc{};
  CVodeSetErrHandlerFn(cvode_, sundials::ErrorText::record, &error_);
  CVodeSetUserData(cvode_, this);
  if (CVodeInit(cvode_, rates, 0.0, y_.get()) != CV_SUCCESS) throw std::bad_alloc{};
  CVodeSStolerances(cvode_, options_.tol, options_.tol);
  CVodeSetMaxHnilWarns(cvode_, -1);
  if (newton) {
    newton_ = sundials::make_newton_solver(problem_, context_.get());
    CVodeSetLinearSolver(cvode_, newton_.solver.get(), newton_.matrix.get());
    CVodeSetLinSysFn(cvode_, linear_system);
  } else {
    iteration_ = sundials::own(SUNNonlinSol_FixedPoint(y_.get(), 0, context_.get()));
    CVodeSetNonlinearSolver(cvode_, iteration_.get());
  }
  system_ = system;
  return Status::ok;
}

Status CvodeMethod::Solver::start(const System& system, const State& state) {
  error_.text.clear();
  failure_ = Status::ok;
  if (cvode_ == nullptr || system_.shared() != system.shared())
    if (const Status status = create(system); status != Status::ok) return status;
  if (const Status status = onto_constraints_.start(system, state); status != Status::ok)
    return status;
  y_values_ << state.q, state.v;
  seen_ = {};
  return CVodeReInit(cvode_, state.t, y_.get()) == CV_SUCCESS ? Status::ok : Status::solver_failed;
}

Status CvodeMethod::Solver::advance(double t_stop, State& state) {
  error_.text.clear();
  failure_ = Status::ok;
  double t = state.t;
  int flag = CVodeSetStopTime(cvode_, t_stop);
  if (flag == CV_SUCCESS) flag = CVode(cvode_, t_stop, y_.get(), &t, CV_ONE_STEP);
  if (flag < 0) return failed(flag);
  if (t == state.t) return too_small();
  if (const Status status = leave(t, state); status != Status::ok) return status;
  if (system_.nc() > 0) move_history(state);
  return Status::ok;
}

/// Moves the newest point of CVODE's history to where `state` was projected. Between steps, what
/// CVODE hands out as its prediction is that point (the first of the Nordsieck array).
void CvodeMethod::Solver::move_history(const State& state) {
  double t = 0.0, gamma = 0.0, rl1 = 0.0;
  N_Vector newest = nullptr, y = nullptr, y_dot = nullptr, scaled = nullptr;
  void* self = nullptr;
  CVodeGetNonlinearSystemData(cvode_, &t, &newest, &y, &y_dot, &gamma, &rl1, &scaled, &self);
  const Index nq = system_.nq();
  Eigen::Map<Vec> point{N_VGetArrayPointer(newest), 2 * nq};
  point.head(nq) += state.q - y_values_.head(nq);
  point.tail(nq) += state.v - y_values_.tail(nq);
}

Status CvodeMethod::Solver::interpolate(double t, State& state) {
  error_.text.clear();
  failure_ = Status::ok;
  if (const int flag = CVodeGetDky(cvode_, t, 0, y_.get()); flag < 0) return failed(flag);
  return leave(t, state);
}

/// Hands y to the caller, on the constraints.
Status CvodeMethod::Solver::leave(double t, State& state) {
  const Index nq = system_.nq();
  out_.t = t;
  out_.q = y_values_.head(nq);
  out_.v = y_values_.tail(nq);
  if (const Status status = onto_constraints_(system_, problem_.kkt(), out_); status != Status::ok)
    return status;
  std::swap(state, out_);
  return Status::ok;
}

/// A formula that failed in this step is the reason, whatever CVODE made of it.
Status CvodeMethod::Solver::failed(int flag) const {
  if (failure_ != Status::ok) return failure_;
  return flag == CV_TOO_CLOSE ? Status::step_too_small : Status::solver_failed;
}

Status CvodeMethod::Solver::too_small() {
  error_.text = "the step has become too small for the time to change";
  return failure_ != Status::ok ? failure_ : Status::step_too_small;
}

void CvodeMethod::Solver::add_counters(Counters& sum) {
  if (cvode_ == nullptr) return;
  long steps = 0, error_failures = 0, solve_failures = 0, iterations = 0;
  CVodeGetNumSteps(cvode_, &steps);
  CVodeGetNumErrTestFails(cvode_, &error_failures);
  CVodeGetNumStepSolveFails(cvode_, &solve_failures);
  CVodeGetNumNonlinSolvIters(cvode_, &iterations);
  Counters now;
  now.rejected = error_failures + solve_failures;
  now.steps = steps + now.rejected;
  now.newton_iterations = formula_ == Formula::bdf ? iterations : 0;

  sum.steps += now.steps - seen_.steps;
  sum.rejected += now.rejected - seen_.rejected;
  sum.newton_iterations += now.newton_iterations - seen_.newton_iterations;
  seen_ = now;
  sundials::add(sum, std::exchange(problem_.counters, {}));
  sundials::add(sum, std::exchange(onto_constraints_.counters, {}));
}

/// What a callback tells CVODE: 0 done, 1 try a smaller step.
int CvodeMethod::Solver::remember(Status status) {
  if (status == Status::ok) return 0;
  failure_ = status;
  return 1;
}

int CvodeMethod::Solver::rates(double t, N_Vector y, N_Vector y_dot, void* self) {
  auto& solver = *static_cast<Solver*>(self);
  return solver.remember(
      solver.problem_.rates(t, N_VGetArrayPointer(y), N_VGetArrayPointer(y_dot)));
}

int CvodeMethod::Solver::linear_system(double t, N_Vector y, N_Vector /*y_dot*/, SUNMatrix /*A*/,
                                       booleantype keep, booleantype* renewed, double gamma,
                                       void* self, N_Vector, N_Vector, N_Vector) {
  auto& solver = *static_cast<Solver*>(self);
  *renewed = keep ? SUNFALSE : SUNTRUE;
  if (!keep) {
    const Status status = solver.problem_.linearise(t, N_VGetArrayPointer(y), gamma);
    if (status != Status::ok) return solver.remember(status);
  }
  return solver.problem_.factor(gamma) ? 0 : 1;
}

CvodeMethod::CvodeMethod(Formula formula, CvodeOptions options)
    : solver_{std::make_unique<Solver>(formula, options)} {}
CvodeMethod::CvodeMethod(CvodeMethod&&) noexcept = default;
CvodeMethod& CvodeMethod::operator=(CvodeMethod&&) noexcept = default;
CvodeMethod::~CvodeMethod() = default;

Status CvodeMethod::start(const System& system, const State& state) {
  const Status status = solver_->start(system, state);
  solver_->add_counters(counters);
  return status;
}

Status CvodeMethod::advance(const System& /*system*/, double t_stop, State& state) {
  const Status status = solver_->advance(t_stop, state);
  solver_->add_counters(counters);
  return status;
}

Status CvodeMethod::interpolate(const System& /*system*/, double t, State& state) {
  const Status status = solver_->interpolate(t, state);
  solver_->add_counters(counters);
  return status;
}

void CvodeMethod::archive(Archive& /*archive*/) {}

std::string CvodeMethod::message() const { return solver_->message(); }

}  // namespace taut
