// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/methods/method_info.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// Notices that a method of constant steps has become unstable, long before anything overflows.
///
/// Speed alone says nothing: a body may fall for ever, or leave an unstable equilibrium. It only
/// says when to look, each time the fastest coordinate is ten times as fast as at the last look.
/// The motion has blown up
///
///   where energy is kept  if |E - E0| > T/2 and |E - E0| > 10 T', T' the largest kinetic energy
///                         of the looks before: what moves has come from nowhere;
///   elsewhere             if this is the sixth look in a row within 20 steps of the one before,
///                         and the steps do not resolve the fastest rate of the system, h rate > 1.
///                         A blow from outside may be as quick, but not by rates of the system.
///
/// Cost: the largest |v| each step; an evaluation of the energy at each look.
class BlowUp {
 public:
  struct Options {
    double h = 0.0;             ///< the constant step [s]
    bool keeps_energy = false;  ///< T + U stays the same
  };
  /// All equations of `system` are rigid.
  [[nodiscard]] Status start(const System& system, const State& state, const Options& options);

  /// To be asked after each step: Status::unstable, or a failure of the evaluation.
  [[nodiscard]] Status operator()(const System& system, const State& state, std::int64_t n);

  /// A state of the run from before the growth.
  [[nodiscard]] const State& moderate() const { return moderate_; }

 private:
  [[nodiscard]] Status look(const System& system, const State& state, std::int64_t n);
  [[nodiscard]] Status energies(const System& system, const State& state);

  Evaluation ev_;
  Options options_;
  double E0_ = 0.0;
  double speed_ = 0.0, kinetic_ = 0.0;  // largest at a look
  std::int64_t last_look_ = 0;
  int quick_looks_ = 0;  // in a row
  State moderate_;
};

/// The largest stable step of a method like Verlet near a state, 2/ω with the fastest rate of
/// the system there [s]; 0 where it is not known. All equations of `system` are rigid.
[[nodiscard]] double largest_stable_step(const System& system, const State& state);

/// What to do about a step h that is too long, with the largest stable one estimated where the
/// method has such a limit; empty where nothing can be said.
[[nodiscard]] std::string step_hint(const MethodInfo& method, const System& system,
                                    const State& state, double h);

}  // namespace taut
