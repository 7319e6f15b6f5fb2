// SPDX-License-Identifier: BSD-3-Clause
#include "curves/distribution.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/name_list.hpp"
#include "model/pattern.hpp"

namespace taut {
namespace {

// null vectors cost n^3: beyond this many unknowns sparse elimination is cheaper
constexpr Index most_dense = 32;
constexpr Index most_pivoted = 300;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

Distribution::Distribution(Rows rows, DistributionMethod wanted)
    : rows_{std::move(rows)}, method_{wanted} {
  const Index n = rows_.pattern.cols();
  match();
  std::vector<std::string> undetermined;
  for (Index j = 0; j < n; ++j)
    if (row_of_[at(j)] < 0) undetermined.push_back(rows_.unknowns[at(j)]);
  // without explicit rows: dense where that is cheap, since it passes impasse points
  if (wanted == DistributionMethod::automatic)
    method_ = find_explicit()   ? DistributionMethod::explicit_solution
              : n <= most_dense ? DistributionMethod::qr
                                : DistributionMethod::sparse;
  else if (wanted == DistributionMethod::explicit_solution && !find_explicit())
    reason_ = fmt::format(
        "the distribution has no explicit solution: not each of {} stands alone with a constant "
        "factor in an equation; choose square, qr or svd",
        list_of_names(rows_.unknowns));
  else if (wanted == DistributionMethod::block)
    reason_ =
        "the block solution belongs to mechanical systems with constraints; choose qr, svd, square "
        "or sparse";
  if (!undetermined.empty() && reason_.empty() &&
      (method_ == DistributionMethod::square || method_ == DistributionMethod::sparse))
    reason_ = fmt::format("no equation is left that determines {}; choose qr or svd",
                          list_of_names(undetermined));
}

/// A maximal matching of unknowns and rows by augmenting paths, rows with one entry first.
void Distribution::match() {
  const Index n = rows_.pattern.cols(), k = rows_.pattern.rows();
  const int* const start = rows_.pattern.outerIndexPtr();
  const int* const column = rows_.pattern.innerIndexPtr();
  row_of_.assign(at(n), -1);
  std::vector<int> unknown_of(at(k), -1);
  std::vector<int> order(at(k)), seen(at(n), -1), came_from(at(n), -1), queue;
  for (int r = 0; r < k; ++r) order[at(r)] = r;
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return start[a + 1] - start[a] < start[b + 1] - start[b]; });
  for (const int r : order) {
    // breadth first from row r over matched unknowns to a free one; came_from: the row we came by
    queue.assign(1, r);
    int free = -1;
    for (std::size_t head = 0; head < queue.size() && free < 0; ++head) {
      const int row = queue[head];
      for (int e = start[row]; e < start[row + 1] && free < 0; ++e) {
        const int j = column[e];
        if (seen[at(j)] == r) continue;
        seen[at(j)] = r;
        came_from[at(j)] = row;
        if (row_of_[at(j)] < 0)
          free = j;
        else
          queue.push_back(row_of_[at(j)]);
      }
    }
    // turn the path over
    while (free >= 0) {
      const int row = came_from[at(free)];
      const int next = row == r ? -1 : unknown_of[at(row)];
      row_of_[at(free)] = row;
      unknown_of[at(row)] = free;
      free = next;
    }
  }
}

bool Distribution::find_explicit() {
  const Index n = rows_.pattern.cols();
  std::vector<int> found(at(n), -1);
  std::vector<double> factor(at(n), 0.0);
  for (int r = 0; r < rows_.pattern.rows(); ++r) {
    const int first = rows_.pattern.outerIndexPtr()[r];
    if (rows_.pattern.outerIndexPtr()[r + 1] != first + 1) continue;
    const auto j = at(rows_.pattern.innerIndexPtr()[first]);
    const double c = rows_.constants[at(first)];
    if (found[j] >= 0 || !std::isfinite(c) || c == 0.0) continue;
    found[j] = r;
    factor[j] = c;
  }
  if (std::any_of(found.begin(), found.end(), [](int r) { return r < 0; })) return false;
  row_of_ = std::move(found);
  alone_ = std::move(factor);
  return true;
}

bool Distribution::wants_choice() const {
  return (method_ == DistributionMethod::square || method_ == DistributionMethod::sparse) &&
         rows_.pattern.rows() > rows_.pattern.cols() && rows_.pattern.cols() <= most_pivoted;
}

