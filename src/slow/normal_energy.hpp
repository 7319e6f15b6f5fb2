// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/accelerations.hpp"
#include "taut/core/state.hpp"

namespace taut {

/// How much compliant constraints vibrate at a state. Of the energy of vibration
///
///   E = Σ (g - Cλ)²/C + uᵀ (G M⁻¹Gᵀ)⁻¹ u,    u = G v + g_t,                                    (1)
///
/// with λ of the rigid motion and both terms over compliant rows beyond their rounding, the measure
/// is E / Σ C λ². It is 1 at rest where g = 0, and of the order of C on the slow manifold; it does
/// not change while a system vibrates without damping, unless energy comes in.
/// Cost: one evaluation and two KKT solves.
class NormalEnergy {
 public:
  /// Sizes everything; rows of `system` are equations, compliant ones included.
  [[nodiscard]] Status start(const System& system);

  /// E and Σ C λ² at a state.
  [[nodiscard]] Status operator()(const System& system, const State& at);
  [[nodiscard]] double energy() const { return energy_; }
  [[nodiscard]] double stretch() const { return stretch_; }

 private:
  Accelerations accelerations_;
  Evaluation ev_;
  Vec scale_, a_, lambda_, u_, x_, mu_;
  double energy_ = 0.0, stretch_ = 0.0;
};

}  // namespace taut
