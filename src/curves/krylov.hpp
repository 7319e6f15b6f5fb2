// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "curves/curve_projection.hpp"
#include "taut/core/types.hpp"

namespace taut {

/// y = K x of a symmetric matrix that is known by its products.
class SymmetricProduct {
 public:
  virtual ~SymmetricProduct() = default;
  /// False where the product cannot be formed.
  [[nodiscard]] virtual bool operator()(const Vec& x, Vec& y) = 0;
};

struct KrylovResult {
  bool converged = false;
  int iterations = 0;
};

/// K x = b from x = 0 until |b - K x| <= residual:
///
///   cg      conjugate gradients; gives up where xᵀK x <= 0 shows that K is not positive definite
///   minres  the x of the Krylov space with the smallest residual; K may be indefinite
///   symmlq  LQ factors of the Lanczos matrix, ended at its CG point; K may be indefinite
///
/// `work` is six vectors of the size of b. Not converged after 4 n + 50 products is a failure.
/// Reference: paige1975.
[[nodiscard]] KrylovResult solve_by_krylov(KrylovMethod method, SymmetricProduct& K, const Vec& b,
                                           double residual, std::vector<Vec>& work, Vec& x);

/// Vectors solve_by_krylov() works with.
inline constexpr std::size_t krylov_vectors = 6;

/// y = B x and y = Bᵀ x, without the temporaries of expressions.
void multiply(const Sparse& B, const Vec& x, Vec& y);
void multiply_transposed(const Sparse& B, const Vec& x, Vec& y);

}  // namespace taut
