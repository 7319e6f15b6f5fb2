// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <vector>

#include "taut/run/curve_motion.hpp"
#include "taut/run/motion.hpp"

namespace taut {

/// Rows of `width` numbers each, row after row.
struct RowsOf {
  const std::vector<double>& numbers;
  std::size_t width;
};

/// Whether each has as many rows and no gap.
[[nodiscard]] inline bool complete(std::size_t rows, std::initializer_list<RowsOf> all) {
  return std::all_of(all.begin(), all.end(), [rows](const RowsOf& c) {
    return c.width == 0 ? c.numbers.empty()
                        : c.numbers.size() % c.width == 0 && c.numbers.size() / c.width == rows;
  });
}

/// The same of extremes, which may be absent.
[[nodiscard]] inline bool complete(const Extremes& extremes, std::size_t groups,
                                   std::size_t width) {
  return extremes.low.size() == extremes.high.size() &&
         (extremes.empty() || complete(groups, {{extremes.low, width}}));
}

/// The same of all that a run has written.
[[nodiscard]] inline bool complete(const Motion& m) {
  return complete(m.rows(), {{m.q, m.coordinates.size()},
                             {m.v, m.velocities.size()},
                             {m.lambda, m.constraints.size()},
                             {m.place, m.drawn.size()},
                             {m.invariant, m.invariants.size()},
                             {m.output, m.outputs.size()},
                             {m.quantity, m.quantities.size()},
                             {m.kinetic_energy, 1},
                             {m.potential_energy, 1},
                             {m.work, 1},
                             {m.energy, 1},
                             {m.max_constraint, 1},
                             {m.max_velocity_constraint, 1},
                             {m.step, 1},
                             {m.rejected, 1}});
}
[[nodiscard]] inline bool complete(const CurveMotion& m) {
  return complete(m.rows(), {{m.p, m.coordinates.size()},
                             {m.output, m.outputs.size()},
                             {m.max_equation, 1},
                             {m.step, 1}});
}

}  // namespace taut
