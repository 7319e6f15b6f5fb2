// SPDX-License-Identifier: BSD-3-Clause
#include "curves/signature.hpp"

#include <algorithm>
#include <limits>

#include "formula/derivative.hpp"

namespace taut {
namespace {

constexpr int no_derivative_cost = 1'000'000;  // of an unknown that is not in an equation

// The equation of each unknown that makes the sum of sigma largest: shortest augmenting paths with
// prices (Kuhn, Munkres), O(n^2 k). As many equations as unknowns at least.
std::vector<Index> transversal(const std::vector<std::vector<int>>& sigma, Index n) {
  const auto k = static_cast<Index>(sigma.size());
  const auto cost = [&](Index j, Index i) {
    const int s = sigma[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    return s == Signature::absent ? no_derivative_cost : -s;
  };
  constexpr int infinity = std::numeric_limits<int>::max();
  const auto place = [](Index i) { return static_cast<std::size_t>(i); };
  std::vector<int> price_unknown(place(n), 0), price(place(k + 1), 0), slack(place(k + 1));
  std::vector<Index> unknown_of(place(k + 1), -1), before(place(k + 1));  // k: the root of a path
  std::vector<bool> done(place(k + 1));
  for (Index j = 0; j < n; ++j) {
    std::fill(slack.begin(), slack.end(), infinity);
    std::fill(done.begin(), done.end(), false);
    unknown_of[place(k)] = j;
    Index at = k;
    while (unknown_of[place(at)] >= 0) {
      done[place(at)] = true;
      const Index from = unknown_of[place(at)];
      int step = infinity;
      Index next = k;
      for (Index i = 0; i < k; ++i) {
        if (done[place(i)]) continue;
        const int here = cost(from, i) - price_unknown[place(from)] - price[place(i)];
        if (here < slack[place(i)]) {
          slack[place(i)] = here;
          before[place(i)] = at;
        }
        if (slack[place(i)] < step) {
          step = slack[place(i)];
          next = i;
        }
      }
      for (Index i = 0; i <= k; ++i) {
        if (done[place(i)]) {
          price_unknown[place(unknown_of[place(i)])] += step;
          price[place(i)] -= step;
        } else if (slack[place(i)] != infinity) {
          slack[place(i)] -= step;
        }
      }
      at = next;
    }
    for (; at != k; at = before[place(at)])
      unknown_of[place(at)] = unknown_of[place(before[place(at)])];
  }
  std::vector<Index> equation_of(place(n), -1);
  for (Index i = 0; i < k; ++i)
    if (unknown_of[place(i)] >= 0) equation_of[place(unknown_of[place(i)])] = i;
  return equation_of;
}

}  // namespace

Signature Signature::of(const JetSystem& system) { return without(system, {}); }

Signature Signature::without(const JetSystem& system, const std::vector<Index>& equations) {
  const auto n = static_cast<std::size_t>(system.n());
  Signature s;
  s.orders.assign(n, 0);
  formula::Graph graph = system.graph;
  formula::Derivatives derivatives{graph};
  for (const JetSystem::Equation& equation : system.equations) {
    std::vector<int> row(n, absent);
    for (const int jet : derivatives.support(equation.node, formula::Slot::q)) {
      if (jet == 0) continue;
      const auto number = static_cast<std::size_t>(jet - 1);
      row[number % n] = static_cast<int>(number / n);  // ascending: the highest comes last
    }
    for (std::size_t j = 0; j < n; ++j) s.orders[j] = std::max(s.orders[j], row[j]);
    s.sigma.push_back(std::move(row));
  }
  const std::size_t k = s.sigma.size();
  if (k < n) return s;

  std::vector<std::vector<int>> taking_part = s.sigma;
  for (const Index i : equations) taking_part[static_cast<std::size_t>(i)].assign(n, absent);
  const std::vector<Index> equation_of = transversal(taking_part, system.n());
  s.regular = true;
  for (std::size_t j = 0; j < n; ++j)
    s.regular = s.regular && taking_part[static_cast<std::size_t>(equation_of[j])][j] != absent;
  if (!s.regular) return s;

  // (1): the smallest offsets, by repetition from c = 0
  s.c.assign(k, absent);
  for (const Index i : equation_of) s.c[static_cast<std::size_t>(i)] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    s.d.assign(n, 0);
    for (std::size_t i = 0; i < k; ++i)
      for (std::size_t j = 0; s.c[i] != absent && j < n; ++j)
        if (s.sigma[i][j] != absent) s.d[j] = std::max(s.d[j], s.sigma[i][j] + s.c[i]);
    for (std::size_t j = 0; j < n; ++j) {
      const auto i = static_cast<std::size_t>(equation_of[j]);
      const int c = s.d[j] - s.sigma[i][j];
      changed = changed || c != s.c[i];
      s.c[i] = c;
    }
  }
  s.equation_of = equation_of;
  return s;
}

int Signature::index() const {
  return *std::max_element(c.begin(), c.end()) + (std::find(d.begin(), d.end(), 0) != d.end());
}

bool Signature::has_extra() const { return std::find(c.begin(), c.end(), absent) != c.end(); }

void Signature::raise(std::vector<bool> equations) {
  const auto order = [&](std::size_t i) {
    return *std::max_element(sigma[i].begin(), sigma[i].end());
  };
  int lowest = std::numeric_limits<int>::max();
  for (std::size_t i = 0; i < c.size(); ++i)
    if (equations[i]) lowest = std::min(lowest, order(i));
  for (std::size_t i = 0; i < c.size(); ++i) equations[i] = equations[i] && order(i) == lowest;
  std::vector<bool> unknowns(d.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t j = 0; j < d.size(); ++j) {
      // unknowns whose highest derivative rises with an equation, and the equations that stand for
      // them on the transversal
      for (std::size_t i = 0; i < c.size() && !unknowns[j]; ++i)
        unknowns[j] = equations[i] && sigma[i][j] != absent && d[j] - c[i] == sigma[i][j];
      const auto i = static_cast<std::size_t>(equation_of[j]);
      if (!unknowns[j] || equations[i]) continue;
      equations[i] = changed = true;
    }
  }
  for (std::size_t i = 0; i < c.size(); ++i) c[i] += equations[i];
  for (std::size_t j = 0; j < d.size(); ++j) d[j] += unknowns[j];
}

std::vector<std::vector<Index>> choices_of_extra(Index k, Index n) {
  constexpr std::size_t most = 40;
  std::vector<std::vector<Index>> all;
  if (k <= n) return all;
  // subsets in descending order
  std::vector<Index> extra(static_cast<std::size_t>(k - n));
  for (Index e = 0; e < k - n; ++e) extra[static_cast<std::size_t>(e)] = k - 1 - e;
  for (;;) {
    all.push_back(extra);
    // the last place that can go down, and all after it as high as they then may be
    auto place = static_cast<Index>(extra.size()) - 1;
    const auto lowest = [&] { return static_cast<Index>(extra.size()) - 1 - place; };
    while (place >= 0 && extra[static_cast<std::size_t>(place)] == lowest()) --place;
    if (place < 0 || all.size() == most) return all;
    --extra[static_cast<std::size_t>(place)];
    for (std::size_t after = static_cast<std::size_t>(place) + 1; after < extra.size(); ++after)
      extra[after] = extra[after - 1] - 1;
  }
}

}  // namespace taut
