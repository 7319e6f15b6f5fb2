// SPDX-License-Identifier: BSD-3-Clause
#include "core/lu_static.hpp"

#include <algorithm>

namespace taut {
namespace {

// of Lu (4), squared
constexpr double largest_growth = 1e5 * 1e5;
constexpr double smallest_pivot = 1e-12 * 1e-12;

}  // namespace

template <class Scalar>
void LuStatic<Scalar>::analyse(const LuPlan& plan) {
  a_.assign(plan.row_column.size(), {});
  limit_.assign(plan.n, 0.0);
  work_.assign(plan.n, {});
}

template <class Scalar>
bool LuStatic<Scalar>::factor(const LuPlan& plan, const Scalar* values, const double* scale) {
  const int n = plan.n;
  std::fill(a_.begin(), a_.end(), Number{});
  for (std::size_t p = 0; p < plan.slot.size(); ++p) a_[plan.slot[p]] = values[p];
  for (int i = 0; i < n; ++i) limit_[i] = largest_growth * scale[plan.order[i]];

  return plan.run_begin.empty() ? factor_by_columns(plan, scale) : factor_by_rows(plan, scale);
}

/// Divides row k of L and U by its pivot; false if that is harmful.
template <class Scalar>
[[gnu::always_inline]] inline bool LuStatic<Scalar>::divide(const LuPlan& plan, int k,
                                                            double scale) {
  Number* const a = a_.data();
  const int diagonal = plan.row_diagonal[k];
  const Number d = a[diagonal];
  const Number inverse = reciprocal(d);
  a[diagonal] = inverse;
  for (int p = plan.row_begin[k]; p < diagonal; ++p) a[p] = a[p] * inverse;
  bool harmless = squared(d) >= smallest_pivot * scale * scale;
  for (int p = diagonal + 1; p < plan.row_begin[k + 1]; ++p) {
    const Number u = a[p] * inverse;
    harmless &= squared(u) * scale <= limit_[plan.row_column[p]];
    a[p] = u;
  }
  return harmless;
}

template <class Scalar>
bool LuStatic<Scalar>::factor_by_columns(const LuPlan& plan, const double* scale) {
  const int n = plan.n;
  Number* const a = a_.data();
  const int* target = plan.target.data();
  for (int k = 0; k < n; ++k) {
    if (!divide(plan, k, scale[plan.order[k]])) return false;
    const int first = plan.row_diagonal[k] + 1, last = plan.row_begin[k + 1];
    for (int p = first; p < last; ++p) {
      const Number l = a[plan.column_slot[p]];
      for (int e = first; e < last; ++e) a[*target++] -= l * a[e];
    }
  }
  return true;
}

template <class Scalar>
bool LuStatic<Scalar>::factor_by_rows(const LuPlan& plan, const double* scale) {
  const int n = plan.n;
  const int* const column = plan.row_column.data();
  Number* const a = a_.data();
  Number* const w = work_.data();
  for (int i = 0; i < n; ++i) {
    const int first = plan.row_begin[i], last = plan.row_begin[i + 1];
    for (int p = first; p < last; ++p) w[column[p]] = a[p];
    for (int p = first; p < plan.row_diagonal[i]; ++p) {
      const int k = column[p];
      const Number l = w[k];
      if (plan.twin[k] && k + 1 < i) {
        // one pass over w for two rows of U, whose numbers stand at a fixed distance
        Number m = w[k + 1];
        m -= l * a[plan.row_diagonal[k] + 1];
        w[k + 1] = m;
        const std::ptrdiff_t back = plan.row_diagonal[k + 1] - plan.row_diagonal[k] - 1;
        for (int r = plan.run_begin[k + 1]; r < plan.run_begin[k + 2]; ++r) {
          const LuPlan::Run run = plan.run[r];
          const Number* const u = a + run.slot;
          const Number* const v = u - back;
          Number* const y = w + run.column;
          for (int e = 0; e < run.length; ++e) y[e] -= l * v[e] + m * u[e];
        }
        ++p;
        continue;
      }
      for (int r = plan.run_begin[k]; r < plan.run_begin[k + 1]; ++r) {
        const LuPlan::Run run = plan.run[r];
        const Number* const u = a + run.slot;
        Number* const y = w + run.column;
        for (int e = 0; e < run.length; ++e) y[e] -= l * u[e];
      }
    }
    for (int p = first; p < last; ++p) a[p] = w[column[p]];
    if (!divide(plan, i, scale[plan.order[i]])) return false;
  }
  return true;
}

template <class Scalar>
void LuStatic<Scalar>::solve(const LuPlan& plan, Scalar* b) const {
  const int n = plan.n;
  const int* const begin = plan.row_begin.data();
  const int* const diagonal = plan.row_diagonal.data();
  const int* const column = plan.row_column.data();
  const Number* const a = a_.data();
  Number* const x = work_.data();
  for (int i = 0; i < n; ++i) {
    Number rest = Number{b[plan.order[i]]} * a[diagonal[i]];
    for (int p = begin[i]; p < diagonal[i]; ++p) rest -= a[p] * x[column[p]];
    x[i] = rest;
  }
  for (int i = n - 1; i >= 0; --i) {
    // the x that was found last comes last
    Number rest = x[i];
    for (int p = begin[i + 1] - 1; p > diagonal[i]; --p) rest -= a[p] * x[column[p]];
    x[i] = rest;
    b[plan.order[i]] = rest;
  }
}

template class LuStatic<double>;
template class LuStatic<std::complex<double>>;

}  // namespace taut