double Distribution::orientation(const DistributionWork& work) const {
  const Index n = rows_.pattern.cols();
  if (rows_.pattern.rows() != n || n > most_pivoted) return 0.0;
  std::vector<Index> order(at(n));
  for (Index r = 0; r < n; ++r) order[at(r)] = r;
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return rows_.names[at(a)] < rows_.names[at(b)]; });
  Mat A = Mat::Zero(n, n);
  for (Index r = 0; r < n; ++r) {
    const Index row = order[at(r)];
    if (needs_b_alone())
      for (Index j = 0; j < n; ++j) A(r, j) = row_of_[at(j)] == row ? alone_[at(j)] : 0.0;
    else if (work.size[row] > 0.0)
      for (Sparse::InnerIterator e{work.B, row}; e; ++e) A(r, e.col()) = e.value() / work.size[row];
  }
  double sign = 1.0;
  for (Index c = 0; c < n; ++c) {
    Index pivot = 0;
    if (!(A.col(c).tail(n - c).cwiseAbs().maxCoeff(&pivot) > 1e-12)) return 0.0;
    if (pivot > 0) {
      A.row(c).swap(A.row(c + pivot));
      sign = -sign;
    }
    if (A(c, c) < 0.0) sign = -sign;
    for (Index r = c + 1; r < n; ++r) A.row(r) -= A(r, c) / A(c, c) * A.row(c);
  }
  return sign;
}

void Distribution::choose(const DistributionWork& work) {
  const Index k = work.B.rows(), n = work.B.cols();
  Mat A = Mat::Zero(k, n);
  for (Index r = 0; r < k; ++r)
    for (Sparse::InnerIterator e{work.B, r}; e; ++e)
      if (work.size[r] > 0.0) A(r, e.col()) = e.value() / work.size[r];
  std::vector<int> chosen(at(n), -1);
  std::vector<bool> used(at(k), false);
  for (Index step = 0; step < n; ++step) {
    Index row = -1, column = -1;
    double most = NullVector::independent;
    for (Index j = 0; j < n; ++j) {
      if (chosen[at(j)] >= 0) continue;
      for (Index r = 0; r < k; ++r) {
        if (used[at(r)] || !(std::abs(A(r, j)) > most)) continue;
        most = std::abs(A(r, j));
        row = r;
        column = j;
      }
    }
    if (row < 0) return;
    chosen[at(column)] = static_cast<int>(row);
    used[at(row)] = true;
    for (Index r = 0; r < k; ++r)
      if (!used[at(r)]) A.row(r) -= A(r, column) / A(row, column) * A.row(row);
  }
  row_of_ = std::move(chosen);
}

void Distribution::prepare(DistributionWork& work) const {
  const Index k = rows_.pattern.rows(), n = rows_.pattern.cols();
  work.b.setZero(k);
  work.size.setZero(k);
  work.B = rows_.pattern;
  work.u.setZero(n + 1);
  work.right_side.setZero(n + 1);
  if (method_ == DistributionMethod::square) work.A.setZero(n, n);
  if (method_ == DistributionMethod::qr || method_ == DistributionMethod::svd ||
      method_ == DistributionMethod::sphere)
    work.null.resize(k, n + 1);
  if (method_ == DistributionMethod::sparse) {
    Pattern bordered;
    const int last = static_cast<int>(n);
    for (int j = 0; j < last; ++j) {
      const int r = row_of_[at(j)];
      for (Sparse::InnerIterator e{rows_.pattern, r}; e; ++e)
        bordered.add(j, static_cast<int>(e.col()));
      bordered.add(j, last);
      bordered.add(last, j);
    }
    bordered.add(last, last);
    work.lu.analyse(bordered.matrix(n + 1, n + 1), 1);
  }
}

void Distribution::fill(DistributionWork& work) {
  Mat& D = work.null.D;
  D.setZero();
  for (Index r = 0; r < work.B.rows(); ++r) {
    if (!(work.size[r] > 0.0)) continue;
    const double factor = 1.0 / work.size[r];
    D(r, 0) = factor * work.b[r];
    for (Sparse::InnerIterator e{work.B, r}; e; ++e) D(r, 1 + e.col()) = factor * e.value();
  }
}

Status Distribution::solve(DistributionWork& work) const {
  Vec& u = work.u;
  switch (method_) {
    case DistributionMethod::explicit_solution:
      u[0] = 1.0;
      for (std::size_t j = 0; j < alone_.size(); ++j)
        u[static_cast<Index>(j) + 1] = -work.b[row_of_[j]] / alone_[j];
      return Status::ok;
    case DistributionMethod::square:
      return solve_square(work);
    case DistributionMethod::sparse:
      return solve_sparse(work);
    case DistributionMethod::svd:
      fill(work);
      return work.null.by_svd(u);
    case DistributionMethod::sphere:
      fill(work);
      // any vector will do that is none of the other singular ones
      if (u.squaredNorm() == 0.0)
        for (Index j = 0; j < u.size(); ++j) u[j] = 1.0 / static_cast<double>(j + 1);
      return work.null.by_sphere(u);
    default:
      fill(work);
      return work.null.by_qr(u);
  }
}

