// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "methods/dormand_prince.hpp"
#include "methods/radau.hpp"
#include "methods/radau_newton.hpp"
#include "methods/radau_predictor.hpp"
#include "methods/smooth_accelerations.hpp"
#include "methods/stiff_potential.hpp"

namespace taut {

/// Where derivatives were taken.
struct DerivativePoint {
  State state;
  Vec a, lambda;
  std::vector<int> dropped;  // constraints that depend on others
};

/// The method behind Radau. Its parts by file: radau.cpp the loop over steps and tries,
/// radau_estimate.cpp the error, the end of a step and its multipliers, radau_output.cpp what a run
/// asks for, radau_stiff_forces.cpp the change to a StiffPotential and back.
class Radau::Solver {
 public:
  explicit Solver(RadauOptions options) : options_{options} {}

  Status start(const System& system, const State& state);
  Status advance(double t_stop, State& state);
  Status interpolate(double t, State& state);
  Status multipliers(const State& at, Vec& a, Vec& lambda);
  void archive(Archive& archive);
  [[nodiscard]] int stages() const { return method_->s; }
  [[nodiscard]] double next_step() const { return h_; }

  Counters counters;
  std::string message;
  std::vector<std::string> notes;

 private:
  Status begin(const System& system, const State& state);

  // stiff forces read as constraints
  Status look_for_stiff_forces(double t_stop, const State& state);
  Status renew_directions(const State& state);
  Status evaluate_rows(double t, const Vec& q, const Vec& v);
  Status find_carriers(std::vector<Vec>& x);
  Status take_over(RadauStep last, const std::vector<Vec>& x);
  [[nodiscard]] double step_past_vibrations(const System& system, double t_stop,
                                            const State& state) const;
  void archive_potential(Archive& archive);

  // a point of the motion and what is evaluated there
  Status arrive(const System& system, const State& state, const MultiplierEstimate& estimate);
  [[nodiscard]] int stages_for_tolerance() const;
  [[nodiscard]] double first_step(double t_stop, const State& state, const Vec& a) const;
  [[nodiscard]] double clipped(double t, double t_stop) const;

  // one try
  Status try_step(const System& system, double h, double t1, const State& from, double& error);
  bool leap(double t_stop, State& state);
  [[nodiscard]] bool nearly_singular();
  void leapt_to(State at, State& state);
  void tell_loosened(double t, double tol);
  void choose_derivative_point(const State& at);
  Status evaluate_derivatives();
  Status factor(double h);
  void predict(double h);
  Status estimate(const System& system, double& error);
  double filter(const System& system);
  Status land(const System& system, double t1);
  Status onto_constraints(State& at, const Vec& lambda);
  Status factor_inside(const State& at);
  void constraint_rate(const RadauStep& step, double x, Vec& out) const;

  // after it
  void accept(double h, double error, bool rejected);
  void reject(double h, double error);
  void choose_stages(double ratio);
  void estimate_multipliers(const RadauStep& step, double x, MultiplierEstimate& out) const;

  RadauOptions options_;
  System given_;   // the one started with
  System system_;  // the one integrated: the same, or its StiffPotential
  const StiffPotential* potential_ = nullptr;  // the latter
  State directions_at_;                        // where its directions were found
  double directions_rate_ = 0.0, tick_ = 0.0;
  double stiffest_ = 0.0;  // largest K_ii/M_ii
  bool looked_ = false;    // at the start
  int not_converged_ = 0;
  std::int64_t look_at_ = 0, look_again_ = 0;  // steps
  std::vector<int> K_diagonal_, M_diagonal_;
  const RadauCoefficients* method_ = nullptr;
  double h_ = 0.0;        // proposed next step; 0: not known
  double first_h_ = 0.0;  // what it will be then, about
  double t_start_ = 0.0;
  double newton_tolerance_ = 0.0;

  // at the current point
  SmoothAccelerations here_;
  MultiplierEstimate known_;
  Vec a_, lambda_, g_;  // accelerations, multipliers, g of compliant rows (0 of rigid ones)
  RadauWeights weights_;

  // derivatives and factors
  StageMatrix matrix_;
  Evaluation derivatives_;
  DerivativePoint point_, factor_point_;  // of the derivatives, of the factors
  bool derivatives_wanted_ = true;
  double factored_h_ = 0.0;
  int factored_stages_ = 0;

  RadauNewton newton_;
  RadauPredictor predictor_;
  RadauStep step_, last_;
  bool has_last_ = false;
  bool leapt_ = false;              // the last step was one of explicit_
  bool leap_refused_ = false;       // in this singular position
  double zone_step_ = 0.0;          // with which it was met
  double leap_tol_ = 0.0;           // of explicit_
  double best_independence_ = 0.0;  // of the constraints, so far
  std::optional<DormandPrince853> explicit_;

  // control
  bool first_ = true, after_rejection_ = false;
  double accepted_h_ = 0.0, accepted_error_ = 0.0;
  double theta_ = 0.0;
  int since_change_ = 0;
  int failures_ = 0;

  State next_;
  Vec next_g_;
  Vec E_q_, E_v_, error_q_, error_v_, normal_, force_, target_, rate_, residual_, scratch_;
  std::vector<double> rhs_;
  Evaluation landing_;

  // output
  State end_;  // of the last step
  Kkt inside_;
  Vec inside_compliance_;
  SmoothAccelerations there_;
  MultiplierEstimate known_there_;
};

[[nodiscard]] inline double square(double x) { return x * x; }

/// Derivatives by values at the beginning of a step and at its stages.
[[nodiscard]] inline DerivativeWeights weights_at(const RadauStep& step, double x) {
  std::array<double, 8> nodes{};
  for (int i = 0; i < step.stages(); ++i) nodes[i + 1] = step.method->c[i];
  return derivative_weights(x, nodes.data(), step.stages() + 1);
}

}  // namespace taut
