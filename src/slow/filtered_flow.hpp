// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "slow/iterated_projection.hpp"

namespace taut {

/// The slow motion of  M q'' = f(q, t),  f stiff, as a system of its own that is not stiff, for
/// explicit methods with steps that know nothing of the vibrations:
///
///   M q'' = M a*,     a* = Σ w_j a_j  around the slow point  P(q, v) (1)
///
/// with P the iterated projection and a* the accelerations filtered along its last micro-solution
/// (IteratedProjection::acceleration()), not those at the point itself, in which the stiffness
/// magnifies the distance of P(q, v) from the manifold. One evaluation of (1) is one projection;
/// hidden_evaluations() counts the force evaluations made for them.
///
/// `system` as for IteratedProjection::start(); nc is 0, and derivatives of (1) are refused.
/// Forces, energies, observables and multipliers are those at P(q, v), momentum that of v.
/// project() is P: explicit Runge-Kutta methods make it after every step. A start off the manifold
/// is taken to be P of it. Evaluations fail as the projection does; projecting that state alone
/// tells the reason. Throws ModelError where the projection refuses the system or the filter.
/// Reference: ariel2012, section 6.5.
[[nodiscard]] System filtered_flow(const System& system, const FilterChoice& filter,
                                   const IteratedProjectionOptions& options = {.reduction = 1.0});

/// The same where the constraints that became springs are known: `known` = equations(system).
[[nodiscard]] System filtered_flow(const System& system, const System& known,
                                   const FilterChoice& filter,
                                   const IteratedProjectionOptions& options = {.reduction = 1.0});

}  // namespace taut
