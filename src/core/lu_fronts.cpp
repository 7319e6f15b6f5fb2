// SPDX-License-Identifier: BSD-3-Clause
#include "core/lu_fronts.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

namespace taut {
namespace {

// of Lu (4), squared
constexpr double largest_growth = 1e5 * 1e5;
constexpr double smallest_pivot = 1e-12 * 1e-12;
// of a constraint before and after the last of its coordinates, squared
constexpr double early_pivot = 1e-2 * 1e-2;
constexpr double complete_pivot = 1e-4 * 1e-4;
constexpr double rounding = 1e-13 * 1e-13;  // of entries that are the same: of s_i s_j, squared

constexpr std::ptrdiff_t whole_lines(std::ptrdiff_t count) { return (count + 7) / 8 * 8; }

double squared_size(double a) { return a * a; }
double squared_size(std::complex<double> a) { return a.real() * a.real() + a.imag() * a.imag(); }

}  // namespace

template <class Scalar>
[[gnu::always_inline]] inline Scalar LuFronts<Scalar>::at(const double* x, std::ptrdiff_t plane) {
  if constexpr (planes == 2)
    return {x[0], x[plane]};
  else
    return x[0];
}

template <class Scalar>
[[gnu::always_inline]] inline void LuFronts<Scalar>::put(Scalar value, double* x,
                                                         std::ptrdiff_t plane) {
  if constexpr (planes == 2) {
    x[0] = value.real();
    x[plane] = value.imag();
  } else {
    x[0] = value;
  }
}

template <class Scalar>
[[gnu::always_inline]] inline void LuFronts<Scalar>::add(Scalar value, double* x,
                                                         std::ptrdiff_t plane) {
  if constexpr (planes == 2) {
    x[0] += value.real();
    x[plane] += value.imag();
  } else {
    x[0] += value;
  }
}

template <class Scalar>
void LuFronts<Scalar>::analyse(const LuPlan& plan) {
  nq_ = plan.nq;
  analyse(*plan.fronts);
}

template <class Scalar>
void LuFronts<Scalar>::analyse(const FrontPlan& plan) {
  kept_.reserve(plan.fronts.size());
  left_.reserve(plan.fronts.size());
  inverse_.reserve(plan.last_front.size() + plan.order().size());
  if (!plan.mate.empty()) return;
  // a symmetric matrix without constraints: its sizes do not depend on its values
  nq_ = std::numeric_limits<int>::max();
  struct Ones final : PivotRule {
    bool take(int, double& d, double) override {
      d = 1.0;
      return true;
    }
  } ones;
  const std::vector<Scalar> zeros(plan.entry.size(), Scalar{});
  (void)factor(plan, zeros.data(), ones);
}

template <class Scalar>
bool LuFronts<Scalar>::is_symmetric(const LuPlan& plan, const Scalar* values, const double* scale) {
  const std::vector<int>& mate = plan.fronts->mate;
  for (int i = 0; i < plan.n; ++i)
    for (int p = plan.begin[i]; p < plan.begin[i + 1]; ++p) {
      const int other = mate[p];
      if (other >= p) continue;  // seen from there, or on the diagonal
      const Scalar difference = other >= 0 ? values[p] - values[other] : values[p];
      if (!(squared_size(difference) <= rounding * scale[i] * scale[plan.column[p]])) return false;
    }
  return true;
}

template <class Scalar>
bool LuFronts<Scalar>::factor(const LuPlan& plan, const Scalar* values, const double* scale) {
  symmetric_ = is_symmetric(plan, values, scale);
  rule_ = nullptr;
  begin(*plan.fronts);
  for (int f = 0; f < static_cast<int>(plan.fronts->fronts.size()); ++f) {
    assemble(*plan.fronts, f, values);
    if (!eliminate(*plan.fronts, f, scale)) return false;
    keep(*plan.fronts, f);
  }
  local_.need(static_cast<std::size_t>(planes * whole_lines(most_rows_)));
  return true;
}

template <class Scalar>
bool LuFronts<Scalar>::factor(const FrontPlan& plan, const Scalar* entries, PivotRule& rule) {
  symmetric_ = true;
  rule_ = &rule;
  begin(plan);
  bool done = true;
  for (int f = 0; done && f < static_cast<int>(plan.fronts.size()); ++f) {
    assemble(plan, f, entries);
    done = eliminate(plan, f, nullptr);
    if (done) keep(plan, f);
  }
  local_.need(static_cast<std::size_t>(planes * whole_lines(most_rows_)));
  rule_ = nullptr;
  return done;
}

template <class Scalar>
void LuFronts<Scalar>::begin(const FrontPlan& plan) {
  kept_.clear();
  left_.clear();
  row_.clear();
  inverse_.clear();
  terms_left_.clear();
  stack_end_ = factor_end_ = 0;
  most_rows_ = 0;
  factor_.expect(plan.numbers * static_cast<std::size_t>((symmetric_ ? 1 : 2) * planes));
}

template <class Scalar>
void LuFronts<Scalar>::assemble(const FrontPlan& plan, int f, const Scalar* values) {
  const FrontPlan::Front& front = plan.fronts[f];
  const std::size_t first_child = left_.size() - static_cast<std::size_t>(front.children);
  int delayed = 0;
  for (std::size_t c = first_child; c < left_.size(); ++c) delayed += left_[c].constraints;
  candidates_ = front.entered + delayed;
  rows_ = front.coordinates + candidates_;
  ld_ = whole_lines(rows_);
  first_row_ = row_.size();
  make_room();

  const auto coordinates = plan.row.begin() + front.row;
  const auto entering = plan.constraint.begin() + front.entering;
  row_.insert(row_.end(), coordinates, coordinates + front.own);
  row_.insert(row_.end(), entering, entering + front.entered);
  for (std::size_t c = first_child; c < left_.size(); ++c)
    for (int k = 0; k < left_[c].constraints; ++k) row_.push_back(row_[left_[c].row + k]);
  row_.insert(row_.end(), coordinates + front.own, coordinates + front.coordinates);

  const Columns lower = columns(0), upper = columns(1);
  const int shifted = front.own + front.entered;
  for (int e = front.entry; e < front.entry + front.entries; ++e) {
    const FrontPlan::Entry& entry = plan.entry[e];
    const int i = entry.row < shifted ? entry.row : entry.row + delayed;
    const int j = entry.column < shifted ? entry.column : entry.column + delayed;
    if (i >= j)
      put(values[entry.entry], lower.column(j) + i, lower.plane);
    else if (!symmetric_)
      put(values[entry.entry], upper.column(i) + j, upper.plane);
    else if (rule_ != nullptr)  // each entry once
      put(values[entry.entry], lower.column(i) + j, lower.plane);
  }
  int waiting = shifted;
  for (std::size_t c = first_child; c < left_.size(); ++c) {
    const int child = plan.child[front.child + static_cast<int>(c - first_child)];
    add_left(plan, f, plan.fronts[child], left_[c], waiting);
    waiting += left_[c].constraints;
  }
  if (first_child < left_.size()) {
    stack_end_ = left_[first_child].number;
    if (rule_ != nullptr) terms_left_.resize(left_[first_child].terms);
  }
  left_.resize(first_child);
}

/// For the front at hand, all zeros.
template <class Scalar>
void LuFronts<Scalar>::make_room() {
  const std::size_t numbers =
      static_cast<std::size_t>((symmetric_ ? 1 : 2) * planes * ld_ * (rows_ + 8));
  front_.need(numbers);
  std::memset(front_.data(), 0, numbers * sizeof(double));
  if (rule_ != nullptr) std::fill(terms_.begin(), terms_.end(), 0.0);
  weights_.need(static_cast<std::size_t>(2 * planes * weight_plane()));
  saved_.need(static_cast<std::size_t>(2 * planes * ld_));
  if (rows_ <= most_rows_) return;
  most_rows_ = rows_;
  const auto size = std::max(static_cast<std::size_t>(rows_), map_.size());
  map_.resize(size);
  terms_.resize(size);
  inverse_scale_.resize(size);
}

template <class Scalar>
void LuFronts<Scalar>::add_left(const FrontPlan& plan, int f, const FrontPlan::Front& below,
                                const Left& left, int first_waiting) {
  const int own = plan.fronts[f].own, constraints = left.constraints;
  for (int k = 0; k < constraints; ++k) map_[k] = first_waiting + k;
  for (int k = constraints; k < left.rows; ++k) {
    const int r = plan.above[below.row + below.own + k - constraints];
    map_[k] = r < own ? r : r + candidates_;
  }
  if (rule_ != nullptr)
    for (int k = 0; k < left.rows; ++k) terms_[map_[k]] += terms_left_[left.terms + k];
  const std::ptrdiff_t plane =
      static_cast<std::ptrdiff_t>(left.rows) * (left.rows + 1) / 2;  // of one side
  const int sides = symmetric_ ? 1 : 2;
  for (int side = 0; side < sides; ++side) {
    const double* from = stack_.data() + left.number + side * planes * plane;
    const Columns here = columns(side), there = columns(symmetric_ ? 0 : 1 - side);
    for (int b = 0; b < left.rows; ++b) {
      const int j = map_[b];
      int a = b;
      // a constraint that waits may come after coordinates of its own front here
      if (b < constraints)
        for (; a < left.rows; ++a, ++from) {
          const int i = map_[a];
          if (i >= j)
            add(at(from, plane), here.column(j) + i, here.plane);
          else
            add(at(from, plane), there.column(i) + j, there.plane);
        }
      else if constexpr (planes == 1) {
        double* const to = here.column(j);
        for (; a < left.rows; ++a) to[map_[a]] += *from++;
      } else {
        double* const to = here.column(j);
        for (; a < left.rows; ++a, ++from) add(at(from, plane), to + map_[a], here.plane);
      }
    }
  }
}

/// Subtracts from column j the products of the pivots from `first` on. Then true, with the weights
/// of this pivot and its columns divided, if |d|² is above `smallest` and (4) holds.
template <class Scalar>
bool LuFronts<Scalar>::take_pivot(int j, int first, double scale, double smallest) {
  const int sides = symmetric_ ? 1 : 2, depth = j - first;
  const std::ptrdiff_t w_plane = weight_plane();
  for (int side = 0; side < sides; ++side) {
    const Columns all = columns(side);
    const Columns done{all.column(first), all.ld, all.plane};
    const Columns y{all.column(j), all.ld, all.plane};
    const Weights w{weights(symmetric_ ? 0 : 1 - side) + static_cast<std::ptrdiff_t>(j) * width,
                    width, w_plane};
    if (depth == 0) continue;
    if constexpr (planes == 2)
      front_loops::subtract_column_complex(j, static_cast<int>(ld_), depth, done, w, y);
    else
      front_loops::subtract_column(j, static_cast<int>(ld_), depth, done, w, y);
  }

  if (!accept(j, scale, smallest)) return false;
  divide(j, depth, inverse_.back());
  return true;
}

/// Judges the pivot of column j; its inverse is the last one of inverse_ then.
template <class Scalar>
bool LuFronts<Scalar>::accept(int j, double scale, double smallest) {
  const Columns lower = columns(0), upper = columns(symmetric_ ? 0 : 1);
  Scalar d = at(lower.column(j) + j, lower.plane);
  if constexpr (planes == 1)
    if (rule_ != nullptr) {
      if (!rule_->take(row_[first_row_ + j], d, terms_[j])) return false;
      inverse_.push_back(reciprocal(d));
      return true;
    }
  if (!(squared_size(d) >= smallest)) return false;
  // |u|² s_j² <= 1e10 s_i², with u = a / d
  const double limit = largest_growth * squared_size(d) / scale;
  const double* const u = upper.column(j);
  bool harmless = true;
  for (int i = j + 1; i < rows_; ++i)
    harmless &= squared_size(at(u + i, upper.plane)) * inverse_scale_[i] <= limit;
  if (!harmless) return false;
  const Scalar inverse = reciprocal(Packed<Scalar>(d));
  if (!std::isfinite(squared_size(inverse))) return false;
  inverse_.push_back(inverse);
  return true;
}

template <class Scalar>
void LuFronts<Scalar>::divide(int j, int depth, Scalar inverse) {
  for (int side = 0; side < (symmetric_ ? 1 : 2); ++side) {
    const Columns all = columns(side);
    double* const a = all.column(j);
    double* const w = weights(side) + depth;
    for (int i = j + 1; i < rows_; ++i) {
      const Packed<Scalar> x = at(a + i, all.plane), l = x * Packed<Scalar>(inverse);
      put(x, w + static_cast<std::ptrdiff_t>(i) * width, weight_plane());
      put(l, a + i, all.plane);
      if constexpr (planes == 1)
        if (rule_ != nullptr) terms_[i] += std::abs(x * l);
    }
  }
}

/// |d|² of an acceptable pivot.
template <class Scalar>
double LuFronts<Scalar>::least_pivot(const FrontPlan& plan, int f, int unknown) const {
  if (unknown < nq_ || plan.fronts[f].parent < 0) return smallest_pivot;
  return plan.last_front[unknown - nq_] > f ? early_pivot : complete_pivot;
}

template <class Scalar>
void LuFronts<Scalar>::complete_ones_first(const FrontPlan& plan, int f) {
  const int own = plan.fronts[f].own;
  const int* const row = row_.data() + first_row_;
  int next = own;
  for (int k = own; k < own + candidates_; ++k)
    if (plan.last_front[row[k] - nq_] <= f) {
      if (next < k) exchange(next, k, next);
      ++next;
    }
}

template <class Scalar>
void LuFronts<Scalar>::save(int j) {
  for (int side = 0; side < (symmetric_ ? 1 : 2); ++side)
    for (int p = 0; p < planes; ++p)
      std::copy_n(columns(side).column(j) + p * columns(side).plane, ld_,
                  saved_.data() + (side * planes + p) * ld_);
}

template <class Scalar>
void LuFronts<Scalar>::restore(int j) {
  for (int side = 0; side < (symmetric_ ? 1 : 2); ++side)
    for (int p = 0; p < planes; ++p)
      std::copy_n(saved_.data() + (side * planes + p) * ld_, ld_,
                  columns(side).column(j) + p * columns(side).plane);
}

/// From what is left, the products of the pivots from `first` on.
template <class Scalar>
void LuFronts<Scalar>::subtract(int first) {
  const int rows = static_cast<int>(ld_), depth = pivots_ - first;
  for (int side = 0; side < (symmetric_ ? 1 : 2); ++side) {
    const Columns all = columns(side);
    const Columns done{all.column(first), all.ld, all.plane};
    const Weights w{weights(symmetric_ ? 0 : 1 - side), width, weight_plane()};
    if constexpr (planes == 2)
      front_loops::subtract_products_complex(pivots_, rows_, rows, depth, done, w, all);
    else
      front_loops::subtract_products(pivots_, rows_, rows, depth, done, w, all);
  }
}

template <class Scalar>
bool LuFronts<Scalar>::eliminate(const FrontPlan& plan, int f, const double* scale) {
  const int* const row = row_.data() + first_row_;
  if (rule_ == nullptr) {
    for (int i = 0; i < rows_; ++i) inverse_scale_[i] = 1.0 / scale[row[i]];
    complete_ones_first(plan, f);
  }
  int last = plan.fronts[f].own + candidates_;  // what may be a pivot here ends there
  pivots_ = 0;
  while (pivots_ < last) {
    const int first = pivots_;
    while (pivots_ < last && pivots_ - first < width) {
      const int j = pivots_, unknown = row[j];
      const double s = rule_ == nullptr ? scale[unknown] : 1.0;
      const double least = least_pivot(plan, f, unknown) * s * s;
      const bool may_wait = unknown >= nq_ && plan.fronts[f].parent >= 0;
      if (may_wait) save(j);
      if (take_pivot(j, first, s, least)) {
        ++pivots_;
        continue;
      }
      if (!may_wait) return false;
      restore(j);
      --last;
      if (last > j) exchange(j, last, first);
    }
    if (pivots_ < rows_ && pivots_ > first) subtract(first);
  }
  return true;
}

/// Rows and columns a < b, with what is known of the pivots before a.
template <class Scalar>
void LuFronts<Scalar>::exchange(int a, int b, int first) {
  std::swap(row_[first_row_ + a], row_[first_row_ + b]);
  std::swap(inverse_scale_[a], inverse_scale_[b]);
  const int sides = symmetric_ ? 1 : 2;
  const std::ptrdiff_t w_plane = weight_plane();
  for (int side = 0; side < sides; ++side)
    for (int p = 0; p < planes; ++p) {
      const Columns all = columns(side), other = columns(symmetric_ ? 0 : 1 - side);
      double* const x = all.x + p * all.plane;
      double* const y = other.x + p * other.plane;
      const std::ptrdiff_t ld = all.ld;
      for (int t = 0; t < a; ++t) std::swap(x[t * ld + a], x[t * ld + b]);
      double* const w = weights(side) + p * w_plane;
      for (int t = 0; t < a - first; ++t)
        std::swap(w[static_cast<std::ptrdiff_t>(a) * width + t],
                  w[static_cast<std::ptrdiff_t>(b) * width + t]);
      if (side == 0) std::swap(x[a * ld + a], x[b * ld + b]);
      for (int i = a + 1; i < b; ++i) std::swap(x[a * ld + i], y[i * ld + b]);
      if (side == 1) std::swap(x[a * ld + b], y[a * ld + b]);
      for (int i = b + 1; i < rows_; ++i) std::swap(x[a * ld + i], x[b * ld + i]);
    }
}

template <class Scalar>
void LuFronts<Scalar>::keep(const FrontPlan& plan, int f) {
  const int sides = symmetric_ ? 1 : 2;
  const std::size_t numbers = static_cast<std::size_t>(ld_) * static_cast<std::size_t>(pivots_);
  kept_.push_back({first_row_, factor_end_, inverse_.size() - static_cast<std::size_t>(pivots_),
                   rows_, pivots_});
  factor_.need(factor_end_ + numbers * static_cast<std::size_t>(sides * planes));
  for (int side = 0; side < sides; ++side)
    for (int p = 0; p < planes; ++p) {
      const Columns all = columns(side);
      double* const to = factor_.data() + factor_end_;
      std::memcpy(to, all.x + p * all.plane, numbers * sizeof(double));
      for (int k = 0; k < pivots_; ++k) std::fill_n(to + k * ld_, k + 1, 0.0);
      factor_end_ += numbers;
    }

  if (plan.fronts[f].parent < 0) return;
  const int rest = rows_ - pivots_;
  const std::size_t left =
      static_cast<std::size_t>(rest) * (static_cast<std::size_t>(rest) + 1) / 2;
  left_.push_back({first_row_ + static_cast<std::size_t>(pivots_), stack_end_, terms_left_.size(),
                   rest, plan.fronts[f].own + candidates_ - pivots_});
  if (rule_ != nullptr)
    terms_left_.insert(terms_left_.end(), terms_.begin() + pivots_, terms_.begin() + rows_);
  stack_.need(stack_end_ + left * static_cast<std::size_t>(sides * planes));
  for (int side = 0; side < sides; ++side)
    for (int p = 0; p < planes; ++p) {
      const Columns all = columns(side);
      double* to = stack_.data() + stack_end_;
      for (int j = pivots_; j < rows_; ++j, to += rows_ - j + 1)
        std::memcpy(to, all.column(j) + p * all.plane + j,
                    static_cast<std::size_t>(rows_ - j) * sizeof(double));
      stack_end_ += left;
    }
}

/// Into local_: what a front has of b, padded.
template <class Scalar>
void LuFronts<Scalar>::gather(const Kept& kept, const Scalar* b) const {
  double* const y = local_.data();
  const int* const row = row_.data() + kept.row;
  const std::ptrdiff_t ld = whole_lines(kept.rows);
  for (int i = 0; i < kept.rows; ++i) put(b[row[i]], y + i, ld);
  for (int p = 0; p < planes; ++p) std::fill(y + p * ld + kept.rows, y + (p + 1) * ld, 0.0);
}

template <class Scalar>
void LuFronts<Scalar>::solve_lower(Scalar* b) const {
  double* const y = local_.data();
  for (const Kept& kept : kept_) {
    const std::ptrdiff_t ld = whole_lines(kept.rows);
    const int* const row = row_.data() + kept.row;
    gather(kept, b);
    const Columns l{factor_.data() + kept.number, ld, ld * kept.pivots};
    if constexpr (planes == 2)
      front_loops::solve_lower_complex(kept.pivots, static_cast<int>(ld), l, y, y + ld);
    else
      front_loops::solve_lower(kept.pivots, static_cast<int>(ld), l, y);
    for (int i = 0; i < kept.rows; ++i) b[row[i]] = at(y + i, ld);
  }
}

/// U x = D⁻¹ b, or b, which is divided by the pivots already.
template <class Scalar>
void LuFronts<Scalar>::solve_upper(Scalar* b, bool divided) const {
  double* const y = local_.data();
  for (auto kept = kept_.rbegin(); kept != kept_.rend(); ++kept) {
    const std::ptrdiff_t ld = whole_lines(kept->rows);
    const int* const row = row_.data() + kept->row;
    gather(*kept, b);
    for (int k = 0; k < kept->pivots && !divided; ++k) {
      const Packed<Scalar> x = at(y + k, ld);
      put(x * Packed<Scalar>(inverse_[kept->pivot + static_cast<std::size_t>(k)]), y + k, ld);
    }
    const std::ptrdiff_t side = symmetric_ ? 0 : planes * ld * kept->pivots;
    const Columns u{factor_.data() + kept->number + side, ld, ld * kept->pivots};
    if constexpr (planes == 2)
      front_loops::solve_upper_complex(kept->pivots, static_cast<int>(ld), u, y, y + ld);
    else
      front_loops::solve_upper(kept->pivots, static_cast<int>(ld), u, y);
    for (int k = 0; k < kept->pivots; ++k) b[row[k]] = at(y + k, ld);
  }
}

template class LuFronts<double>;
template class LuFronts<std::complex<double>>;

}  // namespace taut
