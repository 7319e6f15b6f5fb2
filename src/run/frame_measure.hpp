// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/accelerations.hpp"
#include "taut/run/motion.hpp"

namespace taut {

/// Computes everything a Frame holds from a state.
///
/// Multipliers are pointwise: of rigid rows from the KKT system of the accelerations, of rows that
/// a reading has turned into springs lambda = g/C. Cost: one evaluation with accelerations, one of
/// energies, constraints and observables, one of the g of compliant rows.
class Measure {
 public:
  /// All equations of `system` are rigid (see Accelerations).
  [[nodiscard]] Status start(const System& system);

  /// Fills `frame` for `frame.state`. On failure the fields that could not be computed are NaN.
  [[nodiscard]] Status operator()(const System& system, Frame& frame);

  /// Fills in its quantities, from everything else that is in it.
  [[nodiscard]] Status show(Frame& frame);

  /// How often a force was evaluated.
  [[nodiscard]] std::int64_t evaluations() const { return evaluations_; }

  void archive(Archive& archive) { archive(evaluations_); }

 private:
  Accelerations accelerations_;
  Evaluation ev_;
  System rows_;  // with every row an equation, where some are compliant
  Evaluation of_rows_;
  bool compliant_ = false;
  std::optional<System> quantities_;
  Evaluation of_quantities_;
  Vec lambda_, rate_, mu_;
  Vec scale_;  // of the terms of each g
  std::int64_t evaluations_ = 0;
};

}  // namespace taut
