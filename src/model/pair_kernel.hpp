// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace taut {

/// What acts between two points at the distance r:
///
///   U = repulsion / r¹² - attraction / r⁶ + coulomb Q Q' / r + Σ strength r^exponent           (1)
///
/// Cut-offs of PairSwitch change it.
struct PairLaw {
  struct Power {
    double strength, exponent;
  };
  double repulsion = 0.0, attraction = 0.0, coulomb = 0.0;
  std::vector<Power> powers;
  std::string label;  ///< of the element that states it, for messages

  [[nodiscard]] bool has_lennard_jones() const { return repulsion != 0.0 || attraction != 0.0; }
  [[nodiscard]] bool is_zero() const {
    return !has_lennard_jones() && coulomb == 0.0 && powers.empty();
  }
};

/// The way to 0 at the cut-off. All terms of U but that of charges are multiplied by
///
///   S = 1 - x³ (10 - 15 x + 6 x²),   x = (r - from) / (cutoff - from) between 0 and 1          (2)
///
/// whose first and second derivatives are 0 at both ends. Charges of neutral molecules cannot be
/// switched off one by one: for a moment, what is left would not be neutral. They get the reaction
/// of a conductor that fills space beyond the cut-off c instead (barker1973),
///
///   coulomb Q Q' (1/r + r²/(2 c³) - 3/(2 c))                                                   (3)
///
/// whose value and first derivative are 0 at c; or, where all images count, the part of Ewald's sum
/// that ends there (model/ewald.hpp),
///
///   coulomb Q Q' (erfc(alpha r)/r - erfc(alpha c)/c)                                           (4)
struct PairSwitch {
  double from = 0.0, cutoff = 0.0;
  double alpha = 0.0;  ///< of Ewald's sum; 0: charges get (3)
};

/// Points as columns. Eight more entries than there are points can be read, whatever stands there.
struct PairColumns {
  const double *x, *y, *z, *charge;
};

/// Forces of points as columns, with eight more entries, and the energy.
struct PairSums {
  double *x, *y, *z;
  double energy = 0.0;
};

/// Partners begin .. end - 1 of a point, all with the same law.
struct PairSegment {
  int begin, end, law;
};

/// Every pair once: segments first[i] .. first[i + 1] - 1 are those of point i and hold partners
/// that stand after it.
struct PairTable {
  const int* first;
  const PairSegment* segments;
  const PairLaw* laws;
};

/// What ends at a cut-off, in the periodic box of these edges (0: none).
struct PairReach {
  PairSwitch range;
  double edge[3];
};

/// Partners that stand after each point, sorted, with segments of places in `partners`.
struct PairNeighbours {
  const int* first;
  const PairSegment* segments;
  const int* partners;
  const PairLaw* laws;
};

/// The loops over pairs, each of which is met once: it pulls both of its points. Compiled for one
/// instruction set. Sums run over eight lanes on every one of them and nothing is contracted: all
/// of them give the same bits.
struct PairKernel {
  /// Adds what acts in the pairs of points begin .. end - 1.
  void (*add_table)(const PairTable& table, int begin, int end, const PairColumns& at,
                    PairSums& to);
  /// The same with a cut-off. Pairs beyond it add 0.
  void (*add_table_within)(const PairTable& table, const PairReach& reach, int begin, int end,
                           const PairColumns& at, PairSums& to);
  /// The same for listed partners. Pairs beyond the cut-off are skipped, so that the sums do not
  /// depend on how many of them stand there.
  void (*add_neighbours)(const PairNeighbours& near, const PairReach& reach, int begin, int end,
                         const PairColumns& at, PairSums& to);
  /// Writes the places of those of n points whose nearest images are within `distance` of x, in
  /// ascending order, and says how many they are; there is room for eight more than n.
  int (*find_within)(const double* x, double distance, const double* edge, int n,
                     const PairColumns& at, int* places);
};

/// The kernels this machine can run, the best one last.
[[nodiscard]] const std::vector<PairKernel>& pair_kernels();

}  // namespace taut
