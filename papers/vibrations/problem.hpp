// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "taut/core/state.hpp"
#include "taut/model/system.hpp"

namespace taut::papers::vibrations {

inline constexpr double gravity = 9.8;  // [m/s²]
inline constexpr double vmax = 4.0;     // largest velocity of the pivot [m/s]
inline constexpr double until = 1.0;    // every experiment ends here [s]

/// Section 2: the pendulum on a vibrated pivot, q its angle from the upward vertical,
///
///   q'' = (g + a) sin(q) / l,     a = vmax ω cos θ,   θ = ω t                                (2.2)
///
/// as a model.
inline constexpr double pendulum_length = 0.2;  // [m]
[[nodiscard]] System inverted_pendulum(double omega);
[[nodiscard]] State inverted_start();  ///< q = 0.5, at rest

/// Its averaged motion  Q'' = F(Q),  F = (g/l - vmax²/(2 l²) cos Q) sin Q            (2.5), (2.6)
[[nodiscard]] double averaged_force(double Q);
[[nodiscard]] System averaged_pendulum();

/// Section 4: two masses on rods, x = (x₁, y₁, x₂, y₂) seen from the pivot, as a model with the
/// paper's constraints  |r₁|² - l₁²,  |r₂ - r₁|² - l₂²:
///
///   m_i x_i'' = (g'ᵀΛ)_x,    m_i y_i'' = -m_i (g + a) + (g'ᵀΛ)_y                             (4.3)
///
/// The multipliers Λ of the paper are those of taut with the other sign.
inline constexpr double mass1 = 0.01, mass2 = 0.005;   // [kg]
inline constexpr double length1 = 0.2, length2 = 0.1;  // [m]
[[nodiscard]] System double_pendulum(double omega);
[[nodiscard]] State double_start();  ///< at rest at the angles 0.5 and 0

/// Angles of the rods from the upward vertical.
struct Angles {
  double q1 = 0.0, q2 = 0.0;
};
[[nodiscard]] Angles angles(const Vec& x);

/// A model that is part of the program.
[[nodiscard]] System compiled(const std::string& toml);

/// States at t = n until/steps, n = 0, ..., steps, by dop853 to a tolerance; NaN from where it
/// failed.
[[nodiscard]] std::vector<State> motion(const System& system, const State& from, int steps,
                                        double tol);

/// NaN everywhere: what a computation that failed has to show.
[[nodiscard]] State no_state(Index nq);

}  // namespace taut::papers::vibrations
