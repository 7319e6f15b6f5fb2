// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "curves/curve_integrator.hpp"
#include "taut/curves/holonomic.hpp"
#include "taut/methods/method.hpp"
#include "taut/methods/method_options.hpp"
#include "taut/methods/projected_rk_options.hpp"

namespace taut {

/// Runge-Kutta along the curve that a motion is in the space of (t, q, v), on the manifold that
/// its constraints, their derivatives and its invariants define (tuomela2005):
///
///   f(p) = ( G v + g_t,  g,  I - I(start) ) = 0,   p = (t, q, v)                               (1)
///   p1 = P( p0 + h Σ b_i V(p_i) ),   p_i = p0 + h Σ a_ij V(p_j),   V ~ (1, v, a)               (2)
///
/// with the orthogonal projection P onto (1). h is a length of the curve, or with
/// Parametrisation::time one of t; both meet the end of the run exactly. Where the motion is driven
/// by t, length is the worse parameter: an error along the curve is one in t, by which the drive is
/// out of phase from then on. The model's invariants are
/// kept, and with keep_energy T + U. Without constraints and invariants P does nothing.
///
/// Order 5 with the pair of Dormand and Prince, six evaluations per step and one projection, which
/// costs an evaluation of (1) with its derivatives and a sparse factorisation: linear in n for
/// chains. Constraints and invariants hold to rounding; nothing drifts. Fails as other adaptive
/// methods do, where T + U is to be kept that is not conserved, and with constraints_contradict
/// where an invariant of the model turns out to change: dI/dt is looked at in every point.
class ProjectedRk {
 public:
  static constexpr MethodInfo info{
      .name = "projected-rk",
      .order = 5,
      .adaptive = true,
      .constraints = true,
      .variable_mass = true,
      .velocity_forces = true,
      .velocity_rows = true,
      .about = "Dormand-Prince on the manifold of constraints and invariants: nothing drifts",
      .cite = "tuomela2005"};

  static const std::array<OptionInfo, 9> reads;
  static ProjectedRk made_of(const MethodOptions& given);

  explicit ProjectedRk(ProjectedRkOptions options = {});

  /// `info` with the order of the tableau.
  [[nodiscard]] MethodInfo claims() const;

  [[nodiscard]] Status start(const System& system, const State& state);
  [[nodiscard]] Status advance(const System& system, double t_stop, State& state);
  [[nodiscard]] Status interpolate(const System& system, double t, State& state);
  void archive(Archive& archive);
  void bound_steps(double most);

  /// Why the system was refused, or what is wrong where a step failed.
  [[nodiscard]] const std::string& message() const { return message_; }
  /// What is kept.
  [[nodiscard]] std::vector<Note> notes() const;

  Counters counters;

 private:
  [[nodiscard]] Status start_at(const State& state, double sense);
  [[nodiscard]] Status check_invariants(const Vec& p, double small);
  [[nodiscard]] Status fail(Status status);
  [[nodiscard]] double bounded(double t, double t_stop) const;
  [[nodiscard]] double most_step() const;
  void count();

  ProjectedRkOptions options_;
  double most_ = std::numeric_limits<double>::infinity();  // length of a step
  Parametrisation parameter_ = Parametrisation::arc;
  CurveIntegrator integrator_;
  Curve curve_;
  Vec p_;                // where the integrator is
  Vec point_;            // of dense output
  double t_from_ = 0.0;  // where the last step began
  double sense_ = 1.0;
  bool started_ = false;  // there is a curve, and its invariants are kept
  bool first_ = true;     // no step yet
  Counters before_;       // of runs of the integrator in the other direction of t
  CurveProjection onto_;
  CurveEvaluation ev_;
  std::string message_;
};

}  // namespace taut
