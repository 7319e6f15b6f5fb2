// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "taut/core/archive.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// What happened between the rows of a motion: of each of its columns the least and the greatest
/// value at the steps since the row before, this row included. Row after row; empty where every
/// step is a row. NaN where nothing is known.
///
/// While a run goes on there is one group more than there are rows: that of the steps since the
/// last row.
struct Extremes {
  std::vector<double> low, high;
  std::int64_t steps = 0;     ///< between rows, of which q, v and step are known
  std::int64_t measured = 0;  ///< of them, those of which everything is known
  bool kept = false;          ///< by the run; otherwise they stay empty

  [[nodiscard]] bool empty() const { return low.empty(); }

  /// Adds a group of `width` columns of which nothing is known yet.
  void open(std::size_t width);

  /// Takes values of the columns `first`, ... into the last group of `width` columns.
  void take(std::size_t width, std::size_t first, const double* values, std::size_t count) {
    double* const least = low.data() + (low.size() - width + first);
    double* const most = high.data() + (high.size() - width + first);
    for (std::size_t i = 0; i < count; ++i) {
      // no NaN is less or greater than anything
      least[i] = values[i] < least[i] ? values[i] : least[i];
      most[i] = values[i] > most[i] ? values[i] : most[i];
    }
  }

  /// Rows 0, 2, 4, ... are left: the others go to their successors.
  void halve(std::size_t width);

  /// Rows that are not marked go to their successors.
  void merge(std::size_t width, const std::vector<bool>& rows);

  /// The run is over: drops the group of no row.
  void close(std::size_t width);

  void archive(Archive& archive) { archive(low, high, steps, measured); }
};

}  // namespace taut

#pragma GCC visibility pop
