// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "taut/model/system.hpp"

namespace taut {

/// A system whose forces read multipliers, f(q, v, t, mu), as one whose forces do not: f at the mu
/// that the multipliers of its own motion are. The rows stay those of the system.
///
/// Of a row with compliance C > 0 the multiplier is an expression,
///
///   mu_k = (g + d g') / C.                                                                     (1)
///
/// Of rigid rows it is what the accelerations ask for: with the matrix A = [M Gᵀ; G 0] and w_k the
/// row of its inverse that belongs to the multiplier,
///
///   mu_k = w_k . (f(q, v, t, mu), -curvature),                                                 (2)
///
/// as many equations as there are such mu. They are solved by Newton's method with the exact matrix
/// I - W f_mu from mu = 0, the motion without the forces that depend on mu: in one step where f is
/// affine in mu, else until nothing changes any more. Cost: one factorisation of A, one solution
/// for each w_k, an evaluation of f for each step.
///
/// Derivatives are those of the whole: with r = M a - f + Gᵀλ at the a and λ of (2), mu fixed,
///
///   (I - W f_mu) dmu_k = -w_k . (r_q dq + r_v dv, (G a + curvature)_q dq + curvature_v dv)     (3)
///
/// so that methods with Newton matrices have the exact ones, df = f_q dq + f_v dv + f_mu dmu.
///
/// Fails with multipliers_undetermined where I - W f_mu is singular, where the iteration does not
/// converge, or where the determinant has another sign with the signs of some mu turned: then (2)
/// has no solution or several, as friction has that grows with the pressure it causes
/// (painleve1895). Fails with multipliers_redundant where a row depends on others, so that its
/// multiplier is not determined by the motion. A row without gradient and curvature, which is that
/// of a constraint with the factor 0, asks for nothing and has mu = 0.
///
/// `rows`: compliance and damping of each row of `base`, 0 where it is rigid. `springs` is `base`
/// with the compliant ones as springs.
struct RowSoftness {
  double compliance = 0.0, damping = 0.0;
};
[[nodiscard]] System with_multipliers_solved(const System& base, const System& springs,
                                             const std::vector<RowSoftness>& rows);

}  // namespace taut