/// Algorithm 5.1 with row exchanges.
Status Distribution::solve_square(DistributionWork& work) const {
  const Index n = work.A.rows();
  Mat& A = work.A;
  Vec& x = work.right_side;
  A.setZero();
  for (Index j = 0; j < n; ++j) {
    const int r = row_of_[at(j)];
    if (!(work.size[r] > 0.0)) return Status::singular_matrix;
    for (Sparse::InnerIterator e{work.B, r}; e; ++e) A(j, e.col()) = e.value() / work.size[r];
    x[j] = -work.b[r] / work.size[r];
  }
  for (Index j = 0; j < n; ++j) {
    Index pivot = j;
    for (Index r = j + 1; r < n; ++r)
      if (std::abs(A(r, j)) > std::abs(A(pivot, j))) pivot = r;
    if (!(std::abs(A(pivot, j)) > NullVector::independent)) return Status::singular_matrix;
    if (pivot != j) {
      A.row(pivot).swap(A.row(j));
      std::swap(x[pivot], x[j]);
    }
    for (Index r = j + 1; r < n; ++r) {
      const double factor = A(r, j) / A(j, j);
      if (factor == 0.0) continue;
      for (Index c = j + 1; c < n; ++c) A(r, c) -= factor * A(j, c);
      x[r] -= factor * x[j];
    }
  }
  for (Index j = n - 1; j >= 0; --j) {
    for (Index c = j + 1; c < n; ++c) x[j] -= A(j, c) * x[c];
    x[j] /= A(j, j);
  }
  work.u[0] = 1.0;
  work.u.tail(n) = x.head(n);
  return Status::ok;
}

Status Distribution::solve_sparse(DistributionWork& work) const {
  const Index n = work.u.size() - 1;
  double* value = work.lu.values();
  for (Index j = 0; j < n; ++j) {
    const int r = row_of_[at(j)];
    if (!(work.size[r] > 0.0)) return Status::singular_matrix;
    const double factor = 1.0 / work.size[r];
    for (Sparse::InnerIterator e{work.B, r}; e; ++e) *value++ = factor * e.value();
    *value++ = factor * work.b[r];
  }
  const bool has_neighbour = work.u.squaredNorm() > 0.0;
  for (Index j = 0; j < n; ++j) *value++ = has_neighbour ? work.u[1 + j] : 0.0;
  *value = has_neighbour ? work.u[0] : 1.0;
  if (const Status status = work.lu.factor(); status != Status::ok) return status;
  work.right_side.setZero();
  work.right_side[n] = 1.0;
  work.lu.solve(work.right_side.data());
  work.u[0] = work.right_side[n];
  work.u.tail(n) = work.right_side.head(n);
  return Status::ok;
}

std::string Distribution::explain(DistributionWork& work) const {
  const Index k = work.B.rows(), n = work.B.cols();
  if (k == 0 || n > most_pivoted) return {};
  work.null.resize(k, n + 1);
  fill(work);
  if (work.null.decompose() != Status::ok) return {};
  const Index directions = n + 1 - work.null.rank();
  if (directions > 1) {
    // those unknowns that move in the directions beyond the first
    std::vector<std::string> free;
    for (Index j = 1; j <= n; ++j)
      if (work.null.shapes().row(j).tail(directions).norm() > 0.1)
        free.push_back(rows_.unknowns[at(j - 1)]);
    return fmt::format(
        "the distribution has {} directions instead of one: {} equation{} for the {} unknowns {} "
        "{} of rank {} here, and {} {} not determined",
        directions, k, k == 1 ? "" : "s", n, list_of_names(rows_.unknowns), k == 1 ? "is" : "are",
        work.null.rank(), list_of_names(free), free.size() == 1 ? "is" : "are");
  }
  if (directions == 0 && work.null.sizes()[n] > 1e-6 * work.null.sizes()[0])
    return fmt::format(
        "the distribution has no direction: the {} equations {} contradict one another here", k,
        list_of_names(rows_.names));
  if (method_ == DistributionMethod::square && solve_square(work) != Status::ok)
    return "the square equations do not determine the derivatives at this point, which may be an "
           "impasse point: choose qr or svd, which pass it";
  return {};
}

}  // namespace taut
