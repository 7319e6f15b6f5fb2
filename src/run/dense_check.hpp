// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/stage_matrix.hpp"
#include "model/accelerations.hpp"
#include "taut/core/state.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// How far the dense output of a step, (q, v) with rates (q', v'), is from a motion of the system,
/// from its defect in the equations,
///
///   d_q = q' - v,     d_v = v' - a,     M a + Gᵀλ = f,  G a = -curvature  at (t, q, v)       (1)
///
/// An error e of the output is driven by it, e' = J e + d. Defects change their sign within a part
/// of a step, so what they do is about that of a time η = h/4. Where nothing is stiff, e = η d;
/// where something is, d is large for a small e (a stiff spring: ω² e), and the implicit step of η
/// tells which:
///
///   δq = η (δv + d_q)                                                                        (2)
///   (M + η D + η² K) δv + Gᵀμ = η M d_v - η² K d_q,     G δv = -G d_q                        (3)
///
/// in units of the tolerance:
///
///   E = max_i max(|δq_i| / (1 + |q_i|), |δv_i| / (1 + |v_i|)) / tol                          (4)
///
/// (3) is solved only where e = η d is not small enough by itself, which it is in most steps, and
/// where the system has derivatives. Cost: one evaluation and one KKT solve for (1), a Jacobian and
/// a factorisation for (3). Compliant rows are springs.
class DenseCheck {
 public:
  /// Steps of the gallery have E of 0.01 to 3 with auto, up to 10 and in few steps 60 with dop853,
  /// dopri5 and radau.
  static constexpr double allowed = 30.0;

  [[nodiscard]] Status start(const System& system);
  /// Of d_q alone, for nothing: whether velocities are the derivatives of places, which an output
  /// that was moved onto something is not where it was moved far.
  [[nodiscard]] static double of_places(const State& at, const State& rate, double h,
                                        double tolerance);
  /// E at a state inside a step of length h.
  [[nodiscard]] Status operator()(const System& system, const State& at, const State& rate,
                                  double h, double tolerance, double& error);

 private:
  [[nodiscard]] Status filter(const System& system, const State& at, double eta);
  [[nodiscard]] double size(const State& at) const;

  Accelerations accelerations_;
  StageMatrix matrix_;
  bool analysed_ = false;
  Evaluation ev_;
  Vec a_, lambda_, d_q_, d_v_, error_q_, error_v_, right_;
};

}  // namespace taut
