// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "macro_run.hpp"

namespace taut::papers::vibrations {

/// The Lobatto IIIA/IIIB pair with three stages for  M q'' = f(q) - G(q)ᵀ λ,  g(q) = 0, M constant.
/// IIIA takes positions, IIIB velocities; with a = M⁻¹ (f - Gᵀ λ) of each stage (Q₁ = q₀, Q₃ = q₁)
///
///   Q₂ = q₀ + h/2 v₀ + h² (a₁/12 + a₂/24)                                                   (1)
///   q₁ = q₀ + h v₀ + h² (a₁/6 + a₂/3)                                                       (2)
///   v₁ = v₀ + h (a₁ + 4 a₂ + a₃)/6                                                          (3)
///   g(Q₂) = 0,   g(q₁) = 0,   G(q₁) v₁ = 0                                                  (4)
///
/// which determine λ₁, λ₂, λ₃. (1), (2) hold because the last column of IIIB is zero: velocities
/// of the stages are not needed. Order 4, symmetric, symplectic, on the manifold in position and
/// velocity. λ₁, λ₂ by simplified Newton steps with G₁ for both stages, contracting like O(h),
/// until g is rounding; λ₃ is linear. NaN from where that does not converge.
/// Reference: jay1996.
[[nodiscard]] MacroRun run_jay(const System& system, const State& from, int steps);

}  // namespace taut::papers::vibrations
