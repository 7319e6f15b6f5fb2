// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "curves/jet_rows.hpp"
#include "taut/model/jet_system.hpp"

namespace taut {

/// (3) of Completion: the equations differentiated as offsets say.
struct StructuralRows {
  formula::Graph graph;
  std::vector<formula::NodeId> manifold;  ///< f_i^(l), l < c_i, and extra equations
  std::vector<std::string> manifold_names;
  std::vector<formula::NodeId> rows;  ///< f_i^(c_i)
  std::vector<std::string> row_names;
  std::vector<formula::NodeId> extra_rates;  ///< D g of extra equations g
  std::vector<std::string> extra_names;
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

/// What the rows are at a point of M. Ranks are those of matrices whose rows and columns are
/// brought to one size by numbers from here and near by: neither units nor time scales matter, and
/// what vanishes at this point alone does.
struct StructuralPoint {
  std::string not_finite;  ///< the row that has no value here; empty: all have
  Index rank = 0;          ///< of (f~ | A)
  Index rank_of_A = 0;
  Index rank_of_M = 0;  ///< of the Jacobian of the manifold's equations
  Vec tops;             ///< A tops = -f~ in the least squares
  Vec kernel;           ///< of (f~ | A), in its units and of length 1; of x and the tops
  Vec units;            ///< of x (1) and the tops
};
[[nodiscard]] StructuralPoint structural_point(const StructuralRows& parts, const Vec& p,
                                               double independent);

/// Rates of the extra equations along the solution at a point where A is regular, and the sizes of
/// the terms they are made of.
struct ExtraRates {
  bool finite = false;
  Vec rates, terms;
};
[[nodiscard]] ExtraRates extra_rates_at(const StructuralRows& parts, const Vec& p, const Vec& tops);

/// A point beside u, at another x too: coefficients may vanish at this one. As far away as 3 % of
/// the numbers, or of their scales (scales_of).
[[nodiscard]] Vec neighbour(const Vec& u, unsigned seed, const Vec& scales);

}  // namespace taut
