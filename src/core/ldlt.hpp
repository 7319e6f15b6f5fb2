// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/adjacency.hpp"
#include "core/lu_fronts.hpp"

namespace taut {

template <class Number>
class KktTrace;

/// A = L D Lᵀ for a symmetric matrix of fixed pattern, eliminated in a given order without
/// pivoting: for positive semidefinite and quasi-definite matrices.
///
/// Column j of L is stored as [1/d_j, l_ij ...]; the entries of A are written into the same slots
/// (`slot`, once) and overwritten by the factor. By the number of updates  Σ c_j (c_j + 1)/2  with
/// c_j entries in column j the factorisation
///
///   a_ik -= l_ij d_j l_kj     for all i >= k in column j                                     (1)
///
/// is done right-looking with the slot of every a_ik stored (up to 3e6 updates: 4 bytes each),
/// left-looking over packed columns where that is less work than saved, and in fronts (see
/// FrontPlan) else: there in an order of the same fill, whose branches stand together.
///
/// Pivots. With σ_j the expected sign of d_j, a pivot is accepted if σ_j d_j > tolerance * its
/// reference. In the definite case (all signs +) the reference is a_jj before elimination, else
/// half the sum of the moduli of all terms of d_j, which is the same where d_j vanishes. Otherwise
/// d_j is replaced: by its floor where one > 0 is given (a bound known from elsewhere), else by the
/// reference (1 if that is 0), and the row is listed in replaced().
///
/// Nothing allocates after analyse(). solve() uses scratch of the object: one thread each.
class Ldlt {
 public:
  struct Tolerance {
    double positive;        ///< for rows with sign +1
    double negative;        ///< for rows with sign -1
    double doubtful = 0.0;  ///< pivots up to this part of their reference are listed in doubtful()
  };
  struct Replaced {
    int row;       ///< in the numbering of the matrix
    double pivot;  ///< what stands there instead, with its sign
  };

  /// `order[k]` is the row eliminated as k-th; an empty `sign` means all +1.
  /// Throws std::length_error if L has more entries than an int can number.
  void analyse(const Adjacency& pattern, const std::vector<int>& order,
               const std::vector<signed char>& sign = {});

  /// For lists that grow while it factorises: a copy has only room for what they hold.
  void make_room();

  [[nodiscard]] int size() const { return static_cast<int>(order_.size()); }

  /// Where a_ij (= a_ji) stands in values(); it must be in the pattern, or i == j.
  [[nodiscard]] int slot(int i, int j) const;

  /// Values of A to be filled in: all of them before each factor(), zeros included. Only slots
  /// without an entry of A need set_zero() where the others are assigned to.
  void set_zero();
  [[nodiscard]] double* values() { return values_.data(); }

  /// Factorises A + diag(σ_j shift_j), with A as it stands in values(). `shift` is empty or has one
  /// number >= 0 per row; where A is semidefinite (or has the inertia of σ), |d_j| >= shift_j.
  /// Returns false on a pivot that is not finite, the last in replaced(); the factor is then
  /// unusable.
  [[nodiscard]] bool factor(Tolerance tolerance, std::span<const double> shift = {});

  /// Rows whose pivots were accepted but are small, in order of elimination.
  [[nodiscard]] const std::vector<int>& doubtful() const { return doubtful_; }

  /// From now on the pivot of this row is replaced where it is doubtful, too; or as of others.
  void suspect(int row, bool suspected) { suspected_[position_[row]] = suspected; }
  [[nodiscard]] bool suspects(int row) const { return suspected_[position_[row]]; }

  /// Of the pivot of a row, in the last factor(): see above.
  [[nodiscard]] double reference(int row) const {
    const double sum = reference_[position_[row]];
    return sign_.empty() ? sum : 0.5 * sum;
  }

  /// Smallest ratio of a pivot to its reference in the last factor(), over rows of one sign that
  /// were not replaced; 1 without such rows.
  [[nodiscard]] double smallest_pivot(int sign) const;

  /// Rows that did not have an acceptable pivot, in order of elimination.
  [[nodiscard]] const std::vector<Replaced>& replaced() const { return replaced_; }

  /// A x = b; b and x may be the same.
  void solve(const double* b, double* x) const;

  /// Fᵀ x = b with A = F Fᵀ, for pivots > 0. F is L sqrt(D) in the order of elimination; b is taken
  /// in that order, x in the numbering of the matrix.
  void half_solve_transposed(const double* b, double* x) const;

  [[nodiscard]] std::size_t entries() const { return values_.size(); }
  [[nodiscard]] double updates() const { return updates_; }

 private:
  template <class Number>
  friend class KktTrace;  // the same in other arithmetic

  enum class Layout { slots, fronts, packed };

  template <bool definite>
  bool factor_slots();
  bool factor_fronts();
  template <bool definite>
  bool factor_packed();
  template <bool definite>
  bool accept(int j, double& d);
  [[gnu::cold]] bool replace(int j, double sign, double reference, double& d);
  void take_order(const std::vector<int>& order, const std::vector<signed char>& sign);
  void list_entries(const Adjacency& pattern);
  void list_targets();

  Layout layout_ = Layout::slots;
  double updates_ = 0.0;
  std::vector<int> order_, position_;  // position_[order_[k]] = k
  std::vector<signed char> sign_;      // by position; empty: all +1
  std::vector<std::size_t> target_begin_;
  std::vector<int> begin_, row_;  // columns of L by position; row_[begin_[j]] = j
  std::vector<int> target_;       // (1): slot of a_ik for k, then i >= k, of column j
  std::vector<double> values_;
  std::vector<double> reference_;  // by position
  std::vector<double> pivot_;      // d_j where the left-looking loops need it
  FrontPlan plan_;
  LuFronts<double> fronts_;
  std::vector<Replaced> replaced_;
  std::vector<int> doubtful_;
  std::vector<bool> suspected_;  // by position
  Tolerance tolerance_{};
  std::span<const double> shift_;  // during factor()
  mutable std::vector<double> work_;
};

}  // namespace taut
