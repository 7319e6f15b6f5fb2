// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "problem.hpp"
#include "taut/model/system.hpp"

namespace taut::papers::vibrations {

/// The averaged motion of the double pendulum as ω grows, without any micro-simulation: the energy
/// of the vibration acts as a potential. In the angles, with the mass matrix A(q), and
/// b = d(m₁ y₁ + m₂ y₂)/dq, by which the pivot's acceleration enters,
///
///   A q'' + ... = -dU/dq,    U = gravity + (vmax²/4) bᵀ A⁻¹ b                                  (1)
///   bᵀ A⁻¹ b = m (m s₁² - 2 m₂ s₁ s₂ c + m₂ s₂²) / (m - m₂ c²)                               (2)
///
/// m = m₁ + m₂,  s_i = sin q_i,  c = cos(q₁ - q₂). For a single rod (1) is (2.6).
[[nodiscard]] System effective_double_pendulum();
[[nodiscard]] State effective_start();

/// Multipliers that go with (1), in the paper's sign. The averaged force holds the constraint
/// forces of the vibration already, so that only the curvature of the averaged path is left:
///
///   g' M⁻¹ g'ᵀ Λ = -g''[V, V]                                                                 (3)
[[nodiscard]] std::array<double, 2> effective_multipliers(const State& in_angles);

}  // namespace taut::papers::vibrations
