// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "curves/distribution.hpp"
#include "model/compiled_system.hpp"
#include "taut/curves/curve.hpp"

namespace taut {

/// The curve of a differential system on jets of order r, p = (x, y, ..., y_r):
///
///   M = { f = 0 },       V = (v1, v1 y_1, ..., v1 y_r, v^) / |.|                               (1)
///   a~ v1 + A v^ = 0                                                                           (2)
///   (f_x + Σ f_(y_i) y_(i+1)) v1 + f_(y_r) v^ = 0     for some of the rows of f                (3)
///
/// f are the constraints of `system`, whose coordinates are p. (2) come from its observables, which
/// are equations A y_(r+1) + a~ = 0 with y_(r+1) in place of the first velocities. The general form
/// has (3) alone; the form with invariants (2), and (3) where there are too few of them.
class JetCurve final : public CurveImplementation {
 public:
  struct Parts {
    CurveStructure structure;
    std::shared_ptr<const CompiledSystem> system;
    Index n = 0;                 ///< unknowns
    std::vector<int> tangent;    ///< rows of f in (3)
    std::vector<int> inherited;  ///< rows of f without y_r: (3) follows from other equations
    Distribution distribution;   ///< of (2), then (3)
  };
  explicit JetCurve(Parts parts);

  [[nodiscard]] const CurveStructure& structure() const override { return parts_.structure; }
  void prepare(CurveEvaluation& out) const override;
  [[nodiscard]] Status value(const Vec& p, CurveEvaluation& out) const override;
  [[nodiscard]] Status jacobian(const Vec& p, CurveEvaluation& out) const override;
  [[nodiscard]] Status hessian(const Vec& p, const Vec& mu, CurveEvaluation& out) const override;
  [[nodiscard]] Status direction(const Vec& p, CurveEvaluation& out, Vec& V) const override;
  [[nodiscard]] double orientation(const Vec& p, CurveEvaluation& out) const override;
  [[nodiscard]] std::string explain(const Vec& p) const override;

  /// Lets the distribution choose its rows at p, unless values are not finite there.
  void choose_rows(const Vec& p);

 private:
  struct Scratch;

  /// (2) and (3) into the scratch's matrix.
  [[nodiscard]] Status fill(Needs needs, const Vec& p, Scratch& s) const;
  [[nodiscard]] double tangent_row(const Vec& p, const Sparse& G, int row, double* size) const;
  [[nodiscard]] std::string explain_jacobian(const Vec& p, Scratch& s) const;

  Parts parts_;
  Needs direction_needs_ = 0;
};

}  // namespace taut
