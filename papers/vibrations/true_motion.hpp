// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace taut::papers::vibrations {

/// How the motion (2.2) of the pendulum and its averaged motion (2.5) differ over 0 <= t <= 1,
/// every vibration resolved: largest values over 32 points in each period, q and p from dop853.
/// NaN where that failed.
struct Differences {
  double q = 0.0;           ///< of |q - Q|
  double q_enslaved = 0.0;  ///< of |q - Q - s sin(Q)/l|                                     (2.4)
  double p = 0.0;           ///< of |p - P|
  double p_enslaved = 0.0;  ///< of |p - P - v sin(Q)/l|                                     (2.7)
  double amplitude = 0.0;   ///< of q about its mean over one period
};
[[nodiscard]] Differences differences(double omega);

}  // namespace taut::papers::vibrations
