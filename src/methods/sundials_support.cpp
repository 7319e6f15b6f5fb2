// SPDX-License-Identifier: BSD-3-Clause
#include "methods/sundials_support.hpp"

#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>
#include <cassert>
#include <utility>

namespace taut::sundials {
namespace {

/// Calls visit(k, row, column) for the k-th value of a block, with its place in the whole matrix.
template <class Visit>
void for_each_place(const BlockMatrix::Block& block, Visit visit) {
  Index k = 0;
  for (Index r = 0; r < block.pattern->outerSize(); ++r)
    for (Sparse::InnerIterator it{*block.pattern, r}; it; ++it, ++k) {
      const Index i = block.transposed ? it.col() : it.row();
      const Index j = block.transposed ? it.row() : it.col();
      visit(k, block.row + i, block.column + j);
    }
}

}  // namespace

Owned<SUNContext> make_context() {
  SUNContext context = nullptr;
  if (SUNContext_Create(nullptr, &context) != 0) throw std::bad_alloc{};
  return own(context);
}

Owned<N_Vector> wrap(Vec& values, SUNContext context) {
  return own(N_VMake_Serial(values.size(), values.data(), context));
}

void ErrorText::record(int code, const char* /*module*/, const char* function, char* text,
                       void* self) {
  if (code >= 0) return;
  try {
    static_cast<ErrorText*>(self)->text = std::string{function} + ": " + text;
  } catch (const std::bad_alloc&) {
    // nothing may be thrown through SUNDIALS; the flag it returns is left
  }
}

void add(Counters& sum, const Counters& more) {
  sum.steps += more.steps;
  sum.rejected += more.rejected;
  sum.force_evaluations += more.force_evaluations;
  sum.constraint_evaluations += more.constraint_evaluations;
  sum.jacobian_evaluations += more.jacobian_evaluations;
  sum.factorisations += more.factorisations;
  sum.newton_iterations += more.newton_iterations;
}

Sparse identity(Index n) {
  Sparse one(n, n);
  one.setIdentity();
  one.makeCompressed();
  return one;
}

void BlockMatrix::analyse(Index n, std::span<const Block> blocks, SUNContext context) {
  n_ = n;
  dense_ = n <= dense_limit;
  slots_.assign(blocks.size(), {});
  columns_.clear();
  rows_.clear();

  if (dense_) {
    matrix_ = own(SUNDenseMatrix(n, n, context));
  } else {
    // every place that any block touches, by columns
    std::vector<std::pair<Index, Index>> places;
    for (const Block& block : blocks)
      for_each_place(block, [&](Index, Index i, Index j) { places.emplace_back(j, i); });
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());

    columns_.assign(static_cast<std::size_t>(n) + 1, 0);
    rows_.reserve(places.size());
    for (const auto& [column, row] : places) {
      ++columns_[static_cast<std::size_t>(column) + 1];
      rows_.push_back(row);
    }
    for (std::size_t j = 0; j < static_cast<std::size_t>(n); ++j) columns_[j + 1] += columns_[j];
    matrix_ = own(SUNSparseMatrix(n, n, static_cast<sunindextype>(rows_.size()), CSC_MAT, context));
    restore_pattern();
  }

  for (std::size_t b = 0; b < blocks.size(); ++b) {
    slots_[b].resize(static_cast<std::size_t>(blocks[b].pattern->nonZeros()));
    for_each_place(blocks[b], [&](Index k, Index i, Index j) {
      Index slot = j * n + i;
      if (!dense_) {
        const auto first = rows_.begin() + columns_[static_cast<std::size_t>(j)];
        const auto last = rows_.begin() + columns_[static_cast<std::size_t>(j) + 1];
        slot = std::lower_bound(first, last, i) - rows_.begin();
      }
      slots_[b][static_cast<std::size_t>(k)] = slot;
    });
  }

  x_values_.setZero(n);
  b_values_.setZero(n);
  x_ = wrap(x_values_, context);
  b_ = wrap(b_values_, context);
  solver_ = own(dense_ ? SUNLinSol_Dense(x_.get(), matrix_.get(), context)
                       : SUNLinSol_KLU(x_.get(), matrix_.get(), context));
  SUNLinSolInitialize(solver_.get());
}

double* BlockMatrix::data() const {
  return dense_ ? SUNDenseMatrix_Data(matrix_.get()) : SUNSparseMatrix_Data(matrix_.get());
}

void BlockMatrix::restore_pattern() {
  std::copy(columns_.begin(), columns_.end(), SUNSparseMatrix_IndexPointers(matrix_.get()));
  std::copy(rows_.begin(), rows_.end(), SUNSparseMatrix_IndexValues(matrix_.get()));
}

void BlockMatrix::set_zero() {
  std::fill_n(data(), dense_ ? n_ * n_ : static_cast<Index>(rows_.size()), 0.0);
  // solvers clear a sparse matrix together with its pattern
  if (!dense_) restore_pattern();
}

void BlockMatrix::add(std::size_t block, double factor, const Sparse& values) {
  const std::vector<Index>& slots = slots_[block];
  assert(slots.size() == static_cast<std::size_t>(values.nonZeros()));
  double* const out = data();
  const double* const in = values.valuePtr();
  for (std::size_t k = 0; k < slots.size(); ++k) out[slots[k]] += factor * in[k];
}

void BlockMatrix::add_rows(std::size_t block, double factor, const Sparse& values,
                           const Vec& keep) {
  const std::vector<Index>& slots = slots_[block];
  assert(slots.size() == static_cast<std::size_t>(values.nonZeros()));
  double* const out = data();
  std::size_t k = 0;
  for (Index r = 0; r < values.outerSize(); ++r)
    for (Sparse::InnerIterator it{values, r}; it; ++it, ++k)
      out[slots[k]] += factor * keep(r) * it.value();
}

bool BlockMatrix::factor() { return SUNLinSolSetup(solver_.get(), matrix_.get()) == 0; }

bool BlockMatrix::solve(Vec& x) {
  b_values_ = x;
  if (SUNLinSolSolve(solver_.get(), matrix_.get(), x_.get(), b_.get(), 0.0) != 0) return false;
  x = x_values_;
  return true;
}

Mat BlockMatrix::to_dense() const {
  if (dense_) return Eigen::Map<const Mat>{data(), n_, n_};
  Mat out = Mat::Zero(n_, n_);
  for (Index j = 0; j < n_; ++j)
    for (auto k = columns_[static_cast<std::size_t>(j)];
         k < columns_[static_cast<std::size_t>(j) + 1]; ++k)
      out(rows_[static_cast<std::size_t>(k)], j) = data()[k];
  return out;
}

}  // namespace taut::sundials
