// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>

#include "core/kkt.hpp"
#include "methods/dormand_prince.hpp"
#include "taut/core/archive.hpp"
#include "taut/core/counters.hpp"
#include "taut/core/state.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// The way across positions in which rigid constraints are about to depend on each other. There the
/// stage equations of an implicit method have no unique solution and what Newton's method leaves is
/// magnified, but the motion goes on smoothly, and an explicit method steps across.
class SingularPassage {
 public:
  explicit SingularPassage(double tol) : tol_{tol} {}

  /// Anew from a state.
  void restart();

  /// Whether the position at which `kkt` is factorised, that of the state, is such a one, and a
  /// leap has not been refused in it. Constraints that depend on each other everywhere do not make
  /// one: at the start the neighbourhood tells the two apart, `usual` ahead as of leap().
  [[nodiscard]] bool ahead(const System& system, const Kkt& kkt, const State& state, double usual);

  /// A step of the explicit method from `from` to `to`; `usual` is the length of ours. Very close
  /// to the position, rounding is magnified beyond any tight tolerance: a looser one then carries
  /// it across. Refused, until the position is left, if something else keeps its steps much shorter
  /// than ours, unless there is no other way.
  [[nodiscard]] bool leap(const System& system, double usual, double t_stop, const State& from,
                          State& to, Counters& counters);
  /// There is no other way: our own steps have come to nothing. False where constraints are not
  /// near to depend on each other.
  [[nodiscard]] bool insist() {
    if (!near_) return false;
    leapt_ = refused_ = false;
    insists_ = true;
    return true;
  }
  /// The tolerance of the last leap, where it was loosened for it.
  [[nodiscard]] std::optional<double> loosened() const { return loosened_; }

  /// Whether the last step was a leap.
  [[nodiscard]] bool leapt() const { return leapt_; }
  /// The last step was none.
  void stepped() { leapt_ = false; }
  /// A state inside the last leap.
  [[nodiscard]] Status interpolate(const System& system, double t, State& state) {
    return explicit_->interpolate(system, t, state);
  }
  [[nodiscard]] Status rates(const System& system, double t, State& rate) {
    return explicit_->rates(system, t, rate);
  }

  void archive(Archive& archive);
  /// After a leap: the method that made it, which stands at `at`.
  void archive_method(Archive& archive, const System& system, const State& at);

 private:
  void find_fewest(const System& system, const Kkt& kkt, const State& state, double usual);

  double tol_;
  std::int64_t fewest_ = -1;  // constraints that depend on others, at any position; -1: not known
  bool near_ = false;         // so is the position that ahead() was asked about
  bool in_it_ = false;        // as near as can be told
  bool insists_ = false;
  bool leapt_ = false;
  bool refused_ = false;            // in this position
  double usual_ = 0.0;              // step with which it was met
  double leap_tol_ = 0.0;           // of explicit_
  double best_independence_ = 0.0;  // of the constraints, so far
  std::optional<double> loosened_;
  std::optional<DormandPrince853> explicit_;
};

}  // namespace taut
