// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace taut {

/// Pattern of a symmetric matrix without its diagonal: the neighbours of i are
/// index[begin[i]] ... index[begin[i+1] - 1], ascending; both triangles.
struct Adjacency {
  std::vector<int> begin{0};
  std::vector<int> index;

  [[nodiscard]] int size() const { return static_cast<int>(begin.size()) - 1; }
};

}  // namespace taut
