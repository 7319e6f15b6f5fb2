// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/model/system.hpp"

namespace taut {

/// How a state vibrates about a smooth motion near it, by what it takes to get there.
///
/// A change dq, dv along the directions M⁻¹Gᵀ of the constraint forces is the beginning of
/// vibrations of the rows with C > 0. With  G M⁻¹Gᵀ μ = G dv,  place i vibrates by at most
///
///   A_i = |dq_i| + sqrt(μᵀC μ / M_ii)                                                          (1)
///
/// since Ω⁻¹dv has the mass norm (μᵀC μ)^(1/2). That is below the tolerance of a place where
///
///   A_i <= tol (min(1, L_i) + |q_i|),    L_i = max |q_j| of all j in a constraint with i       (2)
///
/// With 1 these are the weights of adaptive methods. L_i makes it a claim about the motion and not
/// about the units: of places that are small numbers, or 0, a tolerance of 1e-8 may be all there
/// is. The rate of the vibration is a quotient of energies,
///
///   ω² = Σ (G dq)²/C / dqᵀM dq                                                                 (3)
///
/// or the same with dv where that is the larger part. A row with damping d >= 2 sqrt(C / G M⁻¹Gᵀ)
/// does not vibrate: it relaxes.
struct StartVibration {
  double amplitude = 0.0;  ///< largest A_i
  double excess = 0.0;     ///< largest A_i in units of (2)
  double weighted = 0.0;   ///< the same with the weights of adaptive methods, L_i = 1
  double omega = 0.0;      ///< [rad/s]
  bool relaxes = false;    ///< some row does
};

/// Of `given` about `smooth`; compliant rows of `system` are equations. Fails as its evaluation
/// does.
[[nodiscard]] Status start_vibration(const System& system, const State& given, const State& smooth,
                                     double tol, StartVibration& out);

}  // namespace taut
