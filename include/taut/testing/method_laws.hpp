// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "taut/core/state.hpp"
#include "taut/methods/method.hpp"
#include "taut/model/system.hpp"

#pragma GCC visibility push(default)

/// What a method must do, and what it claims to do, as functions that any test program can call:
/// taut's own tests do. Each looks at one law on one motion and says in words where it is broken; a
/// law that does not concern a method (order of one that chooses its steps, say) is kept by it.
namespace taut::laws {

using Violations = std::vector<std::string>;

/// A new method, always of the same type and with the same options.
using MakeMethod = std::function<Method()>;

/// A system with a start, which is consistent, and its motion from there.
struct KnownMotion {
  std::string name;
  System system;
  State start;
  std::function<State(double t)> truth;  ///< from another formulation; only order() asks for it
  double duration = 2.0;                 ///< long for this motion [s]
};

/// Pendulums of one length and one start, in the ways a method claims to treat: in its angle, on a
/// rigid rod (MethodInfo::constraints), in a coordinate that M depends on (variable_mass), with
/// drag (velocity_forces). Their truth is the angle in extended precision.
[[nodiscard]] std::vector<KnownMotion> known_motions(const MethodInfo& claims);

// Methods of constant steps ---------------------------------------------------------------------

/// Errors at eight times of the motion fall as h^p when h does, with p within 0.15 of the claimed
/// order, in positions and in velocities. Of claimed orders up to 6: beyond, rounding is near.
[[nodiscard]] Violations order(const MakeMethod& make, const KnownMotion& motion);

/// A hundred steps and the same back lead to where they began, to 1e-11, if the method claims to be
/// symmetric, and only then.
[[nodiscard]] Violations retraces(const MakeMethod& make, const KnownMotion& motion);

// All methods -----------------------------------------------------------------------------------

/// A step that cannot succeed (of 1e200 s, or across the edge of a force's domain for a method that
/// chooses its steps) fails, leaves the state to the bit, and the method fit to go on.
[[nodiscard]] Violations keeps_the_state_when_it_fails(const MakeMethod& make,
                                                       const KnownMotion& motion);

/// A fresh method that is started at a state and given the archive of one that is there goes on to
/// the same bits, with the same counts. Of methods that claim to be resumable.
[[nodiscard]] Violations resumes(const MakeMethod& make, const KnownMotion& motion);

/// Rigid constraints hold to 1e-12 of their unit after every step, where exact_constraints is
/// claimed.
[[nodiscard]] Violations holds_constraints(const MakeMethod& make, const KnownMotion& motion);

/// `allocations` counts calls of malloc, or whatever allocates: none in the steps after the first.
[[nodiscard]] Violations does_not_allocate(const MakeMethod& make, const KnownMotion& motion,
                                           const std::function<std::size_t()>& allocations);

// Methods that choose their steps ---------------------------------------------------------------

/// The end of the motion is met to the bit, and never passed.
[[nodiscard]] Violations meets_the_end(const MakeMethod& make, const KnownMotion& motion);

/// States inside a step: at its ends those of the step, to the bit where the method claims to be
/// resumable, else to 1e-6 (a history of several steps has no polynomial of one); asking for them
/// changes nothing that follows.
[[nodiscard]] Violations interpolates(const MakeMethod& make, const KnownMotion& motion);

/// Every law but that of allocations, on all motions that the method claims to treat.
[[nodiscard]] Violations method_laws(const MakeMethod& make);

/// The same of a type, made by default.
template <AnyMethod M>
[[nodiscard]] Violations method_laws() {
  return method_laws([] { return Method{M()}; });
}

}  // namespace taut::laws

#pragma GCC visibility pop
