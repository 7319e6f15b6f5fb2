// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <numbers>
#include <string>

#pragma GCC visibility push(default)

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
  /// eps_0 of Algorithms 4.6 and 4.7. 0: as published, 0.5 for inexact and 0.01 else.
  double initial_accuracy = 0.0;
  /// Distance to the nearest point at which the iteration ends, see (5). 0: 1e-12; within a
  /// CurveIntegrator that controls its error, 0.1 of its tolerance.
  double tol = 0.0;
  /// The published test instead: |z_k - z_{k-1}| + |F_k| < 1e-6 + 1e-10 / |F_{k-1}|, with
  /// F_{-1} = F_0 before the first iteration.
  bool published_test = false;
  bool keep_x = false;  ///< p[0] stays: the nearest point with the same x
  /// Accepts the first step where its length has l_0² <= tol: see (8).
  bool one_step = false;
  int max_iterations = 30;
};

enum class CurveTableau : unsigned char { euler, rk4, dopri54, dop853 };
enum class Parametrisation : unsigned char { arc, time };

struct CurveIntegratorOptions {
  CurveTableau tableau = CurveTableau::dopri54;
  Parametrisation parameter = Parametrisation::arc;  ///< time: V / V_x, x is kept by projections
  double tol = 1e-8;        ///< relative and absolute tolerance of all coordinates per step
  double step = 0.0;        ///< > 0: constant steps of this length in the parameter
  double first_step = 0.0;  ///< 0: found from the curve
  double max_step = 0.0;    ///< 0: no bound
  double max_growth = 5.0;
  double min_growth = 0.2;
  /// Of steps along the curve: V may turn by this angle from one stage to the next, and in all. 0:
  /// by any, and V is oriented by that at the beginning of the step alone.
  double max_turn = std::numbers::pi / 3;
  /// Of arc: the step that would pass the end asked for is one in x instead, which meets it without
  /// being taken twice, and the one before it is not followed by a tiny one. For curves without
  /// impasse points near their ends.
  bool last_step_in_x = false;
  bool project_stages = false;  ///< every stage, and both points of the error estimate
  /// Continue with the point of the lower order of dopri54, where the error is controlled and
  /// stages are projected.
  bool advance_lower_order = false;
  /// CurveProjectionOptions::tol = 0 is 0.1 tol of the steps where they are adaptive.
  CurveProjectionOptions projection;
};

/// The choices of the paper, as far as they are known (notes in docs/manual/involutive.md).
[[nodiscard]] CurveIntegratorOptions published_options(CurveTableau tableau);

struct CurveCounters {
  std::int64_t steps = 0, rejected = 0;
  std::int64_t rejected_once = 0;  ///< rejections, those of one step counted once
  std::int64_t directions = 0, projections = 0, iterations = 0;
  std::int64_t most_iterations = 0;  ///< in one projection
  /// Steps whose length stability bounds, by the estimate of hairer1996, IV.2: the change of v
  /// between the last stage and the end of the step, over their distance, times h.
  std::int64_t stiff_steps = 0;
  /// Sums over accepted steps of the integers that the paper's averages are made of. Up: the mean
  /// iterations of all projections for the step, rejected tries included, rounded up. Down: those
  /// of the stages in the try that was accepted, rounded down. In both the first stage, which is
  /// not projected, counts as one without iterations (but for Euler in the first).
  double mean_iterations_up = 0.0, mean_iterations_down = 0.0;
};

}  // namespace taut

#pragma GCC visibility pop
