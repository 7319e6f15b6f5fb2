// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "methods/explicit_runge_kutta.hpp"
#include "methods/singular_dodge.hpp"
#include "methods/step_lengths.hpp"
#include "taut/core/note.hpp"

namespace taut {

struct AdaptiveOptions {
  double tol = 1e-8;          ///< relative and absolute tolerance of q and v per step
  double first_step = 0.0;    ///< [s]; 0: found from the motion
  double independence = 0.0;  ///< of the constraints where they are far from singular; 0: not known
};

/// Error control and dense output for the Dormand-Prince methods:
///
///   E² = 1/(2 nq) Σ_i (h Σ_j e_j k_ji)² / σ_i²,   σ_i = tol (1 + max(|y0_i|, |y1_i|))        (1)
///   E = |h| E₅² / sqrt(E₅² + E₃²/100) without their h   where there are two estimates        (2)
///   h_new = h · clamp(safety · E^(-1/q + 3β/4) · E_last^β, shrink, grow)                     (3)
///
/// A step with E > 1 is tried again with a smaller h; so is one in which anything is not finite or
/// the constraints cannot be reached; where constraints are about to depend on each other, as
/// SingularDodge says. Fails with the last such cause, or else step_too_small, when
/// h falls below the resolution of t or of the interval. The first h follows from sizes of y, y',
/// y'' (hairer1993, II.4); after restart() it is the one proposed before. Where t_stop is nearer
/// than two steps, they are made equal.
class AdaptiveRungeKutta {
 public:
  AdaptiveRungeKutta(const ExplicitTableau& tableau, StepControl control, AdaptiveOptions options)
      : runge_kutta_{tableau},
        lengths_{control, static_cast<double>(tableau.error_order)},
        options_{options} {}

  [[nodiscard]] Status advance(const System& system, double t_stop, State& s);
  [[nodiscard]] Status interpolate(const System& system, double t, State& state);
  [[nodiscard]] Status rates(const System& system, double t, State& rate);
  void archive(Archive& archive);
  void bound_steps(double most) { lengths_.most = most; }
  [[nodiscard]] double tolerance() const { return options_.tol; }
  [[nodiscard]] const Vec* acceleration() const { return &runge_kutta_.acceleration(); }

  /// h times the rate of change that the last two evaluations of the last step show; both lie at
  /// its end. Large where stability bounds the steps (hairer1996, IV.2).
  [[nodiscard]] double stiffness() const;

  /// The tolerance with which the last step was passed, where it had to be loosened.
  [[nodiscard]] std::optional<double> loosened() const { return loosened_; }
  /// Where that was.
  [[nodiscard]] const std::vector<Note>& notes() const { return notes_; }

  /// Why start() refused the system.
  [[nodiscard]] const std::string& message() const { return message_; }

  Counters counters;

 protected:
  [[nodiscard]] Status start(const System& system, const State& state, const MethodInfo& info);
  [[nodiscard]] Status restart(const System& system, const State& state, const MethodInfo& info);

 private:
  void first_step(const System& system, double t_stop, const State& s);
  [[nodiscard]] Status try_step(const System& system, double h, double t1, const State& s,
                                double& error);
  [[nodiscard]] double estimate(double h, const State& s);
  [[nodiscard]] double weighted_square(const State& s, const State& next) const;
  void arrive(double h, double error, bool rejected, const SingularDodge& dodge);
  void count();

  ExplicitRungeKutta runge_kutta_;
  StepLengths lengths_;
  AdaptiveOptions options_;
  std::shared_ptr<const SystemImplementation> started_;  // what everything is sized for
  double tol_ = 0.0;                                     // of the step that is tried
  double t_start_ = 0.0;
  std::int64_t steps_ = 0, rejected_ = 0;
  Vec dq_, dv_;
  Index places_ = 0;  // of q that are in norms
  State point_;
  std::string message_;
  std::optional<double> loosened_;
  int loosened_in_a_row_ = 0;
  std::vector<Note> notes_;
};

/// Tells that a singular position at t was passed with this tolerance; not too often.
void tell_loosened(double t, double tol, std::vector<Note>& notes);

}  // namespace taut
