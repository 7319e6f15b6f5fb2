// SPDX-License-Identifier: BSD-3-Clause
#include "methods/stage_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <exception>

namespace taut {
namespace {

using Triplets = std::vector<Eigen::Triplet<double, int>>;

void add_block(const Sparse& block, Index row, Index column, bool transposed, Triplets& entries) {
  for (int i = 0; i < block.rows(); ++i)
    for (Sparse::InnerIterator entry(block, i); entry; ++entry) {
      const int r = transposed ? static_cast<int>(entry.col()) : i;
      const int c = transposed ? i : static_cast<int>(entry.col());
      entries.emplace_back(static_cast<int>(row) + r, static_cast<int>(column) + c, 0.0);
    }
}

// where the entries of a block stand in the pattern, in the order of the block
std::vector<int> find_slots(const Sparse& block, const Sparse& pattern, Index row, Index column,
                            bool transposed) {
  std::vector<int> slots;
  slots.reserve(static_cast<std::size_t>(block.nonZeros()));
  for (int i = 0; i < block.rows(); ++i)
    for (Sparse::InnerIterator entry(block, i); entry; ++entry) {
      const Index r = row + (transposed ? entry.col() : i);
      const Index c = column + (transposed ? i : entry.col());
      const int* const from = pattern.innerIndexPtr() + pattern.outerIndexPtr()[r];
      const int* const to = pattern.innerIndexPtr() + pattern.outerIndexPtr()[r + 1];
      slots.push_back(static_cast<int>(std::lower_bound(from, to, c) - pattern.innerIndexPtr()));
    }
  return slots;
}

void scatter(const Sparse& block, const std::vector<int>& slots, std::vector<double>& to) {
  for (std::size_t k = 0; k < slots.size(); ++k) to[slots[k]] += block.valuePtr()[k];
}

}  // namespace

void StageMatrix::analyse(const Structure& structure) {
  nq_ = structure.nq;
  nc_ = structure.nc;
  Triplets entries;
  for (const Sparse* block : {&structure.M, &structure.K, &structure.D})
    add_block(*block, 0, 0, false, entries);
  add_block(structure.G, 0, nq_, true, entries);
  add_block(structure.G, nq_, 0, false, entries);
  of_velocities_.assign(static_cast<std::size_t>(nc_), false);
  for (const Row& row : structure.rows)
    if (row.equation >= 0)
      of_velocities_[static_cast<std::size_t>(row.equation)] = row.of_velocities;
  const bool damped = nc_ > 0 && structure.d.maxCoeff() > 0.0;
  if (damped) add_block(structure.N, nq_, 0, false, entries);
  for (Index i = 0; i < size(); ++i)
    entries.emplace_back(static_cast<int>(i), static_cast<int>(i), 0.0);
  pattern_.resize(size(), size());
  pattern_.setFromTriplets(entries.begin(), entries.end());
  pattern_.makeCompressed();
  upper_ = static_cast<std::size_t>(pattern_.outerIndexPtr()[nq_]);

  M_ = find_slots(structure.M, pattern_, 0, 0, false);
  K_ = find_slots(structure.K, pattern_, 0, 0, false);
  D_ = find_slots(structure.D, pattern_, 0, 0, false);
  G_ = find_slots(structure.G, pattern_, nq_, 0, false);
  G_transposed_ = find_slots(structure.G, pattern_, 0, nq_, true);
  N_.clear();
  if (damped) N_ = find_slots(structure.N, pattern_, nq_, 0, false);
  C_.clear();
  for (Index r = nq_; r < size(); ++r) C_.push_back(pattern_.outerIndexPtr()[r + 1] - 1);

  for (std::vector<double>* x : {&x0_, &x1_, &x2_})
    x->assign(static_cast<std::size_t>(pattern_.nonZeros()), 0.0);
  real_.analyse(pattern_, nc_);
  for (auto& lu : complex_) lu.analyse_like(real_);
}

void StageMatrix::set(const Structure& structure, const Sparse& M, const Sparse& K, const Sparse& D,
                      const Sparse& G, const Sparse& N, const std::vector<int>& dropped) {
  for (std::vector<double>* x : {&x0_, &x1_, &x2_}) std::fill(x->begin(), x->end(), 0.0);
  scatter(M, M_, x0_);
  scatter(D, D_, x1_);
  scatter(K, K_, x2_);
  scatter(G, G_transposed_, x0_);
  scatter(G, G_, x0_);
  for (Index r = 0; r < nc_; ++r) {
    const auto row = static_cast<std::size_t>(r);
    const double d = structure.d[r];
    if (of_velocities_[row])
      for (int p = G.outerIndexPtr()[r]; p < G.outerIndexPtr()[r + 1]; ++p) x0_[G_[p]] = 0.0;
    if (d > 0.0) {
      for (int p = N.outerIndexPtr()[r]; p < N.outerIndexPtr()[r + 1]; ++p)
        x0_[N_[p]] += d * N.valuePtr()[p];
      for (int p = G.outerIndexPtr()[r]; p < G.outerIndexPtr()[r + 1]; ++p)
        x1_[G_[p]] = d * G.valuePtr()[p];
    }
    x2_[C_[row]] = -structure.C[r];
  }
  dropped_ = dropped;
  for (const int r : dropped) {
    for (int p = G.outerIndexPtr()[r]; p < G.outerIndexPtr()[r + 1]; ++p) {
      x0_[G_[p]] = x1_[G_[p]] = 0.0;
      x0_[G_transposed_[p]] = 0.0;
    }
    if (of_velocities_[static_cast<std::size_t>(r)])
      for (int p = N.outerIndexPtr()[r]; p < N.outerIndexPtr()[r + 1]; ++p) x0_[N_[p]] = 0.0;
    x0_[C_[r]] = -1.0;
    x2_[C_[r]] = 0.0;
  }
}

Status StageMatrix::factor(const RadauCoefficients& method, double h) {
  std::array<Status, 4> status{};
  std::array<std::exception_ptr, 4> thrown{};  // no memory
  for_each_eigenvalue(method, [&](std::size_t k) {
    try {
      status[k] = k == 0 ? factor<double>(method.gamma / h, real_)
                         : factor<std::complex<double>>(method.pairs[k - 1] / h, complex_[k - 1]);
    } catch (...) {
      thrown[k] = std::current_exception();
    }
    return status[k] == Status::ok;
  });
  for (const std::exception_ptr& one : thrown)
    if (one != nullptr) std::rethrow_exception(one);
  for (const Status one : status)
    if (one != Status::ok) return one;
  return Status::ok;
}

double StageMatrix::change(const RadauCoefficients& method, double h) const {
  const double kappa = method.gamma / h;
  const double* const factored = real_.values();
  double largest = 0.0;
  for (Index i = 0; i < size(); ++i) {
    double difference = 0.0, sum = 0.0;
    for (int p = pattern_.outerIndexPtr()[i]; p < pattern_.outerIndexPtr()[i + 1]; ++p) {
      difference += std::abs(entry(static_cast<std::size_t>(p), kappa) - factored[p]);
      sum += std::abs(factored[p]);
    }
    if (difference > largest * sum) largest = difference / sum;
  }
  return largest;
}

template <class Scalar>
Scalar StageMatrix::entry(std::size_t p, Scalar kappa) const {
  // (1)
  const Scalar power = p < upper_ ? 1.0 / kappa : kappa;
  return x0_[p] + (x1_[p] + x2_[p] * power) * power;
}

template <class Scalar>
Status StageMatrix::factor(Scalar kappa, Lu<Scalar>& lu) const {
  Scalar* const value = lu.values();
  const std::size_t entries = x0_.size();
  for (std::size_t p = 0; p < entries; ++p) value[p] = entry(p, kappa);
  return lu.factor();
}

}  // namespace taut
