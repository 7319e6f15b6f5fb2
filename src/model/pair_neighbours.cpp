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

/// For a denser moment, so that later lists are made without allocation.
template <class T>
void leave_room(std::vector<T>& list) {
  if (list.capacity() < list.size() + list.size() / 4) list.reserve(list.size() + list.size() / 2);
}

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

std::array<std::pair<int, int>, 2> PairList::Cells::near(int c, std::size_t axis,
                                                         std::size_t& n) const {
  const int cells = count[axis];
  n = 1;
  if (cells == 0)
    return {{{std::max(c - beside, -farthest_cell), std::min(c + beside, farthest_cell - 1)}}};
  if (cells <= 2 * beside + 1) return {{{0, cells - 1}}};
  const int from = c - beside, to = c + beside;
  if (from >= 0 && to < cells) return {{{from, to}}};
  n = 2;
  return {{{0, to % cells}, {(from + cells) % cells, cells - 1}}};
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

double PairList::reach_of(double cutoff) { return cutoff + skin_part * cutoff; }

bool PairList::update(const PairKinds& kinds, const PairReach& reach, const PairColumns& at,
                      Partners partners) {
  const std::size_t n = kinds.kind.size();
  if (is_current(at, n, skin_part * reach.range.cutoff)) return true;
  for (std::size_t i = 0; i < n; ++i)
    if (!std::isfinite(at.x[i]) || !std::isfinite(at.y[i]) || !std::isfinite(at.z[i])) return false;
  const double far = reach_of(reach.range.cutoff);
  const double width = far / Cells::beside;
  Cells cells{.edge = {reach.edge[0], reach.edge[1], reach.edge[2]},
              .width = {width, width, width}};
  for (std::size_t k = 0; k < 3; ++k)
    if (cells.edge[k] > 0.0)
      cells.count[k] = static_cast<int>(
          std::clamp<double>(std::floor(cells.edge[k] / width), 1.0, farthest_cell - 1));
  sort_by_cell(cells, at, n);
  chunks_.resize((n + chunk - 1) / chunk);
  share_work(static_cast<int>(chunks_.size()), [&](int k) {
    find_near(static_cast<std::size_t>(k), kinds, cells, far, at, partners);
  });
  turn_over(kinds);
  x_.assign(at.x, at.x + n);
  y_.assign(at.y, at.y + n);
  z_.assign(at.z, at.z + n);
  return true;
}

void PairList::sort_by_cell(const Cells& cells, const PairColumns& at, std::size_t n) {
  sorted_.resize(n);
  for (std::size_t i = 0; i < n; ++i)
    sorted_[i] = {Cells::key(cells.of({at.x[i], at.y[i], at.z[i]})), static_cast<int>(i)};
  std::sort(sorted_.begin(), sorted_.end());
  for (auto* column : {&sorted_x_, &sorted_y_, &sorted_z_}) column->resize(n);
  for (std::size_t place = 0; place < n; ++place) {
    const int i = sorted_[place].second;
    sorted_x_[place] = at.x[i];
    sorted_y_[place] = at.y[i];
    sorted_z_[place] = at.z[i];
  }
}

void PairList::find_near(std::size_t k, const PairKinds& kinds, const Cells& cells, double reach,
                         const PairColumns& at, Partners partners) {
  const PairKernel& kernel = pair_kernels().back();
  Chunk& to = chunks_[k];
  to.first.assign(1, 0);
  to.found.clear();
  to.places.resize(kinds.kind.size() + 8);
  const int begin = static_cast<int>(k) * chunk;
  const int end = std::min(begin + chunk, static_cast<int>(kinds.kind.size()));
  const auto first_of = [&](int x, int y, int z) {
    return std::lower_bound(sorted_.begin(), sorted_.end(), std::pair{Cells::key({x, y, z}), 0});
  };
  for (int j = begin; j < end; ++j) {
    const double here[3] = {at.x[j], at.y[j], at.z[j]};
    const auto& excluded = kinds.excluded[static_cast<std::size_t>(j)];
    const std::array<int, 3> cell = cells.of({here[0], here[1], here[2]});
    std::array<std::size_t, 3> runs{};
    const auto along_x = cells.near(cell[0], 0, runs[0]);
    const auto along_y = cells.near(cell[1], 1, runs[1]);
    const auto along_z = cells.near(cell[2], 2, runs[2]);
    const auto look_at = [&](int x, int y, const std::pair<int, int>& z) {
      const auto from = first_of(x, y, z.first) - sorted_.begin();
      const auto stop = std::lower_bound(sorted_.begin() + from, sorted_.end(),
                                         std::pair{Cells::key({x, y, z.second}) + 1, 0}) -
                        sorted_.begin();
      const PairColumns points{sorted_x_.data() + from, sorted_y_.data() + from,
                               sorted_z_.data() + from, nullptr};
      const int near = kernel.find_within(here, reach, cells.edge.data(),
                                          static_cast<int>(stop - from), points, to.places.data());
      for (int p = 0; p < near; ++p) {
        const int place = to.places[static_cast<std::size_t>(p)];
        const int i = sorted_[static_cast<std::size_t>(from + place)].second;
        if ((i < j || (partners == Partners::all && i > j)) && kinds.law_of(i, j) >= 0 &&
            !std::binary_search(excluded.begin(), excluded.end(), i))
          to.found.push_back(i);
      }
    };
    for (std::size_t a = 0; a < runs[0]; ++a)
      for (int x = along_x[a].first; x <= along_x[a].second; ++x)
        for (std::size_t b = 0; b < runs[1]; ++b)
          for (int y = along_y[b].first; y <= along_y[b].second; ++y)
            for (std::size_t c = 0; c < runs[2]; ++c) look_at(x, y, along_z[c]);
    to.first.push_back(static_cast<int>(to.found.size()));
  }
  leave_room(to.found);
}

/// From the lists in which each point stands to the lists themselves: written down in the order of
/// who finds them, they are sorted.
void PairList::turn_over(const PairKinds& kinds) {
  const std::size_t n = kinds.kind.size();
  first_partner_.assign(n + 1, 0);
  for (const Chunk& c : chunks_)
    for (const int i : c.found) ++first_partner_[static_cast<std::size_t>(i) + 1];
  for (std::size_t i = 0; i < n; ++i) first_partner_[i + 1] += first_partner_[i];
  const auto all = static_cast<std::size_t>(first_partner_[n]);
  partners_.resize(all);
  leave_room(partners_);
  for (std::size_t k = 0; k < chunks_.size(); ++k)
    for (std::size_t row = 0; row + 1 < chunks_[k].first.size(); ++row)
      for (int p = chunks_[k].first[row]; p < chunks_[k].first[row + 1]; ++p) {
        const int i = chunks_[k].found[static_cast<std::size_t>(p)];
        const int place = first_partner_[static_cast<std::size_t>(i)]++;
        partners_[static_cast<std::size_t>(place)] = static_cast<int>(k * chunk + row);
      }

  // one segment for each kind, whether or not the next kind has the same law: eight lanes begin
  // anew with each, and must not depend on who else is in the list
  first_segment_.assign(1, 0);
  segments_.clear();
  int place = 0;
  for (std::size_t i = 0; i < n; ++i) {
    int kind = -1;
    for (; place < first_partner_[i]; ++place) {
      const int j = partners_[static_cast<std::size_t>(place)];
      if (kinds.kind[static_cast<std::size_t>(j)] != kind)
        segments_.push_back({place, place, kinds.law_of(static_cast<int>(i), j)});
      kind = kinds.kind[static_cast<std::size_t>(j)];
      segments_.back().end = place + 1;
    }
    first_segment_.push_back(static_cast<int>(segments_.size()));
  }
  leave_room(segments_);
}

PairNeighbours PairList::neighbours(const PairKinds& kinds) const {
  return {.first = first_segment_.data(),
          .segments = segments_.data(),
          .partners = partners_.data(),
          .laws = kinds.laws.data()};
}

}  // namespace taut
