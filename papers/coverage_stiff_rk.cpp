// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include "coverage_tables.hpp"

namespace taut::papers {

std::span<const Covered> stiff_rk_coverage() {
  static constexpr std::array rows{
      Covered{"(1.1), (1.2)", "stiff and rigid pendulum", "papers/stiff_rk/problem.cpp",
              "plateau, newton"},
      Covered{"(2.1)-(2.3)", "stiff mechanical systems", "papers/stiff_rk/problem.cpp", "orders"},
      Covered{"Lemma 2.1, (2.4), (2.5)", "coordinates in which the potential is a square", "", "",
              "a tool of proofs; nothing is computed with it"},
      Covered{"Theorem 2.2, (2.6)", "smooth motion and its expansion",
              "papers/stiff_rk/slow_manifold.cpp, src/slow/smooth_start.cpp", "start"},
      Covered{"(2.7)-(2.9), (2.17)-(2.24)", "the constraints behind U, the proof of Theorem 2.2",
              "", "", "steps of a proof; what it proves is measured"},
      Covered{"(2.10)-(2.16), (2.25)", "equations of the expansion's coefficients",
              "papers/stiff_rk/slow_manifold.cpp", "start, expansion"},
      Covered{"(3.1), (3.2)", "Runge-Kutta methods for second-order equations",
              "papers/stiff_rk/fixed_step.cpp, src/methods/radau.cpp", "orders"},
      Covered{"(3.3)-(3.6)", "stability function, conditions, stage order",
              "src/tableaux/implicit_tableaux.hpp", "damping, orders"},
      Covered{"Theorem 3.1, (3.7)", "errors from a smooth start", "papers/stiff_rk/item_orders.cpp",
              "orders, plateau"},
      Covered{"Theorem 3.2, (3.8), first term", "damping off the smooth motion",
              "papers/stiff_rk/damping.cpp", "damping"},
      Covered{"Theorem 3.2, (3.8), second term", "what is left after damping",
              "papers/stiff_rk/item_expansion.cpp", "expansion"},
      Covered{"Theorem 4.1, (4.1), (4.2)", "errors at index 3", "papers/stiff_rk/item_orders.cpp",
              "orders"},
      Covered{"Theorem 4.2, (4.3)-(4.8)", "errors at index 2k + 3",
              "papers/stiff_rk/item_expansion.cpp", "expansion, orders",
              "k > 2: the third coefficient is below rounding"},
      Covered{"Lemma 5.1, (5.1)-(5.5)", "existence and bounded accelerations of the stages",
              "papers/stiff_rk/item_expansion.cpp", "expansion"},
      Covered{"Lemma 5.2, (5.6)-(5.10)", "influence of perturbations on the stages",
              "papers/stiff_rk/item_expansion.cpp", "expansion"},
      Covered{"Lemma 5.3, (5.11)-(5.15)", "error after one step", "papers/stiff_rk/damping.cpp",
              "damping"},
      Covered{"Lemma 5.4, (5.16)-(5.21)", "error propagation", "papers/stiff_rk/item_expansion.cpp",
              "expansion, damping"},
      Covered{"Theorem 6.1, Lemma 6.2, (3.9), (6.1)-(6.6)", "expansion of the numerical solution",
              "papers/stiff_rk/item_expansion.cpp", "expansion",
              "the defect of Lemma 6.2 is a step of the proof"},
      Covered{"Theorem 7.1, (7.1)-(7.12)", "an invariant manifold theorem", "", "",
              "cited; a tool of the proof"},
      Covered{"section 8 (i)", "error estimation",
              "papers/stiff_rk/adaptive.cpp, src/methods/radau_estimate.cpp", "estimator"},
      Covered{"Lemma 8.1, (8.1), (8.2)", "modified Newton under step size restrictions",
              "papers/stiff_rk/newton.cpp", "newton, estimator"},
      Covered{"(8.3)", "Jacobian at the stages of the constrained problem",
              "papers/stiff_rk/newton.cpp", "newton"},
      Covered{"(8.4)", "the augmented form",
              "papers/stiff_rk/newton.cpp, src/methods/radau_newton.cpp", "newton, estimator"},
      Covered{"Lemma 8.2, (8.5)-(8.10)", "only gradient and Hessian known",
              "papers/stiff_rk/general_potential.cpp, src/methods/stiff_potential.cpp",
              "general-potential"},
      Covered{"section 8, standard software", "CVODE, ARKODE, IDA", "papers/stiff_rk/software.cpp",
              "software"},
      Covered{"section 1, strong damping", "the limit of index 2",
              "papers/stiff_rk/item_expansion.cpp", "expansion"},
  };
  return rows;
}

}  // namespace taut::papers
