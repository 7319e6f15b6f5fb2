// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "averaged/averaged.hpp"
#include "taut/core/state.hpp"
#include "taut/methods/method.hpp"
#include "taut/model/system.hpp"

namespace taut::papers::vibrations {

/// A run to t = 1 with constant steps H = 1/N: X_n and V_n for n = 0, ..., N. NaN from where it
/// failed.
struct MacroRun {
  std::vector<State> states;
  /// Made for the forces at n = 0, ..., N - 1, on which the positions of a leap-frog depend; one
  /// more evaluation gives the last velocity. 0 where forces are not found by micro-simulation.
  std::int64_t micro_steps = 0;
};

[[nodiscard]] MacroRun run(const System& system, Method method, const State& from, int steps);

/// Algorithm 2 and its kin: `method` on the averaged reading of a vibrated system.
[[nodiscard]] MacroRun run_averaged(const System& vibrated, const AveragedOptions& options,
                                    Method method, const State& from, int steps);

/// Largest |Q_n - Q(t_n)| of the first coordinate over n = 1, ..., N.
[[nodiscard]] double largest_error(const MacroRun& run, const std::vector<State>& exact);

/// Multipliers in the paper's sign, from positions and velocities: what forces are missing in
///
///   SHAKE   M (X_{n+1} - 2 X_n + X_{n-1}) / H² = F_n + g'(X_n)ᵀ Λ_n                           (1)
///   RATTLE  M (X_{n+1} - X_n - H V_n) 2/H² = F_n + g'(X_n)ᵀ Λ_{x,n}                           (2)
///           M (X_n - X_{n+1} + H V_{n+1}) 2/H² = F_{n+1} + g'(X_{n+1})ᵀ Λ_{v,n}               (3)
///
/// (1) for n = 0 is (2). `missing` is the largest part of the left side that no Λ explains,
/// relative to the largest acceleration: the step was not the method's with these forces.
struct Multipliers {
  std::vector<Vec> x, v;  ///< n = 0, ..., N - 1; SHAKE has no v
  double missing = 0.0;
};
[[nodiscard]] Multipliers shake_multipliers(const System& averaged, const MacroRun& run);
[[nodiscard]] Multipliers rattle_multipliers(const System& averaged, const MacroRun& run);

}  // namespace taut::papers::vibrations
