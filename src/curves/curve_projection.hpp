// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/kkt.hpp"
#include "taut/curves/curve.hpp"
#include "taut/curves/curve_options.hpp"

namespace taut {

/// The point of M = { f = 0 } nearest to a, from z = (p, mu) with (tuomela2005, section 4)
///
///   F(z) = ( p + dfᵀmu - a, f(p) ) = 0,     z_0 = (a, 0)                                       (1)
///
///   [ A  dfᵀ ]
///   [ df  0  ] s_k = -F(z_k),     z_{k+1} = z_k + s_k,     A = I + d2f(., .) mu                (2)
///
/// exact        solves (2) directly. Where A is not positive definite, far from M, this step is
///              done with A = I.
/// identity     takes A = I: no second derivatives, and the same limit, because F is not changed.
///              Converges linearly with a factor proportional to the distance of a from M.
/// gauss_newton leaves out the first row of F as well: lands on M beside the nearest point, by a
///              shift quadratic in the distance.
/// inexact      solves (2) by
///                S w = df u - b_2,  A u = b_1,  S = -df A⁻¹dfᵀ,  s = (u + A⁻¹dfᵀw, -w)         (3)
///              with |residual of S| < eps_k |F|, eps_{k+1} = 0.8 eps_k, and A by conjugate
///              gradients to 1e-12 (Algorithms 4.3-4.5).
///
/// With `initialise` the first step is  df dfᵀmu = f(a),  p = a - dfᵀmu  to accuracy eps_0 (4.6).
///
/// Convergence. A row is at its rounding level where
///
///   |f_r| <= 4 epsilon ( scale_r + Σ_j |df_rj p_j| )                                           (4)
///
/// and (1) holds without a step where all rows are. With the length of a step and what it leaves,
///
///   l_k = max_i |s_i| / (1 + |p_i|),     d_k = max_r |f_r| / |df_r|                            (5)
///
/// the iteration ends when
///
///   l_k <= tol                                                                                 (6)
///
/// or the next step can be expected to be shorter than that,
///
///   l_k² / l_{k-1} <= tol                                                                      (7)
///
/// or l_k does not fall any more, which is rounding. The point is then nearest to a within tol.
/// With `one_step`, as within a CurveIntegrator, and for gauss_newton also when
///
///   l_0² <= tol                                                                                (8)
///
/// where the point is beside the nearest one by up to c tol, c the curvature of M in the units of
/// (5): of second order in the distance, which is the error of a step.
///
/// What is left of f is then removed with df as it stands, by steps that are not counted, down to
/// twice (4), in each row relative to its own terms: neither units nor tol matter (30 times (4)
/// will do where d_k <= tol / 1000). Where f stops falling before, the point is taken if no row
/// exceeds 100 times (4); another iteration is made if one does, and taken if f is not smaller then
/// and d_k <= tol / 1000.
///
/// Cost of an iteration but for inexact: f, df and one sparse factorisation of df dfᵀ, or of (2);
/// linear in n for chains, with rows that read all coordinates last (see Kkt). Allocates in start()
/// only, unless rows become dependent.
///
/// Dependent rows are an error, singular_matrix, unless f is consistent with their dependence to a
/// thousandth; then they do not disturb, and dependent_rows() says how many there are.
/// Fails with projection_diverged when steps or f grow, iteration_limit, non_finite, and
/// not_supported where exact or inexact lack second derivatives; reason() has names and numbers.
/// Reference: tuomela2005.
class CurveProjection {
 public:
  explicit CurveProjection(CurveProjectionOptions options = {}) : options_{options} {}

  /// Symbolic work: everything is allocated here.
  void start(const Curve& curve);

  /// Factorises at p, so that dependent rows find their room: later calls do not allocate while
  /// they stay as many.
  void rehearse(const Curve& curve, const Vec& p, CurveEvaluation& ev);

  /// p: a before, its projection afterwards; on failure as before. `ev` is one that the curve has
  /// prepared; what it holds afterwards is not specified.
  [[nodiscard]] Status operator()(const Curve& curve, Vec& p, CurveEvaluation& ev) {
    return project(curve, p, ev, options_.keep_x);
  }

