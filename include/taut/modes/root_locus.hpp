// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "taut/modes/modes.hpp"
#include "taut/statics/stability_sweep.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// One mode over a parameter: its roots at all values, nan where it is not there.
struct RootTrack {
  std::string label;  ///< of the mode where it was met first
  std::vector<std::complex<double>> s;
};

/// Where a root goes over the imaginary axis, between two values.
struct RootCrossing {
  std::size_t track = 0;
  double below = 0.0, above = 0.0;  ///< values on both sides
  double at = 0.0;                  ///< where it does, if it goes straight between them
  double omega = 0.0;               ///< Im s there; 0: divergence
  bool unstable_above = true;
};

/// Where a vibration has the frequency of an order of a speed: Im s = order * value.
struct CriticalSpeed {
  std::size_t track = 0;
  double order = 1.0;
  double at = 0.0;     ///< value of the parameter, if the root goes straight between neighbours
  double omega = 0.0;  ///< Im s there
};

/// Roots over one parameter. Modes are followed by their shapes: of neighbours those belong
/// together whose assurance criterion |aᴴ b|²/(aᴴa bᴴb) is largest, and whose roots are near where
/// shapes do not decide.
struct RootLocus {
  std::string parameter;
  std::vector<double> values;
  std::vector<std::string> reasons;  ///< why there are no modes at a value; empty where there are
  std::vector<RootTrack> tracks;
  std::vector<RootCrossing> crossings;
  std::string model, reading;
  PointKind kind = PointKind::rest;  ///< at the first value
  std::vector<double> orders = {};   ///< that are looked for
  std::vector<CriticalSpeed> critical = {};
};
[[nodiscard]] RootLocus root_locus(const Model& model, const SimulationOptions& options,
                                   const LinearizeOptions& linear, const ModesOptions& which,
                                   const SweepAxis& axis, Problems& problems);

/// Where vibrations meet orders of the parameter, which then is a speed [rad/s]: Campbell's
/// diagram. By tracks, then by values.
[[nodiscard]] std::vector<CriticalSpeed> critical_speeds(const RootLocus& locus,
                                                         const std::vector<double>& orders);

}  // namespace taut

#pragma GCC visibility pop
