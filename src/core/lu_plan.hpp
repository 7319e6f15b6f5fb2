// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "core/front_plan.hpp"
#include "taut/core/types.hpp"

namespace taut {

/// What Lu knows of a pattern before it sees values: shared by all matrices of that pattern.
struct LuPlan {
  LuPlan(const Sparse& pattern, Index constraints);

  int n = 0;
  int nq = 0;          // rows from nq on are constraints
  bool dense = false;  // no order, no slots

  // the pattern by rows, as it was given
  std::vector<int> begin, column;

  // for the scale of (2), (3): entry of a_ii (or -1), by row; entry of a_ic for each entry a_ci of
  // the constraints (or -1), from begin[nq] on
  std::vector<int> diagonal, transposed;

  // dense pieces, where these are cheaper than slots
  std::optional<FrontPlan> fronts;

  // static elimination: order[k] is the row eliminated as k-th, position its inverse
  std::vector<int> order, position;
  // rows of L and U in this order, columns as positions, ascending; row k is
  // [row_begin[k], row_begin[k + 1]) with its diagonal at row_diagonal[k]
  std::vector<int> row_begin, row_diagonal, row_column;
  std::vector<int> slot;  // of each entry of the pattern

  // up to a few million updates: slots of column k of L, at the places of row k of U, and the slot
  // of the number that each update changes, in the order of elimination
  std::vector<int> column_slot, target;
  // beyond, where there are no fronts: the columns of row k of U as runs of consecutive ones
  struct Run {
    int slot, column, length;
  };
  std::vector<int> run_begin;
  std::vector<Run> run;
  std::vector<bool> twin;  // row k + 1 of U has the columns of row k after k + 1

 private:
  void find_scale_entries();
  void find_order();
  void find_slots();
  void list_targets();
  void list_runs();

  double updates_ = 0.0;  // of the static elimination, within a few per cent
};

}  // namespace taut
