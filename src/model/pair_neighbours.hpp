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

/// The points near each point, those that stand after it or all of them, found through cells and
/// kept while nobody has moved by more than half of a skin around the cut-off. Cost grows with the
/// number of points.
///
/// The list says which pairs are looked at, no more: those within the cut-off are always among
/// them and come in the order of their numbers, so that what is summed does not depend on when the
/// list was made.
class PairList {
 public:
  static constexpr int chunk = 256;  ///< points whose neighbours are found together
  /// Whether each pair stands in the list once, or with each of its points.
  enum class Partners { after, all };

  /// Makes the list anew where points have moved too far; false when one of them is nowhere
  /// (not a finite number).
  [[nodiscard]] bool update(const PairKinds& kinds, const PairReach& reach, const PairColumns& at,
                            Partners partners = Partners::after);

  /// Of all points; `laws` and what acts at the cut-off as in update().
  [[nodiscard]] PairNeighbours neighbours(const PairKinds& kinds) const;

  /// How far a list looks with this cut-off.
  [[nodiscard]] static double reach_of(double cutoff);

 private:
  /// The points near each point of a chunk in whose lists it stands.
  struct Chunk {
    std::vector<int> first;  // of each point
    std::vector<int> found;
    std::vector<int> places;  // scratch: of the points in cells
  };
  /// Cells of at least half of what a list looks at, in space or in the box.
  struct Cells {
    static constexpr int beside = 2;  // cells on either side hold all that is near
    std::array<double, 3> edge{}, width{};
    std::array<int, 3> count{};  // in a box; 0: no box
    [[nodiscard]] std::array<int, 3> of(const std::array<double, 3>& x) const;
    [[nodiscard]] static std::uint64_t key(const std::array<int, 3>& cell);
    /// First and last of runs of cells near c along an axis; `n` runs.
    [[nodiscard]] std::array<std::pair<int, int>, 2> near(int c, std::size_t axis,
                                                          std::size_t& n) const;
  };

  [[nodiscard]] bool is_current(const PairColumns& at, std::size_t n, double skin) const;
  void sort_by_cell(const Cells& cells, const PairColumns& at, std::size_t n);
  void find_near(std::size_t k, const PairKinds& kinds, const Cells& cells, double reach,
                 const PairColumns& at, Partners partners);
  void turn_over(const PairKinds& kinds);

  std::vector<double> x_, y_, z_;                       // where the list was made
  std::vector<std::pair<std::uint64_t, int>> sorted_;   // points by cell,
  std::vector<double> sorted_x_, sorted_y_, sorted_z_;  // and where they are
  std::vector<Chunk> chunks_;
  std::vector<int> first_partner_, partners_;
  std::vector<int> first_segment_;
  std::vector<PairSegment> segments_;
};

}  // namespace taut
