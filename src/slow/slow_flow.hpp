// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "taut/core/note.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// The slow motions of a system as a flow of their own, which is not stiff. Of
///
///   M q'' = f - Gᵀλ,      g + d g' = C λ                                                       (1)
///
/// only the solutions without vibrations are kept: those that have an expansion in powers of C.
/// At a point (q, v), sweep k = 0, 1, ..., K finds the motion through it in which g follows a
/// function of time that sweep k - 1 has given,
///
///   M a + Gᵀλ_k = f,   G a = -(g_qq(v, v) + 2 g_qt v + g_tt) + γ_{k-1}''                      (2)
///   γ_k = C λ_k - d C λ_k' + d² γ_{k-1}''                                                      (3)
///
/// with γ_{-1} = 0: the sweeps of smooth_start(). The flow is  M q'' = f - Gᵀλ_K,  K = `sweeps`.
/// Its motions fill the manifold
///
///   g(q, t) = γ_K(q, v, t),      G v + g_t = γ_K'(q, v, t)                                     (4)
///
/// up to an error of eps^(2K+4), eps² = C, in q. Time derivatives are exact: λ_k and γ_k are power
/// series, found order by order from those of M, f, G and the curvature (evaluate_series()) with
/// one factorisation at the point. Sweep k needs two orders less than sweep k - 1, three with
/// damping; the value at the point is shared. An evaluation of the force so costs
///
///   1 + K (K + 1) coefficients,   1 + 3 K (K + 1)/2 with damping                               (5)
///
/// each two to three times as dear as the accelerations of the rigid model; hidden_evaluations()
/// counts them.
///
/// The result has nc = 0 and all rows with equation -1; multipliers() gives λ_K of all of them.
/// Rows with C = 0 are rigid: they have γ = 0. Potential energy has g²/2C of the compliant rows.
/// project() moves a state onto (4) along the columns of M⁻¹Gᵀ; the explicit Runge-Kutta methods do
/// so after every step, with others the motion drifts slowly from (4). A run should start there:
/// see smooth_start(), of order 2 K + 4. Derivatives of the force (stiffness, damping) are not
/// available, so that only explicit methods fit.
///
/// Rows that depend on others must be rigid. Fails in evaluate() with not_supported where compliant
/// rows depend on others, and where the system has no power series (forces of a black box);
/// mass_singular, non_finite as the system does. project() fails with iteration_limit or
/// projection_diverged where (4) is not near, the state then as given; where vibrations are not
/// fast compared with the motion there is no such flow, see useful_sweeps().
/// Reference: lubich1993, Theorem 2.2.
[[nodiscard]] System slow_flow(const System& system, int sweeps);

/// What a user should know of a slow flow after a run: how much the sweeps leave out, estimated
/// from the terms of the series at every project(), or that they have ceased to fall (project()
/// then fails with not_supported). Empty where there is nothing to be said, and for other systems.
[[nodiscard]] Note slow_flow_note(const System& system);

struct SweepChoice {
  Status status = Status::ok;
  std::string reason;  ///< why there are none, or no more
  int sweeps = 0;      ///< 1 to 4; 0: none
  double left = 0.0;   ///< |γ_{K+1} - γ_K| in units of Row::scale: what K = sweeps leaves in g
};

/// How many sweeps of slow_flow() are worth their cost at a state near the slow motion: until the
/// next one would change g by less than tol/100 of Row::scale and λ by less than 100 tol of its
/// size (what is left in g acts on the motion over its whole time), or until it would change g by
/// more than half of what those before it have. What changes g by less than 1e-14 of Row::scale is
/// never of use. Status::not_supported
/// where no sweep helps: the vibrations of the constraint named are not fast compared with the
/// motion. Cost: 31 coefficients, 52 with damping.
[[nodiscard]] SweepChoice useful_sweeps(const System& system, const State& state, double tol = 0.0);

}  // namespace taut
