// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "taut/core/types.hpp"

namespace taut {

/// Solves  S λ = G M⁻¹r - s,  x = M⁻¹(r - Gᵀλ)  with  S = G M⁻¹Gᵀ + C  where M is diagonal and the
/// rows of G are the links of chains: each ties at most two joints, a joint is two (or three)
/// consecutive coordinates and is tied by at most two links, and no chain is closed. Rods in the
/// plane (or in space) are such links; S is then tridiagonal.
///
/// S is built, eliminated from both ends at once and solved with in one pass over the links, so
/// that only half of the divisions wait for one another; a second pass finds λ and x from the
/// middle outwards. Nothing allocates after analyse().
class LinkChain {
 public:
  /// True if M and G have these patterns; only then the others may be called.
  [[nodiscard]] bool analyse(const Sparse& M, const Sparse& G);

  /// Takes over the values of M > 0.
  void set_mass(const Sparse& M);

  /// False if a pivot is not greater than `tolerance` times its diagonal before elimination, or not
  /// finite; x and λ are then of no use. x must not be r, nor λ be s.
  [[nodiscard]] bool solve(const Sparse& G, const Vec& C, const Vec& r, const Vec& s, Vec& x,
                           Vec& lambda, double tolerance);

 private:
  /// Where a row has its entries of a joint, and the joint's first coordinate; -1: no joint there.
  struct End {
    int at = -1, first = -1;
  };
  /// A row of G in the order of its chain.
  struct Link {
    struct Stride {
      int row = 0, at = 0, first = 0;
      bool operator==(const Stride&) const = default;
    };
    int row = -1;
    End before, after;
    bool tied_before = false, tied_after = false;  // to the rows before and after, at these joints

    void advance(const Stride& stride, int times) {
      row += times * stride.row;
      before.at += times * stride.at;
      after.at += times * stride.at;
      before.first += times * stride.first;
      after.first += times * stride.first;
    }
  };
  /// Links that follow each other with a constant stride: a table of them would cost more time to
  /// read than all the rest.
  struct Run {
    Link first;
    Link::Stride stride;
    int count = 1;

    [[nodiscard]] Link link(int index) const {
      Link link = first;
      link.advance(stride, index);
      return link;
    }
  };
  /// Coordinates, and the rows that tie them with their places in G; -1: none.
  struct Joint {
    struct Tie {
      int at = -1, row = -1;
    };
    int first = -1;
    Tie one, two;
  };
  /// What a solve reads.
  struct Values {
    const double *G, *C, *r, *s;
  };
  struct Cursor;
  template <int width>
  class Elimination;
  template <int width>
  class Substitution;

  [[nodiscard]] bool find_joints(const Sparse& G, int width);
  [[nodiscard]] std::array<int, 2> joints_of(const Sparse& G, int row) const;
  [[nodiscard]] bool walk(const Sparse& G);
  void append(const Link& link);
  template <int width>
  [[nodiscard]] bool pass(const Values& values, double tolerance, double* x, double* lambda);

  int width_ = 0;
  std::vector<Run> runs_;  // between two that are none
  std::vector<Joint> joints_;
  std::vector<int> joint_of_;  // by coordinate: its joint, -1: none
  std::vector<int> free_;      // coordinates that nothing ties
  std::vector<double> inverse_mass_;
  std::vector<double> off_, inverse_;  // by link: entry of S to the link before, 1/pivot
};

}  // namespace taut
