// SPDX-License-Identifier: BSD-3-Clause
#include "methods/arkode.hpp"

#include <arkode/arkode_arkstep.h>

#include "methods/sundials_integrator.hpp"

namespace taut {
namespace {

/// What ARKODE has of its own: it projects the end of a step itself, before it keeps it.
class ArkStep final : public sundials::IndexZeroIntegrator {
 public:
  ArkStep(const MethodInfo& info, double tol) : IndexZeroIntegrator{info, tol, true} {}

 private:
  void close() override { arkode_.reset(); }

  void open(const System& system) override {
    take(arkode_, ARKStepCreate(nullptr, rates, 0.0, y_.get(), context_.get()));
    void* const arkode = arkode_.get();
    ARKStepSetErrHandlerFn(arkode, sundials::ErrorText::record, &error_);
    ARKStepSetUserData(arkode, static_cast<Integrator*>(this));
    ARKStepSetOrder(arkode, info_.order);
    ARKStepSVtolerances(arkode, tol_, tolerance_.get());
    ARKStepSetMaxHnilWarns(arkode, -1);
    ARKStepSetLinearSolver(arkode, linear_.solver.get(), linear_.matrix.get());
    ARKStepSetLinSysFn(arkode, linear_system);
    if (system.nc() > 0) ARKStepSetPostprocessStepFn(arkode, project);
  }

  int restart(double t) override {
    return ARKStepReInit(arkode_.get(), nullptr, rates, t, y_.get());
  }

  int step(double t_stop, double& t) override {
    const int flag = ARKStepSetStopTime(arkode_.get(), t_stop);
    return flag == ARK_SUCCESS ? ARKStepEvolve(arkode_.get(), t_stop, y_.get(), &t, ARK_ONE_STEP)
                               : flag;
  }

  int dense(double t) override { return ARKStepGetDky(arkode_.get(), t, 0, y_.get()); }
  bool too_close(int flag) const override { return flag == ARK_TOO_CLOSE; }

  // project() has been there
  Status arrive(double t, State& state) override {
    read(y_values_, t, state);
    return Status::ok;
  }

  void read(const Eigen::Ref<const Vec>& y, double t, State& state) const {
    const Index nq = system_.nq();
    state.t = t;
    state.q = y.head(nq);
    state.v = y.tail(nq);
  }

  Counters counted() const override {
    long steps = 0, error_failures = 0, solve_failures = 0, iterations = 0;
    ARKStepGetNumSteps(arkode_.get(), &steps);
    ARKStepGetNumErrTestFails(arkode_.get(), &error_failures);
    ARKStepGetNumStepSolveFails(arkode_.get(), &solve_failures);
    ARKStepGetNumNonlinSolvIters(arkode_.get(), &iterations);
    Counters now;
    now.rejected = error_failures + solve_failures;
    now.steps = steps + now.rejected;
    now.newton_iterations = iterations;
    return now;
  }

  static int linear_system(double t, N_Vector y, N_Vector /*y_dot*/, SUNMatrix /*A*/,
                           SUNMatrix /*mass*/, booleantype keep, booleantype* renewed, double gamma,
                           void* self, N_Vector, N_Vector, N_Vector) {
    return linearise(t, y, keep, renewed, gamma, self);
  }

  /// Called with the end of an accepted step, before ARKODE keeps it. A failure ends the step.
  static int project(double t, N_Vector y, void* self) {
    return guarded(self, [&] {
      auto& own = *static_cast<ArkStep*>(static_cast<Integrator*>(self));
      Eigen::Map<Vec> point{N_VGetArrayPointer(y), own.y_values_.size()};
      own.read(point, t, own.projected_);
      const Status status = own.onto_constraints(own.projected_);
      if (status == Status::ok) point << own.projected_.q, own.projected_.v;
      return own.remember(status);
    });
  }

  State projected_;
  sundials::IntegratorMemory<ARKStepFree> arkode_;
};

}  // namespace

Arkode::Arkode(SundialsOptions options)
    : SundialsMethod{std::make_unique<ArkStep>(info, options.tol)} {}

}  // namespace taut
