// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "modes/derived_systems.hpp"
#include "modes/linear_point.hpp"
#include "taut/modes/modes.hpp"

namespace taut {

/// Who has the energy of a mode: elements the elastic one, dampers the power, bodies and
/// coordinates the kinetic one.
class ModeShares {
 public:
  ModeShares(const LinearPoint& point, const Sparse& M)
      : point_{point}, M_{M}, forms_{point.system} {}

  /// Fills `elements`, `dissipation`, `parts` and `label` of a mode from its shape.
  void operator()(Mode& mode);

 private:
  const LinearPoint& point_;
  const Sparse& M_;
  ElementForms forms_;
};

}  // namespace taut
