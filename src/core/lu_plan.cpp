// SPDX-License-Identifier: BSD-3-Clause
#include "core/lu_plan.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <stdexcept>
#include <tuple>

#include "core/ordering.hpp"

namespace taut {
namespace {

// measured: below this size the dense loops win on every pattern
constexpr int always_dense = 12;
// one update of the static elimination costs as much as this many of the dense one
constexpr double dense_gain = 4.0;
// a dense matrix is never larger than this many unknowns
constexpr int most_dense = 2000;
// updates per row up to which a list of their targets (4 bytes each) beats loops over runs: it is
// faster by 45 % on a chain (17 updates per row), by a sixth on a net of 10 x 10 points (200),
// slower from 600 on
constexpr double most_targets = 400.0;
// updates per row below which a lower elimination tree is worth its search (see Kkt)
constexpr double latency_bound = 32.0;

Adjacency graph_of(const LuPlan& plan) {
  std::vector<std::pair<int, int>> pairs;
  pairs.reserve(plan.column.size());
  for (int i = 0; i < plan.n; ++i)
    for (int p = plan.begin[i]; p < plan.begin[i + 1]; ++p)
      if (plan.column[p] != i) pairs.emplace_back(i, plan.column[p]);
  return adjacency(plan.n, pairs);
}

// each constraint after all of its coordinates: its pivot is then that of a Schur complement
Order constraints_last(const Adjacency& graph, int nq, const Order& order) {
  std::vector<int> key(graph.size());
  for (int k = 0; k < graph.size(); ++k) key[order[k]] = k;
  for (int c = nq; c < graph.size(); ++c)
    for (int p = graph.begin[c]; p < graph.begin[c + 1]; ++p)
      if (graph.index[p] < nq) key[c] = std::max(key[c], key[graph.index[p]]);
  Order all = natural_order(graph.size());
  std::stable_sort(all.begin(), all.end(), [&](int a, int b) {
    return std::tuple{key[a], a >= nq} < std::tuple{key[b], b >= nq};
  });
  return all;
}

}  // namespace

LuPlan::LuPlan(const Sparse& pattern, Index constraints) {
  assert(pattern.rows() == pattern.cols() && pattern.isCompressed());
  assert(0 <= constraints && constraints <= pattern.rows());
  n = static_cast<int>(pattern.rows());
  nq = n - static_cast<int>(constraints);
  begin.assign(pattern.outerIndexPtr(), pattern.outerIndexPtr() + n + 1);
  column.assign(pattern.innerIndexPtr(), pattern.innerIndexPtr() + pattern.nonZeros());
  find_scale_entries();
  dense = n <= always_dense;
  if (dense) return;
  find_order();
  if (dense) return;
  if (updates_ > most_targets * n) {
    fronts.emplace();
    if (fronts->analyse(n, nq, begin, column)) return;
    fronts.reset();
  }
  find_slots();
  if (updates_ <= most_targets * n)
    list_targets();
  else
    list_runs();
}

void LuPlan::find_scale_entries() {
  const auto entry = [this](int i, int j) {
    const auto from = column.begin() + begin[i], to = column.begin() + begin[i + 1];
    const auto found = std::lower_bound(from, to, j);
    return found != to && *found == j ? static_cast<int>(found - column.begin()) : -1;
  };
  diagonal.resize(n);
  for (int i = 0; i < n; ++i) diagonal[i] = entry(i, i);
  for (int c = nq; c < n; ++c)
    for (int p = begin[c]; p < begin[c + 1]; ++p)
      transposed.push_back(column[p] < nq ? entry(column[p], c) : -1);
}

void LuPlan::find_order() {
  const Adjacency graph = graph_of(*this);
  std::vector<bool> late(n, false);
  std::fill(late.begin() + nq, late.end(), true);
  order = best_order(graph, {constraints_last(graph, nq, minimum_degree_order(graph)),
                             constraints_last(graph, nq, natural_order(n))});
  const double updates = count_updates(graph, order);
  updates_ = 2.0 * updates;
  const double full = static_cast<double>(n) * n * n / 6.0;
  dense = n <= most_dense && full < dense_gain * updates;
  if (dense) {
    order.clear();
    return;
  }
  if (updates <= latency_bound * n) order = shortest_order(graph, order, late);
}

void LuPlan::find_slots() {
  const Adjacency graph = graph_of(*this);
  position.resize(n);
  for (int k = 0; k < n; ++k) position[order[k]] = k;

  // the filled pattern is symmetric: row i of L by the paths in the elimination tree, U by its
  // transpose
  const std::vector<int> parent = elimination_tree(graph, order);
  std::vector<int> mark(n, -1);
  std::vector<std::size_t> below(n, 0);
  std::vector<std::vector<int>> lower(n);
  std::size_t entries = 0;
  for (int i = 0; i < n; ++i) {
    mark[i] = i;
    for (int p = graph.begin[order[i]]; p < graph.begin[order[i] + 1]; ++p)
      for (int k = position[graph.index[p]]; k < i && mark[k] != i; k = parent[k]) {
        mark[k] = i;
        lower[i].push_back(k);
        ++below[k];
      }
    std::sort(lower[i].begin(), lower[i].end());
    entries += 1 + 2 * lower[i].size();
  }
  if (entries > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw std::length_error{
        "the factor of the stage equations has more than 2^31 entries; the model couples too many "
        "coordinates with each other"};

  row_begin.assign(1, 0);
  row_diagonal.clear();
  for (int i = 0; i < n; ++i) {
    row_diagonal.push_back(row_begin.back() + static_cast<int>(lower[i].size()));
    row_begin.push_back(row_diagonal.back() + 1 + static_cast<int>(below[i]));
  }
  row_column.resize(row_begin.back());
  std::vector<int> fill(row_diagonal);
  for (int i = 0; i < n; ++i) {
    std::copy(lower[i].begin(), lower[i].end(), row_column.begin() + row_begin[i]);
    row_column[fill[i]++] = i;
    for (const int k : lower[i]) row_column[fill[k]++] = i;
  }

  slot.resize(column.size());
  for (int i = 0; i < n; ++i) {
    const int k = position[i];
    const auto from = row_column.begin() + row_begin[k], to = row_column.begin() + row_begin[k + 1];
    for (int p = begin[i]; p < begin[i + 1]; ++p)
      slot[p] =
          static_cast<int>(std::lower_bound(from, to, position[column[p]]) - row_column.begin());
  }
}

void LuPlan::list_targets() {
  // column k of L has the rows that row k of U has columns
  column_slot.assign(row_column.size(), -1);
  std::vector<int> last(row_diagonal);
  for (int i = 0; i < n; ++i)
    for (int p = row_begin[i]; p < row_diagonal[i]; ++p) column_slot[++last[row_column[p]]] = p;
  for (int k = 0; k < n; ++k)
    for (int e = row_diagonal[k] + 1; e < row_begin[k + 1]; ++e) {
      // the columns of row k of U are among those of this row, both ascending
      int p = column_slot[e];
      for (int f = row_diagonal[k] + 1; f < row_begin[k + 1]; ++f) {
        while (row_column[p] != row_column[f]) ++p;
        target.push_back(p);
      }
    }
}

void LuPlan::list_runs() {
  run_begin.assign(1, 0);
  for (int k = 0; k < n; ++k) {
    for (int e = row_diagonal[k] + 1; e < row_begin[k + 1]; ++e) {
      const bool continues = e > row_diagonal[k] + 1 && row_column[e] == row_column[e - 1] + 1;
      if (continues)
        ++run.back().length;
      else
        run.push_back({e, row_column[e], 1});
    }
    run_begin.push_back(static_cast<int>(run.size()));
  }
  twin.assign(n, false);
  for (int k = 0; k + 1 < n; ++k) {
    const int first = row_diagonal[k] + 1, next = row_diagonal[k + 1] + 1;
    twin[k] = first < row_begin[k + 1] && row_column[first] == k + 1 &&
              row_begin[k + 1] - first == row_begin[k + 2] - next + 1;
  }
}

}  // namespace taut
