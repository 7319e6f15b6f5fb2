// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "taut/core/types.hpp"

namespace taut {

/// Pairs (row, column) collected from all elements; becomes the pattern of a sparse matrix.
class Pattern {
 public:
  void add(int row, int column) {
    pairs_.push_back((static_cast<std::uint64_t>(row) << 32) | static_cast<std::uint32_t>(column));
  }

  /// The matrix with these entries, all zero.
  [[nodiscard]] Sparse matrix(Index rows, Index columns) {
    std::sort(pairs_.begin(), pairs_.end());
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
    Sparse result(rows, columns);
    result.resizeNonZeros(static_cast<Index>(pairs_.size()));
    int* const start = result.outerIndexPtr();
    std::fill_n(start, rows + 1, 0);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      ++start[(pairs_[i] >> 32) + 1];
      result.innerIndexPtr()[i] = static_cast<int>(pairs_[i] & 0xffffffffU);
      result.valuePtr()[i] = 0.0;
    }
    for (Index row = 0; row < rows; ++row) start[row + 1] += start[row];
    return result;
  }

 private:
  std::vector<std::uint64_t> pairs_;
};

/// Where entry (row, column) stands among the values of a matrix that has it.
[[nodiscard]] inline int value_slot(const Sparse& matrix, int row, int column) {
  const int* const begin = matrix.innerIndexPtr() + matrix.outerIndexPtr()[row];
  const int* const end = matrix.innerIndexPtr() + matrix.outerIndexPtr()[row + 1];
  return static_cast<int>(std::lower_bound(begin, end, column) - matrix.innerIndexPtr());
}

}  // namespace taut
