// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "taut/core/archive.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/methods/method_info.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// Notices that a method of constant steps has become unstable, long before anything overflows.
///
/// Speed alone says nothing: a body may fall for ever, or leave an unstable equilibrium. It only
/// says when to look, each time the fastest coordinate is ten times as fast as at the last look.
/// Of a look, with E = T + U and E0 that of the start, the motion has blown up
///
///   where energy is kept  if |E - E0| > T/2 and |E - E0| > 1e4 S: it has come from nowhere;
///   in a heat bath        if E - E0 > T/2, E - E0 > 1e4 S and E - E0 > 1e12 T1. A bath warms what
///                         starts at rest by 1/(rate h) from the first step on, not more;
///   elsewhere             with explicit methods: if speeds have grown by 1e6 in looks within 20
///   steps of one another, and
///                         the steps do not resolve the fastest rate of the system, h rate > 1.
///                         A blow from outside may be as quick, but not by rates of the system.
///
/// S, the energy of the problem, is the largest of |E0|, |f| |q| and the energy in the rows at the
/// start, and of T at looks with |E - E0| <= T/2. T1 is the larger T of the start and the first
/// step. U leaves out compliant rows that are equations: S has what they bring, and nothing else
/// could feed T for ever.
///
/// Cost: the largest |v| each step; an evaluation of the energy at each look.
class BlowUp {
 public:
  struct Options {
    double h = 0.0;             ///< the constant step [s]
    bool conservative = false;  ///< by themselves the forces keep T + U, with the rows
    bool thermal = false;       ///< there is a heat bath
    bool is_explicit = true;    ///< the method has to resolve the fastest rate of the system
  };
  /// Compliant equations of `system` are taken for rigid.
  [[nodiscard]] Status start(const System& system, const State& state, const Options& options);

  /// Steps have another length from now on.
  void set_step(double h) { options_.h = h; }

  /// To be asked after each step: Status::unstable, or a failure of the evaluation.
  [[nodiscard]] Status operator()(const System& system, const State& state, std::int64_t n);

  /// What has been seen so far, for checkpoints.
  void archive(Archive& archive);

  /// Whether a state may be shown as one of the motion: of what keeps its energy, with a change of
  /// energy of a hundredth of S at the most; of others, unless speeds have grown by more than ten
  /// in looks within 20 steps of one another.
  [[nodiscard]] bool plausible(const State& state, double energy_change) const;
  /// Whether they have grown by 1e6 so.
  [[nodiscard]] bool grown(const State& state) const;

  /// A state of the run from before the growth.
  [[nodiscard]] const State& moderate() const { return moderate_; }

 private:
  [[nodiscard]] Status look(const System& system, const State& state, std::int64_t n);
  [[nodiscard]] Status judge_energy();
  [[nodiscard]] Status energies(const System& system, const State& state);

  Evaluation ev_;
  std::shared_ptr<const SystemImplementation> prepared_for_;  // whose it is
  Options options_;
  double E0_ = 0.0, S_ = 0.0, T1_ = 0.0;
  double speed_ = 0.0;       // at the last look
  double quick_from_ = 0.0;  // at the last look that was not soon after the one before
  double calm_ = 0.0;        // the same, whatever has grown since
  std::int64_t looks_ = 0, last_look_ = 0;
  bool sound_ = true;  // the last look, or there was none
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
