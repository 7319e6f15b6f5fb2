// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "taut/model/jet_system.hpp"

namespace taut {

/// Structure of a system of k equations in n unknowns (pryce2001). With sigma_ij the highest
/// derivative of unknown j in equation i, offsets are the smallest numbers with
///
///   d_j - c_i >= sigma_ij,   c_i >= 0,   and equality on a transversal of largest sum (1)
///
/// Equation i differentiated c_i times then has y_j^(d_j) as its highest derivatives, all on the
/// transversal, and sum d_j - sum c_i is the freedom of the solutions, where the Jacobian
/// d f_i^(c_i) / d y_j^(d_j) is regular.
///
/// With more equations than unknowns the transversal takes those with the highest derivatives; the
/// others are extra: conditions on the state, such as invariants.
struct Signature {
  static constexpr int absent = -1;  ///< sigma of an unknown that is not in an equation

  std::vector<std::vector<int>> sigma;  ///< [i][j]
  std::vector<int> orders;              ///< of each unknown: largest sigma_ij, 0 when it is absent
  bool regular = false;                 ///< there is a transversal
  std::vector<int> c;                   ///< of each equation; absent for extra ones
  std::vector<int> d;                   ///< of each unknown
  std::vector<Index> equation_of;       ///< of each unknown, on the transversal

  [[nodiscard]] static Signature of(const JetSystem& system);
  /// With these equations as extra ones.
  [[nodiscard]] static Signature without(const JetSystem& system,
                                         const std::vector<Index>& equations);

  /// Differentiates once more those of these equations that have the lowest order, and what (1)
  /// then asks for.
  void raise(std::vector<bool> equations);

  /// max c_i, and one more where an unknown has d_j = 0: no less than the differentiation index.
  [[nodiscard]] int index() const;
  [[nodiscard]] bool has_extra() const;
};

/// Which k - n of k equations to take as extra ones: not always is it told by the highest
/// derivatives which of them determine the others. The last come first, as invariants are stated
/// last; a few where there are many choices.
[[nodiscard]] std::vector<std::vector<Index>> choices_of_extra(Index k, Index n);

}  // namespace taut
