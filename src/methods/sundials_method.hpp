// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "taut/core/archive.hpp"
#include "taut/core/counters.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/methods/method_info.hpp"
#include "taut/model/system.hpp"

namespace taut {

namespace sundials {
class Integrator;
}

struct SundialsOptions {
  double tol = 1e-8;  ///< relative and absolute, for every component of q and v
};

/// A method that SUNDIALS integrates by. It chooses order, first step and steps; its interpolant is
/// the dense output.
///
/// A formula that is not finite makes it retry with a smaller step; if that does not help, the step
/// fails with the Status of the formula. Other failures are Status::solver_failed, and message()
/// has the solver's own words, or those of an exception that a formula threw. The state is then as
/// it was. No memory of a run can be stored to the same bits, so these methods are not resumable.
class SundialsMethod {
 public:
  [[nodiscard]] Status start(const System& system, const State& state);
  [[nodiscard]] Status advance(const System& system, double t_stop, State& state);
  [[nodiscard]] Status interpolate(const System& system, double t, State& state);
  void archive(Archive& archive);
  [[nodiscard]] std::string message() const;

  Counters counters;

 protected:
  explicit SundialsMethod(std::unique_ptr<sundials::Integrator> integrator);
  SundialsMethod(SundialsMethod&&) noexcept;
  SundialsMethod& operator=(SundialsMethod&&) noexcept;
  ~SundialsMethod();

 private:
  std::unique_ptr<sundials::Integrator> integrator_;
};

}  // namespace taut
