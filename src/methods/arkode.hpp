// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/sundials_method.hpp"

namespace taut {

/// SUNDIALS ARKODE with its default diagonally implicit Runge-Kutta method of order 4 (SDIRK of
/// Hairer and Wanner, five stages, L-stable, stiffly accurate, embedded order 3) on the index-0
/// form
///
///   q' = v,    v' = a   with   M a + Gᵀλ = f,   G a = -(g_qq(v, v) + 2 g_qt v + g_tt)         (1)
///
/// Being a one-step method, it has no history that a projection could spoil: every accepted step
/// ends on g = 0 and G v + g_t = 0, and the next one begins there. States inside a step come from
/// ARKODE's interpolant and are projected, too. Each stage is solved by the same Newton iteration
/// as in CvodeBdf: exact matrix, size nq + nc, dense for small systems and sparse for large ones.
///
/// The stage order is 1: on stiff springs the step follows the vibrations as soon as the tolerance
/// asks for more than the step of an implicit Euler method gives. Fails as every SundialsMethod
/// does. Not resumable. Reference: reynolds2023; hairer1996 for the method; eich1993 for the
/// projection.
class Arkode : public SundialsMethod {
 public:
  static constexpr MethodInfo info{.name = "arkode",
                                   .order = 4,
                                   .adaptive = true,
                                   .constraints = true,
                                   .variable_mass = true,
                                   .velocity_forces = true,
                                   .velocity_rows = true,
                                   .derivatives = true,
                                   .resumable = false,
                                   .about =
                                       "SUNDIALS ARKODE, diagonally implicit Runge-Kutta of "
                                       "order 4, exact Jacobian",
                                   .cite = "reynolds2023"};

  explicit Arkode(SundialsOptions options = {});
};

}  // namespace taut
