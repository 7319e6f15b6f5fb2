// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/sundials_method.hpp"

namespace taut {

/// SUNDIALS IDA (BDF of order 1 to 5) on the stabilised index-2 form of the model:
///
///   q' = v - Gᵀμ,    M v' = f - Gᵀλ,    g = 0,    G v + g_t = 0                               (1)
///
/// with the exact Jacobian, dense for small systems and sparse for large ones. λ and μ take no part
/// in the error test nor in the test of the Newton iteration: with them IDA fails at the first step
/// of many mechanisms. The start is consistent (λ and v' from the accelerations, μ = 0).
///
/// g = 0 and G v + g_t = 0 hold up to the Newton tolerance; a state is projected onto both when it
/// leaves the method, IDA's own history is not touched. Works without constraints, too.
///
/// Cost: one evaluation of M, f, g, G per Newton iteration, one of the second derivatives and one
/// factorisation of size 2 (nq + nc) whenever step or order have changed much. Fails as every
/// SundialsMethod does. Not resumable.
/// Reference: hindmarsh2005; gear1985 for (1).
class Ida : public SundialsMethod {
 public:
  static constexpr MethodInfo info{.name = "ida",
                                   .order = 5,
                                   .adaptive = true,
                                   .constraints = true,
                                   .variable_mass = true,
                                   .velocity_forces = true,
                                   .velocity_rows = true,
                                   .derivatives = true,
                                   .resumable = false,
                                   .about =
                                       "SUNDIALS IDA, BDF up to order 5 on the stabilised "
                                       "index-2 form, exact Jacobian",
                                   .cite = "hindmarsh2005"};

  explicit Ida(SundialsOptions options = {});
};

}  // namespace taut
