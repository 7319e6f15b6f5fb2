// SPDX-License-Identifier: BSD-3-Clause
#include "core/lu_dense.hpp"

#include <algorithm>

namespace taut {
namespace {

constexpr double singular = 1e-14 * 1e-14;  // squared, in the scale of Lu (2), (3)

/// A column as its planes: n doubles, or n real and n imaginary parts.
template <class Scalar>
Packed<Scalar> get(const double* column, std::ptrdiff_t n, std::ptrdiff_t i) {
  if constexpr (is_complex<Scalar>)
    return std::complex<double>{column[i], column[n + i]};
  else
    return column[i];
}

template <class Scalar>
void put(Scalar x, double* column, std::ptrdiff_t n, std::ptrdiff_t i) {
  if constexpr (is_complex<Scalar>) {
    column[i] = x.real();
    column[n + i] = x.imag();
  } else {
    column[i] = x;
  }
}

/// y -= x0 l0 + x1 l1 over [from, to): one pass over y for two columns.
template <class Scalar>
void subtract(Scalar x0, const double* l0, Scalar x1, const double* l1, double* __restrict y,
              std::ptrdiff_t n, std::ptrdiff_t from, std::ptrdiff_t to) {
  if constexpr (is_complex<Scalar>) {
    const double *m0 = l0 + n, *m1 = l1 + n;
    double* __restrict z = y + n;
    const double r0 = x0.real(), i0 = x0.imag(), r1 = x1.real(), i1 = x1.imag();
    for (std::ptrdiff_t i = from; i < to; ++i) {
      y[i] -= (r0 * l0[i] - i0 * m0[i]) + (r1 * l1[i] - i1 * m1[i]);
      z[i] -= (r0 * m0[i] + i0 * l0[i]) + (r1 * m1[i] + i1 * l1[i]);
    }
  } else {
    for (std::ptrdiff_t i = from; i < to; ++i) y[i] -= x0 * l0[i] + x1 * l1[i];
  }
}

template <class Scalar>
void subtract(Scalar x, const double* l, double* __restrict y, std::ptrdiff_t n,
              std::ptrdiff_t from, std::ptrdiff_t to) {
  if constexpr (is_complex<Scalar>) {
    const double* m = l + n;
    double* __restrict z = y + n;
    const double real = x.real(), imag = x.imag();
    for (std::ptrdiff_t i = from; i < to; ++i) {
      y[i] -= real * l[i] - imag * m[i];
      z[i] -= real * m[i] + imag * l[i];
    }
  } else {
    for (std::ptrdiff_t i = from; i < to; ++i) y[i] -= x * l[i];
  }
}

}  // namespace

template <class Scalar>
void LuDense<Scalar>::analyse(int n) {
  n_ = n;
  const auto size = static_cast<std::size_t>(n);
  a_.assign(size * size * planes, 0.0);
  weight_.assign(size, 0.0);
  exchange_.assign(size, 0);
  inverse_.assign(size, {});
  work_.assign(size * planes, 0.0);
}

/// Brings the largest |a_ij| / s_i to row k and divides by it; false if all of them vanish.
template <class Scalar>
bool LuDense<Scalar>::choose_pivot(std::ptrdiff_t k, double scale) {
  const std::ptrdiff_t n = n_;
  double* const column = at(k);
  std::ptrdiff_t best = k;
  double largest = 0.0;
  for (std::ptrdiff_t i = k; i < n; ++i) {
    const double size = squared(get<Scalar>(column, n, i)) * weight_[i];
    if (size > largest) {
      largest = size;
      best = i;
    }
  }
  if (!(largest > singular * scale)) return false;
  exchange_[k] = static_cast<int>(best);
  if (best != k) {
    std::swap(weight_[k], weight_[best]);
    double* row = a_.data();
    for (std::ptrdiff_t c = 0; c < planes * n; ++c, row += n) std::swap(row[k], row[best]);
  }
  const Number inverse = reciprocal(get<Scalar>(column, n, k));
  inverse_[k] = inverse;
  for (std::ptrdiff_t i = k + 1; i < n; ++i)
    put<Scalar>(get<Scalar>(column, n, i) * inverse, column, n, i);
  return true;
}

template <class Scalar>
void LuDense<Scalar>::eliminate_two(std::ptrdiff_t k, double* y) const {
  const Number x0 = get<Scalar>(y, n_, k);
  Number x1 = get<Scalar>(y, n_, k + 1);
  x1 -= x0 * get<Scalar>(at(k), n_, k + 1);
  put<Scalar>(x1, y, n_, k + 1);
  subtract<Scalar>(x0, at(k), x1, at(k + 1), y, n_, k + 2, n_);
}

template <class Scalar>
Status LuDense<Scalar>::factor(const LuPlan& plan, const Scalar* values, const double* scale) {
  const std::ptrdiff_t n = n_;
  std::fill(a_.begin(), a_.end(), 0.0);
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    for (int p = plan.begin[i]; p < plan.begin[i + 1]; ++p)
      put(values[p], at(plan.column[p]), n, i);
    weight_[i] = 1.0 / scale[i];
  }
  // two columns at a time: one pass over the rest of the matrix instead of two
  for (std::ptrdiff_t k = 0; k < n; k += 2) {
    if (!choose_pivot(k, scale[k])) return Status::singular_matrix;
    if (k + 1 == n) break;
    subtract<Scalar>(get<Scalar>(at(k + 1), n, k), at(k), at(k + 1), n, k + 1, n);
    if (!choose_pivot(k + 1, scale[k + 1])) return Status::singular_matrix;
    for (std::ptrdiff_t j = k + 2; j < n; ++j) eliminate_two(k, at(j));
  }
  return Status::ok;
}

template <class Scalar>
void LuDense<Scalar>::solve(Scalar* b) const {
  const std::ptrdiff_t n = n_;
  double* const x = work_.data();
  for (std::ptrdiff_t k = 0; k < n; ++k) std::swap(b[k], b[exchange_[k]]);
  for (std::ptrdiff_t k = 0; k < n; ++k) put(b[k], x, n, k);
  for (std::ptrdiff_t k = 0; k + 2 <= n; k += 2) eliminate_two(k, x);
  std::ptrdiff_t k = n - 1;
  for (; k >= 1; k -= 2) {
    const Number x1 = get<Scalar>(x, n, k) * inverse_[k];
    Number x0 = get<Scalar>(x, n, k - 1);
    x0 -= x1 * get<Scalar>(at(k), n, k - 1);
    x0 = x0 * inverse_[k - 1];
    b[k] = x1;
    b[k - 1] = x0;
    subtract<Scalar>(x0, at(k - 1), x1, at(k), x, n, 0, k - 1);
  }
  if (k == 0) b[0] = get<Scalar>(x, n, 0) * inverse_[0];
}

template class LuDense<double>;
template class LuDense<std::complex<double>>;

}  // namespace taut
