// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// How fast a system moves by itself, near a state.
struct Frequencies {
  Status status = Status::ok;
  /// Of small vibrations [rad/s], fastest first, without those that are zero. All of them for
  /// systems of at most `all_up_to` coordinates, else only an estimate of the fastest.
  std::vector<double> omega;
  double growth = 0.0;  ///< largest rate at which a small change grows [1/s]; 0: none does

  static constexpr Index all_up_to = 500;

  [[nodiscard]] double fastest() const { return omega.empty() ? 0.0 : omega.front(); }
};

/// Solves  P^T K P x = w^2 M x  with the stiffness K = d(M a - f + G^T lambda)/dq at the state (its
/// symmetric part) and P the projection onto the directions that the constraints allow:
///
///   P y = x   with   M x + G^T mu = M y,   G x = 0                                           (1)
///
/// w^2 < 0 is growth. Forces that depend on velocity or time are left out. Dense for small systems;
/// for others power iteration on P M^-1 K. Equations of `system` are rigid (see Accelerations).
[[nodiscard]] Frequencies frequencies(const System& system, const State& state);

}  // namespace taut
