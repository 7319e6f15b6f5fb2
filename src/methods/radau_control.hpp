// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>

#include "methods/radau.hpp"
#include "methods/radau_coefficients.hpp"
#include "methods/radau_step.hpp"

namespace taut {

/// How long the next step of Radau is and how many stages it has.
///
///   after a step with error E < 1       h_new = h f,  f = min(c E^(-1/(s+1)), the same with
///                                       (h/h_last)(E_last/E²)^..), within [1/8, 5]            (1)
///   after one with E >= 1               h_new = h clamp(0.9 E^(-1/(s+1)), 0.1, 0.9)            (2)
///   where Newton's method fails         h_new = h/2, or as its remaining error says            (3)
///
/// c is smaller the more iterations Newton's method took. More stages where it converges at once,
/// fewer where it struggles. After 30 steady steps s + 2 stages are tried for 10; they stay if the
/// mean of h over those is
///
///   h(s + 2) > 1.2 (s + 2)/s h(s)                                                            (4)
///
/// and else the next try waits four times as long.
class RadauControl {
 public:
  explicit RadauControl(RadauOptions options) : options_{options} {}

  /// A run begins: stages as the tolerance asks.
  void start();
  /// Anew from a state: no step is known.
  void restart();
  /// Anew from a state, but steps of before still say how long they can be.
  void go_on();

  [[nodiscard]] const RadauCoefficients& method() const { return *method_; }
  /// Proposed next step, with its sign; 0: not known.
  [[nodiscard]] double h() const { return h_; }
  void propose(double h) { h_ = h; }
  /// No step is longer than this.
  void bound_steps(double most) { most_ = most; }
  /// The step from t, not beyond t_stop and without a tiny one after it.
  [[nodiscard]] double clipped(double t, double t_stop) const;
  /// So that the first neglected term is 0.01 in units of the tolerance, were y'' typical for all
  /// derivatives; not more than a change of y by 1.
  [[nodiscard]] double first_step(double t_stop, const State& state, const Vec& a,
                                  const RadauWeights& weights) const;

  /// Newton's method has converged at this rate.
  void converged(double theta) { theta_ = theta; }
  /// So fast that factors may serve once more.
  [[nodiscard]] bool converges_quickly() const;
  /// No step is behind, or the last try has failed: an error may be one that decays at once.
  [[nodiscard]] bool unsettled() const { return first_ || after_rejection_; }

  void accept(double h, double error, bool rejected, int iterations);
  /// A try has failed; reject() or give_up() says why.
  void count_rejection() { after_rejection_ = true; }
  void reject(double h, double error);
  /// Tries in a row whose stage equations were not solved.
  [[nodiscard]] int failures() const { return failures_; }
  void count_failure() { ++failures_; }
  /// (3), and fewer stages at the second failure. `remaining`: of Newton's method, or nothing
  /// known.
  void shrink_after_failure(double h, const double* remaining);
  /// A step that another method took ends here.
  void passed(double h);
  /// Steps of before are known again.
  void take_over() { first_ = false; }

  /// The number of stages stands elsewhere in the archive.
  void archive(Archive& archive);
  void use_stages(int stages) { method_ = &radau_coefficients(stages); }

 private:
  void choose_stages(double ratio);
  void be_patient();

  RadauOptions options_;
  const RadauCoefficients* method_ = nullptr;
  double h_ = 0.0;
  double most_ = std::numeric_limits<double>::infinity();
  bool first_ = true, after_rejection_ = false;
  double accepted_h_ = 0.0, accepted_error_ = 0.0;
  double theta_ = 0.0;    // contraction of Newton's method
  int since_change_ = 0;  // of the number of stages
  int failures_ = 0;
  double mean_h_ = 0.0;      // of the last steps with this number of stages
  double tried_from_ = 0.0;  // mean with two stages less, which more are compared with; 0: none are
  int patience_ = 30;        // steps before more are tried
};

}  // namespace taut
