// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "taut/methods/method.hpp"
#include "taut/model/compile.hpp"

namespace taut::papers::variational {

/// A model in the language of model files.
[[nodiscard]] CompiledModel compiled(const std::string& toml);

/// Section 4.1: two unit masses on rods of length 1 and sqrt 2, with the constraints written as
/// squares, g₁ = |x₁|² - 1, g₂ = |x₂ - x₁|² - 2, and gravity downwards: with the sign of V as it is
/// printed, gravity = 1, the motion starts near the inverted pendulum.
[[nodiscard]] CompiledModel double_pendulum(double gravity = -1.0);

/// The same in two angles: no constraints, M(q). A formulation of its own, for reference.
[[nodiscard]] CompiledModel double_pendulum_in_angles(double gravity = -1.0);
/// (x₁, y₁, x₂, y₂) from the angles.
[[nodiscard]] Vec bobs(const Vec& angles);

/// Section 4.2: n pendula of length sqrt 5, squares as constraints, hanging askew at rest.
[[nodiscard]] CompiledModel chain(int n);

/// Section 4.4: N bases on a ring, angles θ_k.
[[nodiscard]] CompiledModel dna(int N);

/// States after every step, the start included; ends early where a step fails or a velocity is
/// beyond 1e6.
struct Track {
  std::vector<State> states;
  bool whole = true;  ///< it reached the end
  [[nodiscard]] double end() const { return states.back().t; }
};
[[nodiscard]] Track track(const System& system, const State& start, Method method, double h,
                          double until);

/// States at multiples of h, each found to `tol` by a method that chooses its steps.
[[nodiscard]] Track reference(const System& system, const State& start, Method method, double h,
                              double until);

/// T + U
[[nodiscard]] double energy(const System& system, const State& at);
/// max |E - E(start)|
[[nodiscard]] double energy_error(const System& system, const Track& track);

/// λ of the equations of a rigid system at every state of a motion.
[[nodiscard]] std::vector<Vec> rigid_multipliers(const System& system, const Track& track);
/// λ = (g + d g')/C of springs, at every state.
[[nodiscard]] std::vector<Vec> spring_multipliers(const System& springs, const Track& track);
/// (8) over windows of `width` steps, by the trapezoidal rule: entry n for the window from state n.
[[nodiscard]] std::vector<Vec> window_averages(const std::vector<Vec>& values, std::size_t width);
/// max |values[n] - exact[n + shift]|
[[nodiscard]] double largest_error(const std::vector<Vec>& values, const std::vector<Vec>& exact,
                                   std::size_t shift);

/// A common step h of `fine` is every k-th of `coarse`: k = round(h_fine / h_coarse).
[[nodiscard]] std::size_t stride(const Track& fine, const Track& coarse);

}  // namespace taut::papers::variational
