// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "taut/model/compile.hpp"
#include "taut/model/system.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// A force of which no formula is known, on some coordinates of a system: a controller, a tyre, a
/// table. It reads and moves the coordinates it names, and no others; all vectors and matrices have
/// their order. It is called by whoever evaluates the system, by several threads at once where
/// several do, and must not allocate if steps are not to.
struct BlackBoxForce {
  std::vector<std::string> coordinates{};  ///< names of Structure::coordinates; empty: all

  /// f(t, q, v) into a vector of the right size; anything but Status::ok ends the step that asked.
  std::function<Status(double t, const Vec& q, const Vec& v, Vec& f)> force;

  /// df/dq and df/dv into square matrices, zero at first; without it methods that need derivatives
  /// refuse the system in words. taut takes no differences of a force it does not know: how far its
  /// values can be trusted, and where it has kinks, only its author can tell.
  std::function<Status(double t, const Vec& q, const Vec& v, Mat& f_q, Mat& f_v)> derivatives{};

  bool uses_velocity = true;  ///< whether f depends on v
  bool uses_time = true;      ///< whether it depends on t
};

/// A system, or a reading of one, with one more force:
///
///   M q'' = f + F(t, q, q') - Gᵀλ,    g + d g' = C λ                                          (1)
///
/// Everything else, constraints and their multipliers included, is as it was, and so is the way its
/// rows are read; rigid(), penalized(), springs() and equations() read the result as they read the
/// system. T + U is not kept (Structure::conservative). Throws ModelError where a coordinate does
/// not exist or stands twice, or there is no function.
[[nodiscard]] System with_force(const System& system, BlackBoxForce force);

/// The same for a model: its system has the force, with other parameters and inputs, too. A model
/// with [jets] has no system that it could act on, and is refused.
[[nodiscard]] CompiledModel with_force(const CompiledModel& model, const BlackBoxForce& force);

}  // namespace taut

#pragma GCC visibility pop
