// SPDX-License-Identifier: BSD-3-Clause
#include "core/ordering.hpp"

#include <algorithm>
#include <numeric>

#include <Eigen/OrderingMethods>

#include "taut/core/types.hpp"

namespace taut {
namespace {

// updates per row below which a lower elimination tree is worth its search: measured, a chain
// gains a factor 2, 3 x 3 blocks in a ring a third of the solve, nets nothing
constexpr double latency_bound = 32.0;

std::vector<int> inverse(const Order& order) {
  std::vector<int> position(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) position[order[k]] = static_cast<int>(k);
  return position;
}

// The pattern of L + L^T, in the numbering of the graph.
Adjacency filled_graph(const Adjacency& graph, const Order& order) {
  const int n = graph.size();
  const std::vector<int> position = inverse(order);
  const std::vector<int> parent = elimination_tree(graph, order);
  std::vector<std::pair<int, int>> pairs;
  std::vector<int> mark(n, -1);
  for (int i = 0; i < n; ++i) {
    mark[i] = i;
    for (int p = graph.begin[order[i]]; p < graph.begin[order[i] + 1]; ++p)
      for (int k = position[graph.index[p]]; k < i && mark[k] != i; k = parent[k]) {
        mark[k] = i;
        pairs.emplace_back(order[i], order[k]);
      }
  }
  return adjacency(n, pairs);
}

}  // namespace

Adjacency adjacency(int size, const std::vector<std::pair<int, int>>& pairs) {
  // bucket both directions by row, then sort and deduplicate each row
  std::vector<std::size_t> first(static_cast<std::size_t>(size) + 1, 0);
  for (const auto& [i, j] : pairs) {
    if (i == j) continue;
    ++first[i + 1];
    ++first[j + 1];
  }
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<int> all(first.back());
  std::vector<std::size_t> fill(first.begin(), first.end() - 1);
  for (const auto& [i, j] : pairs) {
    if (i == j) continue;
    all[fill[i]++] = j;
    all[fill[j]++] = i;
  }
  Adjacency graph;
  graph.begin.reserve(static_cast<std::size_t>(size) + 1);
  for (int i = 0; i < size; ++i) {
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(first[i]);
    const auto to = all.begin() + static_cast<std::ptrdiff_t>(first[i + 1]);
    std::sort(from, to);
    graph.index.insert(graph.index.end(), from, std::unique(from, to));
    graph.begin.push_back(static_cast<int>(graph.index.size()));
  }
  return graph;
}

Order natural_order(int size) {
  Order order(size);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

Order minimum_degree_order(const Adjacency& graph) {
  const int n = graph.size();
  if (n == 0) return {};
  Eigen::SparseMatrix<double, Eigen::ColMajor, int> pattern(n, n);
  std::vector<Eigen::Triplet<double, int>> entries;
  entries.reserve(graph.index.size() + static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    entries.emplace_back(i, i, 1.0);
    for (int p = graph.begin[i]; p < graph.begin[i + 1]; ++p)
      entries.emplace_back(graph.index[p], i, 1.0);
  }
  pattern.setFromTriplets(entries.begin(), entries.end());
  Eigen::AMDOrdering<int>::PermutationType permutation;
  Eigen::AMDOrdering<int>{}(pattern, permutation);
  return {permutation.indices().data(), permutation.indices().data() + n};
}

std::vector<int> elimination_tree(const Adjacency& graph, const Order& order) {
  const int n = graph.size();
  const std::vector<int> position = inverse(order);
  std::vector<int> parent(n, -1), ancestor(n, -1);
  for (int i = 0; i < n; ++i)
    for (int p = graph.begin[order[i]]; p < graph.begin[order[i] + 1]; ++p) {
      // climb from k to its root, shortening the path on the way
      int k = position[graph.index[p]];
      while (k < i && k != -1) {
        const int up = ancestor[k];
        ancestor[k] = i;
        if (up == -1) parent[k] = i;
        k = up;
      }
    }
  return parent;
}

double count_updates(const Adjacency& graph, const Order& order, double limit) {
  const int n = graph.size();
  const std::vector<int> position = inverse(order);
  const std::vector<int> parent = elimination_tree(graph, order);
  std::vector<int> mark(n, -1), count(n, 0);
  double updates = 0.0;
  for (int i = 0; i < n; ++i) {
    mark[i] = i;
    // row i of L: the paths in the tree from the neighbours of i up to i
    for (int p = graph.begin[order[i]]; p < graph.begin[order[i] + 1]; ++p)
      for (int k = position[graph.index[p]]; k < i && mark[k] != i; k = parent[k]) {
        mark[k] = i;
        updates += ++count[k];
      }
    if (updates > limit) break;
  }
  return updates;
}

Order best_order(const Adjacency& graph, const std::vector<Order>& candidates) {
  const Order* best = nullptr;
  double fewest = std::numeric_limits<double>::infinity();
  for (const Order& candidate : candidates) {
    const double updates = count_updates(graph, candidate, fewest);
    if (best == nullptr || updates < fewest) {
      best = &candidate;
      fewest = updates;
    }
  }
  return *best;
}

Order shortest_order(const Adjacency& graph, const Order& order, const std::vector<bool>& late) {
  const int n = graph.size();
  const Adjacency filled = filled_graph(graph, order);

  // neighbours that remain: in the filled graph, and for late rows in the graph itself
  std::vector<int> degree(n), awaited(n, 0);
  for (int i = 0; i < n; ++i) {
    degree[i] = filled.begin[i + 1] - filled.begin[i];
    if (!late.empty() && late[i]) awaited[i] = graph.begin[i + 1] - graph.begin[i];
  }
  std::vector<int> column(n, 0);  // neighbours eliminated later in `order`: a clique
  const std::vector<int> position = inverse(order);
  int largest = 0;
  for (int i = 0; i < n; ++i) {
    for (int p = filled.begin[i]; p < filled.begin[i + 1]; ++p)
      if (position[filled.index[p]] > position[i]) ++column[i];
    largest = std::max(largest, column[i]);
  }

  std::vector<bool> gone(n, false);
  std::vector<int> neighbours;
  const auto is_simplicial = [&](int i) {
    if (degree[i] > largest || awaited[i] > 0) return false;
    neighbours.clear();
    for (int p = filled.begin[i]; p < filled.begin[i + 1]; ++p)
      if (!gone[filled.index[p]]) neighbours.push_back(filled.index[p]);
    for (const int a : neighbours) {
      const auto from = filled.index.begin() + filled.begin[a];
      const auto to = filled.index.begin() + filled.begin[a + 1];
      for (const int b : neighbours)
        if (b > a && !std::binary_search(from, to, b)) return false;
    }
    return true;
  };

  Order result;
  result.reserve(n);
  std::vector<int> candidates = natural_order(n), next;
  std::vector<int> excluded(n, -1), queued(n, -1);  // round in which that happened
  for (int round = 0; static_cast<int>(result.size()) < n; ++round) {
    const std::size_t first = result.size();
    next.clear();
    for (const int i : candidates) {
      if (excluded[i] == round) {
        next.push_back(i);  // a neighbour goes in this round
        queued[i] = round;
      } else if (is_simplicial(i)) {
        result.push_back(i);
        for (int p = filled.begin[i]; p < filled.begin[i + 1]; ++p)
          excluded[filled.index[p]] = round;
      }
    }
    // only neighbours of what has gone can have become simplicial
    for (std::size_t k = first; k < result.size(); ++k) gone[result[k]] = true;
    for (std::size_t k = first; k < result.size(); ++k) {
      const int i = result[k];
      for (int p = graph.begin[i]; p < graph.begin[i + 1]; ++p) --awaited[graph.index[p]];
      for (int p = filled.begin[i]; p < filled.begin[i + 1]; ++p) {
        const int j = filled.index[p];
        --degree[j];
        if (gone[j] || queued[j] == round) continue;
        next.push_back(j);
        queued[j] = round;
      }
    }
    std::sort(next.begin(), next.end());
    candidates.swap(next);
  }
  return result;
}

Order choose_order(const Adjacency& graph, const std::vector<Order>& candidates,
                   const std::vector<bool>& late) {
  Order order = best_order(graph, candidates);
  const double few = latency_bound * graph.size();
  return count_updates(graph, order, few) <= few ? shortest_order(graph, order, late) : order;
}

}  // namespace taut
