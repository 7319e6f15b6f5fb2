// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "core/block_mass.hpp"
#include "core/ldlt.hpp"
#include "core/link_chain.hpp"
#include "core/null_space.hpp"
#include "taut/core/status.hpp"
#include "taut/core/types.hpp"

namespace taut {

template <class Number>
class KktTrace;

/// Solves
///
///   [ M  Gᵀ ] [ x ]   [ r ]
///   [ G -C  ] [ λ ] = [ s ]       M symmetric positive definite, C = diag >= 0       (1)
///
/// The patterns of M (full symmetric: both triangles) and G (nc x nq) are fixed by analyse();
/// afterwards only their values change. M falls into the connected components of its pattern:
///
///   - components of at most 8 coordinates (point masses, bodies, most mechanisms): M = R Rᵀ by
///     components, Y = G R⁻ᵀ, and
///         S = G M⁻¹ Gᵀ + C = Y Yᵀ + C,      S λ = Y R⁻¹r - s,      x = R⁻ᵀ(R⁻¹r - Yᵀλ)     (2)
///     with S = L D Lᵀ; the products of (2) are listed once, in the order in which S is stored;
///   - larger ones (a chain of uniform bars, a pendulum in its angles): the whole matrix of (1)
///     is factorised, each constraint eliminated after all of its coordinates. Every leading block
///     then has the inertia of a quasi-definite matrix, so that no pivoting is needed.
///
/// Dependent constraints. S is positive semidefinite. A row j with C_j = 0 whose pivot is at most
/// 1e-11 times its diagonal before elimination depends on the rows before it: its gradient makes
/// an angle below about 3e-6 with their span, in the metric of M⁻¹. Where masses differ much, that
/// much is left of a pivot by rounding alone; of one below 1e-6 times the diagonal the vector n
/// that it stands for decides, S n = e_j:
///
///   |R⁻¹Gᵀn|² <= 1e-11 Σ_i n_i² S_ii                                                          (3)
///
/// A row of zeros is dependent, too. Rows with C_j > 0 never are: their pivot is at least C_j. With
/// dependent rows solve() drops what s contains along the null space of Gᵀ (the caller checks with
/// dependencies() whether s is consistent) and returns the λ of smallest Euclidean norm.
///
/// Cost: linear in the entries of G, plus the factorisation (see Ldlt); a chain of rods costs
/// about 20 ns per rod for factor_constraints() and solve_constraint() together.
/// Nothing allocates after analyse() unless the rank changes. The solves use scratch of the object:
/// one Kkt serves one thread. Same input, same bits.
///
/// Fails with mass_singular when M is not positive definite (mass_defect() says where) and with
/// non_finite; then it must be factorised again before it solves.
class Kkt {
 public:
  /// Symbolic work: takes patterns only, allocates everything. One that this thread has just
  /// analysed, and that is still there, or a copy of it, is taken over where its patterns are the
  /// same: a run needs a dozen.
  void analyse(const Sparse& M, const Sparse& G);

  /// Factorises M. A following factor_constraints() is needed before solve().
  [[nodiscard]] Status factor_mass(const Sparse& M);

  /// Factorises the constraints with the mass factor in place.
  [[nodiscard]] Status factor_constraints(const Sparse& G, const Vec& C);

  /// Both of the above.
  [[nodiscard]] Status factor(const Sparse& M, const Sparse& G, const Vec& C);

  /// M x = r. x and r may be the same object.
  void solve_mass(const Vec& r, Vec& x) const;

  /// Rᵀ x = z with M = R Rᵀ: independent z of variance 1 give x the covariance M⁻¹. Not the same
  /// objects.
  void half_solve_mass_transposed(const Vec& z, Vec& x) const;

  /// (1). x and r, λ and s may be the same objects.
  void solve(const Vec& r, const Vec& s, Vec& x, Vec& lambda) const;

  /// factor_constraints() and solve() in one, for a method that solves once with each G: where the
  /// rows are the links of chains (see LinkChain) it costs a third of the two. x must not be r, nor
  /// λ be s. Then only solve_mass() may be called until the constraints are factorised again.
  [[nodiscard]] Status factor_and_solve(const Sparse& G, const Vec& C, const Vec& r, const Vec& s,
                                        Vec& x, Vec& lambda);

  /// The same for the links of long chains alone, where every pivot is more than so much of its
  /// diagonal before elimination; else false, and nothing is known. Only solve_mass() may follow.
  [[nodiscard]] bool solve_chain(const Sparse& G, const Vec& C, const Vec& r, const Vec& s, Vec& x,
                                 Vec& lambda, double independence) {
    constexpr int fewest = 100;  // what is gained below is little, and rounds otherwise
    return is_chain_ && nc_ >= fewest && chain_.solve(G, C, r, s, x, lambda, independence);
  }

