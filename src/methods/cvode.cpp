// SPDX-License-Identifier: BSD-3-Clause
#include "methods/cvode.hpp"

#include <cvode/cvode.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "methods/sundials_integrator.hpp"

namespace taut {
namespace {

/// What CVODE has of its own: two formulas, and a history that is moved with the projected state.
class Cvode final : public sundials::IndexZeroIntegrator {
 public:
  Cvode(const MethodInfo& info, double tol) : IndexZeroIntegrator{info, tol, info.derivatives} {}

 private:
  void close() override { cvode_.reset(); }

  void open(const System& /*system*/) override {
    take(cvode_, CVodeCreate(newton_ ? CV_BDF : CV_ADAMS, context_.get()));
    void* const cvode = cvode_.get();
    CVodeSetErrHandlerFn(cvode, sundials::ErrorText::record, &error_);
    CVodeSetUserData(cvode, static_cast<Integrator*>(this));
    if (CVodeInit(cvode, rates, 0.0, y_.get()) != CV_SUCCESS) throw std::bad_alloc{};
    CVodeSVtolerances(cvode, tol_, tolerance_.get());
    CVodeSetMaxHnilWarns(cvode, -1);
    if (newton_) {
      CVodeSetLinearSolver(cvode, linear_.solver.get(), linear_.matrix.get());
      CVodeSetLinSysFn(cvode, linear_system);
    } else {
      iteration_ = sundials::own(SUNNonlinSol_FixedPoint(y_.get(), 0, context_.get()));
      CVodeSetNonlinearSolver(cvode, iteration_.get());
    }
  }

  int restart(double t) override { return CVodeReInit(cvode_.get(), t, y_.get()); }

  int step(double t_stop, double& t) override {
    const int flag = CVodeSetStopTime(cvode_.get(), t_stop);
    return flag == CV_SUCCESS ? CVode(cvode_.get(), t_stop, y_.get(), &t, CV_ONE_STEP) : flag;
  }

  int dense(double t) override { return CVodeGetDky(cvode_.get(), t, 0, y_.get()); }
  bool too_close(int flag) const override { return flag == CV_TOO_CLOSE; }

  Status arrive(double t, State& state) override {
    const Status status = leave(t, state);
    if (status == Status::ok && system_.nc() > 0) move_history(state);
    return status;
  }

  /// Moves the newest point of CVODE's history to where `state` was projected. Between steps, what
  /// CVODE hands out as its prediction is that point (the first of the Nordsieck array).
  void move_history(const State& state) {
    double t = 0.0, gamma = 0.0, rl1 = 0.0;
    N_Vector newest = nullptr, y = nullptr, y_dot = nullptr, scaled = nullptr;
    void* self = nullptr;
    CVodeGetNonlinearSystemData(cvode_.get(), &t, &newest, &y, &y_dot, &gamma, &rl1, &scaled,
                                &self);
    const Index nq = system_.nq();
    Eigen::Map<Vec> point{N_VGetArrayPointer(newest), 2 * nq};
    point.head(nq) += state.q - y_values_.head(nq);
    point.tail(nq) += state.v - y_values_.tail(nq);
  }

  Counters counted() const override {
    long steps = 0, error_failures = 0, solve_failures = 0, iterations = 0;
    CVodeGetNumSteps(cvode_.get(), &steps);
    CVodeGetNumErrTestFails(cvode_.get(), &error_failures);
    CVodeGetNumStepSolveFails(cvode_.get(), &solve_failures);
    CVodeGetNumNonlinSolvIters(cvode_.get(), &iterations);
    Counters now;
    now.rejected = error_failures + solve_failures;
    now.steps = steps + now.rejected;
    now.newton_iterations = newton_ ? iterations : 0;
    return now;
  }

  static int linear_system(double t, N_Vector y, N_Vector /*y_dot*/, SUNMatrix /*A*/,
                           booleantype keep, booleantype* renewed, double gamma, void* self,
                           N_Vector, N_Vector, N_Vector) {
    return linearise(t, y, keep, renewed, gamma, self);
  }

  sundials::Owned<SUNNonlinearSolver> iteration_;
  sundials::IntegratorMemory<CVodeFree> cvode_;
};

}  // namespace

CvodeAdams::CvodeAdams(SundialsOptions options)
    : SundialsMethod{std::make_unique<Cvode>(info, options.tol)} {}

CvodeBdf::CvodeBdf(SundialsOptions options)
    : SundialsMethod{std::make_unique<Cvode>(info, options.tol)} {}

}  // namespace taut
