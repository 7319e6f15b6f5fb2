// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <utility>
#include <vector>

#include "core/adjacency.hpp"

namespace taut {

/// Elimination orders for Ldlt. An order lists the rows as they are eliminated.
using Order = std::vector<int>;

/// The graph of pairs (i, j); diagonal pairs and repetitions are dropped.
[[nodiscard]] Adjacency adjacency(int size, const std::vector<std::pair<int, int>>& pairs);

[[nodiscard]] Order natural_order(int size);

/// Approximate minimum degree.
[[nodiscard]] Order minimum_degree_order(const Adjacency& graph);

/// Parent of each position in the elimination tree, -1 for a root.
[[nodiscard]] std::vector<int> elimination_tree(const Adjacency& graph, const Order& order);

/// Σ c_j (c_j + 1)/2 over the columns of L, or any number > limit as soon as it is exceeded.
[[nodiscard]] double count_updates(const Adjacency& graph, const Order& order,
                                   double limit = std::numeric_limits<double>::infinity());

/// The candidate with the fewest updates, the first one on a tie.
[[nodiscard]] Order best_order(const Adjacency& graph, const std::vector<Order>& candidates);

/// An order with the same fill and the lowest elimination tree (Jess and Kees, IEEE Trans. Comput.
/// C-31, 1982): in rounds, every row whose remaining neighbours in the filled graph are all
/// neighbours of each other is eliminated. Rows of one round are independent of each other, so that
/// their latencies overlap: a chain is eliminated from both of its ends.
/// Rows marked in `late` (if not empty) stay after all of their neighbours in `graph`, as they must
/// be in `order` already.
[[nodiscard]] Order shortest_order(const Adjacency& graph, const Order& order,
                                   const std::vector<bool>& late = {});

/// The best of the candidates, its elimination tree lowered where latency rules.
[[nodiscard]] Order choose_order(const Adjacency& graph, const std::vector<Order>& candidates,
                                 const std::vector<bool>& late = {});

}  // namespace taut
