// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kkt.hpp"
#include "projections/projection.hpp"
#include "taut/core/counters.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/model/system.hpp"

namespace taut::sundials {

/// Moves a state that has drifted from g = 0 and G v + g_t = 0 onto both, along M⁻¹Gᵀ.
class OntoConstraints {
 public:
  /// Sizes everything.
  void prepare(const System& system);

  /// A run begins at `state`. What an earlier run left behind has no influence afterwards.
  [[nodiscard]] Status start(const System& system, const State& state);

  /// On failure `state` is spoiled. `kkt` is factorised at a point nearby.
  [[nodiscard]] Status operator()(const System& system, const Kkt& kkt, State& state);

  Counters counters;

 private:
  Projection projection_;
  Evaluation ev_;  // its G, of the last point, tells the rounding level of g
};

}  // namespace taut::sundials
