// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "core/lu.hpp"
#include "curves/null_vector.hpp"
#include "taut/curves/jet_forms.hpp"

namespace taut {

/// The matrix (b | B) of k rows and 1 + n columns whose kernel spans a distribution, and scratch.
struct DistributionWork {
  Vec b;
  Vec size;  ///< of each row: that of the terms b is the sum of, and of B
  Sparse B;
  NullVector null;
  Mat A;           ///< square: the rows chosen
  Lu<double> lu;   ///< sparse: (2)
  Vec u;           ///< (v1, v^), any length
  Vec right_side;  ///< of square and sparse
};

/// Finds the kernel of (b | B), that is (v1, v^) with
///
///   b v1 + B v^ = 0,      B = d f / d y_q, n columns                                           (1)
///
/// by one of the ways of tuomela2005, section 5. The sparse one borders n independent rows by the
/// direction w of a point near by, which is regular at impasse points (where B alone is not):
///
///   B v^ + b v1 = 0,    w . (v^, v1) = 1                                                       (2)
///
/// Rows are divided by their size before ranks are judged.
class Distribution {
 public:
  /// What is known of (b | B) in advance.
  struct Rows {
    Sparse pattern;                 ///< of B
    std::vector<double> constants;  ///< of each entry: its value if it never changes, else NaN
    std::vector<std::string> names;
    std::vector<std::string> unknowns;  ///< names of the columns of B
  };

  Distribution() = default;
  Distribution(Rows rows, DistributionMethod wanted);

  /// Why the method that was asked for cannot be used; empty when it can.
  [[nodiscard]] const std::string& reason() const { return reason_; }
  [[nodiscard]] DistributionMethod method() const { return method_; }
  [[nodiscard]] const Rows& rows() const { return rows_; }
  /// Only b is read.
  [[nodiscard]] bool needs_b_alone() const {
    return method_ == DistributionMethod::explicit_solution;
  }
  /// Whether the choice of rows would gain from choose().
  [[nodiscard]] bool wants_choice() const;
  /// Chooses the n rows of square and sparse by elimination with full pivots, from values at one
  /// point; structure alone has chosen them before.
  void choose(const DistributionWork& work);

  void prepare(DistributionWork& work) const;

  /// (1) into work.u from what stands in b, size, B; work.u holds that of a point near by, or
  /// zeros.
  [[nodiscard]] Status solve(DistributionWork& work) const;

  /// Sign of det B, rows in the order of their names; 0 where B is singular, not square or large.
  [[nodiscard]] double orientation(const DistributionWork& work) const;

  /// What is wrong with (1), in words; empty when nothing is.
  [[nodiscard]] std::string explain(DistributionWork& work) const;

 private:
  void match();
  [[nodiscard]] bool find_explicit();
  static void fill(DistributionWork& work);
  [[nodiscard]] Status solve_square(DistributionWork& work) const;
  [[nodiscard]] Status solve_sparse(DistributionWork& work) const;

  Rows rows_;
  DistributionMethod method_ = DistributionMethod::automatic;
  std::string reason_;
  std::vector<int> row_of_;    // the row that determines unknown j
  std::vector<double> alone_;  // explicit: its constant coefficient
};

}  // namespace taut
