// SPDX-License-Identifier: BSD-3-Clause
#include "model/pair_neighbours.hpp"

#include <algorithm>
#include <cmath>

#include "core/workers.hpp"

namespace taut {
namespace {

constexpr double skin_part = 0.15;      // of the cut-off
constexpr int farthest_cell = 1 << 20;  // cells beyond are one: neighbours stay neighbours
constexpr int cell_bits = 21;

}  // namespace

std::array<int, 3> PairList::Cells::of(const std::array<double, 3>& x) const {
  std::array<int, 3> cell{};
  for (std::size_t k = 0; k < 3; ++k) {
    if (count[k] > 0) {
      const double turns = x[k] / edge[k];
      const double part = (turns - std::floor(turns)) * count[k];
      cell[k] = std::min(static_cast<int>(part), count[k] - 1);
    } else {
      const double c = std::floor(x[k] / width[k]);
      cell[k] = static_cast<int>(std::clamp<double>(c, -farthest_cell, farthest_cell - 1));
    }
  }
  return cell;
}

std::uint64_t PairList::Cells::key(const std::array<int, 3>& cell) {
  std::uint64_t result = 0;
  for (const int c : cell)
    result = (result << cell_bits) | static_cast<std::uint64_t>(c + farthest_cell);
  return result;
}

std::array<int, 3> PairList::Cells::beside(int c, std::size_t axis, int& n) const {
  const int cells = count[axis];
  n = 0;
  std::array<int, 3> result{};
  const auto add = [&](int cell) {
    // a box of one or two cells meets the same one twice
    if (std::find(result.begin(), result.begin() + n, cell) == result.begin() + n)
      result[static_cast<std::size_t>(n++)] = cell;
  };
  for (const int step : {-1, 0, 1}) {
    if (cells > 0)
      add((c + step + cells) % cells);
    else if (c + step >= -farthest_cell && c + step < farthest_cell)
      add(c + step);
  }
  return result;
}

bool PairList::is_current(const PairColumns& at, std::size_t n, double skin) const {
  if (x_.size() != n) return false;
  const double limit = skin * skin / 4.0;
  bool near = true;
  for (std::size_t i = 0; i < n; ++i) {
    const double dx = at.x[i] - x_[i];
    const double dy = at.y[i] - y_[i];
    const double dz = at.z[i] - z_[i];
    near &= dx * dx + dy * dy + dz * dz < limit;  // false for what is not a number
  }
  return near;
}

bool PairList::update(const PairKinds& kinds, const PairSwitch& range,
                      const std::array<double, 3>& edge, const PairColumns& at) {
  const std::size_t n = kinds.kind.size();
  const double skin = skin_part * range.cutoff;
  if (is_current(at, n, skin)) return true;
  for (std::size_t i = 0; i < n; ++i)
    if (!std::isfinite(at.x[i]) || !std::isfinite(at.y[i]) || !std::isfinite(at.z[i])) return false;

  const double reach = range.cutoff + skin;
  Cells cells{.edge = edge, .width = {reach, reach, reach}};
  for (std::size_t k = 0; k < 3; ++k)
    if (edge[k] > 0.0)
      cells.count[k] =
          static_cast<int>(std::clamp<double>(std::floor(edge[k] / reach), 1.0, farthest_cell - 1));
  sorted_.resize(n);
  for (std::size_t i = 0; i < n; ++i)
    sorted_[i] = {Cells::key(cells.of({at.x[i], at.y[i], at.z[i]})), static_cast<int>(i)};
  std::sort(sorted_.begin(), sorted_.end());
  chunks_.resize((n + chunk - 1) / chunk);
  share_work(static_cast<int>(chunks_.size()),
             [&](int k) { make_chunk(static_cast<std::size_t>(k), kinds, cells, reach, at); });
  x_.assign(at.x, at.x + n);
  y_.assign(at.y, at.y + n);
  z_.assign(at.z, at.z + n);
  return true;
}

void PairList::make_chunk(std::size_t k, const PairKinds& kinds, const Cells& cells, double reach,
                          const PairColumns& at) {
  Chunk& to = chunks_[k];
  to.first.assign(1, 0);
  to.segments.clear();
  to.partners.clear();
  const int begin = static_cast<int>(k) * chunk;
  const int end = std::min(begin + chunk, static_cast<int>(kinds.kind.size()));
  const auto image = [&](double d, std::size_t axis) {
    const double edge = cells.edge[axis];
    return edge > 0.0 ? d - edge * std::nearbyint(d / edge) : d;
  };
  const auto consider = [&](int i, int j) {
    if (j == i || kinds.law_of(i, j) < 0) return;
    const double dx = image(at.x[i] - at.x[j], 0);
    const double dy = image(at.y[i] - at.y[j], 1);
    const double dz = image(at.z[i] - at.z[j], 2);
    if (!(dx * dx + dy * dy + dz * dz < reach * reach)) return;
    const auto& excluded = kinds.excluded[static_cast<std::size_t>(i)];
    if (!std::binary_search(excluded.begin(), excluded.end(), j)) to.partners.push_back(j);
  };
  for (int i = begin; i < end; ++i) {
    const auto first = static_cast<std::ptrdiff_t>(to.partners.size());
    const std::array<int, 3> cell = cells.of({at.x[i], at.y[i], at.z[i]});
    std::array<int, 3> n{};
    const auto x = cells.beside(cell[0], 0, n[0]);
    const auto y = cells.beside(cell[1], 1, n[1]);
    const auto z = cells.beside(cell[2], 2, n[2]);
    for (int a = 0; a < n[0]; ++a)
      for (int b = 0; b < n[1]; ++b)
        for (int c = 0; c < n[2]; ++c) {
          const std::uint64_t key =
              Cells::key({x[static_cast<std::size_t>(a)], y[static_cast<std::size_t>(b)],
                          z[static_cast<std::size_t>(c)]});
          auto it = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair{key, 0});
          for (; it != sorted_.end() && it->first == key; ++it) consider(i, it->second);
        }
    std::sort(to.partners.begin() + first, to.partners.end());
    // one segment for each kind, whether or not the next kind has the same law: eight lanes begin
    // anew with each, and must not depend on who else is in the list
    int kind = -1;
    for (auto p = static_cast<std::size_t>(first); p < to.partners.size(); ++p) {
      const int j = to.partners[p];
      const int place = static_cast<int>(p);
      if (kinds.kind[static_cast<std::size_t>(j)] != kind)
        to.segments.push_back({place, place, kinds.law_of(i, j)});
      kind = kinds.kind[static_cast<std::size_t>(j)];
      to.segments.back().end = place + 1;
    }
    to.first.push_back(static_cast<int>(to.segments.size()));
  }
  // room for a denser moment, so that later lists are made without allocation
  to.partners.reserve(to.partners.size() + to.partners.size() / 2);
  to.segments.reserve(to.segments.size() + to.segments.size() / 2);
}

PairNeighbours PairList::neighbours(int k, const PairKinds& kinds, const PairSwitch& range,
                                    const std::array<double, 3>& edge) const {
  const Chunk& c = chunks_[static_cast<std::size_t>(k)];
  return {.first = c.first.data(),
          .segments = c.segments.data(),
          .partners = c.partners.data(),
          .laws = kinds.laws.data(),
          .range = range,
          .edge = {edge[0], edge[1], edge[2]}};
}

}  // namespace taut
