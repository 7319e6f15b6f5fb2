// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../shown.hpp"
#include "taut/methods/method.hpp"
#include "taut/model/compile.hpp"

namespace taut::papers::variational {

/// Units of energy for which section 4.3 may be read; it names none.
enum class Units { kcal_per_mol, electronvolt };

/// Section 4.3: N rigid molecules of water, TIP3P, without any other constraint, on a lattice.
[[nodiscard]] CompiledModel waters(int N, Units units);

/// The same with the penalty of (26), ω²/2 (r² - L²)², in place of the constraints. taut's rod has
/// g = (r² - L²)/(2L): its compliance is 1/(4 L² ω²), another one for each length.
[[nodiscard]] CompiledModel penalized_waters(int N, Units units, double omega);

/// The state of lowest energy: molecules are warmed and cooled slowly, then lose what they have.
[[nodiscard]] State coldest(const System& rigid_waters, Units units);

/// `kT` after some time in a heat bath, from a state at rest.
[[nodiscard]] State warmed(const System& rigid_waters, const State& cold, double kT);

/// The rows of figure 4 in one system of units, from runs of this length: radial distributions of
/// several methods against that of RATTLE, temperatures.
[[nodiscard]] Shown water_distributions(Units units, double until);

/// Σ m x × v about the origin.
[[nodiscard]] Vec angular_momentum(const System& system, const State& state);
/// Σ m v
[[nodiscard]] Vec linear_momentum(const System& system, const State& state);

}  // namespace taut::papers::variational
