// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/sundials_support.hpp"
#include "model/accelerations.hpp"
#include "taut/core/counters.hpp"
#include "taut/core/status.hpp"
#include "taut/model/system.hpp"

namespace taut::sundials {

/// The index-0 form of a system, y = (q, v):
///
///   q' = v,    v' = a(t, q, v)   with   M a + Gᵀλ = f,   G a + c = 0,   c = g_qq(v, v) + ...   (1)
///
/// and the linear systems of a Newton iteration on it, (1 - γ dy'/dy) x = b. Differentiating (1)
/// with r = M a - f + Gᵀλ and K = r_q, D = r_v, N = d(G v + g_t)/dq, X = d(G a + c)/dq gives
///
///   M da + Gᵀdλ = -K dq - D dv,    G da = -X dq - 2 N dv                                      (2)
///
/// and with dq = b_q + γ dv, γ da = dv - b_v one system of half the size,
///
///   [ M + γ D + γ² K    Gᵀ ] [  dv  ]   [ M b_v - γ K b_q ]
///   [ G + 2γ N + γ² X   0  ] [ γ dλ ] = [ G b_v - γ X b_q ]                                   (3)
///
/// sparse whenever the model is. X needs third derivatives of g, but only along the motion: with
/// ' for the derivative along (q + s v, t + s) at fixed v,
///
///   X = g_qq a + N',    g_qq a = N(q, a) - N(q, 0)                                            (4)
///
/// N' by one central difference. Of a condition on velocities c is no quadratic form of v, and
///
///   d(G a + c)/dv = N + G'   in place of 2 N,                                                 (5)
///
/// G' by the same difference. Rows of G that depend on others are left out of (3).
class IndexZero {
 public:
  /// Sizes everything. `newton`: linearise(), factor() and solve() will be called.
  [[nodiscard]] Status start(const System& system, bool newton, SUNContext context);

  /// (1): y_dot at (t, y), both of size 2 nq.
  [[nodiscard]] Status rates(double t, const double* y, double* y_dot);

  /// Evaluates the matrices of (3) at (t, y); `gamma` sets the distance of the difference in (4).
  [[nodiscard]] Status linearise(double t, const double* y, double gamma);
  /// Factorises (3) for `gamma` with the matrices at hand. False: singular.
  [[nodiscard]] bool factor(double gamma);
  /// x of size 2 nq; `b` may be the same memory.
  [[nodiscard]] bool solve(const double* b, double* x);

  /// Factorised at the point of the last rates() or linearise().
  [[nodiscard]] const Kkt& kkt() const { return accelerations_.kkt(); }

  Counters counters;

 private:
  [[nodiscard]] Status constraint_terms(double t, double gamma);
  [[nodiscard]] const Sparse& mass() const;

  System system_;
  Accelerations accelerations_;
  Index nq_ = 0, nc_ = 0;
  Vec q_, v_, a_, lambda_;

  // Newton iteration: values at the point of the last linearise()
  BlockMatrix matrix_;
  Evaluation ev_;       // M, K, D, G and N
  Evaluation other_;    // N elsewhere
  Sparse X_;            // d(G a + c)/dq, pattern of N
  Sparse G_rate_;       // G' of conditions on velocities, else 0
  Vec twice_N_;         // 2; 1 on such rows
  bool rolls_ = false;  // there are some
  Sparse dropped_;      // diagonal: 1 on rows that are left out, else 0
  Vec keep_;            // 1 on rows of G in use, else 0
  double gamma_ = 0.0;
  Vec q_there_, zero_, b_q_, b_v_, x_, top_, bottom_;
};

/// What an integrator of SUNDIALS asks to have its (1 - γJ) x = b solved by. The matrix is empty:
/// the integrator's linear-system function hands point and γ to an IndexZero, which solves (3).
struct NewtonSolver {
  Owned<SUNMatrix> matrix;
  Owned<SUNLinearSolver> solver;
};

/// The address of `problem` is kept.
[[nodiscard]] NewtonSolver make_newton_solver(IndexZero& problem, SUNContext context);

}  // namespace taut::sundials
