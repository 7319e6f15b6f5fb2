// SPDX-License-Identifier: BSD-3-Clause
#include "methods/ida.hpp"

#include <ida/ida.h>

#include "methods/stabilised.hpp"
#include "methods/sundials_integrator.hpp"

namespace taut {
namespace {

/// What IDA has of its own: residuals instead of rates, and multipliers among its unknowns.
class IdaIntegrator final : public sundials::Integrator {
 public:
  IdaIntegrator(const MethodInfo& info, double tol) : Integrator{info, tol} {}

 private:
  void close() override { ida_.reset(); }

  Status prepare(const System& system) override {
    if (const Status status = problem_.start(system, context_.get()); status != Status::ok)
      return status;
    y_values_.setZero(problem_.size());
    y_dot_values_.setZero(problem_.size());
    differential_values_ = problem_.differential();
    tolerance_values_.setConstant(problem_.size(), sundials::out_of_all_tests);
    tolerance_values_.head(2 * system.nq()).setConstant(tol_);
    // nor one of the integral of a first-order state
    const Structure& structure = system.structure();
    tolerance_values_.segment(structure.places(), structure.nz)
        .setConstant(sundials::out_of_all_tests);
    y_ = sundials::wrap(y_values_, context_.get());
    y_dot_ = sundials::wrap(y_dot_values_, context_.get());
    differential_ = sundials::wrap(differential_values_, context_.get());
    tolerance_ = sundials::wrap(tolerance_values_, context_.get());
    return Status::ok;
  }

  void open(const System& /*system*/) override {
    take(ida_, IDACreate(context_.get()));
    void* const ida = ida_.get();
    IDASetErrHandlerFn(ida, sundials::ErrorText::record, &error_);
    IDASetUserData(ida, static_cast<Integrator*>(this));
    if (IDAInit(ida, residual, 0.0, y_.get(), y_dot_.get()) != IDA_SUCCESS) throw std::bad_alloc{};
    IDASVtolerances(ida, tol_, tolerance_.get());
    IDASetId(ida, differential_.get());
    IDASetSuppressAlg(ida, SUNTRUE);
    IDASetLinearSolver(ida, problem_.matrix().solver(), problem_.matrix().matrix());
    IDASetJacFn(ida, jacobian);
  }

  Status place(const State& state) override {
    return problem_.consistent(state, y_values_, y_dot_values_);
  }

  int restart(double t) override { return IDAReInit(ida_.get(), t, y_.get(), y_dot_.get()); }

  int step(double t_stop, double& t) override {
    const int flag = IDASetStopTime(ida_.get(), t_stop);
    return flag == IDA_SUCCESS
               ? IDASolve(ida_.get(), t_stop, &t, y_.get(), y_dot_.get(), IDA_ONE_STEP)
               : flag;
  }

  int dense(double t) override { return IDAGetDky(ida_.get(), t, 0, y_.get()); }
  bool too_close(int /*flag*/) const override { return false; }

  const Kkt* factorised(Status& status) override {
    status = problem_.factor_kkt();
    return &problem_.kkt();
  }

  Counters& evaluations() override { return problem_.counters; }

  Counters counted() const override {
    long steps = 0, error_failures = 0, solve_failures = 0, iterations = 0, setups = 0;
    IDAGetNumSteps(ida_.get(), &steps);
    IDAGetNumErrTestFails(ida_.get(), &error_failures);
    IDAGetNumStepSolveFails(ida_.get(), &solve_failures);
    IDAGetNumNonlinSolvIters(ida_.get(), &iterations);
    IDAGetNumLinSolvSetups(ida_.get(), &setups);
    Counters now;
    now.rejected = error_failures + solve_failures;
    now.steps = steps + now.rejected;
    now.newton_iterations = iterations;
    now.factorisations = setups;
    return now;
  }

  static IdaIntegrator& of(void* self) {
    return *static_cast<IdaIntegrator*>(static_cast<Integrator*>(self));
  }

  static int residual(double t, N_Vector y, N_Vector y_dot, N_Vector r, void* self) {
    return guarded(self, [&] {
      return of(self).remember(of(self).problem_.residual(
          t, N_VGetArrayPointer(y), N_VGetArrayPointer(y_dot), N_VGetArrayPointer(r)));
    });
  }

  static int jacobian(double t, double c, N_Vector y, N_Vector y_dot, N_Vector /*r*/,
                      SUNMatrix /*matrix*/, void* self, N_Vector, N_Vector, N_Vector) {
    return guarded(self, [&] {
      return of(self).remember(
          of(self).problem_.jacobian(t, c, N_VGetArrayPointer(y), N_VGetArrayPointer(y_dot)));
    });
  }

  sundials::Stabilised problem_;
  Vec y_dot_values_, differential_values_, tolerance_values_;
  sundials::Owned<N_Vector> y_dot_, differential_, tolerance_;
  sundials::IntegratorMemory<IDAFree> ida_;
};

}  // namespace

Ida::Ida(SundialsOptions options)
    : SundialsMethod{std::make_unique<IdaIntegrator>(info, options.tol)} {}

}  // namespace taut
