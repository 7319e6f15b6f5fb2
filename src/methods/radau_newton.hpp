// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <complex>
#include <vector>

#include "core/kkt.hpp"
#include "methods/radau_step.hpp"
#include "methods/stage_matrix.hpp"
#include "methods/stiff_potential.hpp"
#include "taut/core/counters.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// Solves the stage equations of a RadauStep by simplified Newton:
///
///   R1_i = M(Y_i) A_i - f(Y_i, V_i) + G_iᵀΛ_i,     A_i = (D (V - v_n))_i                      (1)
///   R2_i = g_i + d g'_i - C Λ_i,                   g'_i = G_i V_i + g_t                       (2)
///   R3_i = g'_i - (D (g - g_n))_i                                                             (3)
///
/// First  δμ_i = -S⁻¹ R3_i  with S = G M⁻¹Gᵀ and w_i = B δμ_i; then in the coordinates of the
/// eigenvectors, with κ running through the eigenvalues of D and δΛ~ = δΛ + D δμ,
///
///   [ M + D_v/κ + K/κ²      Gᵀ   ] [ δZ      ]     [ (R1 + D_v w)/κ²       ]
///   [ (1 + d κ) G + d N   -κ² C  ] [ δΛ~/κ²  ] = - [ R2 - d R3 + C D δμ    ]                  (4)
///
/// (D_v the derivative of (1) by V, K by Y, N that of g' by Y; all frozen.) It converges at a rate
/// O(h) that does not depend on C.
///
/// In a StiffPotential the rows that follow those of the system have their raw γ in place of g in
/// the second term of (3), which is then turned. f changes by O(ω² δ²) with the distance δ of a
/// stage to g = C Λ. There each iteration begins with stages moved onto it, along M⁻¹Gᵀ, until
///
///   100 h² |a| δ/(1 + |q|) is below a tenth of the tolerance,  a = M⁻¹Gᵀ(C⁻¹g - Λ),  δ = |a|/ω²
///   (5)
class RadauNewton {
 public:
  void start(const System& system);

  /// Moves the stages of a StiffPotential onto g = C Λ.
  [[nodiscard]] Status settle(const System& system, const RadauWeights& weights, double tolerance,
                              RadauStep& step, Counters& counters);

  /// Iterates from the stages as they are. `kkt` is factorised at step.from, `D` is the damping
  /// matrix of `matrix`, `stabilised` is 1 for rows with (3), 0 for those without (U = 0 there). On
  /// success all stages, with V and g, are those of the solution. iteration_limit: no convergence;
  /// theta() and remaining() then say how bad it was.
  [[nodiscard]] Status solve(const System& system, const StageMatrix& matrix, const Sparse& D,
                             const Kkt& kkt, const Vec& stabilised, const RadauWeights& weights,
                             double tolerance, double resolution, RadauStep& step,
                             Counters& counters);

  /// Contraction of the last solve(): ratio of the last two corrections.
  [[nodiscard]] double theta() const { return theta_; }
  /// What is expected to be left after the last iteration allowed, in units of the tolerance.
  [[nodiscard]] double remaining() const { return remaining_; }
  [[nodiscard]] int iterations() const { return iterations_; }
  [[nodiscard]] static int most_iterations(int stages) { return 7 + (5 * (stages - 3) + 1) / 2; }

 private:
  [[nodiscard]] Status residuals(const System& system, RadauStep& step);
  void velocity_corrections(const Kkt& kkt, const Vec& stabilised, const RadauStep& step);
  void linear_solves(const System& system, const StageMatrix& matrix, const Sparse& D,
                     const RadauStep& step);
  [[nodiscard]] double apply(const RadauWeights& weights, RadauStep& step);
  void take_loads(const System& system, RadauStep& step);

  [[nodiscard]] Status settle_stage(const System& system, const StiffPotential& potential, int i,
                                    const RadauWeights& weights, double tolerance, RadauStep& step,
                                    Counters& counters);

  const StiffPotential* potential_ = nullptr;  // what solve() works on, if it is one
  Evaluation ev_;
  std::vector<Evaluation> stage_ev_;  // of a StiffPotential: one for each, they are used twice
  Kkt settling_;
  std::vector<Vec> R1_, R2_, R3_;         // residuals; R1, R2 then the corrections
  std::vector<Vec> w_, delta_mu_, rate_;  // B δμ, δμ, g'
  std::vector<Vec> T1_, T2_;              // in the coordinates of the eigenvectors
  Vec q_, a_, dv_, dmu_rate_, load_;
  std::vector<double> real_;
  std::array<std::vector<std::complex<double>>, 3> complex_;  // by pair
  double theta_ = 0.0, remaining_ = 0.0;
  int iterations_ = 0;
};

}  // namespace taut
