// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/read_multipliers.hpp"
#include "readings/row_multipliers.hpp"
#include "run/tube.hpp"

namespace taut {

/// The multipliers that formulas read at the samples of a step, which its tube then has as
/// polynomials through them.
class SampledMultipliers {
 public:
  /// `system`: compliant rows are springs. The tube has been sampled.
  [[nodiscard]] Status operator()(const System& system, Tube& tube) {
    sampled_.resize(Tube::samples, static_cast<Index>(system.structure().read_multipliers.size()));
    for (int j = 0; j < Tube::samples; ++j) {
      tube.sampled(j, at_);
      if (const Status status = multipliers_(system, at_, of_rows_); status != Status::ok)
        return status;
      read_multipliers(system.structure(), of_rows_, read_);
      sampled_.row(j) = read_.transpose();
    }
    tube.take_multipliers(sampled_);
    return Status::ok;
  }

 private:
  RowMultipliers multipliers_;
  State at_;
  Vec of_rows_, read_;
  Mat sampled_;
};

}  // namespace taut
