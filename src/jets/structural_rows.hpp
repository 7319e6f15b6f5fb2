// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "jet_rows.hpp"
#include "taut/model/jet_system.hpp"

namespace taut {

/// (3) of Completion: the equations differentiated as offsets say.
struct StructuralRows {
  formula::Graph graph;
  std::vector<formula::NodeId> manifold;  ///< f_i^(l), l < c_i, and extra equations
  std::vector<std::string> manifold_names;
  std::vector<formula::NodeId> rows;  ///< f_i^(c_i)
  std::vector<std::string> row_names;
  std::vector<Index> state;  ///< jets of p: x, y_j^(i) with i < d_j, by derivative and unknown
  std::vector<Index> tops;   ///< y_j^(d_j), by unknown
  bool closed = false;       ///< extra equations read the state only
  std::vector<bool> bent;    ///< of each equation: its row is not affine in the tops

  StructuralRows(const JetSystem& system, const std::vector<int>& c, const std::vector<int>& d);

  /// rows as a map of (p, tops); they are f~ where the tops are 0, and A is their Jacobian there.
  [[nodiscard]] JetRows row_map() const;
  [[nodiscard]] JetRows manifold_map(bool second_derivatives) const {
    return {graph, manifold, state, second_derivatives};
  }
};

/// What the rows are at a point of M.
struct StructuralPoint {
  Mat rows;             ///< (f~ | A)
  Index rank = 0;       ///< of it, with rows of one size
  Index rank_of_A = 0;  ///< with the same units
  Index rank_of_M = 0;  ///< of the Jacobian of the manifold's equations
};
[[nodiscard]] StructuralPoint structural_point(const StructuralRows& parts, const Vec& p,
                                               double independent);

}  // namespace taut
