// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "taut/core/state.hpp"
#include "taut/formula/op.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// A formula at the edge of what one of its functions can say: atan2 jumps from pi to -pi where
/// y = 0, x < 0; acos and asin have no derivative at -1 and 1, and no value beyond; a table that
/// refuses has no value beyond its ends.
struct BranchCut {
  std::string label;                          ///< of the element
  formula::Op function = formula::Op::atan2;  ///< knot: a table
  std::string table = {};                     ///< its name
  double end = 0.0;                           ///< where it ends
};

/// The first element that has one at a state, within an angle of 1e-3, or on the way of two steps
/// of length h from there. Of compiled models; for messages about runs that have failed.
[[nodiscard]] std::optional<BranchCut> branch_cut(const System& system, const State& at, double h);

}  // namespace taut
