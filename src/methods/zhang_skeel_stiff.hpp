// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "methods/filtered_verlet.hpp"
#include "methods/shifted_stiffness.hpp"

namespace taut {

/// Zhang and Skeel's method with the stiffness of the compliant constraints alone, for
///
///   M v' = f(x, t) - Gᵀλ,   x' = v,   g(x, t) = C λ,   M constant, C > 0                     (1)
///
/// Velocity Verlet with the acceleration
///
///   (M + b S) a = f - Gᵀ C⁻¹ g,      S = Gᵀ C⁻¹ G + Σ_r (g_r / C_r) ∇²g_r,   b = β h²        (2)
///
/// so that the matrix is as sparse as the constraints are (blocks of a molecule, whatever forces
/// act between molecules) and f is not differentiated.
///
/// Order 2, symmetric, volume preserving, not symplectic. Stable where β > 1/4 and h resolves f.
/// Cost: one evaluation of f, G and ∇²g and one factorisation per step. Fails where the matrix of
/// (2) is not positive definite (see ShiftedStiffness); the state is then as it was before the
/// step. Without compliant constraints it is velocity Verlet. Reference: tao2016 (19).
class StiffFilter {
 public:
  static constexpr MethodInfo info{
      .name = "zhang-skeel-stiff",
      .order = 2,
      .symmetric = true,
      .compliance = true,
      .derivatives = true,
      .about = "zhang-skeel-simplified with the stiffness of compliant constraints alone",
      .cite = "tao2016"};

  explicit StiffFilter(double beta) : matrix_{beta} {}

  [[nodiscard]] Status start(const System& system, const State& state, Counters& counters);
  [[nodiscard]] Status operator()(const System& system, const State& at, double h, Vec& a,
                                  Counters& counters);
  [[nodiscard]] const std::string& message() const { return message_; }

 private:
  void assemble(const Structure& structure);

  ShiftedStiffness matrix_;
  Evaluation ev_;
  Sparse S_;
  std::vector<int> of_H_, of_G_;  // where ∇²g and the products of rows of G stand in S
  Vec lambda_;
  std::string message_;
};

using ZhangSkeelStiff = FilteredVerlet<StiffFilter>;

}  // namespace taut
