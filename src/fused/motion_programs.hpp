// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formula/kernel.hpp"
#include "fused/straight_line.hpp"
#include "model/compiled_system.hpp"

namespace taut::fused {

/// What steps of a compiled model without compliant rows ask for, as programs that one system
/// goes through alone or many side by side. They are put together from the programs of the
/// elements, the sums of their results and the operations of Kkt, in the order in which
/// System::evaluate(), Accelerations and Projection have them: the same bits. What depends on
/// parameters alone is computed once for each system, by a prelude.
///
///   acceleration   q, v, t                -> a, λ, health, dependence, factors
///   constraints    q, v, t                -> g, G, g_t, as the three sets of Projection have them
///   solution       factors, s             -> x of Kkt::solve_constraint()
///   row            q, v, t, a, λ          -> T, U, observables, quantities, finite
class MotionPrograms {
 public:
  /// Of a compiled system; `quantities` may be null. Nothing where there is no such program, or it
  /// would be too long: `why` says so.
  [[nodiscard]] static std::shared_ptr<const MotionPrograms> make(
      const System& system, const std::optional<System>& quantities, std::string& why);
  /// The first of them alone.
  [[nodiscard]] static std::shared_ptr<const MotionPrograms> make_acceleration(
      const System& system);

  /// Registers of one program that are filled from outside; -1: not read.
  struct Inputs {
    std::vector<int> q, v, a, lambda, s;
    int t = -1;
    std::vector<std::pair<int, int>> given;    ///< register, number of what the prelude gives
    std::vector<std::pair<int, int>> factors;  ///< register, number of the factor
  };
  struct Part {
    formula::Program program;
    Inputs inputs;
  };
  struct Acceleration : Part {
    std::vector<int> a, lambda, factors;
    int health = -1;  ///< 1 where all is finite and the mass is sound
    /// 1 / Kkt::independence(), and the least of the same: where that is above 0, and the first
    /// below most_dependence, constraints are far from depending on each other.
    int dependence = -1, least_dependence = -1;
  };
  struct Constraints : Part {
    std::vector<int> g;                         ///< asked for alone
    std::vector<int> g_with, G_with, g_t_with;  ///< asked for together
    std::vector<int> G, g_t;                    ///< without g
    std::vector<int> G_alone;
  };
  struct Solution : Part {
    std::vector<int> x;
  };
  struct RowOf : Part {
    std::vector<int> observables, quantities;
    int kinetic = -1, potential = -1;
    int finite = -1;  ///< 0, or NaN
  };

  static constexpr double most_dependence = 0.99e6;

  Index nq = 0, nc = 0;
  Sparse G;  ///< pattern
  Acceleration acceleration;
  Constraints constraints;
  Solution solution;
  RowOf row;

  /// What the prelude gives for a system of the same compilation. False where that has found other
  /// programs for it.
  [[nodiscard]] bool given(const System& system, const std::optional<System>& quantities,
                           std::vector<double>& numbers, std::vector<double>& to) const;

 private:
  friend class ProgramMaker;
  // of what was traced
  std::weak_ptr<const void> compilation_;
  std::optional<std::weak_ptr<const void>> compilation_of_quantities_;
  std::vector<Needs> needs_;
  std::unique_ptr<const formula::Kernel> prelude_;
  std::vector<int> prelude_numbers_;  // which its inputs are
  std::vector<int> prelude_outputs_;
};

}  // namespace taut::fused
