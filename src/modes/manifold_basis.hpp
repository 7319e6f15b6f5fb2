// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "core/dense_decompositions.hpp"
#include "modes/linear_point.hpp"

namespace taut {

/// A basis of the changes (dq, dv) of a state that keep it on its constraints, dense:
///
///   G_p Z = 0,  Zᵀ M Z = 1;    G Zv = 0,  Zvᵀ M Zv = 1;    dq = Z x,  dv = Zv w + P Z x       (1)
///
/// with G_p the rows of positions, P the smallest (in the metric of M) with G P = -N. States of
/// first order are among the last columns of Zv alone: what they are integrals of nothing reads.
/// The rank of G is that of its columns in the metric of M⁻¹.
class ManifoldBasis {
 public:
  ManifoldBasis(const System& system, const LinearTerms& terms);

  [[nodiscard]] Status status() const { return status_; }
  [[nodiscard]] const Mat& Z() const { return Z_; }
  [[nodiscard]] const Mat& Zv() const { return Zv_; }
  [[nodiscard]] const Mat& velocities_of_places() const { return PZ_; }

  /// Solutions of  M da + Gᵀ dlambda = rhs,  G da = -curvature,  column by column; of several
  /// dlambda the smallest.
  void solve(const Mat& rhs, const Mat& curvature, Mat& da, Mat& dlambda) const;

  /// Derivatives of g'' at fixed a along the first `count` pairs of columns: of the curvature, and
  /// of G a.
  [[nodiscard]] Status curvature_changes(const LinearPoint& point, const Mat& dq, const Mat& dv,
                                         Index count, Mat& change) const;

 private:
  [[nodiscard]] Vec smallest(const Vec& right) const;  // L⁻ᵀ w of least |w| with Yᵀ w = right

  Status status_ = Status::ok;
  Mat L_, Y_;  // M = L Lᵀ, Y = L⁻¹ Gᵀ
  Mat Z_, Zv_, PZ_;
  std::optional<MinimumNorm> down_, across_;  // of Yᵀ and of Y
};

}  // namespace taut
