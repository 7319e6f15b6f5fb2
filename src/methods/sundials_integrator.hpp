// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <memory>
#include <string>

#include "core/kkt.hpp"
#include "methods/index_zero.hpp"
#include "methods/onto_constraints.hpp"
#include "methods/sundials_support.hpp"
#include "taut/core/counters.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/methods/method_info.hpp"
#include "taut/model/system.hpp"

namespace taut::sundials {

/// The one adapter between a system and an integrator of SUNDIALS. It holds what they all need:
/// context, unknowns, projection, errors, counters; and leads a run. What differs is below: the
/// form of the equations, and the names of SUNDIALS' functions. Its address is known to SUNDIALS:
/// it never moves.
class Integrator {
 public:
  Integrator(const Integrator&) = delete;
  Integrator& operator=(const Integrator&) = delete;
  virtual ~Integrator() = default;

  [[nodiscard]] Status start(const System& system, const State& state);
  [[nodiscard]] Status advance(double t_stop, State& state);
  [[nodiscard]] Status interpolate(double t, State& state);
  /// Adds the work done since the last call.
  void add_counters(Counters& sum);
  [[nodiscard]] const std::string& message() const {
    return thrown_.empty() ? error_.text : thrown_;
  }

 protected:
  Integrator(const MethodInfo& info, double tol) : info_{info}, tol_{tol} {}

  /// Frees the integrator, if there is one, before what it points to is made anew.
  virtual void close() = 0;
  /// Sizes the equations of a system.
  [[nodiscard]] virtual Status prepare(const System& system) = 0;
  /// Makes the integrator, for a system that has been prepared.
  virtual void open(const System& system) = 0;
  /// Unknowns at a consistent state.
  [[nodiscard]] virtual Status place(const State& state) = 0;
  /// These call SUNDIALS and return its flag, < 0 where it failed: from the unknowns at t; one step
  /// of its choice from t, not beyond t_stop; the unknowns at a time in the last step.
  [[nodiscard]] virtual int restart(double t) = 0;
  [[nodiscard]] virtual int step(double t_stop, double& t) = 0;
  [[nodiscard]] virtual int dense(double t) = 0;
  /// Whether a flag says that t_stop is too close to t.
  [[nodiscard]] virtual bool too_close(int flag) const = 0;
  /// What the integrator has counted since restart().
  [[nodiscard]] virtual Counters counted() const = 0;
  /// Counters of the equations.
  [[nodiscard]] virtual Counters& evaluations() = 0;
  /// M and G factorised at a point near the unknowns; null with `status` where they cannot be.
  [[nodiscard]] virtual const Kkt* factorised(Status& status) = 0;
  /// Hands the end of a step to the caller, on the constraints.
  [[nodiscard]] virtual Status arrive(double t, State& state) { return leave(t, state); }

  /// Hands the unknowns to the caller, on the constraints.
  [[nodiscard]] Status leave(double t, State& state);
  /// Moves a state onto the constraints; spoiled on failure.
  [[nodiscard]] Status onto_constraints(State& state);

  /// What a callback tells SUNDIALS: 0 done, 1 try a smaller step.
  int remember(Status status) {
    if (status != Status::ok) failure_ = status;
    return status == Status::ok ? 0 : 1;
  }
  /// The way into every callback. Nothing thrown inside may pass through SUNDIALS, which is C: it
  /// is kept, and the integrator told to give up.
  template <class Work>
  static int guarded(void* self, Work work) noexcept {
    auto& integrator = *static_cast<Integrator*>(self);
    try {
      return work();
    } catch (const std::exception& thrown) {
      return integrator.give_up(thrown.what());
    } catch (...) {
      return integrator.give_up("something was thrown that is no std::exception");
    }
  }

  const MethodInfo info_;
  const double tol_;
  Owned<SUNContext> context_ = make_context();
  System system_;
  ErrorText error_;
  Vec y_values_;  // q, v, and what else the form has
  Owned<N_Vector> y_;

 private:
  void begin();
  [[nodiscard]] Status create(const System& system);
  [[nodiscard]] Status failed(int flag) const;
  int give_up(const char* what) noexcept;

  OntoConstraints onto_constraints_;
  Status failure_ = Status::ok;  // of the last callback that failed
  std::string thrown_;           // what a callback threw
  bool open_ = false;
  State out_;
  Counters seen_;  // of this integrator, already added
};

/// An absolute tolerance so large that no error counts in any norm: of multipliers, of integrals of
/// first-order states.
inline constexpr double out_of_all_tests = 1e10;

/// Integrators on the index-0 form, y = (q, v); see IndexZero.
class IndexZeroIntegrator : public Integrator {
 protected:
  IndexZeroIntegrator(const MethodInfo& info, double tol, bool newton)
      : Integrator{info, tol}, newton_{newton} {}

  [[nodiscard]] Status prepare(const System& system) override;
  [[nodiscard]] Status place(const State& state) override;
  [[nodiscard]] Counters& evaluations() override { return problem_.counters; }
  [[nodiscard]] const Kkt* factorised(Status& /*status*/) override { return &problem_.kkt(); }

  /// Callback: y' at (t, y). `self` is an IndexZeroIntegrator.
  static int rates(double t, N_Vector y, N_Vector y_dot, void* self);
  /// Of a callback: 1 - γ J at (t, y), factorised; with the old J where `keep`.
  static int linearise(double t, N_Vector y, booleantype keep, booleantype* renewed, double gamma,
                       void* self);

  Vec tolerance_values_;  // absolute ones
  Owned<N_Vector> tolerance_;
  const bool newton_;  // else fixed-point iteration, without derivatives
  IndexZero problem_;
  NewtonSolver linear_;
};

/// An object of SUNDIALS with its own free function, which takes its address.
template <void (*free)(void**)>
struct FreeIntegrator {
  void operator()(void* memory) const { free(&memory); }
};
template <void (*free)(void**)>
using IntegratorMemory = std::unique_ptr<void, FreeIntegrator<free>>;

/// Takes what a Create function returned: null means that there was no memory.
template <class Memory>
void take(Memory& memory, void* made) {
  if (made == nullptr) throw std::bad_alloc{};
  memory.reset(made);
}

}  // namespace taut::sundials
