// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "filters/averaging_kernel.hpp"
#include "taut/core/note.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// How averaged() finds forces. The defaults are the accurate version.
struct AveragedOptions {
  int steps = 0;      ///< micro-steps per period, rounded up to whole windows; 0: found for `tol`
  double tol = 1e-6;  ///< relative error of F in the micro-step that `steps` = 0 aims at
  /// Absent: the moving average over one period, (4); exponential_kernel(5) where there is none.
  std::optional<AveragingKernel> kernel = {};
  double periods = 40.0;     ///< length of the window, with a kernel
  bool antithetic = true;    ///< (5): two micro-simulations, begun half a period apart
  bool richardson = true;    ///< (6): extrapolate in the micro-step
  bool use_evenness = true;  ///< simulate one side of the window where both are the same
};

/// The published method: the moving average (4), one phase, no extrapolation.
[[nodiscard]] AveragedOptions published_averaging(int steps_per_period);
/// The same with a kernel over a window of that many periods.
[[nodiscard]] AveragedOptions published_averaging(int steps_per_period, AveragingKernel kernel,
                                                  double periods);

/// An averaged motion, or why there is none.
struct AveragedReading {
  Status status = Status::ok;
  std::string reason = {};  ///< why there is none, and what to try
  System system = {};       ///< the averaged motion
  bool even = false;        ///< the force is even in theta about `phase`
  bool periodic = true;     ///< the force repeats itself within 12 periods of theta
  double phase = 0.0;       ///< theta at which micro-simulations begin [rad]
  int steps = 0;            ///< micro-steps per period; of averaged_over(): per window
  /// Of the vibration about the averaged motion, at the state: sqrt(uᵀ M u), and of its velocity.
  /// The true motion is no nearer to the averaged one.
  double amplitude = 0.0, velocity_amplitude = 0.0;
  /// Relative difference of the forces that opposite phases give, of size 1/omega; of
  /// averaged_over(): of those that the window and half of it give. Above 0.1 a note, above 0.5 a
  /// refusal.
  double force_error = 0.0;
  std::vector<Note> notes = {};  ///< what a user should know
};

/// The motion of a vibrated system without its vibration. Of
///
///   M q'' = f(q, t, theta) - G(q)ᵀ λ,   g(q) = 0,   theta = omega t + phase                   (1)
///
/// with f of size omega and its mean over theta of size 1, q = Q + O(1/omega), and Q obeys
///
///   M Q'' = F(Q, t) - G(Q)ᵀ Λ,   g(Q) = 0                                                     (2)
///
/// up to O(1/omega). F is found by micro-simulation: from q = Q, q' = 0 at a phase theta_0, by
/// Verlet or SHAKE with steps h = 2π/(omega n), t held,
///
///   F = Σ_{|j| <= N} w_j (f_j - G_jᵀ λ_j)                                                     (3)
///   w_j = 1/2N, half of it at the ends,  N = n/2                                              (4)
///
/// or w_j the samples of a kernel over a longer window. F depends on Q alone: any method runs on
/// (2), at a cost independent of omega. Errors of F: O(1/omega) from one phase, O(1/omega²) from
/// the mean of two half a period apart where the vibration has odd harmonics only (5); h², or h⁴
/// from 4/3 F(h) - 1/3 F(2h) (6); rounding of forces of size omega that cancel.
///
/// What is tested at `at` and at points near it, not asked: the period of the force (theta's, a
/// part of it, or up to 12 of them), and a phase about which the force is even, at which
/// micro-simulations begin; one side of the window is then the other. Where there is none they
/// begin with the velocity of the vibration (enslaved_velocity(), in the micro-step's own
/// arithmetic), without which (4) would take the drift for a force.
///
/// The system has masses, rigid constraints and observables of `system`; compliant rows are
/// springs. Its stiffness is found by differences, up to 200 coordinates. Potential energy is NaN:
/// F is a gradient, where f is, only as far as averaging goes, and its potential is not computed.
/// multipliers() gives Λ plus the mean of the micro-simulation's: the mean reaction force; methods
/// hold the bare Λ, which is only what the averaged motion itself needs. The force at the last
/// point is kept. hidden_evaluations() counts force evaluations in micro-simulations.
///
/// Properties: Verlet and RATTLE on (2) are reversible. They are symplectic with one degree of
/// freedom; with more, up to the error of averaging.
///
/// Refused, each with what to try: no [vibration]; theta in constraints or masses, M(q), forces of
/// velocities; a mean of f as large as its vibration; motions under the mean force, or springs, not
/// slow compared with omega; a force_error above 0.5; forces that jump with theta. Evaluations fail
/// as those of `system` do, and with iteration_limit or projection_diverged where SHAKE does.
/// Reference: calvo2010.
[[nodiscard]] AveragedReading averaged(const System& system, const State& at,
                                       const AveragedOptions& options = {});

/// The same for fast oscillation of unknown period that forces of q (and t, which then runs in
/// micro-simulations) cause by themselves, of size 1/omega in q: a window [s] of many periods, a
/// micro-step [s] much shorter than one, a smooth kernel. Coordinates that only vibrate stay where
/// they are.
[[nodiscard]] AveragedReading averaged_over(const System& system, const State& at, double window,
                                            double step, const AveragingKernel& kernel);

/// Micro-steps made by an averaged reading so far, as they are counted in print: a window of N
/// steps has N, though its force is asked for at N + 1 points. 0 for any other system.
[[nodiscard]] std::int64_t micro_steps(const System& system);

/// v - V at a phase: the velocity of the vibration about an averaged motion through a state,
///
///   M (v - V) = P S,   dS/dt = f - <f>,   <S> = 0      at fixed q and t                       (7)
///
/// P along the constraints; right to O(1/omega). By Fourier's sums, doubled until they agree to
/// 1e-9 of the force: iteration_limit where 1024 phases in a period are not enough, not_supported
/// where averaged() would refuse the model or the force has no period. v_minus_V as given then.
[[nodiscard]] Status enslaved_velocity(const System& system, const State& averaged_state,
                                       double theta, Vec& v_minus_V);

}  // namespace taut
