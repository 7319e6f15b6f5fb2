// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "taut/core/note.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/model/system.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// What becomes of a small push.
enum class Stability : unsigned char {
  stable,     ///< it stays small
  unstable,   ///< it grows
  undecided,  ///< errors of the stiffness are as large as what would decide
};
[[nodiscard]] std::string_view name(Stability stability);

/// A place where a system can rest.
struct Equilibrium {
  /// Places, then first-order states: Structure::names_at_rest().
  Vec q;
  Vec lambda;  ///< of all rows of the model
  Stability stability = Stability::undecided;
  /// Of small vibrations about it [rad/s], fastest first.
  std::vector<double> omega;
  double growth = 0.0;         ///< largest rate at which a small change grows [1/s]; 0: none does
  double softest = 0.0;        ///< smallest square of a frequency, < 0 where a push grows [1/s²]
  double softest_error = 0.0;  ///< what is known of it: rounding, and the second opinion
  double distance = 0.0;       ///< from the start, sqrt(dqᵀ M dq) with M of the start

  /// On which side of the border it is where errors leave that open.
  [[nodiscard]] bool leans_stable() const {
    return stability == Stability::stable || (stability == Stability::undecided && softest > 0.0);
  }
};

struct EquilibriaOptions {
  /// Largest change of any coordinate that is looked at; 0: taken from the model. That is π, once
  /// round an angle, or the largest coordinate, where there are no constraints; else the largest
  /// coordinate and the sizes of all constraints together.
  double reach = 0.0;
  int starts = 24;  ///< points from which searches begin, the given one included
  /// The same forces found less accurately; empty: none. By how much its frequencies differ is how
  /// well they are known.
  System second_opinion = {};
  double max_seconds = 0.0;                   ///< of wall time; 0: no limit
  const std::atomic<bool>* cancel = nullptr;  ///< searches end soon after it becomes true
  std::function<void(double fraction)> progress = {};
};

/// Equilibria near a state, the nearest first; or why there are none.
struct Equilibria {
  Status status = Status::ok;
  std::string reason = {};
  std::vector<Equilibrium> found = {};
  double reach = 0.0;  ///< as looked at
  int searches = 0;    ///< that were made
  std::vector<Note> notes = {};

  /// What to try where there are none.
  [[nodiscard]] std::string_view hint() const {
    switch (status) {
      case Status::iteration_limit:
        return "look near another state, farther away, or from more points";
      case Status::time_limit:
      case Status::cancelled:
        return "allow more time, or look from fewer points";
      case Status::not_supported:
        return {};  // the reason says what to do
      default:
        return taut::hint(status);
    }
  }

  static constexpr Index most_coordinates = 500;
  static constexpr std::size_t most_found = 50;
};

/// Places near a state where a system, or a reading of one, can rest:
///
///   f(q, 0, z, t) = Gᵀ λ,    g(q, t) = 0,    h(q, 0, z, t) = 0                               (1)
///
/// where first-order states z are unknowns beside q, wherever they are at first,
/// with t that of the state. On the constraints, in directions Z with Zᵀ M Z = 1 and G Z = 0, the
/// force is F = Zᵀ f and its stiffness K_z = Zᵀ K Z with λ as (1) has it in the mean of least
/// squares. From each start two searches go out, both with steps of bounded length:
///
///   newton   z = K_z⁻¹ F, shortened while |F| does not fall: any equilibrium                  (2)
///   settle   z = |K_z|⁻¹ F, shortened while the force turns against it: where friction would
///            bring the system to rest                                                         (3)
///
/// They start from the state, from points along its softest modes, beside unstable equilibria that
/// were found, half way between stable ones and along their softest modes. Rows with a compliance
/// are springs; places where they would rest if they were rigid are starts, too. What differs by
/// less than 1e-5 of the reach is one; so is what differs along directions without any stiffness,
/// and of further ones that have such directions the nearest three are listed. The list is one of
/// what was found: there may be others.
///
/// Stability is that of the linear equations x'' + D_z x' + K_z x = 0. Where they have no growing
/// solution and no direction without stiffness the equilibrium counts as stable.
///
/// Dense algebra: for at most 500 coordinates. Fails with not_supported for larger systems, for
/// those that vibrate with a phase theta (take the averaged reading) or have no derivatives (the
/// slow reading), with iteration_limit when no search arrived, with time_limit or cancelled when
/// none had arrived until then (else what was found is the result, and a note says so), with the
/// status of consistent_start() when there is none.
[[nodiscard]] Equilibria equilibria(const System& system, const State& near,
                                    const EquilibriaOptions& options = {});

/// The equilibrium at which Newton's method, (2), arrives from a state, as the only one found.
[[nodiscard]] Equilibria equilibrium_from(const System& system, const State& near,
                                          const EquilibriaOptions& options = {});

}  // namespace taut

#pragma GCC visibility pop
