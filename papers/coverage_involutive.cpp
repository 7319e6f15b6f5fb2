// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include "coverage_tables.hpp"

namespace taut::papers {

std::span<const Covered> involutive_coverage() {
  static constexpr std::array rows{
      Covered{"(2.1), (2.2)", "covariant derivatives, geodesics", "", "",
              "notation; nothing is computed with them"},
      Covered{"Lemmas 2.1, 2.2, 2.3, (2.3)", "inertia of block matrices", "", "",
              "cited or immediate; they say why S has few eigenvalues of the wrong sign"},
      Covered{"Definitions 1, 2, (2.4)-(2.6)",
              "differential systems and their solutions as integral manifolds",
              "include/taut/model/jet_system.hpp, include/taut/curves/curve.hpp",
              "tables1-4, impasse"},
      Covered{"(3.1)", "Runge-Kutta methods with projection",
              "src/curves/curve_integrator_step.cpp",
              "tables1-4, tables5-6, tables7-10, tables11-12"},
      Covered{"(3.2), (4.1)", "orthogonal projection as a system of equations",
              "src/curves/curve_projection.cpp", "curves, energy"},
      Covered{"(3.3), (3.4)", "the distribution as a null space", "src/curves/distribution.cpp",
              "tables1-4, tables5-6"},
      Covered{"(3.5), (3.6)", "systems with invariants", "src/curves/jet_forms.cpp",
              "tables1-4, tables5-6, tables7-10, tables11-12"},
      Covered{"(3.7), (3.8), (3.9)", "holonomic systems", "src/curves/holonomic.cpp",
              "table13, table14, table15"},
      Covered{"Algorithm 4.1", "Newton's method", "src/curves/curve_projection.cpp", "tables1-4"},
      Covered{"Algorithm 4.2", "inexact Newton", "src/curves/curve_projection_inexact.cpp",
              "inexact, tables1-4"},
      Covered{"Theorem 4.1", "its convergence", "papers/involutive/item_inexact.cpp", "inexact"},
      Covered{"(4.2), (4.3), Algorithms 4.3, 4.4, 4.5", "block solves with the Schur complement",
              "src/curves/curve_projection_inexact.cpp, src/curves/krylov.cpp",
              "inexact, tables5-6, table14"},
      Covered{"Algorithms 4.6, 4.7", "initialization and the whole method",
              "src/curves/curve_projection_inexact.cpp", "tables1-4, tables5-6, speedups"},
      Covered{"(4.4), (4.5)", "the holonomic Jacobian", "src/curves/holonomic_system_rows.cpp",
              "table13, table14, table15"},
      Covered{"Algorithm 5.1", "the distribution by a square system", "src/curves/distribution.cpp",
              "tables1-4, tables7-10, tables11-12"},
      Covered{"(5.1), Algorithm 5.2", "the null vector by conjugate gradients on the sphere",
              "src/curves/null_vector.cpp", "",
              "no run of the paper uses it; a unit test compares it with the singular value "
              "decomposition"},
      Covered{"Algorithm 5.3", "the distribution of the holonomic case",
              "src/curves/distribution.cpp", "table13, table14, table15"},
      Covered{"section 6.1", "step control, stopping criterion, accuracies",
              "src/curves/curve_integrator.cpp, papers/involutive/published_run.cpp",
              "tables1-4, inexact"},
      Covered{"(6.1)-(6.3)", "rigid body with dissipation", "papers/involutive/problem.cpp",
              "tables1-4, curves"},
      Covered{"(6.4)-(6.6)", "two phase plug flow", "papers/involutive/problem.cpp",
              "tables5-6, impasse"},
      Covered{"(6.7)-(6.11)", "particle in a magnetic field", "papers/involutive/problem.cpp",
              "tables7-10, curves"},
      Covered{"(6.12)", "magnetohydrodynamics", "papers/involutive/problem.cpp",
              "tables11-12, curves"},
      Covered{"(6.13), section 6.2.5", "mechanical chain", "papers/involutive/problem.cpp",
              "table13, table14, table15, energy"},
      Covered{"Tables 1, 2, 3, 4", "rigid body", "papers/involutive/item_tables.cpp", "tables1-4"},
      Covered{"Tables 5, 6", "plug flow", "papers/involutive/item_tables.cpp", "tables5-6"},
      Covered{"Tables 7, 8, 9, 10", "magnetic field", "papers/involutive/item_tables.cpp",
              "tables7-10"},
      Covered{"Tables 11, 12", "magnetohydrodynamics", "papers/involutive/item_tables.cpp",
              "tables11-12"},
      Covered{"Tables 13, 14, 15", "chains of 6, 24 and 50",
              "papers/involutive/item_mechanical.cpp", "table13, table14, table15"},
      Covered{"sections 6.3.1-6.3.5, percentages",
              "what initialization, invariants and inexact "
              "Newton save",
              "papers/involutive/item_inexact.cpp", "speedups"},
      Covered{"Figures 1, 4, 5", "solution curves", "papers/involutive/item_curves.cpp", "curves"},
      Covered{"Figures 2, 3", "the impasse point", "papers/involutive/item_impasse.cpp", "impasse"},
      Covered{"Figures 6, 8", "energy of the chains", "papers/involutive/item_mechanical.cpp",
              "energy"},
      Covered{"Figures 7, 9, 10, 11", "the chain of 24: start, steps, end",
              "papers/involutive/item_mechanical.cpp", "large-chain",
              "shapes of the paper's own start, which is not printed"},
  };
  return rows;
}

}  // namespace taut::papers
