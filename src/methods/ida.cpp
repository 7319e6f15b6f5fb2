// SPDX-License-Identifier: BSD-3-Clause
#include "methods/ida.hpp"

#include <ida/ida.h>

#include <utility>

#include "methods/onto_constraints.hpp"
#include "methods/stabilised.hpp"
#include "methods/sundials_support.hpp"
#include "taut/methods/fits.hpp"

namespace taut {
namespace {

// so large that no error of a multiplier counts in any norm
constexpr double out_of_all_tests = 1e10;

}  // namespace

/// IDA with everything it calls back. Its address is known to IDA: it never moves.
class Ida::Solver {
 public:
  explicit Solver(IdaOptions options) : options_{options} {}
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;
  ~Solver() { IDAFree(&ida_); }

  Status start(const System& system, const State& state);
  Status advance(double t_stop, State& state);
  Status interpolate(double t, State& state);
  void add_counters(Counters& sum);
  [[nodiscard]] const std::string& message() const { return error_.text; }

 private:
  Status create(const System& system);
  Status leave(double t, State& state);
  [[nodiscard]] Status failed() const;
  [[nodiscard]] Status too_small();
  int remember(Status status);

  static int residual(double t, N_Vector y, N_Vector y_dot, N_Vector r, void* self);
  static int jacobian(double t, double c, N_Vector y, N_Vector y_dot, N_Vector r, SUNMatrix matrix,
                      void* self, N_Vector, N_Vector, N_Vector);

