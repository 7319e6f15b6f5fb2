// SPDX-License-Identifier: BSD-3-Clause
#include "core/front_plan.hpp"

#include <algorithm>
#include <limits>

#include "core/nested_dissection.hpp"

namespace taut {
namespace {

// pairs of coordinates that constraints connect, per entry of the matrix, above which the
// constraints are better taken as rows among others
constexpr double most_pairs_per_entry = 16.0;

// Two fronts become one if that adds few numbers to those of the factor: measured for CHOLMOD
// (Chen, Davis, Hager and Rajamanickam, ACM Trans. Math. Softw. 35, 2008).
bool worth_joining(int own, double added) {
  return own <= 4 || (own <= 16 && added < 0.8) || (own <= 48 && added < 0.1) || added < 0.05;
}

/// A tree from the leaves up: each branch stands together, before its root.
Order postorder(const std::vector<int>& parent) {
  const int n = static_cast<int>(parent.size());
  std::vector<int> child(n, -1), next(n, -1), stack;
  Order result;
  result.reserve(n);
  for (int k = n - 1; k >= 0; --k)
    if (parent[k] >= 0) {
      next[k] = child[parent[k]];
      child[parent[k]] = k;
    }
  for (int root = 0; root < n; ++root) {
    if (parent[root] >= 0) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const int k = stack.back();
      if (child[k] >= 0) {
        stack.push_back(child[k]);
        child[k] = next[child[k]];
      } else {
        result.push_back(k);
        stack.pop_back();
      }
    }
  }
  return result;
}

}  // namespace

bool FrontPlan::analyse(int n, int nq, const std::vector<int>& begin,
                        const std::vector<int>& column) {
  if (!find_order(n, nq, begin, column)) return false;
  find_fronts();
  find_rows();
  place_constraints(n, nq, begin, column);
  place_entries(n, nq, begin, column);
  count_numbers();
  return true;
}

void FrontPlan::analyse(const Adjacency& graph, const Order& order) {
  graph_ = graph;
  order_ = order;
  find_fronts();
  find_rows();
  count_numbers();
  // from here on by positions
  for (int& r : row) r = position_[r];
  position_ = natural_order(graph.size());
}

void FrontPlan::place(const std::vector<int>& begin, const std::vector<int>& row_of_entry) {
  const int n = static_cast<int>(begin.size()) - 1;
  place_entries(n, n, begin, row_of_entry);
  mate.clear();
}

void FrontPlan::count_numbers() {
  numbers = 0;
  for (const Front& front : fronts)
    numbers += static_cast<std::size_t>(front.coordinates + 2 * front.entered + 8) *
               static_cast<std::size_t>(front.own + front.entered);
}

bool FrontPlan::find_order(int n, int nq, const std::vector<int>& begin,
                           const std::vector<int>& column) {
  double pairs_of_constraints = 0.0;
  std::vector<std::vector<int>> members(static_cast<std::size_t>(n - nq));
  for (int i = 0; i < n; ++i)
    for (int p = begin[i]; p < begin[i + 1]; ++p) {
      const int j = column[p];
      if (i == j || (i < nq && j < nq)) continue;
      if (i >= nq && j >= nq) return false;
      members[std::max(i, j) - nq].push_back(std::min(i, j));
    }
  for (auto& coordinates : members) {
    std::sort(coordinates.begin(), coordinates.end());
    coordinates.erase(std::unique(coordinates.begin(), coordinates.end()), coordinates.end());
    if (coordinates.empty()) return false;
    const auto size = static_cast<double>(coordinates.size());
    pairs_of_constraints += size * size;
  }
  if (pairs_of_constraints > most_pairs_per_entry * static_cast<double>(column.size()))
    return false;

  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < nq; ++i)
    for (int p = begin[i]; p < begin[i + 1]; ++p)
      if (column[p] < nq) pairs.emplace_back(i, column[p]);
  for (const auto& coordinates : members)
    for (const int i : coordinates)
      for (const int j : coordinates)
        if (j < i) pairs.emplace_back(i, j);
  graph_ = adjacency(nq, pairs);
  order_ = best_order(graph_, {nested_dissection_order(graph_), minimum_degree_order(graph_)});
  return true;
}

