// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "curves/jet_rows.hpp"

namespace taut {

/// When a number may move: fixed never, the others one after the other.
enum class Moves : unsigned char { never, first, second, third, last };

/// A point where rows are zero, or the best that was found.
struct ConsistentPoint {
  bool found = false;
  bool stationary = false;  ///< not found, and no small change makes the rows smaller
  bool finite = true;       ///< not found, since the rows are not finite at the start
  Vec u;
  Vec residual;  ///< of each row, divided by the size of its terms; as it is where not finite
};

/// Searches u with rows(u) = 0 from `start`: Gauss-Newton with steps of least norm, halved while
/// the residual grows, then Levenberg and Marquardt's where that leads no further. Numbers that
/// move `first` are tried alone, then those that move `second` with them, and so on, until all but
/// `never` move; numbers of earlier stages move a thousand times more easily. Where a stage fails
/// it is tried from other values of what moves first, the last stage from other values of all.
/// Changes are measured in `units` of the numbers, 1 where none are given, or in their own size
/// where that is larger, and in `scales` where these are given and smaller (scales_of). Dense:
/// costs (rows + numbers)^3 for each iteration.
[[nodiscard]] ConsistentPoint consistent_point(const JetRows& rows, const Vec& start,
                                               const std::vector<Moves>& moves,
                                               const Vec& units = {}, const Vec& scales = {});

/// The numbers of u changed by chance, by up to `size` times max(unit_i, |u_i|), or scale_i where
/// that is smaller; x (number 0) stays.
[[nodiscard]] Vec by_chance(const Vec& u, double size, unsigned seed, const Vec& units = {},
                            const Vec& scales = {});

}  // namespace taut
