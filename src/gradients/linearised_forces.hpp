// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "core/kkt.hpp"
#include "gradients/wide_system.hpp"
#include "taut/core/status.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// Derivatives of a state, one column for each quantity that a motion is differentiated by.
struct Tangent {
  Mat q, v;
};

/// The equations of motion and their linearisation at a point,
///
///   M a + Gᵀλ = f,                G a = -(g_qq(v, v) + 2 g_qt v + g_tt)                       (1)
///   M w' + Gᵀδλ = -(K x + D w),   G w' = -(R_q x + R_v w),     R = G a + ... of (1)            (2)
///   G x = 0,                      G w + N x = 0                                               (3)
///
/// with x = (s, e) a column of derivatives s of q and the e of WideSystem that it belongs to, w
/// that of v. The matrix of (2) is that of (1): a column costs products and a solve. Rows that are
/// springs are a part of f; what parameters do to their compliance C and damping d is added to K x:
///
///   G_eᵀ δλ_e,     δλ_e = (g_e' δd - λ_e δC) / C                                             (4)
class LinearisedForces {
 public:
  /// `reading`: of the model, as it is integrated. `column_of[j]` is the e of column j; -1: none.
  [[nodiscard]] Status start(const WideSystem& wide, const System& reading,
                             std::vector<int> column_of);

  /// (1): a and λ of the equations.
  [[nodiscard]] Status forces(double t, const Vec& q, const Vec& v);
  /// The point alone, with accelerations that are known otherwise, for observe().
  void place(double t, const Vec& q, const Vec& v, const Vec& a);
  /// What (2) needs besides, there.
  [[nodiscard]] Status linearise();
  /// (2) of all columns.
  void rates(const Tangent& at, Mat& w_rate, Mat& lambda_rate);
  /// Pulls columns onto (3) by the smallest change in the mass metric; at any point.
  [[nodiscard]] Status project(double t, const Vec& q, const Vec& v, Tangent& columns);

  [[nodiscard]] const Vec& a() const { return a_; }
  [[nodiscard]] const Vec& lambda() const { return lambda_; }
  [[nodiscard]] const Kkt& kkt() const { return kkt_; }
  /// Values and derivatives of the wide system's observables at the point of forces() or place().
  [[nodiscard]] Status observe();
  [[nodiscard]] double observable(Index k) const { return base_.observable[k]; }
  /// Time derivative of an observable along the motion, after observe().
  [[nodiscard]] double observable_rate(Index k) const;
  /// How well a motion of this tolerance is known, over how long a run, for touches().
  void know(double tol, double length) {
    constexpr double errors = 100.0, moments = 1e-6;
    error_ = errors * tol;
    moment_ = moments * length;
  }
  /// Whether an observable γ, which is about zero at the point of forces() or place(), is touched
  /// there and not crossed: as far as the motion is known, it may as well turn round before zero,
  ///
  ///   γ'² <= 2 |γ''| δ,     δ = 100 tol (Σ |γ_q q| + Σ |γ_v v| + |γ|)                        (5)
  ///
  /// Its time has no derivative then. After observe(), which it repeats.
  [[nodiscard]] Status touches(Index k, bool& touched);
  /// δ of (5), after observe().
  [[nodiscard]] double blur(Index k) const;
  /// Derivatives of an observable at fixed time by all columns, after observe().
  [[nodiscard]] Vec observable_slopes(Index k, const Tangent& at) const;

  /// λ of all rows of the model and its derivatives, from those of (1) and (2).
  [[nodiscard]] Status all_multipliers(const Tangent& at, const Mat& lambda_rate, Vec& lambda,
                                       Mat& slopes);

  [[nodiscard]] Index nq() const { return nq_; }
  [[nodiscard]] Index columns() const { return static_cast<Index>(column_of_.size()); }
  [[nodiscard]] const std::vector<int>& column_of() const { return column_of_; }
  /// Whether (4) has anything.
  [[nodiscard]] bool moves_compliance() const { return moves_compliance_; }
  /// (x, e) of all columns.
  void widen(const Mat& q, Mat& x) const;

  // The same for covectors, columns that are applied from the left (AdjointFlow): what is given by
  // them on the results goes, added, to those on x = (s, e) and w.

  /// Of (2), after linearise(): from covectors on w' and δλ of the equations.
  void pull_back(const Mat& on_a, const Mat& on_lambda, Mat& on_x, Mat& on_w);
  /// Of all_multipliers(), after it: from those on λ of all rows.
  void pull_back_multipliers(const Mat& on_rows, Mat& on_lambda, Mat& on_x, Mat& on_w) const;
  /// Of project(): in place.
  [[nodiscard]] Status pull_back_projection(double t, const Vec& q, const Vec& v, Mat& on_x,
                                            Mat& on_w);
  /// Of an observable, after observe(), `by` each column.
  void pull_back_observable(Index k, const Vec& by, Mat& on_x, Mat& on_w) const;

  [[nodiscard]] const WideSystem& wide() const { return *wide_; }
  [[nodiscard]] const System& reading() const { return reading_; }

 private:
  [[nodiscard]] Status factor(const Evaluation& ev, const Vec& compliance);
  [[nodiscard]] Status evaluate_rows();
  void add_compliance(Mat& force) const;

  const WideSystem* wide_ = nullptr;
  System reading_, base_system_;
  std::vector<int> column_of_;
  Index nq_ = 0, nc_ = 0;
  bool moves_compliance_ = false;
  double error_ = 1e-6, moment_ = 1e-6;  // of (5); how far ahead γ'' is looked for

  double t_ = 0.0;
  Vec q_, v_, a_wide_, a_, lambda_;  // q_ and v_ with e at rest
  Evaluation ev_, base_, rows_;
  Sparse M_, G_;
  Kkt kkt_;
  Vec no_compliance_, of_places_, rhs_, target_;
  Mat x_, w_, force_, second_, alpha_;
  Vec x1_, l1_;
};

}  // namespace taut
