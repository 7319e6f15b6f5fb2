// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "methods/radau_coefficients.hpp"
#include "taut/core/state.hpp"

namespace taut {

/// A step of a Radau IIA method in the compliant, stabilised index-2 form
///
///   y' = v - B μ,    M v' = f - Gᵀλ,    g + d g' = C λ,    G v + g_t = d/dt g                 (1)
///
/// with B = M⁻¹Gᵀ at the beginning of the step; on the solution μ = 0. With D = A⁻¹/h the stages
/// are  Y_i = y_n + Z_i,  V_i = (D Z)_i + U_i,  U_i = B μ_i,  and as multipliers Λ_i.
struct RadauStep {
  const RadauCoefficients* method = nullptr;
  double h = 0.0;
  State from;
  Vec g0;  ///< g at `from` for compliant rows, 0 for rigid ones
  std::vector<Vec> Z, V, U, lambda, g;

  void resize(Index nq, Index nc) {
    for (auto* x : {&Z, &V, &U}) x->assign(7, Vec::Zero(nq));
    for (auto* x : {&lambda, &g}) x->assign(7, Vec::Zero(nc));
    g0.setZero(nc);
    from.q.setZero(nq);
    from.v.setZero(nq);
  }

  [[nodiscard]] int stages() const { return method->s; }
  [[nodiscard]] double time(int i) const { return from.t + method->c[i] * h; }
  /// (D x)_i = Σ_j (A⁻¹)_ij x_j / h
  template <class Get>
  void differentiate(int i, const Get& x, Vec& out) const {
    out.setZero();
    for (int j = 0; j < stages(); ++j) out += (method->A_inverse(i, j) / h) * x(j);
  }
};

/// Weights of the norms: 1/(tol (1 + |y|)) for positions and velocities.
struct RadauWeights {
  Vec q, v;

  void set(const State& at, double tol) {
    q = (tol * (1.0 + at.q.array().abs())).inverse();
    v = (tol * (1.0 + at.v.array().abs())).inverse();
  }
};

}  // namespace taut
