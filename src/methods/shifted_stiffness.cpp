// SPDX-License-Identifier: BSD-3-Clause
#include "methods/shifted_stiffness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/ordering.hpp"

namespace taut {
namespace {

// pivots below this part of their diagonal are rounding: their sign says nothing
constexpr double rounding = 1e-13;
// forces with a potential have a symmetric K but for rounding and, where it was found by
// differences, their error
constexpr double symmetric_to = 1e-6;

void for_each_entry(const Sparse& matrix, const auto& visit) {
  for (int i = 0; i < matrix.rows(); ++i)
    for (int p = matrix.outerIndexPtr()[i]; p < matrix.outerIndexPtr()[i + 1]; ++p)
      visit(i, matrix.innerIndexPtr()[p], p);
}

int find(const Sparse& matrix, int row, int column) {
  const int* const from = matrix.innerIndexPtr() + matrix.outerIndexPtr()[row];
  const int* const to = matrix.innerIndexPtr() + matrix.outerIndexPtr()[row + 1];
  const int* const found = std::lower_bound(from, to, column);
  return found != to && *found == column ? static_cast<int>(found - matrix.innerIndexPtr()) : -1;
}

}  // namespace

void ShiftedStiffness::analyse(const Sparse& M, const Sparse& K) {
  const int n = static_cast<int>(M.rows());
  std::vector<std::pair<int, int>> pairs;
  for (const Sparse* matrix : {&M, &K})
    for_each_entry(*matrix, [&](int i, int j, int) {
      if (i != j) pairs.emplace_back(i, j);
    });
  const Adjacency graph = adjacency(n, pairs);
  factor_.analyse(graph, choose_order(graph, {minimum_degree_order(graph), natural_order(n)}));

  M_.assign(factor_.entries(), 0.0);
  for_each_entry(M, [&](int i, int j, int p) {
    if (i >= j) M_[factor_.slot(i, j)] = M.valuePtr()[p];
  });
  entries_.clear();
  for_each_entry(K, [&](int i, int j, int p) {
    const int mirror = find(K, j, i);
    if (i >= j || mirror < 0) entries_.push_back({p, mirror, factor_.slot(i, j)});
  });
  K_.assign(static_cast<std::size_t>(K.nonZeros()), 0.0);
  status_ = Status::not_supported;
}

Status ShiftedStiffness::factor(const Sparse& K, double h) {
  const double shift = b(h);
  if (status_ == Status::ok && shift == b_ && std::equal(K_.begin(), K_.end(), K.valuePtr()))
    return Status::ok;
  std::copy_n(K.valuePtr(), K_.size(), K_.begin());
  b_ = shift;
  status_ = assemble_and_factor(K, shift);
  return status_;
}

Status ShiftedStiffness::assemble_and_factor(const Sparse& K, double b) {
  std::copy(M_.begin(), M_.end(), factor_.values());
  double largest = 0.0, skew = 0.0;
  int worst = 0;
  for (const Entry& entry : entries_) {
    const double k = K.valuePtr()[entry.from];
    const double mirrored = entry.mirror < 0 ? 0.0 : K.valuePtr()[entry.mirror];
    factor_.values()[entry.slot] += b * k;
    largest = std::max(largest, std::abs(k));
    if (const double difference = std::abs(k - mirrored); difference > skew) {
      skew = difference;
      worst = entry.from;
    }
  }
  if (skew > symmetric_to * largest) {
    const int* const begin = K.outerIndexPtr();
    row_ = static_cast<int>(std::upper_bound(begin, begin + K.rows(), worst) - begin) - 1;
    column_ = K.innerIndexPtr()[worst];
    return Status::not_supported;
  }
  if (!factor_.factor({.positive = rounding, .negative = rounding})) return Status::non_finite;
  if (factor_.replaced().empty()) return Status::ok;
  row_ = factor_.replaced().front().row;
  return Status::indefinite_matrix;
}

// The b up to which A is positive definite, to a thousandth; 0 where there is none.
double ShiftedStiffness::largest_shift(const Sparse& K) {
  constexpr double smallest = 1e-30;
  constexpr int halvings = 10;
  if (!(b_ > 0.0)) return 0.0;
  double low = b_ / 4, high = b_;
  for (; assemble_and_factor(K, low) != Status::ok; low /= 4) {
    if (low < smallest * b_) return 0.0;
    high = low;
  }
  for (int k = 0; k < halvings; ++k) {
    const double middle = std::sqrt(low * high);
    (assemble_and_factor(K, middle) == Status::ok ? low : high) = middle;
  }
  return low;
}

std::string ShiftedStiffness::reason(const Structure& structure, const Sparse& K, double t) {
  const auto coordinate = [&](int i) { return structure.coordinates[static_cast<std::size_t>(i)]; };
  if (status_ == Status::not_supported)
    return fmt::format(
        "forces without a potential between {} and {} at t = {:.6g} (their derivative is not "
        "symmetric): take radau or rk4",
        coordinate(row_), coordinate(column_), t);
  if (status_ != Status::indefinite_matrix) return {};
  const std::string name = coordinate(row_);
  const double bound = largest_shift(K);
  return fmt::format(
      "M + b K with b = beta h^2 = {:.3g} has no positive pivot at {}, t = {:.6g}; in this "
      "position steps below {:.3g} keep it positive definite",
      b_, name, t, std::sqrt(bound / beta_));
}

}  // namespace taut
