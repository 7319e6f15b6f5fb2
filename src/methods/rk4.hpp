// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "methods/explicit_runge_kutta.hpp"

namespace taut {

/// The classical Runge-Kutta method of order 4 with constant steps, on free motion and on rigid
/// constraints: see ExplicitRungeKutta for the equations and ExplicitTableau for the numbers.
///
/// Four force evaluations per step. Neither symmetric nor symplectic: energy drifts as h⁵ per step.
/// Fails when a force is not finite or a constraint cannot be reached; the state is then as it was.
/// Reference: kutta1901.
class Rk4 {
 public:
  static constexpr MethodInfo info{
      .name = "rk4",
      .order = 4,
      .constraints = true,
      .variable_mass = true,
      .velocity_forces = true,
      .velocity_rows = true,
      .about = "classical Runge-Kutta of order 4, projected onto the constraints",
      .cite = "kutta1901"};

  [[nodiscard]] Status start(const System& system, const State& state) {
    const Status st = runge_kutta_.start(system, state, info, message_);
    count();
    return st;
  }

  [[nodiscard]] Status step(const System& system, double h, State& s) {
    ++steps_;
    Status st = runge_kutta_.stages(system, h, s);
    if (st == Status::ok) st = runge_kutta_.finish(system, s.t + h);
    if (st == Status::ok) runge_kutta_.commit(s);
    count();
    return st;
  }

  void archive(Archive& archive) {
    archive.tag(info.name);
    archive(steps_, runge_kutta_.counters);
    count();
  }

  /// Why start() refused the system.
  [[nodiscard]] const std::string& message() const { return message_; }

  Counters counters;

 private:
  void count() {
    counters = runge_kutta_.counters;
    counters.steps = steps_;
  }

  ExplicitRungeKutta runge_kutta_{rk4_tableau};
  std::int64_t steps_ = 0;
  std::string message_;
};

}  // namespace taut
