// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "model/accelerations.hpp"
#include "model/read_multipliers.hpp"

namespace taut {

/// Multipliers of all rows of a model at a state, whether a reading keeps them as equations or has
/// turned them into springs.
class RowMultipliers {
 public:
  /// `system`: compliant rows are springs (see Accelerations).
  [[nodiscard]] Status operator()(const System& system, const State& at, Vec& all_rows) {
    if (prepared_ != system.shared()) {
      prepared_.reset();
      if (const Status status = accelerations_.start(system); status != Status::ok) return status;
      system.prepare(scratch_);
      prepared_ = system.shared();
    }
    if (const Status status = accelerations_(system, at.t, at.q, at.v, a_, lambda_);
        status != Status::ok)
      return status;
    return system.multipliers({.t = at.t, .q = at.q, .v = at.v}, lambda_, scratch_, all_rows);
  }

 private:
  Accelerations accelerations_;
  std::shared_ptr<const SystemImplementation> prepared_;
  Evaluation scratch_;
  Vec a_, lambda_;
};

}  // namespace taut
