// SPDX-License-Identifier: BSD-3-Clause
#include "model/pair_builder.hpp"

#include <algorithm>
#include <tuple>

namespace taut {
namespace {

void sum_up(const PairLaw& law, PairLaw& to) {
  to.repulsion += law.repulsion;
  to.attraction += law.attraction;
  to.coulomb += law.coulomb;
  to.powers.insert(to.powers.end(), law.powers.begin(), law.powers.end());
  if (to.label.empty()) to.label = law.label;
}

}  // namespace

void PairBuilder::join(int a, int b) {
  neighbours_[a].push_back(b);
  neighbours_[b].push_back(a);
}

std::vector<int> PairBuilder::joined(int point, int apart) const {
  std::vector<int> found{point};
  std::size_t begin = 0;
  for (int distance = 1; distance < apart && begin < found.size(); ++distance) {
    const std::size_t end = found.size();
    std::vector<int> next;
    for (; begin < end; ++begin)
      if (const auto it = neighbours_.find(found[begin]); it != neighbours_.end())
        next.insert(next.end(), it->second.begin(), it->second.end());
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    for (const int p : next)
      if (std::find(found.begin(), found.end(), p) == found.end()) found.push_back(p);
  }
  found.erase(found.begin());
  return found;
}

std::vector<PairBuilder::Group> PairBuilder::groups() const {
  std::vector<Group> result;
  const auto key = [](const Use& use) {
    const PairSwitch range = use.range.value_or(PairSwitch{});
    return std::tuple{use.dimension, use.apart, range.from, range.cutoff};
  };
  // in one pass, all charges end at the cut-off in the same way
  const auto fit = [&](const Use& a, const Use& b) {
    return key(a) == key(b) &&
           (a.law.coulomb == 0.0 || b.law.coulomb == 0.0 || a.accuracy == b.accuracy);
  };
  for (const Use& use : uses_) {
    const auto same = std::find_if(result.begin(), result.end(), [&](const Group& group) {
      return std::all_of(group.begin(), group.end(),
                         [&](const Use* other) { return fit(*other, use); });
    });
    if (same == result.end())
      result.push_back({&use});
    else
      same->push_back(&use);
  }
  return result;
}

bool PairBuilder::finish(const std::vector<std::string>& coordinates,
                         const std::vector<double>& charge, const std::array<double, 3>& edge,
                         std::vector<PairField>& fields) const {
  for (const Group& group : groups()) {
    // the kind of a point: on which side of which laws it stands
    std::map<int, std::vector<int>> sides;
    for (std::size_t u = 0; u < group.size(); ++u) {
      for (const int p : group[u]->among) sides[p].push_back(static_cast<int>(2 * u));
      for (const int p : group[u]->with) sides[p].push_back(static_cast<int>(2 * u + 1));
    }
    std::map<std::vector<int>, int> number_of_kind;
    for (const auto& [point, side] : sides) number_of_kind.try_emplace(side, 0);
    if (number_of_kind.size() > most_kinds) return false;
    int next = 0;
    for (auto& [side, number] : number_of_kind) number = next++;

    PairField::Setup setup{.dimension = group.front()->dimension,
                           .range = group.front()->range,
                           .edge = group.front()->range ? edge : std::array<double, 3>{}};
    PairKinds& kinds = setup.kinds;
    kinds.kinds = next;
    std::vector<std::pair<int, int>> order;  // kind, point
    for (const auto& [point, side] : sides) order.emplace_back(number_of_kind.at(side), point);
    std::sort(order.begin(), order.end());
    std::map<int, int> number_of_point;
    for (const auto& [kind, point] : order) {
      number_of_point.emplace(point, static_cast<int>(setup.points.size()));
      const std::string& x = coordinates[static_cast<std::size_t>(point)];
      setup.points.push_back({.first = point,
                              .charge = charge[static_cast<std::size_t>(point)],
                              .name = x.substr(0, x.size() - 2)});  // without .x
      kinds.kind.push_back(kind);
    }
    for (const auto& [kind, point] : order) {
      std::vector<int> excluded;
      for (const int p : joined(point, group.front()->apart))
        if (const auto it = number_of_point.find(p); it != number_of_point.end())
          excluded.push_back(it->second);
      std::sort(excluded.begin(), excluded.end());
      kinds.excluded.push_back(std::move(excluded));
    }

    // what acts between two kinds: the sum of all laws that have them on their two sides
    const auto n = static_cast<std::size_t>(next);
    kinds.law.assign(n * n, -1);
    const auto has = [](const std::vector<int>& side, std::size_t s) {
      return std::binary_search(side.begin(), side.end(), static_cast<int>(s));
    };
    for (const auto& [side_a, a] : number_of_kind)
      for (const auto& [side_b, b] : number_of_kind) {
        if (b < a) continue;
        PairLaw sum;
        for (const int s : side_a) {
          const std::size_t u = static_cast<std::size_t>(s) / 2;
          const std::size_t other = static_cast<std::size_t>(s) ^ 1U;
          // a point on both sides meets the law once
          const bool met =
              s % 2 == 1 && has(side_a, other) && has(side_b, static_cast<std::size_t>(s));
          if (has(side_b, other) && !met) sum_up(group[u]->law, sum);
        }
        if (sum.is_zero()) continue;
        const int law = static_cast<int>(kinds.laws.size());
        kinds.law[static_cast<std::size_t>(a) * n + static_cast<std::size_t>(b)] = law;
        kinds.law[static_cast<std::size_t>(b) * n + static_cast<std::size_t>(a)] = law;
        kinds.laws.push_back(std::move(sum));
      }
    for (const Use* use : group) {
      if (use->accuracy == 0.0) continue;
      setup.accuracy = use->accuracy;
      setup.range->alpha = EwaldSum::alpha(setup.range->cutoff, use->accuracy);
      setup.images.push_back({.strength = use->law.coulomb, .points = {}});
      for (const int point : use->among)
        setup.images.back().points.push_back(number_of_point.at(point));
      std::sort(setup.images.back().points.begin(), setup.images.back().points.end());
    }
    if (!kinds.laws.empty()) fields.emplace_back(std::move(setup));
  }
  return true;
}

}  // namespace taut
