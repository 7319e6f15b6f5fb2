// SPDX-License-Identifier: BSD-3-Clause
#include "core/ldlt.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/ordering.hpp"

namespace taut {
namespace {

// the table of targets takes 4 bytes per update; it saves a third of the time at 1e5 updates,
// a tenth at 1e7
constexpr double most_slot_updates = 3e6;
// loops over packed columns: an update costs a quarter of one through the table, but each column
// costs more; from 16 full rows on they win
constexpr double fewest_packed_updates = 600;
constexpr double packed_gain = 4.0;

}  // namespace

void Ldlt::analyse(const Adjacency& pattern, const std::vector<int>& order,
                   const std::vector<signed char>& sign) {
  const int n = pattern.size();
  assert(static_cast<int>(order.size()) == n);
  take_order(order, sign);

  // row i of L: the paths in the elimination tree from the neighbours of i up to i
  const std::vector<int> parent = elimination_tree(pattern, order);
  std::vector<int> mark(n);
  const auto for_each_entry = [&](auto&& visit) {
    std::fill(mark.begin(), mark.end(), -1);
    for (int i = 0; i < n; ++i) {
      mark[i] = i;
      for (int p = pattern.begin[order[i]]; p < pattern.begin[order[i] + 1]; ++p)
        for (int k = position_[pattern.index[p]]; k < i && mark[k] != i; k = parent[k]) {
          mark[k] = i;
          visit(i, k);
        }
    }
  };
  std::vector<double> count(n, 0.0);
  for_each_entry([&](int, int k) { ++count[k]; });
  double entries = n;
  updates_ = 0.0;
  for (const double c : count) {
    entries += c;
    updates_ += c * (c + 1) / 2;
  }

  const double full = 0.5 * n * (n + 1.0);
  const double full_updates = full * (n - 1.0) / 3.0;
  const bool packed = updates_ > fewest_packed_updates && packed_gain * updates_ > full_updates;
  layout_ = packed                          ? Layout::packed
            : updates_ <= most_slot_updates ? Layout::slots
                                            : Layout::fronts;
  if (packed) entries = full;
  if (layout_ != Layout::fronts && entries > std::numeric_limits<int>::max())
    throw std::length_error{
        "the factor of the constraint equations has more than 2^31 entries; the model couples too "
        "many constraints with each other"};

  begin_.assign(static_cast<std::size_t>(n) + 1, 0);
  row_.clear();
  if (layout_ == Layout::fronts) {
    plan_ = {};
    plan_.analyse(pattern, order);
    take_order(plan_.order(), sign);
    list_entries(pattern);
    plan_.place(begin_, row_);
    fronts_.analyse(plan_);
  } else {
    for (int j = 0; j < n; ++j)
      begin_[j + 1] = begin_[j] + (packed ? n - j : 1 + static_cast<int>(count[j]));
  }
  if (layout_ == Layout::slots) {
    row_.resize(begin_[n]);
    std::vector<int> fill(begin_.begin(), begin_.end() - 1);
    for (int j = 0; j < n; ++j) row_[fill[j]++] = j;
    for_each_entry([&](int i, int k) { row_[fill[k]++] = i; });
  }
  list_targets();

  values_.assign(static_cast<std::size_t>(begin_[n]), 0.0);
  reference_.assign(n, 0.0);
  pivot_.assign(layout_ == Layout::slots ? 0 : n, 0.0);
  replaced_.clear();
  doubtful_.clear();
  make_room();
  suspected_.assign(n, false);
  work_.assign(n, 0.0);
}

void Ldlt::make_room() {
  replaced_.reserve(order_.size());
  doubtful_.reserve(order_.size());
}

void Ldlt::take_order(const std::vector<int>& order, const std::vector<signed char>& sign) {
  const int n = static_cast<int>(order.size());
  order_ = order;
  position_.resize(n);
  for (int k = 0; k < n; ++k) position_[order[k]] = k;
  sign_.clear();
  if (std::any_of(sign.begin(), sign.end(), [](signed char s) { return s < 0; })) {
    sign_.resize(n);
    for (int k = 0; k < n; ++k) sign_[k] = sign[order[k]];
  }
}

// the columns of A itself, by position: the fronts have their own numbers
void Ldlt::list_entries(const Adjacency& pattern) {
  for (int j = 0; j < size(); ++j) {
    row_.push_back(j);
    for (int p = pattern.begin[order_[j]]; p < pattern.begin[order_[j] + 1]; ++p)
      if (const int i = position_[pattern.index[p]]; i > j) row_.push_back(i);
    std::sort(row_.begin() + begin_[j], row_.end());
    begin_[j + 1] = static_cast<int>(row_.size());
  }
}

void Ldlt::list_targets() {
  target_.clear();
  target_begin_.clear();
  if (layout_ != Layout::slots) return;
  const int n = size();
  target_.reserve(static_cast<std::size_t>(updates_));
  target_begin_.reserve(n);
  for (int j = 0; j < n; ++j) {
    target_begin_.push_back(target_.size());
    for (int a = begin_[j] + 1; a < begin_[j + 1]; ++a) {
      // the rows below a are among those of column row_[a], both ascending
      int p = begin_[row_[a]];
      for (int b = a; b < begin_[j + 1]; ++b) {
        while (row_[p] != row_[b]) ++p;
        target_.push_back(p);
      }
    }
  }
}

int Ldlt::slot(int i, int j) const {
  const int row = std::max(position_[i], position_[j]);
  const int column = std::min(position_[i], position_[j]);
  if (layout_ == Layout::packed) return begin_[column] + row - column;
  const auto from = row_.begin() + begin_[column];
  const auto to = row_.begin() + begin_[column + 1];
  const auto found = std::lower_bound(from, to, row);
  assert(found != to && *found == row);
  return static_cast<int>(found - row_.begin());
}

void Ldlt::set_zero() { std::fill(values_.begin(), values_.end(), 0.0); }

bool Ldlt::factor(Tolerance tolerance, std::span<const double> shift) {
  tolerance_ = tolerance;
  shift_ = shift;
  replaced_.clear();
  doubtful_.clear();
  const int n = size();
  const bool definite = sign_.empty();
  for (int j = 0; j < n; ++j) {
    double& d = values_[begin_[j]];
    if (!shift.empty()) d += definite || sign_[j] > 0 ? shift[order_[j]] : -shift[order_[j]];
    reference_[j] = std::abs(d);
  }
  bool finite = false;
  switch (layout_) {
    case Layout::slots:
      finite = definite ? factor_slots<true>() : factor_slots<false>();
      break;
    case Layout::fronts:
      finite = factor_fronts();
      break;
    case Layout::packed:
      finite = definite ? factor_packed<true>() : factor_packed<false>();
      break;
  }
  shift_ = {};  // the caller's memory
  return finite;
}

// True if d is an acceptable pivot, or could be replaced by one.
template <bool definite>
bool Ldlt::accept(int j, double& d) {
  const double sign = definite ? 1.0 : sign_[j];
  const double reference = definite ? reference_[j] : 0.5 * reference_[j];
  const double tolerance = definite || sign > 0 ? tolerance_.positive : tolerance_.negative;
  if (sign * d > std::max(tolerance, tolerance_.doubtful) * reference) [[likely]]
    return true;
  if (sign * d > tolerance * reference && !suspected_[j]) {
    doubtful_.push_back(order_[j]);
    return true;
  }
  return replace(j, sign, reference, d);
}

bool Ldlt::replace(int j, double sign, double reference, double& d) {
  if (!std::isfinite(d) || !std::isfinite(reference)) {
    replaced_.push_back({order_[j], d});
    return false;
  }
  const double shift = shift_.empty() ? 0.0 : shift_[order_[j]];
  if (shift > 0.0) {
    d = sign * std::max(sign * d, shift);
    return true;
  }
  d = sign * (reference > 0.0 ? reference : 1.0);
  replaced_.push_back({order_[j], d});
  return true;
}

template <bool definite>
bool Ldlt::factor_slots() {
  const int n = size();
  double* const value = values_.data();
  const int* const begin = begin_.data();
  const int* const row = row_.data();
  for (int j = 0; j < n; ++j) {
    double* const column = value + begin[j];
    const int c = begin[j + 1] - begin[j] - 1;
    double d = column[0];
    if (!accept<definite>(j, d)) return false;
    const double inverse = 1.0 / d;
    column[0] = inverse;
    if (c == 1) {
      // the same as below, with the division off the path from one pivot to the next
      const double a = column[1];
      const int below = row[begin[j] + 1];
      const double term = (a * a) / d;
      value[begin[below]] -= term;
      if constexpr (!definite) reference_[below] += std::abs(term);
      column[1] = a * inverse;
      continue;
    }
    // (1)
    const int* target = target_.data() + target_begin_[j];
    for (int k = 1; k <= c; ++k) {
      const double l = column[k] * inverse;
      if constexpr (!definite) reference_[row[begin[j] + k]] += std::abs(l * column[k]);
      for (int i = k; i <= c; ++i) value[*target++] -= l * column[i];
      column[k] = l;
    }
  }
  return true;
}

bool Ldlt::factor_fronts() {
  struct Rule final : PivotRule {
    explicit Rule(Ldlt& of) : ldlt{of} {}
    bool take(int j, double& d, double terms) override {
      const bool definite = ldlt.sign_.empty();
      if (!definite) ldlt.reference_[j] += terms;
      if (!(definite ? ldlt.accept<true>(j, d) : ldlt.accept<false>(j, d))) return false;
      ldlt.pivot_[j] = d;
      return true;
    }
    Ldlt& ldlt;
  } rule{*this};
  if (!fronts_.factor(plan_, values_.data(), rule)) return false;
  for (int j = 0; j < size(); ++j) values_[begin_[j]] = 1.0 / pivot_[j];
  return true;
}

template <bool definite>
bool Ldlt::factor_packed() {
  const int n = size();
  double* const value = values_.data();
  const auto tail = [&](int k, int j) { return value + begin_[k] + (j - k); };  // l_jk downwards
  for (int j = 0; j < n; ++j) {
    double* const column = value + begin_[j];
    const int length = n - j;
    const auto weight = [&](int k) {
      const double l = *tail(k, j);
      const double u = l * pivot_[k];
      if constexpr (!definite) reference_[j] += std::abs(u * l);
      return u;
    };
    // (1) for this column, four earlier columns at a time: one pass over it instead of four
    int k = 0;
    for (; k + 4 <= j; k += 4) {
      const double u0 = weight(k), u1 = weight(k + 1), u2 = weight(k + 2), u3 = weight(k + 3);
      const double *l0 = tail(k, j), *l1 = tail(k + 1, j), *l2 = tail(k + 2, j),
                   *l3 = tail(k + 3, j);
      for (int i = 0; i < length; ++i)
        column[i] -= (u0 * l0[i] + u1 * l1[i]) + (u2 * l2[i] + u3 * l3[i]);
    }
    for (; k < j; ++k) {
      const double u = weight(k);
      const double* l = tail(k, j);
      for (int i = 0; i < length; ++i) column[i] -= u * l[i];
    }
    double d = column[0];
    if (!accept<definite>(j, d)) return false;
    pivot_[j] = d;
    const double inverse = 1.0 / d;
    column[0] = inverse;
    for (int i = 1; i < length; ++i) column[i] *= inverse;
  }
  return true;
}

double Ldlt::smallest_pivot(int sign) const {
  double largest = 1.0;  // of the inverse
  const bool definite = sign_.empty();
  for (int j = 0; j < size(); ++j) {
    if ((definite ? 1 : sign_[j]) != sign) continue;
    // a replaced pivot is the reference itself
    const double reference = definite ? reference_[j] : 0.5 * reference_[j];
    largest = std::max(largest, std::abs(values_[begin_[j]] * reference));
  }
  return 1.0 / largest;
}

void Ldlt::solve(const double* b, double* x) const {
  const int n = size();
  const double* const value = values_.data();
  const int* const begin = begin_.data();
  double* const y = work_.data();
  for (int j = 0; j < n; ++j) y[j] = b[order_[j]];

  if (layout_ == Layout::fronts) {
    fronts_.solve(y);
    for (int j = 0; j < n; ++j) x[order_[j]] = y[j];
  } else if (layout_ == Layout::packed) {
    for (int j = 0; j < n; ++j) {
      const double* const l = value + begin[j];
      for (int i = 1; i < n - j; ++i) y[j + i] -= l[i] * y[j];
    }
    for (int j = n - 1; j >= 0; --j) {
      const double* const l = value + begin[j];
      double sum = y[j] * l[0];
      for (int i = 1; i < n - j; ++i) sum -= l[i] * y[j + i];
      y[j] = sum;
      x[order_[j]] = sum;
    }
  } else {
    const int* const row = row_.data();
    // L y = b
    for (int j = 0; j < n; ++j) {
      const double yj = y[j];
      for (int p = begin[j] + 1; p < begin[j + 1]; ++p) y[row[p]] -= value[p] * yj;
    }
    // D Lᵀ x = y
    for (int j = n - 1; j >= 0; --j) {
      double sum = y[j] * value[begin[j]];
      for (int p = begin[j] + 1; p < begin[j + 1]; ++p) sum -= value[p] * y[row[p]];
      y[j] = sum;
      x[order_[j]] = sum;
    }
  }
}

void Ldlt::half_solve_transposed(const double* b, double* x) const {
  double* const y = work_.data();
  if (layout_ == Layout::fronts) {
    for (int j = 0; j < size(); ++j) y[j] = b[j] * std::sqrt(values_[begin_[j]]);
    fronts_.solve_transposed(y);
    for (int j = 0; j < size(); ++j) x[order_[j]] = y[j];
    return;
  }
  for (int j = size() - 1; j >= 0; --j) {
    const double* const l = values_.data() + begin_[j];
    double sum = b[j] * std::sqrt(l[0]);
    if (layout_ == Layout::packed)
      for (int i = 1; i < size() - j; ++i) sum -= l[i] * y[j + i];
    else
      for (int i = 1; i < begin_[j + 1] - begin_[j]; ++i) sum -= l[i] * y[row_[begin_[j] + i]];
    y[j] = sum;
    x[order_[j]] = sum;
  }
}

}  // namespace taut
