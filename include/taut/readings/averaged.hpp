// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/kernels/averaging_kernel.hpp"
#include "taut/model/system.hpp"

namespace taut {

struct AveragedOptions {
  int steps = 0;      ///< micro-steps per period of the vibration; 0: found at the start for `tol`
  double tol = 1e-6;  ///< relative error of the averaged force that `steps` = 0 aims at
  std::optional<AveragingKernel> kernel =
      {};                    ///< absent: (3) where theta is periodic, else K below
  double periods = 40.0;     ///< length of the window, with a kernel
  bool antithetic = true;    ///< average over micro-runs that begin half a period apart
  bool richardson = true;    ///< extrapolate in h from `steps` and `steps`/2
  bool use_evenness = true;  ///< half windows where the force is even in theta
};

/// The published method: one phase, no extrapolation, the simple filter (3).
[[nodiscard]] AveragedOptions published_averaging(int steps_per_period);
/// The same with a kernel over a window of that many periods.
[[nodiscard]] AveragedOptions published_averaging(int steps_per_period, AveragingKernel kernel,
                                                  double periods);

/// The averaged motion of a vibrated system near a state, or why there is none.
struct AveragedReading {
  Status status = Status::ok;
  std::string reason = {};  ///< why there is none
  System system = {};       ///< the averaged motion; empty where there is none
  bool even = false;        ///< the force is even in theta about `phase`
  bool periodic = true;     ///< the force has a period of at most 12 of theta's
  double phase = 0.0;       ///< theta at which micro-simulations begin [rad]
  int steps = 0;            ///< micro-steps per period of the vibration
  double amplitude = 0.0;  ///< of the vibration about the averaged motion, at the state: sqrt(uᵀMu)
  double velocity_amplitude = 0.0;  ///< the same of its velocity
  double force_error =
      0.0;  ///< relative difference of the forces found from opposite phases: O(1/omega)
  std::vector<std::string> notes = {};  ///< what a user should know: scale separation missing, ...
};

[[nodiscard]] AveragedReading averaged(const System& system, const State& at,
                                       const AveragedOptions& options = {});

/// Oscillation of unknown period: M q'' = f(q, t) averaged over `window` [s] with micro-steps
/// `step` [s].
[[nodiscard]] AveragedReading averaged_over(const System& system, const State& at, double window,
                                            double step, const AveragingKernel& kernel);

/// Micro-steps made so far by an averaged reading, as the literature counts them: the force at the
/// end of a window belongs to no step. 0 for any other system.
[[nodiscard]] std::int64_t micro_steps(const System& system);

/// v - V, the velocity of the vibration about the averaged motion, at (t, q, theta).
[[nodiscard]] Status enslaved_velocity(const System& system, const State& averaged_state,
                                       double theta, Vec& v_minus_V);

}  // namespace taut