  /// The same with p[0] kept, whatever the options say.
  [[nodiscard]] Status keeping_x(const Curve& curve, Vec& p, CurveEvaluation& ev) {
    return project(curve, p, ev, true);
  }

  [[nodiscard]] const CurveProjectionOptions& options() const { return options_; }
  [[nodiscard]] int iterations() const { return iterations_; }  ///< of the last call
  /// Products with S, or with df dfᵀ, of the last call.
  [[nodiscard]] std::int64_t krylov_iterations() const { return krylov_iterations_; }
  /// Rows that depended on others in the last factorisation.
  [[nodiscard]] Index dependent_rows() const { return dependent_rows_; }

  /// Why the last call failed, with names and numbers; empty if it did not.
  [[nodiscard]] std::string reason(const Curve& curve) const;

 private:
  [[nodiscard]] Status project(const Curve& curve, Vec& p, CurveEvaluation& ev, bool keep_x);
  [[nodiscard]] Status iterate(const Curve& curve, CurveEvaluation& ev);
  [[nodiscard]] Status polish(const Curve& curve, CurveEvaluation& ev, bool& settled);
  [[nodiscard]] Status iterate_as_published(const Curve& curve, CurveEvaluation& ev);
  [[nodiscard]] Status value(const Curve& curve, CurveEvaluation& ev);
  [[nodiscard]] Status jacobian(const Curve& curve, CurveEvaluation& ev);
  [[nodiscard]] Status step(const Curve& curve, CurveEvaluation& ev);
  [[nodiscard]] Status plain_step();
  [[nodiscard]] Status exact_step(const Curve& curve, CurveEvaluation& ev);
  [[nodiscard]] Status inexact_step(const Curve& curve, CurveEvaluation& ev);
  [[nodiscard]] Status initial_step();
  [[nodiscard]] Status assemble_A(const Curve& curve, CurveEvaluation& ev);
  [[nodiscard]] bool solve_schur();
  [[nodiscard]] bool solve_A(const Vec& b, Vec& x);
  [[nodiscard]] bool independent(const Kkt& kkt);
  // F1 = 0: z_0, and all of Gauss-Newton, for which every point is the first
  [[nodiscard]] bool p_is_a() const {
    return iterations_ == 0 || options_.method == ProjectionMethod::gauss_newton;
  }
  void residual();
  [[nodiscard]] bool at_rounding() const;
  [[nodiscard]] double distance() const;
  [[nodiscard]] double roundings() const;
  [[nodiscard]] bool nearest(double length, double last_length) const;
  [[nodiscard]] double tol() const;
  [[nodiscard]] double accuracy() const;

  CurveProjectionOptions options_;
  int iterations_ = 0;
  std::int64_t krylov_iterations_ = 0;
  Index dependent_rows_ = 0;

  bool keep_x_ = false;           // in this call
  std::vector<int> x_entries_;    // of df: column 0
  Sparse df_;                     // without column 0 where x is kept
  Vec scale_, row_size_, level_;  // of rows: as given, |df_r|, right side of (4)
  Vec a_, p_, mu_;                // z_k = (p_, mu_)
  Vec f_, F1_;                    // the two parts of F, F1_ the first
  Vec s1_, s2_;                   // s_k
  Vec b1_, b2_, none_;            // right sides; no compliance

  Sparse identity_, A_;
  Kkt plain_, full_;  // (2) with A = I and with A
  enum class Factors : unsigned char { none, plain, full };
  double last_roundings_ = 0.0;           // of f in units of (4), where it stopped falling last
  Factors factors_ = Factors::none;       // of the last df
  std::vector<int> d2f_in_A_, diagonal_;  // entries of d2f and of I in A_
  std::vector<bool> reads_x_;             // entries of d2f in row or column 0
  bool A_is_identity_ = true;
  double eps_ = 0.0;                  // eps_k
  std::vector<Vec> k_work_, m_work_;  // of Krylov methods, by length
  Vec u_, w_, product_;

  Status failure_ = Status::ok;  // what reason() is about
  const char* what_failed_ = "";
  Vec f_first_;
  std::vector<int> group_;  // rows that depend on each other
};

}  // namespace taut
