// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include "coverage_tables.hpp"

namespace taut::papers {

std::span<const Covered> slow_manifolds_coverage() {
  static constexpr std::array rows{
      Covered{"(1), (2), (3)", "stiff system, its DAE, the potential", "src/readings/readings.cpp",
              "figure2, figure3"},
      Covered{"Remark 1", "starting on the constraints leaves O(1/omega) in p",
              "papers/slow_manifolds/item_analysis.cpp", "analysis, figure3"},
      Covered{"Remark 2, (4)", "omega^2 g tends to the multiplier",
              "papers/slow_manifolds/item_multipliers.cpp", "multipliers"},
      Covered{"(5)-(8)", "linear example", "papers/slow_manifolds/problem.cpp", "linear, analysis"},
      Covered{"section 2.3, (9)", "a single spring", "papers/slow_manifolds/problem.cpp", "",
              "used by the tests of the collocation reference, which meets its closed form"},
      Covered{
          "section 2.4", "bounded derivative principle", "src/slow/slow_expansion.cpp", "",
          "taut's own start `--via expansion` is this idea; the paper computes nothing with it"},
      Covered{"section 3.1, (10)-(12), Lemmas 3.1, 3.2", "kernels",
              "src/filters/averaging_kernel.cpp", "kernels"},
      Covered{"section 3.2, (13), (14)", "the algorithm IPA", "src/slow/iterated_projection.cpp",
              "table1, points"},
      Covered{"section 4.1, (15), (16)", "damping of oscillations",
              "papers/slow_manifolds/item_linear.cpp", "linear"},
      Covered{"(17), (18), (19)", "how many iterations, and what they leave",
              "papers/slow_manifolds/item_analysis.cpp", "analysis"},
      Covered{"section 4.2", "the glide along the constraints",
              "papers/slow_manifolds/item_analysis.cpp", "analysis"},
      Covered{"section 4.3, (20)-(28)", "the general case: drift of order kappa^2",
              "papers/slow_manifolds/item_analysis.cpp", "analysis"},
      Covered{"Figure 1", "a sketch of both manifolds", "", "", "no numbers behind it"},
      Covered{"section 5.1", "two springs; of different stiffness; with gravity",
              "papers/slow_manifolds/problem.cpp", "table1, analysis"},
      Covered{"section 5.2", "kernel, window, micro-steps, tolerances",
              "papers/slow_manifolds/recipe.cpp", "table1, kernels"},
      Covered{"Table 1", "the constraints while the projection iterates",
              "papers/slow_manifolds/item_table1.cpp", "table1"},
      Covered{"(29)-(36)", "points and their projections", "papers/slow_manifolds/item_points.cpp",
              "points"},
      Covered{"section 5.4", "Lagrange multipliers", "src/slow/multiplier_extrapolation.cpp",
              "multipliers"},
      Covered{"section 6.1, Figure 2", "RATTLE on the DAE", "src/methods/rattle.cpp", "figure2"},
      Covered{"section 6.2, Figure 3", "an Adams code from the constraints",
              "papers/slow_manifolds/adams.cpp", "figure3"},
      Covered{"section 6.3, Figure 4", "the same from the slow manifold",
              "papers/slow_manifolds/adams.cpp", "figure4"},
      Covered{"section 6.3, implicit codes", "the load of ode15s, ode23s, ode23t, ode23tb",
              "papers/slow_manifolds/item_analysis.cpp", "analysis",
              "CVODE and ARKODE stand in; that ode23t differs: there is no trapezoidal rule with "
              "step control at hand"},
      Covered{"section 6.4, Figure 5", "projected at t = 1, ..., 9",
              "papers/slow_manifolds/slow_solution.cpp", "figure5"},
      Covered{"section 6.5, (37), (38), Figure 6", "Runge-Kutta with projections",
              "papers/slow_manifolds/slow_solution.cpp, src/slow/filtered_flow.cpp", "figure6"},
  };
  return rows;
}

}  // namespace taut::papers
