// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "methods/radau_coefficients.hpp"
#include "methods/stage_matrix.hpp"
#include "taut/core/archive.hpp"
#include "taut/core/counters.hpp"
#include "taut/core/state.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// Where derivatives were taken.
struct DerivativePoint {
  State state;
  Vec a, lambda;
  std::vector<int> dropped;  // constraints that depend on others
};

/// The frozen matrix of the stage equations: derivatives at a point, and factors for a step and a
/// number of stages. Factors are those of the derivatives, or of older ones as long as these have
/// changed little and Newton's method converges fast with them.
class RadauDerivatives {
 public:
  /// Sizes everything for a system; nothing is known.
  void start(const System& system);

  /// Where the next derivatives are to be taken.
  DerivativePoint point;

  /// The next try takes new derivatives.
  void renew() { wanted_ = true; }
  [[nodiscard]] bool wanted() const { return wanted_; }
  /// The factors must not be used again.
  void drop_factors() { factored_stages_ = 0; }

  /// Derivatives at `point`. `quick`: Newton's method converges fast enough for the factors at
  /// hand.
  [[nodiscard]] Status evaluate(const System& system, const RadauCoefficients& method, bool quick);
  [[nodiscard]] bool factored(const RadauCoefficients& method, double h) const {
    return factored_stages_ == method.s && factored_h_ == h;
  }
  [[nodiscard]] Status factor(const RadauCoefficients& method, double h);

  [[nodiscard]] const StageMatrix& matrix() const { return matrix_; }
  [[nodiscard]] const Sparse& D() const { return evaluation_.D; }
  /// Largest K_ii/M_ii.
  [[nodiscard]] double stiffest() const { return stiffest_; }

  /// Where factors are from; restore() computes them again.
  void archive(Archive& archive);
  void archive_stiffest(Archive& archive) { archive(stiffest_); }
  void restore(const System& system, const RadauCoefficients& method, bool quick);

 private:
  StageMatrix matrix_;
  Evaluation evaluation_;
  DerivativePoint factor_point_;  // of the factors
  bool wanted_ = true;
  double factored_h_ = 0.0;
  int factored_stages_ = 0;  // 0: there are no factors
  double stiffest_ = 0.0;
  std::vector<int> K_diagonal_, M_diagonal_;
};

}  // namespace taut
