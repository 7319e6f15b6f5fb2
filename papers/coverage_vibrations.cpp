// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include "coverage_tables.hpp"

namespace taut::papers {

std::span<const Covered> vibrations_coverage() {
  static constexpr std::array rows{
      Covered{"(2.1)-(2.3)", "pendulum on a vibrated pivot", "papers/vibrations/problem.cpp",
              "figure2.1"},
      Covered{"(2.4)-(2.7)", "the motion and its average", "papers/vibrations/true_motion.cpp",
              "figure2.1, averaged"},
      Covered{"(2.8)", "Taylor expansion behind (2.6)", "papers/vibrations/problem.cpp", "averaged",
              "a step of the derivation; its result is measured"},
      Covered{"Figure 2.1", "angle and velocity at omega = 200",
              "papers/vibrations/item_figure2_1.cpp", "figure2.1"},
      Covered{"Algorithm 1, (2.9)-(2.13)", "synchronous method", "papers/vibrations/algorithm1.cpp",
              "table2.1"},
      Covered{"Figures 2.2, 2.3", "sketches of both methods", "", "", "no numbers behind them"},
      Covered{"Table 2.1", "synchronous, exponential kernel", "papers/vibrations/item_tables.cpp",
              "table2.1"},
      Covered{"column \"Averaged\"", "Verlet on (2.5)", "papers/vibrations/item_averaged.cpp",
              "averaged"},
      Covered{"Algorithm 2, (2.14), (2.15)", "asynchronous method",
              "src/averaged/averaged_system.cpp, src/averaged/micro_simulation.cpp", "table2.2"},
      Covered{"Table 2.2", "asynchronous, exponential kernel", "papers/vibrations/item_tables.cpp",
              "table2.2"},
      Covered{"(2.16)", "simple filter", "src/averaged/micro_simulation.cpp", "table2.3"},
      Covered{"(2.17)", "what it leaves of even oscillations",
              "papers/vibrations/item_formulas.cpp", "formulas"},
      Covered{"Table 2.3", "asynchronous, simple filter", "papers/vibrations/item_tables.cpp",
              "table2.3"},
      Covered{"section 2.5", "Algorithm 2 is symplectic and reversible, Algorithm 1 neither",
              "papers/vibrations/item_formulas.cpp", "formulas"},
      Covered{"(3.1)-(3.8)", "general systems and their averaged force",
              "src/averaged/averaged.cpp, src/averaged/averaged_velocity.cpp", "formulas"},
      Covered{"section 3.2", "further extensions", "src/averaged/averaged_plan.cpp", "",
              "nothing is computed in the paper"},
      Covered{"(4.1)-(4.5)", "constrained systems", "papers/vibrations/problem.cpp", "figure4.1"},
      Covered{"section 4.2", "SHAKE-SHAKE",
              "src/averaged/averaged_system.cpp, src/methods/shake.cpp", "figure4.1"},
      Covered{"Figure 4.1", "double pendulum", "papers/vibrations/item_figure4_1.cpp", "figure4.1"},
      Covered{"section 4.3, (4.6)", "RATTLE-SHAKE", "src/methods/rattle.cpp", "figure4.1"},
      Covered{"section 4.3, Jay's pair", "Lobatto IIIA/IIIB", "papers/vibrations/jay.cpp", "jay"},
      Covered{"Appendix A", "the slow variable", "papers/vibrations/item_formulas.cpp", "formulas"},
      Covered{"Appendix B, (B.1), (B.2)", "averaged force of constrained systems",
              "papers/vibrations/item_formulas.cpp, papers/vibrations/effective.cpp",
              "formulas, figure4.1, improved"},
  };
  return rows;
}

}  // namespace taut::papers
