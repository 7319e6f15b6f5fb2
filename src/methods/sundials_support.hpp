// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nonlinearsolver.h>
#include <sundials/sundials_nvector.h>

#include <memory>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "taut/core/counters.hpp"
#include "taut/core/types.hpp"

namespace taut::sundials {

struct Free {
  void operator()(SUNContext handle) const { SUNContext_Free(&handle); }
  void operator()(N_Vector handle) const { N_VDestroy(handle); }
  void operator()(SUNMatrix handle) const { SUNMatDestroy(handle); }
  void operator()(SUNLinearSolver handle) const { SUNLinSolFree(handle); }
  void operator()(SUNNonlinearSolver handle) const { SUNNonlinSolFree(handle); }
};

/// A SUNDIALS object with an owner.
template <class Handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Free>;

/// Takes what a SUNDIALS constructor returned: null means that there was no memory.
template <class Handle>
[[nodiscard]] Owned<Handle> own(Handle handle) {
  if (handle == nullptr) throw std::bad_alloc{};
  return Owned<Handle>{handle};
}

[[nodiscard]] Owned<SUNContext> make_context();

/// A vector of SUNDIALS that shares the memory of `values`, whose size must not change.
[[nodiscard]] Owned<N_Vector> wrap(Vec& values, SUNContext context);

/// What a solver said: the last error since the text was cleared. Warnings are dropped.
struct ErrorText {
  std::string text;
  /// The error handler of all integrators; `self` is an ErrorText.
  static void record(int code, const char* module, const char* function, char* text, void* self);
};

/// A square matrix that is a sum of sparse blocks at fixed places, with its LU factors: dense below
/// `dense_limit` unknowns, sparse (KLU) above. The patterns are given once; afterwards only values
/// change, through slots found in analyse().
class BlockMatrix {
 public:
  static constexpr Index dense_limit = 64;

  struct Block {
    const Sparse* pattern;
    Index row, column;  ///< where its first element stands
    bool transposed = false;
  };

  void analyse(Index n, std::span<const Block> blocks, SUNContext context);

  void set_zero();
  /// Adds factor * values to a block; `values` has the pattern given to analyse().
  void add(std::size_t block, double factor, const Sparse& values);
  /// The same with row r of `values` multiplied by keep(r).
  void add_rows(std::size_t block, double factor, const Sparse& values, const Vec& keep);

  /// False when the matrix is singular.
  [[nodiscard]] bool factor();
  /// Overwrites the right-hand side by the solution. Needs factor().
  [[nodiscard]] bool solve(Vec& x);

  [[nodiscard]] Index size() const { return n_; }
  [[nodiscard]] SUNMatrix matrix() const { return matrix_.get(); }
  [[nodiscard]] SUNLinearSolver solver() const { return solver_.get(); }
  /// A copy for tests and messages; dense matrices only before factor(), which overwrites them.
  [[nodiscard]] Mat to_dense() const;

 private:
  void restore_pattern();
  [[nodiscard]] double* data() const;

  Index n_ = 0;
  bool dense_ = true;
  std::vector<std::vector<Index>> slots_;     // of each block, in the order of its values
  std::vector<sunindextype> columns_, rows_;  // compressed columns of the sparse matrix
  Owned<SUNMatrix> matrix_;
  Owned<SUNLinearSolver> solver_;
  Owned<N_Vector> x_, b_;
  Vec x_values_, b_values_;
};

/// sum += more, for every counter.
void add(Counters& sum, const Counters& more);

/// Pattern (and values) of the n x n identity.
[[nodiscard]] Sparse identity(Index n);

}  // namespace taut::sundials
