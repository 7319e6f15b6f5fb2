// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

#include "taut/core/state.hpp"
#include "taut/model/system.hpp"
#include "taut/testing/method_laws.hpp"

namespace taut::test {

/// A system with a start and its exact motion, found in other coordinates (angles for rods) and in
/// extended precision.
struct Problem {
  std::string name;
  System system;
  State start;
  std::function<State(double t)> truth;
  double T = 2.0;  ///< a time that is long for this problem's motion [s]
};

/// The same as the laws of methods take it.
[[nodiscard]] inline laws::KnownMotion known(const Problem& p) {
  return {p.name, p.system, p.start, p.truth, p.T};
}

/// Mass on a rigid rod, in x and y. One constraint.
[[nodiscard]] Problem pendulum();

/// Two masses on two rods, in x and y. Two constraints, chaotic for long times.
[[nodiscard]] Problem double_pendulum();

/// A pendulum whose anchor moves as a given function of t: g(q, t).
[[nodiscard]] Problem driven_pendulum();

/// A pendulum with air drag linear in the velocity: f(q, v).
[[nodiscard]] Problem damped_pendulum();

/// A bead on the curve r = 1 + 0.3 cos(phi), in polar coordinates: M(q) and a constraint.
[[nodiscard]] Problem bead();

/// The double pendulum in its angles: M(q) without constraints.
[[nodiscard]] Problem double_pendulum_in_angles();

/// A bead on a rough hoop, in x and y: friction is a part of the force between both, which is the
/// multiplier of the one constraint.
[[nodiscard]] Problem rough_hoop();

/// Hénon and Heiles' galaxy: free motion in a cubic potential.
[[nodiscard]] Problem henon_heiles();

/// A mass on a soft rod, in x and y: one equation g = C λ with C > 0.
[[nodiscard]] Problem elastic_pendulum();

/// The pendulum with its rod given twice: dependent constraints that agree.
[[nodiscard]] Problem redundant_pendulum();

/// Whether two states are the same numbers.
[[nodiscard]] inline bool same_bits(const State& a, const State& b) {
  return a.t == b.t && a.q == b.q && a.v == b.v;
}

/// T + U at a state.
[[nodiscard]] double energy(const System& system, const State& s);

/// Largest |g| and |G v + g_t| of the rigid constraints.
struct Residuals {
  double g = 0.0, Gv = 0.0;
};
[[nodiscard]] Residuals residuals(const System& system, const State& s);

}  // namespace taut::test
