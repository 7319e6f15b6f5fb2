// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace taut::front_loops {

/// Columns of numbers: `ld` from one to the next, a multiple of 8, each aligned to 64 bytes.
/// Complex ones have their imaginary parts `plane` behind the real ones.
struct Columns {
  double* x;
  std::ptrdiff_t ld, plane;

  [[nodiscard]] double* column(int j) const { return x + j * ld; }
};

/// Numbers by rows, `depth` in each, as they are multiplied with columns.
struct Weights {
  const double* x;
  std::ptrdiff_t stride, plane;
};

/// Columns of one call are so many; what is behind the last ones asked for may be written to.
inline constexpr int tile_real = 6;
inline constexpr int tile_complex = 3;

/// c(i, j) -= Σ_k a(i, k) w(j, k)  for first <= j < last and all j <= i < rows, k < depth; more of
/// c may change, but nothing of the part that i and j stand for. The sum comes first, in the order
/// of k. All loops here have the same bits in every instruction set: sums of one number are never
/// divided, products never contracted.
void subtract_products(int first, int last, int rows, int depth, const Columns& a, const Weights& w,
                       const Columns& c);
void subtract_products_complex(int first, int last, int rows, int depth, const Columns& a,
                               const Weights& w, const Columns& c);

/// y(i) -= Σ_k a(i, k) w(k)  for one column y and from <= i < rows, from rounded down to 8.
void subtract_column(int from, int rows, int depth, const Columns& a, const Weights& w,
                     const Columns& y);
void subtract_column_complex(int from, int rows, int depth, const Columns& a, const Weights& w,
                             const Columns& y);

/// y := L⁻¹ y and y := U⁻¹ y for columns of L and Uᵀ, which have ones on their diagonal (not
/// stored) and zeros above it. Rows are a multiple of 8; only the first `pivots` of y are changed
/// by the latter.
void solve_lower(int pivots, int rows, const Columns& l, double* y);
void solve_lower_complex(int pivots, int rows, const Columns& l, double* y, double* y_imaginary);
void solve_upper(int pivots, int rows, const Columns& u, double* y);
void solve_upper_complex(int pivots, int rows, const Columns& u, double* y, double* y_imaginary);

}  // namespace taut::front_loops
