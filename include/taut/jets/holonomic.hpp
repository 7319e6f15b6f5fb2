// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/core/state.hpp"
#include "taut/jets/jet_forms.hpp"
#include "taut/model/system.hpp"

namespace taut {

struct HolonomicOptions {
  bool energy = false;     ///< T + U = const is one more equation
  bool invariants = true;  ///< so are the invariants of the model
  DistributionMethod distribution = DistributionMethod::automatic;
};

/// The curve of a mechanical system with rigid constraints (tuomela2005, 3.3): p = (t, q, v),
///
///   f = ( G v + g_t,  g,  I(q, v, t) - I(start) ),     V ~ (1, v, a)                           (1)
///   M a + Gᵀλ = f,   G a = -curvature                                                         (2)
///
/// Constants of invariants are those of `start`, which is consistent.
[[nodiscard]] CurveForm holonomic_form(const System& system, const State& start,
                                       const HolonomicOptions& options = {});

}  // namespace taut
