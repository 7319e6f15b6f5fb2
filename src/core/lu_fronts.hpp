// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "core/front_loops.hpp"
#include "core/front_plan.hpp"
#include "core/lu_plan.hpp"
#include "core/lu_scalar.hpp"

namespace taut {

/// What is to become of the pivot of an unknown of a symmetric matrix.
class PivotRule {
 public:
  /// `terms`: the sum of the moduli of what was subtracted from it. May replace it; false ends the
  /// factorisation.
  [[nodiscard]] virtual bool take(int unknown, double& d, double terms) = 0;

 protected:
  ~PivotRule() = default;
};

/// A = L D U by the fronts of a plan, with ones on the diagonals of L and U; where A is symmetric
/// to 1e-13 in the scale s of Lu, U = Lᵀ, which is half of the work.
///
/// Within a front the coordinates are eliminated in their order, then the constraints that are
/// there:
///
///   d_k = a_kk,   l_ik = a_ik / d_k,   u_kj = a_kj / d_k,   a_ij -= l_ik d_k u_kj             (1)
///
/// Minus the pivot of a constraint is what the coordinates that went before it make of G M⁻¹Gᵀ. It
/// is eliminated as soon as |d_c| >= s_c²/100, in a net mostly after the first of its two points;
/// where all of its coordinates are gone, as soon as |d_c| >= s_c²/10 000. Those go first. Others
/// wait for the front above: what makes their pivot small is that constraints with coordinates
/// still to come went before them. In the last front (4) of Lu is all that is asked for. That
/// leaves half of the multiplications of an order fixed beforehand, in which each constraint has to
/// follow all of its coordinates. Depends on the values alone.
template <class Scalar>
class LuFronts {
 public:
  void analyse(const LuPlan& plan);
  /// False if a pivot fails the test (4) of Lu, or a number is not finite.
  [[nodiscard]] bool factor(const LuPlan& plan, const Scalar* values, const double* scale);
  void solve(Scalar* b) const {
    solve_lower(b);
    solve_upper(b, false);
  }

  /// The same for a plan of a symmetric matrix and its entries, with a rule for its pivots.
  void analyse(const FrontPlan& plan);
  [[nodiscard]] bool factor(const FrontPlan& plan, const Scalar* entries, PivotRule& rule);
  /// Lᵀ x = b in place.
  void solve_transposed(Scalar* b) const { solve_upper(b, true); }

  [[nodiscard]] bool symmetric() const { return symmetric_; }

 private:
  static constexpr int planes = is_complex<Scalar> ? 2 : 1;
  static constexpr int width = 48;  // pivots whose products are subtracted at once

  using Columns = front_loops::Columns;
  using Weights = front_loops::Weights;

  /// Numbers that begin where a line of the cache does.
  class Numbers {
   public:
    /// At least so many; those that are there remain.
    void need(std::size_t count) {
      if (count > 8 * lines_.size()) lines_.resize(count / 8 + count / 64 + 1);
    }
    /// Room for so many, as far as they will be needed.
    void expect(std::size_t count) { lines_.reserve(count / 8 + 1); }
    [[nodiscard]] double* data() const {
      return const_cast<double*>(reinterpret_cast<const double*>(lines_.data()));
    }

   private:
    struct alignas(64) Line {
      double x[8];
    };
    std::vector<Line> lines_;
  };

  struct Kept {
    std::size_t row, number, pivot;  // in row_, factor_, inverse_
    int rows, pivots;
  };
  // what a front leaves for the one above it: packed columns of what is below the diagonal, at
  // `number` in stack_; constraints first
  struct Left {
    std::size_t row, number, terms;
    int rows, constraints;
  };

  void begin(const FrontPlan& plan);
  [[nodiscard]] bool accept(int j, double scale, double smallest);
  void divide(int j, int depth, Scalar inverse);
  void gather(const Kept& kept, const Scalar* b) const;
  void solve_lower(Scalar* b) const;
  void solve_upper(Scalar* b, bool divided) const;
  [[nodiscard]] static bool is_symmetric(const LuPlan& plan, const Scalar* values,
                                         const double* scale);
  void assemble(const FrontPlan& plan, int f, const Scalar* values);
  void make_room();
  void add_left(const FrontPlan& plan, int f, const FrontPlan::Front& below, const Left& left,
                int first_waiting);
  [[nodiscard]] bool eliminate(const FrontPlan& plan, int f, const double* scale);
  [[nodiscard]] bool take_pivot(int j, int first, double scale, double smallest);
  [[nodiscard]] double least_pivot(const FrontPlan& plan, int f, int unknown) const;
  void complete_ones_first(const FrontPlan& plan, int f);
  void save(int j);
  void restore(int j);
  void subtract(int first);
  void exchange(int a, int b, int first);
  void keep(const FrontPlan& plan, int f);

  [[nodiscard]] Columns columns(int side) const {
    const std::ptrdiff_t plane = ld_ * (rows_ + 8);
    return {front_.data() + side * planes * plane, ld_, plane};
  }
  [[nodiscard]] double* weights(int side) const {
    return weights_.data() + static_cast<std::ptrdiff_t>(side) * planes * weight_plane();
  }
  [[nodiscard]] std::ptrdiff_t weight_plane() const {
    return static_cast<std::ptrdiff_t>(rows_ + 8) * width;
  }
  [[nodiscard]] static Scalar at(const double* x, std::ptrdiff_t plane);
  static void put(Scalar value, double* x, std::ptrdiff_t plane);
  static void add(Scalar value, double* x, std::ptrdiff_t plane);

  int nq_ = 0, most_rows_ = 0;  // the latter in any front of the last factorisation
  bool symmetric_ = false;
  PivotRule* rule_ = nullptr;  // during factor()

  // the front at hand: what is on and below the diagonal (side 0) and the transposed of what is
  // above it (side 1)
  int rows_ = 0, pivots_ = 0, candidates_ = 0;
  std::ptrdiff_t ld_ = 0;
  std::size_t first_row_ = 0;
  Numbers front_, weights_, saved_;
  std::vector<double> inverse_scale_;
  std::vector<double> terms_, terms_left_;  // for the rule: at hand, and of what is left
  std::vector<int> map_;

  std::vector<Kept> kept_;
  std::vector<int> row_;  // unknowns of all fronts
  Numbers factor_;
  std::vector<Scalar> inverse_;  // 1 / d
  std::vector<Left> left_;
  Numbers stack_;
  std::size_t stack_end_ = 0, factor_end_ = 0;
  mutable Numbers local_;
};

}  // namespace taut
