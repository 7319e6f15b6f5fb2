// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "taut/core/status.hpp"
#include "taut/core/types.hpp"

namespace taut {

template <class Number>
class KktTrace;

/// M = R Rᵀ for a mass matrix that falls into small components: R is lower triangular in each.
///
/// Coordinates are renumbered so that those of a component stand together: `place`. A diagonal M
/// keeps its numbering, and R⁻¹ is then the array of 1/sqrt(m).
class BlockMass {
 public:
  static constexpr int largest = 8;  ///< coordinates in a component

  /// Finds the components. False if one of them is larger than `largest`: not to be used then.
  [[nodiscard]] bool analyse(const Sparse& M);

  /// mass_singular where a pivot is at most 1e-14 times its diagonal (rounding level), with the
  /// coordinate in defect(); non_finite.
  [[nodiscard]] Status factor(const Sparse& M);
  [[nodiscard]] Index defect() const { return defect_; }

  [[nodiscard]] bool diagonal() const { return diagonal_; }
  [[nodiscard]] int place(int coordinate) const { return place_[coordinate]; }

  struct Block {
    int first, size;  ///< places of its coordinates
    int factor;       ///< where its R begins: row by row, size x size, 1/R_ii on the diagonal
  };
  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
  [[nodiscard]] int block(int coordinate) const { return block_[place_[coordinate]]; }

  /// 1/R_ii of a diagonal M.
  [[nodiscard]] const double* inverse_root() const { return R_.data(); }

  /// y <- R⁻¹ y for one block.
  void half_solve_block(const Block& block, double* y) const;

  /// z = R⁻¹ r and x = R⁻ᵀ z; r and x by coordinate, z by place.
  void half_solve(const double* r, double* z) const;
  void half_solve_transposed(double* z, double* x) const;

 private:
  template <class Number>
  friend class KktTrace;  // the same in other arithmetic

  bool diagonal_ = true;
  Index defect_ = -1;
  std::vector<int> coordinate_, place_;  // coordinate_[place_[i]] = i
  std::vector<int> block_;               // by place
  std::vector<Block> blocks_;
  std::vector<int> source_;  // entry of M for each entry of R_, -1 where M has none
  std::vector<double> R_;
};

}  // namespace taut
