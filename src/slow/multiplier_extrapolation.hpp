// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "slow/iterated_projection.hpp"

namespace taut {

/// A family of stiff systems without equations that tends to a constrained one:
///
///   M q'' = F - ω² g'(q, t)ᵀ g(q, t)      ->      M q'' = F - g'ᵀ λ,   g = 0,     ω -> ∞       (1)
///
/// of which only forces can be asked for, and g itself.
struct StiffFamily {
  std::function<System(double omega)> system;
  std::function<Vec(double t, const Vec& q)> g;
  Band band;  ///< fast frequencies at ω = 1; at ω they are ω times as high
};

/// Multipliers, or why there are none.
struct ExtrapolatedMultipliers {
  Status status = Status::ok;
  std::string reason;
  Vec lambda;
  Vec error;  ///< of each, estimated: what the last extrapolation has changed, and rounding
  std::int64_t force_evaluations = 0;
};

/// λ of the constrained system at a state with g = 0, g' = 0, by projecting it onto the slow
/// manifolds of several ω and extrapolating to infinity:
///
///   λ(ω) = ω² g(q~(ω)) = λ + c₂/ω² + c₄/ω⁴ + ...                                               (2)
///
/// by Neville's scheme in 1/ω². `omegas` has two values or more, all different. Too small ones
/// leave the error of the filter in (2), too large ones that of rounding, which is 1e-16 ω². The
/// projections are made with choose_filter() and its defaults. Where derivatives of g are known,
/// consistent_start() finds λ directly. Fails as the projection of an ω does.
/// Reference: ariel2012, section 5.4.
[[nodiscard]] ExtrapolatedMultipliers extrapolate_multipliers(const StiffFamily& family,
                                                              const State& start,
                                                              const std::vector<double>& omegas = {
                                                                  500.0, 1000.0, 2000.0});

}  // namespace taut
