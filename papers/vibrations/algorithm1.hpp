// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "filters/averaging_kernel.hpp"
#include "macro_run.hpp"

namespace taut::papers::vibrations {

/// How Algorithm 1 knows where in its vibration the pivot is.
enum class Phase {
  exact,      ///< reduced modulo 2π without error, steps within a period counted by whole numbers
  from_time,  ///< ω (t_n + j h), rounded as it comes: at ω = 1e8 off by 1e-8
};

struct SynchronousOptions {
  int steps_per_period = 10;
  int periods = 40;  ///< of the window, even: half of them on each side
  AveragingKernel kernel = exponential_kernel(5.0);
  Phase phase = Phase::exact;
};

/// Algorithm 1, the synchronous method: Verlet, with the force found by micro-simulations that
/// start where the vibration is at that moment,
///
///   q(t_n) = Q_n,   p(t_n) = P^_n + (p - P)(Q_n, θ_n),   θ_n = ω t_n + θ_0                  (2.10)
///   F_n = ∫ K_η(t - t_n) f(q(t), θ(t)) dt  over  |t - t_n| <= η/2                           (2.11)
///   P_{n+1/2} = P_{n-1/2} + H F_n,   Q_{n+1} = Q_n + H P_{n+1/2},   P^_{n+1} = P_{n+1/2} + H/2 F_n
///
/// p - P is the enslaved velocity (3.8) that taut derives from the model. Here p and P are
/// velocities, and F is divided by the masses. The velocities of the run are P^, of first order.
/// Neither symmetric nor symplectic; costs twice the asynchronous method. Systems without a
/// vibration, with constraints, M(q) or forces of v are refused: all states but the first are NaN.
/// Reference: sharp2005.
[[nodiscard]] MacroRun algorithm1(const System& vibrated, const SynchronousOptions& options,
                                  const State& from, int steps);

}  // namespace taut::papers::vibrations
