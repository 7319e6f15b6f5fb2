// SPDX-License-Identifier: BSD-3-Clause
#include "core/lu_exchange.hpp"

#include <algorithm>

namespace taut {
namespace {

constexpr double singular = 1e-14 * 1e-14;  // squared, in the scale of Lu (2), (3)

// the column of the diagonal is kept where its pivot is within a tenth of the largest: less fill
constexpr double preference = 0.1 * 0.1;

}  // namespace

// Columns that are reached from `column` through the rows of U, in found_ after all that they lead
// to.
template <class Scalar>
void LuExchange<Scalar>::reach(int column) {
  if (seen_[column]) return;
  const auto enter = [this](int c) {
    seen_[c] = true;
    stack_.push_back(c);
    cursor_.push_back(pivot_[c] < 0 ? 0 : upper_begin_[pivot_[c]]);
  };
  enter(column);
  while (!stack_.empty()) {
    const int row = pivot_[stack_.back()];
    const int end = row < 0 ? 0 : upper_begin_[row + 1];
    int& at = cursor_.back();
    while (at < end && seen_[upper_[at]]) ++at;
    if (at < end) {
      enter(upper_[at]);
      continue;
    }
    found_.push_back(stack_.back());
    stack_.pop_back();
    cursor_.pop_back();
  }
}

template <class Scalar>
Status LuExchange<Scalar>::factor(const LuPlan& plan, const Scalar* values, const double* scale) {
  const int n = plan.n;
  pivot_.assign(n, -1);
  chosen_.assign(n, -1);
  inverse_.assign(n, Number{});
  seen_.assign(n, false);
  work_.assign(n, Number{});
  lower_begin_.assign(1, 0);
  upper_begin_.assign(1, 0);
  lower_.clear();
  upper_.clear();
  lower_value_.clear();
  upper_value_.clear();
  for (int k = 0; k < n; ++k) {
    const int row = plan.order[k];
    found_.clear();
    for (int p = plan.begin[row]; p < plan.begin[row + 1]; ++p) reach(plan.column[p]);
    for (int p = plan.begin[row]; p < plan.begin[row + 1]; ++p) work_[plan.column[p]] = values[p];

    // eliminate with the rows of U it meets, each before those it leads to
    double largest = 0.0;
    int best = -1;
    for (auto c = found_.rbegin(); c != found_.rend(); ++c) {
      const int with = pivot_[*c];
      const Number l = work_[*c];
      if (with < 0) {
        const double size = squared(l) / scale[*c];
        if (size > largest) {
          largest = size;
          best = *c;
        }
        continue;
      }
      lower_.push_back(with);
      lower_value_.push_back(l);
      for (int p = upper_begin_[with]; p < upper_begin_[with + 1]; ++p)
        work_[upper_[p]] -= l * upper_value_[p];
    }
    if (!(largest > singular * scale[row])) return Status::singular_matrix;
    if (pivot_[row] < 0 && squared(work_[row]) / scale[row] >= preference * largest) best = row;
    pivot_[best] = k;
    chosen_[k] = best;
    inverse_[k] = reciprocal(work_[best]);
    for (const int c : found_) {
      if (pivot_[c] < 0) {
        upper_.push_back(c);
        upper_value_.push_back(work_[c] * inverse_[k]);
      }
      work_[c] = Number{};
      seen_[c] = false;
    }
    lower_begin_.push_back(static_cast<int>(lower_.size()));
    upper_begin_.push_back(static_cast<int>(upper_.size()));
  }
  return Status::ok;
}

template <class Scalar>
void LuExchange<Scalar>::solve(const LuPlan& plan, Scalar* b) const {
  const int n = plan.n;
  Number* const y = work_.data();
  for (int k = 0; k < n; ++k) {
    Number sum = b[plan.order[k]];
    for (int p = lower_begin_[k]; p < lower_begin_[k + 1]; ++p)
      sum -= lower_value_[p] * y[lower_[p]];
    y[k] = sum * inverse_[k];
  }
  for (int k = n - 1; k >= 0; --k) {
    Number sum = y[k];
    for (int p = upper_begin_[k]; p < upper_begin_[k + 1]; ++p)
      sum -= upper_value_[p] * b[upper_[p]];
    b[chosen_[k]] = sum;
  }
}

template class LuExchange<double>;
template class LuExchange<std::complex<double>>;

}  // namespace taut
