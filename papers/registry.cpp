// SPDX-License-Identifier: BSD-3-Clause
#include "registry.hpp"

#include <array>

#include "independent.hpp"
#include "involutive/items.hpp"
#include "slow_manifolds/items.hpp"
#include "stiff_rk/items.hpp"
#include "variational/items.hpp"
#include "vibrations/items.hpp"

namespace taut::papers {
namespace {

constexpr std::array all_topics{
    Topic{"involutive", "systems with all their equations: curves on manifolds of jets",
          "tuomela2005"},
    Topic{"slow-manifolds", "projecting onto the slow manifold of a stiff mechanical system",
          "ariel2012"},
    Topic{"stiff-rk", "stiff mechanical systems by implicit Runge-Kutta methods", "lubich1993"},
    Topic{"variational", "linearly implicit and variational methods, constraints as stiff springs",
          "tao2016"},
    Topic{"vibrations", "averaged motion of systems that are shaken fast", "calvo2010"},
};

constexpr std::array all_items{
    Item{"involutive", "tables1-4", "Tables 1-4: a rigid body with dissipation",
         involutive::tables1_4},
    Item{"involutive", "tables5-6", "Tables 5-6: two phase plug flow", involutive::tables5_6},
    Item{"involutive", "tables7-10", "Tables 7-10: a particle in a magnetic field",
         involutive::tables7_10},
    Item{"involutive", "tables11-12", "Tables 11-12: magnetohydrodynamics in space",
         involutive::tables11_12},
    Item{"involutive", "table13", "Table 13: a chain of 6 particles", involutive::table13},
    Item{"involutive", "table14", "Table 14: a chain of 24 particles", involutive::table14},
    Item{"involutive", "table15", "Table 15: a chain of 50 particles", involutive::table15},
    Item{"involutive", "inexact", "what was tried for inexact Newton, and Theorem 4.1",
         involutive::inexact},
    Item{"involutive", "curves", "Figures 1, 4, 5: solution curves", involutive::curves},
    Item{"involutive", "impasse", "Figures 2, 3: up to an impasse point, and through it",
         involutive::impasse},
    Item{"involutive", "energy", "Figures 6, 8: energy, kept and not", involutive::energy},
    Item{"involutive", "large-chain", "Figures 7, 9, 10, 11: the chain of 24",
         involutive::large_chain},
    Item{"involutive", "speedups", "what initialization, invariants and inexact Newton save",
         involutive::speedups},
    Item{"slow-manifolds", "table1", "Table 1: the constraints while the projection iterates",
         slow_manifolds::table1},
    Item{"slow-manifolds", "points", "(33)-(36): slow points near a point of the constraints",
         slow_manifolds::points},
    Item{"slow-manifolds", "multipliers", "section 5.4: multipliers from slow points",
         slow_manifolds::multipliers},
    Item{"slow-manifolds", "figure2", "section 6.1: RATTLE on the constrained system",
         slow_manifolds::figure2},
    Item{"slow-manifolds", "figure3", "section 6.2: an Adams code from the constraint manifold",
         slow_manifolds::figure3},
    Item{"slow-manifolds", "figure4", "section 6.3: the same from the slow manifold",
         slow_manifolds::figure4},
    Item{"slow-manifolds", "figure5", "section 6.4: the same, projected at t = 1, ..., 9",
         slow_manifolds::figure5},
    Item{"slow-manifolds", "figure6", "section 6.5: Runge-Kutta with a projection at every stage",
         slow_manifolds::figure6},
    Item{"slow-manifolds", "linear", "problem (5), whose slow solution is known",
         slow_manifolds::linear},
    Item{"slow-manifolds", "analysis", "Remark 1 and section 4: glide, drift, iterations",
         slow_manifolds::analysis},
    Item{"slow-manifolds", "kernels", "kernels and discrete filters: moments, damping, length",
         slow_manifolds::kernels},
    Item{"stiff-rk", "orders", "Theorems 3.1 and 4.1: orders of every method, and of three forms",
         stiff_rk::orders},
    Item{"stiff-rk", "plateau", "errors of Radau IIA over h and epsilon", stiff_rk::plateau},
    Item{"stiff-rk", "damping", "Theorem 3.2: how fast a start off the smooth motion is forgotten",
         stiff_rk::damping},
    Item{
        "stiff-rk", "expansion",
        "Theorems 3.2, 4.2, 6.1, Lemmas 5.1-5.4: expansion in eps^2, perturbations, strong damping",
        stiff_rk::expansion},
    Item{"stiff-rk", "start", "Theorem 2.2: starting values on the manifold of smooth motion",
         stiff_rk::start},
    Item{"stiff-rk", "newton", "Lemma 8.1: step sizes for which Newton's method converges",
         stiff_rk::newton},
    Item{"stiff-rk", "estimator", "Section 8 (i): steps taken with three error estimates",
         stiff_rk::estimator},
    Item{"stiff-rk", "general-potential", "Lemma 8.2: only gradient and Hessian of U are known",
         stiff_rk::general_potential},
    Item{"stiff-rk", "software", "Section 8: CVODE, ARKODE and IDA on the stiff pendulum",
         stiff_rk::software},
    Item{"variational", "figure1", "Figure 1: errors of nine methods on the double pendulum",
         variational::figure1},
    Item{"variational", "stability", "section 4.1, Theorem 2.2: what is stable, and for which beta",
         variational::stability},
    Item{"variational", "figure2", "Figure 2, Theorem 1.2: constraints and multipliers of springs",
         variational::figure2},
    Item{"variational", "chain", "Figure 3: a chain of pendula", variational::chain},
    Item{"variational", "water-rdf", "Figure 4: distances of oxygens in seven warm waters",
         variational::water_rdf},
    Item{"variational", "water-100", "Figure 7: distances of oxygens in a hundred waters",
         variational::water_100},
    Item{"variational", "water-multipliers", "Figure 5: multipliers of seven waters",
         variational::water_multipliers},
    Item{"variational", "water-conservation", "Figure 6: energy and momenta of seven waters",
         variational::water_conservation},
    Item{"variational", "dna", "Figure 8: transitions of a DNA model, 24 starts", variational::dna},
    Item{"variational", "so3", "Section 4.5: a magnetized body, as a matrix and on SO(3)",
         variational::so3},
    Item{"variational", "structure", "Theorems 1.1, 2.1: symplectic form, reversal, orders",
         variational::structure},
    Item{"variational", "cost", "running times, as ratios measured now", variational::cost},
    Item{"vibrations", "table2.1", "Table 2.1: the synchronous method, exponential kernel",
         vibrations::table2_1},
    Item{"vibrations", "table2.2", "Table 2.2: the asynchronous method, exponential kernel",
         vibrations::table2_2},
    Item{"vibrations", "table2.3", "Table 2.3: the asynchronous method, simple filter",
         vibrations::table2_3},
    Item{"vibrations", "averaged", "the column \"Averaged\", and the averaged force (2.6)",
         vibrations::averaged_equation},
    Item{"vibrations", "figure2.1", "Figure 2.1: a motion and its average", vibrations::figure2_1},
    Item{"vibrations", "figure4.1", "Figure 4.1: double pendulum by SHAKE-SHAKE and RATTLE-SHAKE",
         vibrations::figure4_1},
    Item{"vibrations", "formulas", "(2.17), (3.7), section 2.5, Appendices A and B",
         vibrations::formulas},
    Item{"vibrations", "improved", "opposite phases and extrapolation in the micro-step",
         vibrations::improved},
    Item{"vibrations", "jay", "section 4.3: the Lobatto IIIA/IIIB pair", vibrations::jay},
};

}  // namespace

std::span<const Topic> topics() { return all_topics; }
std::span<const Item> items() { return all_items; }

Shown computed(const Item& item) {
  Shown shown = item.compute();
  add_independent(item.topic, item.name, shown.rows);
  return shown;
}

}  // namespace taut::papers
