// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/pair_kernel.hpp"

namespace taut {

/// What acts between points of a field, before anything is known of where they are. Points stand
/// sorted by kind; which law holds depends on the kinds of both.
struct PairKinds {
  std::vector<int> kind;  ///< of each point
  int kinds = 0;
  std::vector<int> law;  ///< of kinds (k, k') at [k * kinds + k']; -1: none
  std::vector<PairLaw> laws;
  std::vector<std::vector<int>> excluded;  ///< partners of each point that are left out, sorted

  [[nodiscard]] int law_of(int i, int j) const {
    return law[static_cast<std::size_t>(kind[static_cast<std::size_t>(i)]) *
                   static_cast<std::size_t>(kinds) +
               static_cast<std::size_t>(kind[static_cast<std::size_t>(j)])];
  }
};

/// The points near each point, found through cells and kept while nobody has moved by more than
/// half of a skin around the cut-off. Cost grows with the number of points.
///
/// The list says which pairs are looked at, no more: those within the cut-off are always among
/// them and come in the order of their numbers, so that what is summed does not depend on when the
/// list was made.
class PairList {
 public:
  static constexpr int chunk = 256;  ///< points whose neighbours stand together

  /// Makes the list anew where points have moved too far; false when one of them is nowhere
  /// (not a finite number).
  bool update(const PairKinds& kinds, const PairSwitch& range, const std::array<double, 3>& edge,
              const PairColumns& at);

  [[nodiscard]] int chunks() const { return static_cast<int>(chunks_.size()); }
  /// Neighbours of the points chunk k .. of the field; `laws` and `range` as in update().
  [[nodiscard]] PairNeighbours neighbours(int k, const PairKinds& kinds, const PairSwitch& range,
                                          const std::array<double, 3>& edge) const;

 private:
  struct Chunk {
    std::vector<int> first;  // segments of each point
    std::vector<PairSegment> segments;
    std::vector<int> partners;
  };
  /// Cells of at least the cut-off and the skin, in space or in the box.
  struct Cells {
    std::array<double, 3> edge{}, width{};
    std::array<int, 3> count{};  // in a box; 0: no box
    [[nodiscard]] std::array<int, 3> of(const std::array<double, 3>& x) const;
    [[nodiscard]] static std::uint64_t key(const std::array<int, 3>& cell);
    /// Numbers of the cells beside and including c along an axis; `n` of them.
    [[nodiscard]] std::array<int, 3> beside(int c, std::size_t axis, int& n) const;
  };

  [[nodiscard]] bool is_current(const PairColumns& at, std::size_t n, double skin) const;
  void make_chunk(std::size_t k, const PairKinds& kinds, const Cells& cells, double reach,
                  const PairColumns& at);

  std::vector<double> x_, y_, z_;                      // where the list was made
  std::vector<std::pair<std::uint64_t, int>> sorted_;  // points by cell
  std::vector<Chunk> chunks_;
};

}  // namespace taut
