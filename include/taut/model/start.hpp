// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/model/system.hpp"

#pragma GCC visibility push(default)

namespace taut {

class Kkt;

/// A constraint whose gradient is a combination of those of others.
struct Redundancy {
  std::string constraint;
  std::vector<std::string> follows_from;
};

/// One for each dependency that the factorisation has found, each with a constraint of its own: the
/// last one of those that depend on each other, once all that others stand for are left out.
[[nodiscard]] std::vector<Redundancy> redundancies(const Kkt& kkt, const Structure& structure);

/// A consistent start with its accelerations and multipliers, and what had to be changed.
struct Start {
  Status status = Status::ok;
  std::string reason;  ///< in words, with names, when status is not ok
  State state;
  State nearest;  ///< where the search ended, if no positions fulfil the constraints; else empty
  Vec a;
  Vec lambda;                      ///< of all rows of the model, in physical units
  Vec q_moved, v_moved;            ///< state minus what was given
  double distance = 0.0;           ///< sqrt(dqᵀ M dq): how far q moved in the mass metric
  double velocity_distance = 0.0;  ///< sqrt(dvᵀ M dv)
  int iterations = 0;
  std::vector<std::string> redundant;  ///< names of constraints that follow from the others
};

/// From any given positions and velocities to a consistent state, by the smallest change in the
/// mass metric:
///
///   min (q - q0)ᵀ M (q - q0) / 2   with   g(q, t) = 0                                         (1)
///   min (v - v0)ᵀ M (v - v0) / 2   with   G v + g_t = 0                                       (2)
///
/// (1) by Gauss-Newton: q_{k+1} - q0 is the smallest x with G_k x = G_k (q_k - q0) - g_k, step
/// halved while |g| grows; M is taken at q0. Dependent constraints are dropped and named; those
/// that contradict the others make it fail with the names of all involved.
/// Fails when no solution is found near: status and reason say why, state is as given.
/// Coordinates and velocities that are kept stay as they are: further rows of (1) and (2), E v =
/// value. Here
/// those of the model (Structure::kept_places).
[[nodiscard]] Start consistent_start(const System& system, const State& given);

/// Numbers in q and in v; and numbers E v that are linear in velocities, a row each, with the
/// values they get.
struct Kept {
  struct Row {
    std::string name;  ///< for messages
    Vec E;
    double value = 0.0;
  };
  std::vector<int> places, velocities;
  std::vector<Row> rows{};
};
/// The same with others.
[[nodiscard]] Start consistent_start(const System& system, const State& given, const Kept& kept);

}  // namespace taut

#pragma GCC visibility pop