  IdaOptions options_;
  sundials::Owned<SUNContext> context_ = sundials::make_context();
  System system_;
  sundials::Stabilised problem_;
  sundials::OntoConstraints onto_constraints_;
  sundials::ErrorText error_;
  Status failure_ = Status::ok;  // of the last callback that failed
  Vec y_values_, y_dot_values_, differential_values_, tolerance_values_;
  State out_;
  sundials::Owned<N_Vector> y_, y_dot_, differential_, tolerance_;
  void* ida_ = nullptr;
  Counters seen_;  // of this IDA object, already added
};

Status Ida::Solver::create(const System& system) {
  IDAFree(&ida_);
  system_ = System{};
  if (system.nc() > 0 && system.structure().C.maxCoeff() > 0.0) {
    error_.text = "constraints with compliance must be turned into springs first";
    return Status::not_supported;
  }
  error_.text = fits(info, system.structure());
  if (!error_.text.empty()) return Status::not_supported;
  if (const Status status = problem_.start(system, context_.get()); status != Status::ok)
    return status;
  onto_constraints_.prepare(system);

  y_values_.setZero(problem_.size());
  y_dot_values_.setZero(problem_.size());
  differential_values_ = problem_.differential();
  tolerance_values_.setConstant(problem_.size(), out_of_all_tests);
  tolerance_values_.head(2 * system.nq()).setConstant(options_.tol);
  y_ = sundials::wrap(y_values_, context_.get());
  y_dot_ = sundials::wrap(y_dot_values_, context_.get());
  differential_ = sundials::wrap(differential_values_, context_.get());
  tolerance_ = sundials::wrap(tolerance_values_, context_.get());

  ida_ = IDACreate(context_.get());
  if (ida_ == nullptr) throw std::bad_alloc{};
  IDASetErrHandlerFn(ida_, sundials::ErrorText::record, &error_);
  IDASetUserData(ida_, this);
  if (IDAInit(ida_, residual, 0.0, y_.get(), y_dot_.get()) != IDA_SUCCESS) throw std::bad_alloc{};
  IDASVtolerances(ida_, options_.tol, tolerance_.get());
  IDASetId(ida_, differential_.get());
  IDASetSuppressAlg(ida_, SUNTRUE);
  IDASetLinearSolver(ida_, problem_.matrix().solver(), problem_.matrix().matrix());
  IDASetJacFn(ida_, jacobian);
  system_ = system;
  return Status::ok;
}

Status Ida::Solver::start(const System& system, const State& state) {
  error_.text.clear();
  failure_ = Status::ok;
  if (ida_ == nullptr || system_.shared() != system.shared())
    if (const Status status = create(system); status != Status::ok) return status;
  if (const Status status = onto_constraints_.start(system, state); status != Status::ok)
    return status;
  if (const Status status = problem_.consistent(state, y_values_, y_dot_values_);
      status != Status::ok)
    return status;
  seen_ = {};
  return IDAReInit(ida_, state.t, y_.get(), y_dot_.get()) == IDA_SUCCESS ? Status::ok
                                                                         : Status::solver_failed;
}

Status Ida::Solver::advance(double t_stop, State& state) {
  error_.text.clear();
  failure_ = Status::ok;
  double t = state.t;
  int flag = IDASetStopTime(ida_, t_stop);
  if (flag == IDA_SUCCESS) flag = IDASolve(ida_, t_stop, &t, y_.get(), y_dot_.get(), IDA_ONE_STEP);
  if (flag < 0) return failed();
  if (t == state.t) return too_small();
  return leave(t, state);
}

Status Ida::Solver::interpolate(double t, State& state) {
  error_.text.clear();
  failure_ = Status::ok;
  if (const int flag = IDAGetDky(ida_, t, 0, y_.get()); flag < 0) return failed();
  return leave(t, state);
}

/// Hands q and v to the caller, on the constraints.
Status Ida::Solver::leave(double t, State& state) {
  const Index nq = system_.nq();
  out_.t = t;
  out_.q = y_values_.head(nq);
  out_.v = y_values_.segment(nq, nq);
  if (const Status status = problem_.factor_kkt(); status != Status::ok) return status;
  if (const Status status = onto_constraints_(system_, problem_.kkt(), out_); status != Status::ok)
    return status;
  std::swap(state, out_);
  return Status::ok;
}

/// A formula that failed in this step is the reason, whatever IDA made of it.
Status Ida::Solver::failed() const {
  return failure_ != Status::ok ? failure_ : Status::solver_failed;
}

Status Ida::Solver::too_small() {
  error_.text = "the step has become too small for the time to change";
  return failure_ != Status::ok ? failure_ : Status::step_too_small;
}

void Ida::Solver::add_counters(Counters& sum) {
  if (ida_ == nullptr) return;
  long steps = 0, error_failures = 0, solve_failures = 0, iterations = 0, setups = 0;
  IDAGetNumSteps(ida_, &steps);
  IDAGetNumErrTestFails(ida_, &error_failures);
  IDAGetNumStepSolveFails(ida_, &solve_failures);
  IDAGetNumNonlinSolvIters(ida_, &iterations);
  IDAGetNumLinSolvSetups(ida_, &setups);
  Counters now;
  now.rejected = error_failures + solve_failures;
  now.steps = steps + now.rejected;
  now.newton_iterations = iterations;
  now.factorisations = setups;

  sum.steps += now.steps - seen_.steps;
  sum.rejected += now.rejected - seen_.rejected;
  sum.newton_iterations += now.newton_iterations - seen_.newton_iterations;
  sum.factorisations += now.factorisations - seen_.factorisations;
  seen_ = now;
  sundials::add(sum, std::exchange(problem_.counters, {}));
  sundials::add(sum, std::exchange(onto_constraints_.counters, {}));
}

/// What a callback tells IDA: 0 done, 1 try a smaller step.
int Ida::Solver::remember(Status status) {
  if (status == Status::ok) return 0;
  failure_ = status;
  return 1;
}

int Ida::Solver::residual(double t, N_Vector y, N_Vector y_dot, N_Vector r, void* self) {
  auto& solver = *static_cast<Solver*>(self);
  return solver.remember(solver.problem_.residual(
      t, N_VGetArrayPointer(y), N_VGetArrayPointer(y_dot), N_VGetArrayPointer(r)));
}

int Ida::Solver::jacobian(double t, double c, N_Vector y, N_Vector y_dot, N_Vector /*r*/,
                          SUNMatrix /*matrix*/, void* self, N_Vector, N_Vector, N_Vector) {
  auto& solver = *static_cast<Solver*>(self);
  return solver.remember(
      solver.problem_.jacobian(t, c, N_VGetArrayPointer(y), N_VGetArrayPointer(y_dot)));
}

Ida::Ida(IdaOptions options) : solver_{std::make_unique<Solver>(options)} {}
Ida::Ida(Ida&&) noexcept = default;
Ida& Ida::operator=(Ida&&) noexcept = default;
Ida::~Ida() = default;

Status Ida::start(const System& system, const State& state) {
  const Status status = solver_->start(system, state);
  solver_->add_counters(counters);
  return status;
}

Status Ida::advance(const System& /*system*/, double t_stop, State& state) {
  const Status status = solver_->advance(t_stop, state);
  solver_->add_counters(counters);
  return status;
}

Status Ida::interpolate(const System& /*system*/, double t, State& state) {
  const Status status = solver_->interpolate(t, state);
  solver_->add_counters(counters);
  return status;
}

void Ida::archive(Archive& /*archive*/) {}

std::string Ida::message() const { return solver_->message(); }

}  // namespace taut
