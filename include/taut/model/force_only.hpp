// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "taut/model/system.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// A force that is known only as a function to call.
struct ForceOnly {
  std::vector<std::string> coordinates;  ///< names of q
  Vec mass;                              ///< of each coordinate, > 0
  /// f(t, q) into a vector of the right size; anything but Status::ok ends the step that asked. It
  /// may be called by several threads at once. It must not allocate if steps are not to.
  std::function<Status(double t, const Vec& q, Vec& f)> force;
  bool uses_time = true;  ///< whether f depends on t
};

/// A system without constraints from a force of which no formula is known:
///
///   m_i q_i'' = f_i(t, q)                                                                     (1)
///
/// It knows M, f, momentum and kinetic energy; its potential energy is NaN, and derivatives of f
/// are refused with Status::not_supported (Structure::differentiable is false). Methods that
/// evaluate forces alone run on it: verlet, rk4, dop853, iterated projection. culprit() names the
/// coordinate whose force is not finite. Throws ModelError where names, masses and function do not
/// fit each other.
[[nodiscard]] System force_only(ForceOnly description);

}  // namespace taut

#pragma GCC visibility pop
