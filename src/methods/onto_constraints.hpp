// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/core/counters.hpp"
#include "taut/core/kkt.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/model/system.hpp"
#include "taut/projections/projection.hpp"

namespace taut::sundials {

/// Moves a state that has drifted from g = 0 and G v + g_t = 0 onto both, along M⁻¹Gᵀ.
class OntoConstraints {
 public:
  void start(const System& system);

  /// On failure `state` is spoiled. `kkt` is factorised at a point nearby.
  [[nodiscard]] Status operator()(const System& system, const Kkt& kkt, State& state);

  Counters counters;

 private:
  Projection projection_;
  Evaluation ev_;
};

}  // namespace taut::sundials
