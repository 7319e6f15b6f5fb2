// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/sundials_method.hpp"

namespace taut {

/// SUNDIALS CVODE on the index-0 form
///
///   q' = v,    v' = a   with   M a + Gᵀλ = f,   G a = -(g_qq(v, v) + 2 g_qt v + g_tt)         (1)
///
/// (1) keeps g = 0 and G v + g_t = 0 only up to an error that grows like t². After every step the
/// state is therefore projected onto both along M⁻¹Gᵀ, and the newest point of CVODE's history
/// moved with it. States inside a step are projected, too. Fails as every SundialsMethod does.
///
/// Adams-Moulton formulas of order 1 to 12 with fixed-point iteration: for systems that are not
/// stiff. One to two force evaluations per step.
/// Reference: hindmarsh2005; eich1993 for the projection.
class CvodeAdams : public SundialsMethod {
 public:
  static constexpr MethodInfo info{.name = "cvode-adams",
                                   .order = 12,
                                   .adaptive = true,
                                   .constraints = true,
                                   .variable_mass = true,
                                   .velocity_forces = true,
                                   .velocity_rows = true,
                                   .resumable = false,
                                   .about = "SUNDIALS CVODE, Adams formulas up to order 12",
                                   .cite = "hindmarsh2005"};
  explicit CvodeAdams(SundialsOptions options = {});
};

/// The same with backward differentiation formulas of order 1 to 5 with a Newton iteration: for
/// stiff systems whose fast vibrations should be damped out. The Newton matrix is exact and has the
/// size nq + nc, dense for small systems and sparse for large ones. Reference: hindmarsh2005;
/// eich1993 for the projection.
class CvodeBdf : public SundialsMethod {
 public:
  static constexpr MethodInfo info{.name = "cvode-bdf",
                                   .order = 5,
                                   .adaptive = true,
                                   .constraints = true,
                                   .variable_mass = true,
                                   .velocity_forces = true,
                                   .velocity_rows = true,
                                   .derivatives = true,
                                   .resumable = false,
                                   .about = "SUNDIALS CVODE, BDF up to order 5, exact Jacobian",
                                   .cite = "hindmarsh2005"};
  explicit CvodeBdf(SundialsOptions options = {});
};

}  // namespace taut
