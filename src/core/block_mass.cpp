// SPDX-License-Identifier: BSD-3-Clause
#include "core/block_mass.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace taut {
namespace {

constexpr double rounding_level = 1e-14;  // of M_ii; 8 eps is what a block of 8 can lose

}  // namespace

bool BlockMass::analyse(const Sparse& M) {
  const int nq = static_cast<int>(M.rows());
  coordinate_.clear();
  place_.assign(nq, -1);
  blocks_.clear();
  block_.clear();
  source_.clear();
  diagonal_ = true;

  // components of the graph of M, each with its coordinates in ascending order
  int entries = 0;
  for (int seed = 0; seed < nq; ++seed) {
    if (place_[seed] >= 0) continue;
    const int first = static_cast<int>(coordinate_.size());
    coordinate_.push_back(seed);
    place_[seed] = first;
    for (std::size_t k = first; k < coordinate_.size(); ++k)
      for (Sparse::InnerIterator entry(M, coordinate_[k]); entry; ++entry) {
        const int j = static_cast<int>(entry.col());
        if (place_[j] >= 0) continue;
        place_[j] = static_cast<int>(coordinate_.size());
        coordinate_.push_back(j);
      }
    const int size = static_cast<int>(coordinate_.size()) - first;
    if (size > largest) return false;
    std::sort(coordinate_.begin() + first, coordinate_.end());
    for (int k = first; k < first + size; ++k) place_[coordinate_[k]] = k;
    block_.insert(block_.end(), size, static_cast<int>(blocks_.size()));
    blocks_.push_back({first, size, entries});
    entries += size * size;
    if (size > 1) diagonal_ = false;
  }

  source_.assign(entries, -1);
  R_.assign(entries, 0.0);
  for (const Block& b : blocks_)
    for (int i = 0; i < b.size; ++i) {
      const int row = coordinate_[b.first + i];
      for (int p = M.outerIndexPtr()[row]; p < M.outerIndexPtr()[row + 1]; ++p)
        source_[b.factor + i * b.size + place_[M.innerIndexPtr()[p]] - b.first] = p;
    }
  return true;
}

Status BlockMass::factor(const Sparse& M) {
  defect_ = -1;
  const double* const value = M.valuePtr();
  for (const Block& b : blocks_) {
    double* const R = R_.data() + b.factor;
    const int* const source = source_.data() + b.factor;
    const int n = b.size;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j <= i; ++j) {
        const int from = source[i * n + j];
        double sum = from < 0 ? 0.0 : value[from];
        const double before = sum;
        for (int k = 0; k < j; ++k) sum -= R[i * n + k] * R[j * n + k];
        if (j < i) {
          R[i * n + j] = sum * R[j * n + j];
          continue;
        }
        if (!(sum > rounding_level * before) || !std::isfinite(sum)) {
          defect_ = coordinate_[b.first + i];
          return std::isfinite(sum) ? Status::mass_singular : Status::non_finite;
        }
        R[i * n + i] = 1.0 / std::sqrt(sum);
      }
    }
  }
  return Status::ok;
}

void BlockMass::half_solve_block(const Block& block, double* y) const {
  const double* const R = R_.data() + block.factor;
  const int n = block.size;
  for (int i = 0; i < n; ++i) {
    double sum = y[i];
    for (int k = 0; k < i; ++k) sum -= R[i * n + k] * y[k];
    y[i] = sum * R[i * n + i];
  }
}

void BlockMass::half_solve(const double* r, double* z) const {
  const int nq = static_cast<int>(coordinate_.size());
  if (diagonal_) {
    for (int i = 0; i < nq; ++i) z[i] = r[i] * R_[i];
    return;
  }
  for (int k = 0; k < nq; ++k) z[k] = r[coordinate_[k]];
  for (const Block& b : blocks_) half_solve_block(b, z + b.first);
}

void BlockMass::half_solve_transposed(double* z, double* x) const {
  const int nq = static_cast<int>(coordinate_.size());
  if (diagonal_) {
    for (int i = 0; i < nq; ++i) x[i] = z[i] * R_[i];
    return;
  }
  for (const Block& b : blocks_) {
    const double* const R = R_.data() + b.factor;
    double* const y = z + b.first;
    const int n = b.size;
    for (int i = n - 1; i >= 0; --i) {
      double sum = y[i];
      for (int k = i + 1; k < n; ++k) sum -= R[k * n + i] * y[k];
      y[i] = sum * R[i * n + i];
    }
  }
  for (int k = 0; k < nq; ++k) x[coordinate_[k]] = z[k];
}

}  // namespace taut
