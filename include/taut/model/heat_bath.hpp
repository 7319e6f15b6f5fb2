// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#pragma GCC visibility push(default)

namespace taut {

/// What keeps a system warm: friction, and noise that makes up for it, so that momenta have the
/// distribution of Boltzmann and Gibbs at k T = `temperature`. Either `friction` or `drag` is > 0.
struct HeatBath {
  double temperature = 0.0;  ///< k T, in the model's unit of energy [J]; 0: friction without noise
  double friction = 0.0;     ///< rate at which velocities are forgotten, all alike [1/s]
  double drag = 0.0;         ///< force per velocity [kg/s]: rate drag / mass of each coordinate
  std::uint64_t seed = 1;    ///< of the noise: another one, another motion
};

}  // namespace taut

#pragma GCC visibility pop
