// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/model/system.hpp"

namespace taut {

/// The model with every constraint rigid: C = 0 and d = 0, an index-3 DAE.
[[nodiscard]] System rigid(const System& system);

/// The model with every constraint as a stiff spring of constant omega^2: C = 1/omega^2, a stiff
/// ODE
///
///   M q'' = f - omega^2 G^T (g + d g'),      lambda = omega^2 (g + d g')                     (1)
///
/// with the damping d [s] that the rows were given.
[[nodiscard]] System penalized(const System& system, double omega);

/// The model as written, for methods that treat only rigid constraints as equations: rows with
/// C > 0 become damped springs (lambda = (g + d g') / C), rows with C = 0 stay.
[[nodiscard]] System springs(const System& system);

/// The same with every constraint an equation g + d g' = C lambda, those included that penalized()
/// or springs() have turned into springs.
[[nodiscard]] System equations(const System& system);

}  // namespace taut
