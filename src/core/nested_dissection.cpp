// SPDX-License-Identifier: BSD-3-Clause
#include "core/nested_dissection.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <queue>
#include <tuple>

namespace taut {
namespace {

// rows of a part that is not divided any more
constexpr int smallest_part = 48;
// vertices of a graph that is coarse enough to be divided at once
constexpr int coarsest = 96;
// the larger side may have this part of the weight of both
constexpr double largest_side = 0.58;
// moves without a gain after which a round of refinement ends
constexpr int patience = 64;
constexpr int most_rounds = 6;

/// A graph whose vertices stand for rows, and whose edges stand for connections.
struct Weighted {
  std::vector<int> begin{0}, index, link;  // link: weight of the edge
  std::vector<int> weight;                 // of the vertex

  [[nodiscard]] int size() const { return static_cast<int>(weight.size()); }
  [[nodiscard]] int total() const { return std::accumulate(weight.begin(), weight.end(), 0); }
};

enum Place : signed char { left = 0, right = 1, between = 2 };

struct Division {
  std::vector<signed char> place;
  int weight[3] = {0, 0, 0};

  void count(const Weighted& graph) {
    weight[left] = weight[right] = weight[between] = 0;
    for (int i = 0; i < graph.size(); ++i) weight[place[i]] += graph.weight[i];
  }
};

/// Smaller is better: a side that is too large counts as what is too much of it.
std::tuple<int, int> badness(const int (&weight)[3]) {
  const int larger = std::max(weight[left], weight[right]);
  const int both = weight[left] + weight[right];
  const int excess = std::max(0, larger - static_cast<int>(largest_side * both));
  return {weight[between] + excess, larger};
}

/// Rows with the same closed neighbourhood: group[i], numbered by their first rows.
std::vector<int> find_groups(const Adjacency& graph, int& groups) {
  const int n = graph.size();
  std::vector<std::uint64_t> sum(n);
  const auto mixed = [](int i) {
    std::uint64_t x = static_cast<std::uint64_t>(i) + 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    return x ^ (x >> 27);
  };
  for (int i = 0; i < n; ++i) {
    sum[i] = mixed(i);
    for (int p = graph.begin[i]; p < graph.begin[i + 1]; ++p) sum[i] += mixed(graph.index[p]);
  }
  const auto same = [&](int i, int j) {
    // both lists are ascending; each lacks its own row
    int p = graph.begin[i], r = graph.begin[j];
    const int p_end = graph.begin[i + 1], r_end = graph.begin[j + 1];
    if (p_end - p != r_end - r) return false;
    bool found = false;
    while (p < p_end || r < r_end) {
      if (p < p_end && graph.index[p] == j) {
        found = true;
        ++p;
      } else if (r < r_end && graph.index[r] == i) {
        ++r;
      } else if (p < p_end && r < r_end && graph.index[p] == graph.index[r]) {
        ++p, ++r;
      } else {
        return false;
      }
    }
    return found;
  };
  std::vector<int> group(n, -1);
  groups = 0;
  for (int i = 0; i < n; ++i) {
    if (group[i] >= 0) continue;
    group[i] = groups;
    for (int p = graph.begin[i]; p < graph.begin[i + 1]; ++p) {
      const int j = graph.index[p];
      if (group[j] < 0 && sum[j] == sum[i] && same(i, j)) group[j] = groups;
    }
    ++groups;
  }
  return group;
}

/// The graph of groups; `map` says which group each vertex belongs to.
Weighted contracted(const Weighted& graph, const std::vector<int>& map, int groups) {
  std::vector<int> first(static_cast<std::size_t>(groups) + 1, 0), member(graph.size());
  for (const int g : map) ++first[g + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<int> fill(first.begin(), first.end() - 1);
  for (int i = 0; i < graph.size(); ++i) member[fill[map[i]]++] = i;
  Weighted result;
  std::vector<int> at(groups, -1);
  for (int g = 0; g < groups; ++g) {
    const auto from = static_cast<int>(result.index.size());
    int weight = 0;
    for (int m = first[g]; m < first[g + 1]; ++m) {
      const int i = member[m];
      weight += graph.weight[i];
      for (int p = graph.begin[i]; p < graph.begin[i + 1]; ++p) {
        const int other = map[graph.index[p]];
        if (other == g) continue;
        if (at[other] < from) {
          at[other] = static_cast<int>(result.index.size());
          result.index.push_back(other);
          result.link.push_back(0);
        }
        result.link[at[other]] += graph.link[p];
      }
    }
    result.weight.push_back(weight);
    result.begin.push_back(static_cast<int>(result.index.size()));
  }
  return result;
}

/// Vertices are joined in pairs along their heaviest edges.
std::vector<int> match(const Weighted& graph, int& groups) {
  const int n = graph.size();
  const int heaviest = std::max(1, 3 * graph.total() / coarsest);
  std::vector<int> map(n, -1), queue(n);
  std::iota(queue.begin(), queue.end(), 0);
  std::stable_sort(queue.begin(), queue.end(), [&](int i, int j) {
    return graph.begin[i + 1] - graph.begin[i] < graph.begin[j + 1] - graph.begin[j];
  });
  groups = 0;
  for (const int i : queue) {
    if (map[i] >= 0) continue;
    int best = -1, best_link = 0;
    for (int p = graph.begin[i]; p < graph.begin[i + 1]; ++p) {
      const int j = graph.index[p];
      if (map[j] >= 0 || graph.weight[i] + graph.weight[j] > heaviest) continue;
      if (graph.link[p] > best_link ||
          (graph.link[p] == best_link && graph.weight[j] < graph.weight[best])) {
        best = j;
        best_link = graph.link[p];
      }
    }
    map[i] = groups;
    if (best >= 0) map[best] = groups;
    ++groups;
  }
  return map;
}

/// Vertices of the separator leave it one by one.
class Refinement {
 public:
  Refinement(const Weighted& graph, Division& division)
      : graph_{graph}, division_{division}, locked_(graph.size()), version_(graph.size(), 0) {}

  void run() {
    for (int round = 0; round < most_rounds; ++round)
      if (!improve()) break;
  }

 private:
  struct Move {
    int gain, vertex, side, version;
    bool operator<(const Move& other) const {
      return std::tie(gain, other.vertex, other.side) < std::tie(other.gain, vertex, side);
    }
  };
  struct Change {
    int vertex;
    signed char before;
  };

  void offer(int i) {
    ++version_[i];
    int pulled[2] = {0, 0};
    for (int p = graph_.begin[i]; p < graph_.begin[i + 1]; ++p) {
      const int j = graph_.index[p];
      if (division_.place[j] != between) pulled[division_.place[j]] += graph_.weight[j];
    }
    for (const int side : {0, 1})
      moves_.push({graph_.weight[i] - pulled[1 - side], i, side, version_[i]});
  }

  void put(int i, Place place) {
    changes_.push_back({i, division_.place[i]});
    division_.weight[division_.place[i]] -= graph_.weight[i];
    division_.place[i] = place;
    division_.weight[place] += graph_.weight[i];
  }

  bool improve() {
    std::fill(locked_.begin(), locked_.end(), false);
    moves_ = {};
    changes_.clear();
    for (int i = 0; i < graph_.size(); ++i)
      if (division_.place[i] == between) offer(i);
    const auto start = badness(division_.weight);
    auto best = start;
    std::size_t keep = 0;
    int in_vain = 0;
    while (!moves_.empty() && in_vain < patience) {
      const Move move = moves_.top();
      moves_.pop();
      if (move.version != version_[move.vertex] || division_.place[move.vertex] != between)
        continue;
      // not onto the side that is too large already
      const int here = division_.weight[move.side], there = division_.weight[1 - move.side];
      if (here > there && here + graph_.weight[move.vertex] > largest_side * (here + there))
        continue;
      take(move);
      const auto now = badness(division_.weight);
      if (now < best) {
        best = now;
        keep = changes_.size();
        in_vain = 0;
      } else {
        ++in_vain;
      }
    }
    while (changes_.size() > keep) {
      const Change change = changes_.back();
      changes_.pop_back();
      division_.weight[division_.place[change.vertex]] -= graph_.weight[change.vertex];
      division_.place[change.vertex] = change.before;
      division_.weight[change.before] += graph_.weight[change.vertex];
    }
    return best < start;
  }

  void take(const Move& move) {
    put(move.vertex, move.side == 0 ? left : right);
    locked_[move.vertex] = true;
    for (int p = graph_.begin[move.vertex]; p < graph_.begin[move.vertex + 1]; ++p) {
      const int j = graph_.index[p];
      if (division_.place[j] == between) {
        if (!locked_[j]) offer(j);
      } else if (division_.place[j] == 1 - move.side) {
        put(j, between);
        if (!locked_[j]) offer(j);
        for (int r = graph_.begin[j]; r < graph_.begin[j + 1]; ++r) {
          const int k = graph_.index[r];
          if (division_.place[k] == between && !locked_[k]) offer(k);
        }
      }
    }
  }

  const Weighted& graph_;
  Division& division_;
  std::vector<bool> locked_;
  std::vector<int> version_;
  std::priority_queue<Move> moves_;
  std::vector<Change> changes_;
};

/// Vertices that are connected with a first one, by their distance from it.
std::vector<int> by_distance(const Weighted& graph, int from, std::vector<bool>& seen) {
  std::vector<int> queue{from};
  seen[from] = true;
  for (std::size_t k = 0; k < queue.size(); ++k)
    for (int p = graph.begin[queue[k]]; p < graph.begin[queue[k] + 1]; ++p)
      if (const int j = graph.index[p]; !seen[j]) {
        seen[j] = true;
        queue.push_back(j);
      }
  return queue;
}

std::vector<int> by_distance(const Weighted& graph, int from) {
  std::vector<bool> seen(graph.size(), false);
  return by_distance(graph, from, seen);
}

Division grown_from(const Weighted& graph, int from) {
  Division division;
  division.place.assign(graph.size(), right);
  const int half = graph.total() / 2;
  int weight = 0;
  for (const int i : by_distance(graph, from)) {
    if (weight >= half) break;
    division.place[i] = left;
    weight += graph.weight[i];
  }
  // the separator: what touches the left side
  for (int i = 0; i < graph.size(); ++i)
    if (division.place[i] == right)
      for (int p = graph.begin[i]; p < graph.begin[i + 1]; ++p)
        if (division.place[graph.index[p]] == left) {
          division.place[i] = between;
          break;
        }
  division.count(graph);
  Refinement{graph, division}.run();
  return division;
}

Division divide(const Weighted& graph) {
  if (graph.size() > coarsest) {
    int groups = 0;
    const std::vector<int> map = match(graph, groups);
    if (groups <= 0.95 * graph.size()) {
      const Division coarse = divide(contracted(graph, map, groups));
      Division division;
      division.place.resize(graph.size());
      for (int i = 0; i < graph.size(); ++i) division.place[i] = coarse.place[map[i]];
      division.count(graph);
      Refinement{graph, division}.run();
      return division;
    }
  }
  // from both ends of the graph, and from places in between
  const int far = by_distance(graph, 0).back();
  const int end = by_distance(graph, far).back();
  Division best = grown_from(graph, far);
  const int n = graph.size();
  for (const int from : {end, 0, n / 4, n / 2, (3 * n) / 4}) {
    Division other = grown_from(graph, from);
    if (badness(other.weight) < badness(best.weight)) best = std::move(other);
  }
  return best;
}

class Dissection {
 public:
  explicit Dissection(const Weighted& graph) : graph_{graph}, local_(graph.size(), -1) {}

  [[nodiscard]] Order order() {
    std::vector<int> all(graph_.size());
    std::iota(all.begin(), all.end(), 0);
    dissect(all, all.size() + 1);
    return std::move(order_);
  }

 private:
  [[nodiscard]] Weighted part(const std::vector<int>& vertices) {
    for (std::size_t k = 0; k < vertices.size(); ++k) local_[vertices[k]] = static_cast<int>(k);
    Weighted result;
    for (const int i : vertices) {
      for (int p = graph_.begin[i]; p < graph_.begin[i + 1]; ++p)
        if (const int j = local_[graph_.index[p]]; j >= 0) {
          result.index.push_back(j);
          result.link.push_back(graph_.link[p]);
        }
      result.begin.push_back(static_cast<int>(result.index.size()));
      result.weight.push_back(graph_.weight[i]);
    }
    for (const int i : vertices) local_[i] = -1;
    return result;
  }

  void finish(const std::vector<int>& vertices, const Weighted& graph) {
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0; i < graph.size(); ++i)
      for (int p = graph.begin[i]; p < graph.begin[i + 1]; ++p)
        if (graph.index[p] > i) pairs.emplace_back(i, graph.index[p]);
    for (const int k : minimum_degree_order(adjacency(graph.size(), pairs)))
      order_.push_back(vertices[k]);
  }

  // `before`: the size of the part that these were divided from
  void dissect(const std::vector<int>& vertices, std::size_t before) {
    if (vertices.empty()) return;
    const Weighted graph = part(vertices);
    if (graph.total() <= smallest_part || vertices.size() == before) {
      finish(vertices, graph);
      return;
    }
    // parts that are not connected, one by one
    const std::vector<int> reached = by_distance(graph, 0);
    if (reached.size() < vertices.size()) {
      components(vertices, graph);
      return;
    }
    const Division division = divide(graph);
    if (division.weight[left] == 0 || division.weight[right] == 0) {
      finish(vertices, graph);
      return;
    }
    std::vector<int> parts[3];
    for (std::size_t k = 0; k < vertices.size(); ++k)
      parts[division.place[k]].push_back(vertices[k]);
    dissect(parts[left], vertices.size());
    dissect(parts[right], vertices.size());
    finish(parts[between], part(parts[between]));
  }

  void components(const std::vector<int>& vertices, const Weighted& graph) {
    std::vector<bool> seen(graph.size(), false);
    for (int i = 0; i < graph.size(); ++i) {
      if (seen[i]) continue;
      std::vector<int> one;
      for (const int k : by_distance(graph, i, seen)) one.push_back(vertices[k]);
      std::sort(one.begin(), one.end());
      dissect(one, vertices.size());
    }
  }

  const Weighted& graph_;
  std::vector<int> local_;
  Order order_;
};

}  // namespace

Order nested_dissection_order(const Adjacency& graph) {
  int groups = 0;
  const std::vector<int> group = find_groups(graph, groups);
  Weighted rows;
  rows.begin = graph.begin;
  rows.index = graph.index;
  rows.link.assign(graph.index.size(), 1);
  rows.weight.assign(graph.size(), 1);
  const Weighted points = contracted(rows, group, groups);

  const Order of_groups = Dissection{points}.order();
  std::vector<int> when(groups);
  for (int k = 0; k < groups; ++k) when[of_groups[k]] = k;
  Order order = natural_order(graph.size());
  std::stable_sort(order.begin(), order.end(),
                   [&](int i, int j) { return when[group[i]] < when[group[j]]; });
  return order;
}

}  // namespace taut
