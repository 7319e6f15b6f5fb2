// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include "coverage_tables.hpp"

namespace taut::papers {

std::span<const Covered> variational_coverage() {
  static constexpr std::array rows{
      Covered{
          "(2), (15)", "discrete Lagrangians", "docs/manual/linearly-implicit.md", "structure",
          "the methods are implemented as they follow from them; that they are variational shows "
          "as symplecticness and momentum maps"},
      Covered{"Integrator 1, (3)", "Zhang and Skeel's method", "src/methods/zhang_skeel.cpp",
              "figure1, structure"},
      Covered{"Integrator 2, (12)", "Newmark",
              "src/methods/newmark.cpp, src/methods/newmark_linear.cpp", "figure1, stability"},
      Covered{"Integrator 3, (13), (14)", "push-forward Newmark",
              "src/methods/push_forward_newmark.cpp", "figure1, structure"},
      Covered{"Integrator 4, (18)", "simplified", "src/methods/zhang_skeel_simplified.hpp",
              "figure1, structure"},
      Covered{"Integrator 5, (19)", "simplified for stiff systems",
              "src/methods/zhang_skeel_stiff.cpp", "water-rdf, water-conservation"},
      Covered{"Theorem 1.1", "stable, variational, order 2, symmetric",
              "papers/variational/item_structure.cpp", "structure, stability"},
      Covered{"Theorem 1.2, (8)-(11)", "penalty methods tend to multipliers",
              "papers/variational/item_figure2.cpp", "figure2, water-multipliers"},
      Covered{"(4)-(7)", "constraints and penalties", "src/readings/readings.cpp",
              "figure1, figure2"},
      Covered{"Theorem 2.1", "properties of the simplified method",
              "papers/variational/item_structure.cpp", "structure"},
      Covered{"Theorem 2.2", "linearly stable if and only if beta >= 1/4",
              "papers/variational/item_figure1.cpp", "stability"},
      Covered{"Theorem 2.3, Corollary 2.1", "consistency", "papers/variational/item_structure.cpp",
              "structure"},
      Covered{"Theorem 2.4, Corollary 2.2", "symmetry", "papers/variational/item_structure.cpp",
              "structure"},
      Covered{"Theorem 2.5, Lemma 2.1, Remark 2.2", "symplecticness",
              "papers/variational/item_structure.cpp", "structure"},
      Covered{"Remark 2.1", "higher orders by composition", "src/methods/composition.hpp",
              "structure"},
      Covered{"Remark 2.3", "nonlinear solves spoil symplecticness", "", "",
              "a remark; taut solves to rounding"},
      Covered{"Remark 3.1, (22)", "no strong convergence", "papers/variational/item_figure2.cpp",
              "figure2"},
      Covered{"section 4.1, Figure 1", "double pendulum", "papers/variational/item_figure1.cpp",
              "figure1, stability"},
      Covered{"section 4.1, Figure 2", "constraints and multipliers",
              "papers/variational/item_figure2.cpp", "figure2"},
      Covered{"section 4.1, running times", "", "papers/variational/item_cost.cpp", "cost",
              "the benchmark in generalized coordinates (91.3 s)"},
      Covered{"section 4.2, Figure 3", "chain of pendula", "papers/variational/item_chain.cpp",
              "chain, cost"},
      Covered{"section 4.3, (24)-(29)", "water and its heat bath",
              "papers/variational/water.cpp, src/methods/langevin.cpp", "water-rdf"},
      Covered{"Figure 4", "distances of oxygens, 7 waters", "papers/variational/item_water.cpp",
              "water-rdf"},
      Covered{"Figure 5", "multipliers of water", "papers/variational/item_water.cpp",
              "water-multipliers"},
      Covered{"Figure 6", "energy and momenta of water", "papers/variational/item_water.cpp",
              "water-conservation"},
      Covered{"Figure 7", "distances of oxygens, 100 waters", "papers/variational/item_water.cpp",
              "water-100, cost"},
      Covered{"(30)", "Hessians of functions of distances", "src/formula", "",
              "taut differentiates formulas itself"},
      Covered{"section 4.4, (31), Figure 8", "DNA", "papers/variational/item_dna.cpp", "dna, cost"},
      Covered{"section 4.5, (32)-(35)", "Lie group method", "papers/variational/so3_methods.cpp",
              "so3, cost"},
      Covered{"(36), (37), f_k", "linearized integrator on matrices",
              "papers/variational/so3_methods.cpp", "so3"},
      Covered{"Figure 9", "snapshots of the body", "papers/variational/item_so3.cpp", "so3",
              "as the path of the dipole; times of the snapshots are not stated"},
      Covered{"Figure 10", "energy, group structure, deviation", "papers/variational/item_so3.cpp",
              "so3"},
      Covered{"Lemmas 6.1, 6.2, (38)-(44)", "bounds and convergence of penalized motion",
              "papers/variational/item_figure2.cpp", "figure2",
              "the lemmas are steps of the proof of Theorem 1.2; Remark 6.1 is measured"},
      Covered{"Figure 11", "a sketch of the proof", "", "", "no numbers behind it"},
  };
  return rows;
}

}  // namespace taut::papers