void FrontPlan::find_fronts() {
  const int n = graph_.size();
  // branches of the elimination tree together
  {
    const Order branches = postorder(elimination_tree(graph_, order_));
    Order renumbered(n);
    for (int k = 0; k < n; ++k) renumbered[k] = order_[branches[k]];
    order_.swap(renumbered);
  }
  const std::vector<int> parent = elimination_tree(graph_, order_);
  position_.resize(n);
  for (int k = 0; k < n; ++k) position_[order_[k]] = k;

  // entries of each column of the factor
  std::vector<int> count(n, 1), mark(n, -1);
  updates = 0.0;
  for (int i = 0; i < n; ++i) {
    mark[i] = i;
    for (int p = graph_.begin[order_[i]]; p < graph_.begin[order_[i] + 1]; ++p)
      for (int k = position_[graph_.index[p]]; k < i && mark[k] != i; k = parent[k]) {
        mark[k] = i;
        updates += count[k]++;
      }
  }
  join_fronts(parent, count);
}

void FrontPlan::join_fronts(const std::vector<int>& parent, const std::vector<int>& count) {
  const int n = graph_.size();
  // positions with the same further coordinates belong together
  std::vector<int> first;
  for (int k = 0; k < n; ++k)
    if (k == 0 || parent[k - 1] != k || count[k - 1] != count[k] + 1) first.push_back(k);
  const int fundamental = static_cast<int>(first.size());
  first.push_back(n);

  // from the root down, each with the one behind it if that is the one above it
  std::vector<double> zeros(fundamental, 0.0);
  std::vector<int> own(fundamental), rows(fundamental), end(fundamental);
  std::vector<bool> gone(fundamental, false);
  for (int s = fundamental - 1; s >= 0; --s) {
    own[s] = first[s + 1] - first[s];
    rows[s] = count[first[s]];
    end[s] = first[s + 1];
    const int p = s + 1;
    if (p == fundamental) continue;
    const int up = parent[first[p] - 1];
    if (up < 0 || up >= end[p]) continue;
    const int joined = own[s] + own[p], all = own[s] + rows[p];
    const double added = zeros[s] + zeros[p] + static_cast<double>(own[s]) * (all - rows[s]);
    const double entries =
        0.5 * joined * (joined + 1.0) + joined * static_cast<double>(all - joined);
    if (!worth_joining(joined, added / entries)) continue;
    own[s] = joined;
    rows[s] = all;
    zeros[s] = added;
    end[s] = end[p];
    gone[p] = true;
  }
  first_.clear();
  for (int s = 0; s < fundamental; ++s)
    if (!gone[s]) first_.push_back(first[s]);
  first_.push_back(n);
  fronts.assign(first_.size() - 1, {});
  front_of_.resize(n);
  for (std::size_t f = 0; f + 1 < first_.size(); ++f) {
    fronts[f].own = first_[f + 1] - first_[f];
    std::fill(front_of_.begin() + first_[f], front_of_.begin() + first_[f + 1],
              static_cast<int>(f));
  }
}

