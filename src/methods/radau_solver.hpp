// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "methods/radau.hpp"
#include "methods/radau_control.hpp"
#include "methods/radau_derivatives.hpp"
#include "methods/radau_newton.hpp"
#include "methods/radau_predictor.hpp"
#include "methods/singular_passage.hpp"
#include "methods/smooth_accelerations.hpp"
#include "methods/stiff_potential.hpp"
#include "taut/core/note.hpp"

namespace taut {

/// When stiff forces are looked for: at the start, and where Newton's method has trouble, ever more
/// seldom; and where the directions in use were found.
struct DirectionWatch {
  bool looked = false;                       // at the start
  int not_converged = 0;                     // tries since the last look
  std::int64_t look_at = 0, look_again = 0;  // steps
  double rate = 0.0, tick = 0.0;             // slowest vibration, distance of differences [s]
  State at;

  void start(std::int64_t steps);
  [[nodiscard]] bool due(std::int64_t steps) const;
  /// Looked at so many steps; again after so many more.
  void look(std::int64_t steps, std::int64_t more);
};

/// The method behind Radau. It holds a point of the motion and the last step, and leads from one to
/// the next; RadauControl says how long a step is, RadauDerivatives have the matrix of its stage
/// equations, RadauNewton solves them, SingularPassage steps where they cannot be solved. Its own
/// parts by file: radau.cpp the loop over steps and tries, radau_estimate.cpp the error, the end of
/// a step and its multipliers, radau_output.cpp what a run asks for, radau_stiff_forces.cpp the
/// change to a StiffPotential and back.
class Radau::Solver {
 public:
  explicit Solver(RadauOptions options)
      : options_{options}, control_{options}, passage_{options.tol} {}

  Status start(const System& system, const State& state);
  Status restart(const System& system, const State& state);
  Status advance(double t_stop, State& state);
  Status interpolate(double t, State& state);
  Status rates(double t, State& rate);
  Status multipliers(const State& at, Vec& a, Vec& lambda);
  void archive(Archive& archive);
  void bound_steps(double most) { control_.bound_steps(most); }
  [[nodiscard]] double tolerance() const { return options_.tol; }
  [[nodiscard]] int stages() const { return control_.method().s; }
  [[nodiscard]] double next_step() const { return control_.h(); }

  Counters counters;
  std::string message;
  std::vector<Note> notes;

 private:
  Status take(const System& system);
  Status begin(const System& system, const State& state, double h);
  Status place(const State& state, double h);

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

  // one try
  Status try_step(const System& system, double h, double t1, const State& from, double& error);
  bool leap(double t_stop, State& state, double usual);
  void choose_derivative_point(const State& at);
  Status evaluate_derivatives();
  void predict(double h);
  Status estimate(const System& system, double& error);
  double filter(const System& system);
  double above_rounding(double error);
  void tell_below_rounding(double tol);
  void between_stages();
  Status land(const System& system, double t1);
  Status onto_constraints(State& at, const Vec& lambda);
  Status factor_inside(const State& at);
  void constraint_rate(const RadauStep& step, double x, Vec& out) const;

  // after it
  void accept(double h, double error, bool rejected);
  void estimate_multipliers(const RadauStep& step, double x, MultiplierEstimate& out) const;

  RadauOptions options_;
  System given_;   // the one started with
  System system_;  // the one integrated: the same, or its StiffPotential
  const StiffPotential* potential_ = nullptr;  // the latter
  DirectionWatch watch_;
  RadauControl control_;
  double first_h_ = 0.0;  // the first step, about
  double t_start_ = 0.0;
  double newton_tolerance_ = 0.0;
  double loosest_ = 0.0;  // tolerance that rounding has left; 0: the one given

  // at the current point
  SmoothAccelerations here_;
  MultiplierEstimate known_;
  Vec a_, lambda_, g_;  // accelerations, multipliers, g of compliant rows (0 of rigid ones)
  RadauWeights weights_;

  RadauDerivatives derivatives_;
  RadauNewton newton_;
  RadauPredictor predictor_;
  RadauStep step_, last_;
  bool has_last_ = false;   // last_ ends here
  bool remembers_ = false;  // it does not, since we were restarted: it serves for predictions
  SingularPassage passage_;

  State next_;
  Vec next_g_;
  Vec E_q_, E_v_, error_q_, error_v_, normal_, force_, target_, rate_, residual_, scratch_;
  Vec state_error_;
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
