// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "filters/filter.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// Frequencies of the fast vibrations of a system, or why they cannot be told from slow ones.
struct FastBand {
  Status status = Status::ok;
  std::string reason;
  Band band;
};

/// Where a system vibrates fast, near a state.
///
/// Compliant constraints vibrate with the frequencies
///
///   w² = eigenvalues of  C^-½ S C^-½,     S = G M⁻¹Gᵀ                                         (1)
///
/// of which the lowest and the highest are found by Lanczos iteration on (1) and on its inverse:
/// cost linear in the elements. The forces that constraints already carry are left out of (1), so
/// that it holds also where they are stretched a lot. All constraints are then compliant and
/// independent.
///
/// Without compliant constraints the fast vibrations are those of a stiff potential: the
/// frequencies of small vibrations (see frequencies()) are cut where two neighbours are farthest
/// apart, by a factor of at least `gap`. Where some directions do not vibrate, |v|/|q| stands for
/// how fast motion along them is. Where all frequencies are alike, they are fast compared with
/// none, and it fails.
[[nodiscard]] FastBand fast_band(const System& equations, const State& state, double gap = 8.0);

/// What is wrong with a band that a user has given: vibrations of the constraints outside it, slow
/// ones inside, or, without constraints, small vibrations above it and none within. Empty where
/// nothing is.
[[nodiscard]] std::string band_mistake(const System& equations, const State& state,
                                       const Band& band);

}  // namespace taut
