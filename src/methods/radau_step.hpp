// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
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
  /// (D x)_i = Σ_j (A⁻¹)_ij x_j / h, or that of x_j - from
  void differentiate(int i, const std::vector<Vec>& x, Vec& out) const {
    add_up(weights(i), x, nullptr, out);
  }
  void differentiate(int i, const std::vector<Vec>& x, const Vec& from_here, Vec& out) const {
    add_up(weights(i), x, from_here.data(), out);
  }

  /// Σ_j w_j x_j, or of x_j - minus, over the stages: in one pass, each sum from the left.
  void add_up(const std::array<double, 7>& w, const std::vector<Vec>& x, const double* minus,
              Vec& out) const {
    std::array<const double*, 7> at;
    const int s = stages();
    for (int j = 0; j < s; ++j) at[j] = x[j].data();
    double* const to = out.data();
    const Index n = out.size();
    using Four = Eigen::Array4d;
    Index i = 0;
    for (; i + 4 <= n; i += 4) {
      Four sum = Four::Zero();
      for (int j = 0; j < s; ++j) {
        Four term = Eigen::Map<const Four>(at[j] + i);
        if (minus != nullptr) term -= Eigen::Map<const Four>(minus + i);
        sum += w[j] * term;
      }
      Eigen::Map<Four>(to + i) = sum;
    }
    for (; i < n; ++i) {
      double sum = 0.0;
      for (int j = 0; j < s; ++j) sum += w[j] * (minus != nullptr ? at[j][i] - minus[i] : at[j][i]);
      to[i] = sum;
    }
  }

 private:
  [[nodiscard]] std::array<double, 7> weights(int i) const {
    std::array<double, 7> w{};
    for (int j = 0; j < stages(); ++j) w[j] = method->A_inverse(i, j) / h;
    return w;
  }
};

/// Weights of the norms: 1/(tol (1 + |y|)) for positions and velocities, 0 for the integrals of nz
/// first-order states.
struct RadauWeights {
  Vec q, v;

  void set(const State& at, double tol, Index nz) {
    q = (tol * (1.0 + at.q.array().abs())).inverse();
    q.tail(nz).setZero();
    v = (tol * (1.0 + at.v.array().abs())).inverse();
  }
};

}  // namespace taut
