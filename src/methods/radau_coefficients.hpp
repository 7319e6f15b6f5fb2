// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <vector>

#include "taut/core/types.hpp"

namespace taut {

/// What a step of the Radau IIA method of s = 1, 3, 5, 7 stages needs beside its tableau.
///
/// A⁻¹ has one real eigenvalue γ and (s - 1)/2 pairs α ± iβ. With u = p + iq the eigenvector of
/// α + iβ, A⁻¹ p = α p - β q and A⁻¹ q = β p + α q, so that with T = [x, p_1, q_1, ...]
///
///   T⁻¹ A⁻¹ T = diag(γ, [α β; -β α], ...)                                                    (1)
///
/// and stage values Z = T W decouple: the real part W_1 for γ, and for each pair the complex number
/// ω = W_p - i W_q, on which A⁻¹ acts as the factor α + iβ.
///
/// The embedded method has the nodes 0, c_1, ..., c_s with the weight γ0 = 1/γ at node 0 and b̂ at
/// the others, and is of order s. With k_i = Σ_j (A⁻¹)_ij Z_j / h its difference to the method is
///
///   γ0 h y'_n + Σ e_i Z_i,     e = A⁻ᵀ (b̂ - b)                                              (2)
///
/// Reference: hairer1996, IV.8.
struct RadauCoefficients {
  int s = 0;
  Vec c;          ///< nodes; the last is 1
  Mat A_inverse;  ///< A⁻¹
  double gamma = 0.0;
  std::vector<std::complex<double>> pairs;  ///< α + iβ, β > 0
  Mat T, T_inverse;                         ///< (1)
  Vec e;                                    ///< (2)
};

/// s is 1, 3, 5 or 7. Computed at first use.
[[nodiscard]] const RadauCoefficients& radau_coefficients(int s);

}  // namespace taut
