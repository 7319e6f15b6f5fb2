// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/core/state.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// The fastest rate at which a system changes by itself near a state [1/s], compliant rows as
/// springs: what bounds the steps of an explicit method. Estimated by power iteration with the
/// forces of the moment,
///
///   rate = max( sqrt(ρ(P M⁻¹K)), ρ(P M⁻¹D) )                                                 (1)
///
/// K and D the derivatives of M a - f + Gᵀλ by q and v, P the projection onto what the constraints
/// allow. All equations of `system` are rigid (see Accelerations). 0 where it cannot be evaluated.
/// Same input, same bits.
[[nodiscard]] double fastest_rate(const System& system, const State& state);

}  // namespace taut