void FrontPlan::find_rows() {
  const int count = static_cast<int>(fronts.size());
  std::vector<std::vector<int>> further(count), children(count);
  std::vector<int> mark(graph_.size(), -1);
  for (int f = 0; f < count; ++f) {
    const int last = first_[f + 1] - 1;
    std::vector<int>& rows = further[f];
    const auto take = [&](int k) {
      if (k <= last || mark[k] == f) return;
      mark[k] = f;
      rows.push_back(k);
    };
    for (int k = first_[f]; k <= last; ++k)
      for (int p = graph_.begin[order_[k]]; p < graph_.begin[order_[k] + 1]; ++p)
        take(position_[graph_.index[p]]);
    for (const int c : children[f])
      for (const int k : further[c]) take(k);
    std::sort(rows.begin(), rows.end());
    if (!rows.empty()) {
      fronts[f].parent = front_of_[rows.front()];
      children[fronts[f].parent].push_back(f);
    }
  }

  std::vector<int> at(graph_.size(), -1);
  for (int f = 0; f < count; ++f) {
    Front& front = fronts[f];
    front.row = static_cast<int>(row.size());
    front.coordinates = front.own + static_cast<int>(further[f].size());
    for (int k = first_[f]; k < first_[f + 1]; ++k) row.push_back(order_[k]);
    for (const int k : further[f]) row.push_back(order_[k]);
    front.child = static_cast<int>(child.size());
    front.children = static_cast<int>(children[f].size());
    child.insert(child.end(), children[f].begin(), children[f].end());
  }
  above.assign(row.size(), -1);
  for (const Front& front : fronts) {
    for (int r = 0; r < front.coordinates; ++r) at[row[front.row + r]] = r;
    for (int c = 0; c < front.children; ++c) {
      const Front& below = fronts[child[front.child + c]];
      for (int r = below.own; r < below.coordinates; ++r)
        above[below.row + r] = at[row[below.row + r]];
    }
  }
}

void FrontPlan::place_constraints(int n, int nq, const std::vector<int>& begin,
                                  const std::vector<int>& column) {
  std::vector<int> first(n - nq, std::numeric_limits<int>::max()), last(n - nq, -1);
  for (int i = 0; i < n; ++i)
    for (int p = begin[i]; p < begin[i + 1]; ++p) {
      const int j = column[p];
      if ((i < nq) == (j < nq)) continue;
      const int c = std::max(i, j) - nq, front = front_of_[position_[std::min(i, j)]];
      first[c] = std::min(first[c], front);
      last[c] = std::max(last[c], front);
    }
  last_front = last;
  std::vector<std::vector<int>> entering(fronts.size());
  for (int c = 0; c < n - nq; ++c) entering[first[c]].push_back(nq + c);
  for (std::size_t f = 0; f < fronts.size(); ++f) {
    fronts[f].entering = static_cast<int>(constraint.size());
    fronts[f].entered = static_cast<int>(entering[f].size());
    constraint.insert(constraint.end(), entering[f].begin(), entering[f].end());
  }
}

void FrontPlan::place_entries(int n, int nq, const std::vector<int>& begin,
                              const std::vector<int>& column) {
  // the front of each entry: that of its coordinate which goes first, or where its constraint
  // enters
  std::vector<int> enters(n, -1);
  for (std::size_t f = 0; f < fronts.size(); ++f)
    for (int k = 0; k < fronts[f].entered; ++k)
      enters[constraint[fronts[f].entering + k]] = static_cast<int>(f);
  const auto front_of_entry = [&](int i, int j) {
    if (std::max(i, j) >= nq) return enters[std::max(i, j)];
    return front_of_[std::min(position_[i], position_[j])];
  };
  mate.assign(column.size(), -1);
  std::vector<std::vector<std::pair<int, int>>> of_front(fronts.size());  // entry, row
  for (int i = 0; i < n; ++i)
    for (int p = begin[i]; p < begin[i + 1]; ++p) {
      const int j = column[p];
      const auto from = column.begin() + begin[j], to = column.begin() + begin[j + 1];
      const auto found = std::lower_bound(from, to, i);
      if (found != to && *found == i) mate[p] = static_cast<int>(found - column.begin());
      of_front[front_of_entry(i, j)].emplace_back(p, i);
    }
  std::vector<int> at(n, -1);
  for (std::size_t f = 0; f < fronts.size(); ++f) {
    Front& front = fronts[f];
    for (int r = 0; r < front.coordinates; ++r)
      at[row[front.row + r]] = r < front.own ? r : r + front.entered;
    for (int k = 0; k < front.entered; ++k) at[constraint[front.entering + k]] = front.own + k;
    front.entry = static_cast<int>(entry.size());
    front.entries = static_cast<int>(of_front[f].size());
    for (const auto& [p, i] : of_front[f]) entry.push_back({p, at[i], at[column[p]]});
  }
}

}  // namespace taut