  /// (1) with r = 0, as a projection asks for. λ and s may be the same object.
  void solve_constraint(const Vec& s, Vec& x, Vec& lambda) const;

  /// Rank of S, found by the last factor_constraints().
  [[nodiscard]] Index rank() const { return nc_ - static_cast<Index>(dependent_.size()); }

  /// Rows whose pivot vanished, ascending; empty at full rank. Which row of a dependent group is
  /// listed depends on the order of elimination; dependencies() has the whole group.
  [[nodiscard]] const std::vector<int>& dependent() const { return dependent_; }

  /// As many rows, ascending, without which the others are far from depending on each other: those
  /// that stand for much in dependencies(). They are those of before as long as that holds.
  [[nodiscard]] const std::vector<int>& droppable() const { return droppable_; }
  /// These were the ones before.
  void prefer(std::vector<int> rows) { droppable_ = std::move(rows); }

  /// How far rows that are not dependent are from being so: the square of the sine of the smallest
  /// angle between the gradient of a row and those eliminated before it.
  [[nodiscard]] double independence() const {
    return nc_ == 0 ? 1.0 : factor_.smallest_pivot(whole_ ? -1 : 1);
  }

  /// One column n per dependent row, in the order of dependent(): Gᵀ n = 0, max |n| = 1.
  /// (Fewer columns only where they would hold more than 2^24 numbers; see NullSpace.)
  [[nodiscard]] const Mat& dependencies() const { return null_space_.vectors(); }

  /// Coordinate at which the last factor_mass() failed, or -1.
  [[nodiscard]] Index mass_defect() const { return mass_defect_; }

 private:
  template <class Number>
  friend class KktTrace;  // the same in other arithmetic

  // contribution to S[slot]: Y[a .. a + length) . Y[b .. b + length)
  struct Run {
    int slot, a, b, length;
  };
  // the part of a row of Y that belongs to one component of M
  struct Piece {
    int first, block;
  };

  struct Analysed;

  void make_room();
  void analyse_anew(const Sparse& M, const Sparse& G);
  void analyse_schur(const Sparse& G);
  void list_runs(const std::vector<int>& first_piece);
  void join_runs();
  void analyse_whole(const Sparse& M, const Sparse& G);
  void half_solve_rows(const Sparse& G);
  [[nodiscard]] bool assemble_and_factor(const Sparse& G, const Vec& C);
  [[nodiscard]] Status find_dependencies();
  void find_droppable();
  [[nodiscard]] bool settle_doubts(const Sparse& G, const Vec& C);
  [[nodiscard]] double dependence(const Sparse& G, const double* n) const;
  void solve_schur(const double* b, Vec& x, Vec& lambda) const;
  void solve_whole(Vec& x, Vec& lambda) const;

  std::shared_ptr<const Analysed> analysed_;

  int nq_ = 0, nc_ = 0;
  bool whole_ = false;  // factorise the matrix of (1) itself, not S
  Index mass_defect_ = -1;

  // (2): Y by rows over the places of BlockMass
  BlockMass mass_;
  std::vector<int> y_begin_, y_place_;
  std::vector<int> y_slot_;    // by entry of G; empty if M is diagonal and Y laid out as G
  std::vector<Piece> pieces_;  // of all rows; empty likewise
  std::vector<double> Y_;
  std::vector<Run> runs_;          // the first of each slot: assigned
  std::vector<Run> further_runs_;  // added
  std::vector<int> empty_slots_;   // fill

  // the whole matrix: coordinates 0 .. nq - 1, then constraints
  Ldlt mass_factor_;
  std::vector<double> M_;     // lower triangle of the last factor_mass()
  std::vector<int> M_entry_;  // its entries in M
  std::vector<int> M_slot_, M_slot_whole_, G_slot_whole_;
  std::vector<double> shift_;  // 0 for the coordinates, C for the constraints

  Ldlt factor_;                // of S, or of the whole matrix
  mutable Vec loads_, moved_;  // of dependence()
  LinkChain chain_;
  bool is_chain_ = false;
  std::vector<int> dependent_;
  std::vector<int> droppable_, chosen_;
  std::vector<int> cleared_;  // of suspicion, in this factor_constraints()
  Mat eliminated_;            // null space, by find_droppable()
  NullSpace null_space_;
  mutable std::vector<double> z_, b_, k_;  // nq, nc, nq + nc
};

}  // namespace taut
