// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "taut/core/kkt.hpp"
#include "taut/jets/curve.hpp"

namespace taut {

enum class ProjectionMethod : unsigned char {
  identity,      ///< Newton on (1) with d2f left out of its matrix: the same point
  exact,         ///< Newton on (1)
  gauss_newton,  ///< p <- p - dfᵀ (df dfᵀ)⁻¹ f: on M, not the nearest point
  inexact,       ///< Algorithm 4.7: block Schur solves by a Krylov method, accurate to eps_k
};
enum class KrylovMethod : unsigned char { cg, minres, symmlq };

struct CurveProjectionOptions {
  ProjectionMethod method = ProjectionMethod::identity;
  KrylovMethod krylov = KrylovMethod::minres;  ///< of inexact, for S
  bool initialise = false;                     ///< Algorithm 4.6 before the iteration
  double initial_accuracy = 0.5;               ///< eps_0 of Algorithms 4.6, 4.7
  /// |f_r| <= tol scale_r ends the iteration, with scale_r = max(1, CurveStructure::scale)...
  double tol = 1e-12;
  /// The published test instead: |z_k - z_{k-1}| + |F_k| < 1e-6 + 1e-10 / |F_{k-1}|, with
  /// F_{-1} = F_0 before the first iteration.
  bool published_test = false;
  bool keep_x = false;  ///< p[0] stays: the nearest point with the same x
  int max_iterations = 30;
};

/// The point of M nearest to a, by (tuomela2005, section 4)
///
///   F(p, mu) = ( p + dfᵀ mu - a, f(p) ) = 0                                                    (1)
class CurveProjection {
 public:
  explicit CurveProjection(CurveProjectionOptions options = {}) : options_{options} {}

  /// Symbolic work: everything is allocated here.
  void start(const Curve& curve);

  /// p: a before, its projection afterwards; on failure as before. Fails with singular_matrix
  /// (dependent rows), projection_diverged, iteration_limit, non_finite.
  [[nodiscard]] Status operator()(const Curve& curve, Vec& p, CurveEvaluation& ev);

  [[nodiscard]] int iterations() const { return iterations_; }  ///< of the last call

 private:
  CurveProjectionOptions options_;
  int iterations_ = 0;
};

}  // namespace taut
