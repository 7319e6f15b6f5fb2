// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "curves/curve_projection.hpp"
#include "tableaux/explicit_tableau.hpp"
#include "taut/core/archive.hpp"
#include "taut/core/note.hpp"
#include "taut/curves/curve_options.hpp"

namespace taut {

/// Explicit Runge-Kutta methods along a curve, (3.1) of tuomela2005:
///
///   k_i = v(p_i),   p_i = p_0 + h Σ_{j<i} a_ij k_j,   p' = π(p_0 + h Σ b_i k_i)                (1)
///
/// with the projection π onto M (CurveProjection) and v = V, h a length of the curve; or with
/// Parametrisation::time v = V / V_x, h a length in x, which π does not change. V at p', needed in
/// any case, is k_0 of the next step and closes the error estimate of dopri54. With
/// `project_stages` p_i is π of the right side, too.
///
/// V has no sign of its own (unless CurveStructure::x_orients): it is oriented by that of the stage
/// before, and a step along the curve in which it turns by more than `max_turn` from one to the
/// next or from end to end is rejected, and one whose ends are nearer to each other than 0.9 h, so
/// that no bend is taken for its opposite, however loose tol is (constant steps are not rejected).
/// A corner, at which no step is short enough, is passed as a bend by less than 90 degrees.
///
/// Error control, over all m coordinates:
///
///   E² = 1/m Σ (e_i / σ_i)²,   σ_i = tol (1 + max(|p_i|, |p'_i|)),   accepted if E <= 1        (2)
///   h_new = h clamp(0.9 E^(-1/q), min_growth, max_growth)   and <= h after a rejection         (3)
///
/// and where weigh_x() asks for it, along steep parts of the curve, e_0 of x times w,
///
///   1 <= w = 0.1 / |V_x| <= 1e8,  |V_x| the smallest of the stages (4)
///
/// unless V_x changes its sign within the step: an error e_0 is one of e_0 / |V_x| in the unknowns
/// at the same x, and what equations do at a certain x, such as a short and high push, would be
/// as wrong as that.
///
/// with e from the pair, both estimates of dop853 (see AdaptiveRungeKutta); with projected stages
/// and dopri54 the difference of both points after projection. Euler (q = 2) and rk4 (q = 5) take
/// a step h and two of h/2, e = (p_2 - p_1) / (2^(q-1) - 1), and continue with p_2.
/// The 1 in σ is an absolute tolerance, as in all methods: coordinates far below 1 want a smaller
/// tol or other units. A step in which something fails is tried again with 0.2 h. Constant steps
/// have no second try, and tol no part in them.
///
/// Order 1, 4, 5, 8. Dense output as in ExplicitTableau, order 4 for dopri54, 7 for dop853, else
/// cubic Hermite; it is projected.
///
/// Fails with the last cause of a rejection, else step_too_small, when h falls below the resolution
/// of p; with `impasse` in the parametrisation by time where V_x vanishes or changes its sign: the
/// curve goes on, x does not; along the curve where steps become too small with |V_x| < 1e-4. p is
/// then as before. No allocation after start() but in projections whose rank changes, and in curves
/// that allocate themselves (implicit completed forms).
/// Reference: tuomela2005, hairer1993.
class CurveIntegrator {
 public:
  explicit CurveIntegrator(CurveIntegratorOptions options);

  /// p is projected onto the curve's manifold first. From p in the direction of growing x, or of
  /// falling x with sense = -1.
  [[nodiscard]] Status start(const Curve& curve, Vec& p, double sense = 1.0);

  /// One accepted step from p, where the last one or start() has ended; on failure p is as before.
  [[nodiscard]] Status advance(const Curve& curve, Vec& p);

  /// One accepted step that ends at x_stop exactly where it would have passed it, in either
  /// direction; landed() says so. Inside a step that turns round in x, x_stop counts as passed too.
  [[nodiscard]] Status advance(const Curve& curve, double x_stop, Vec& p);
  [[nodiscard]] bool landed() const { return landed_; }

  /// As before the last step, but for the step proposed next.
  void undo(Vec& p);

  /// Takes the last step again as its first part, 0 < theta < 1; p is its end. The step proposed
  /// next stays as it was, or is the rest of the constant one. landed() is false.
  [[nodiscard]] Status shorten(const Curve& curve, double theta, Vec& p);

  /// Goes on from p along another curve of the same coordinates, on which p is, in the direction V
  /// there, as if it were the same: length, counters and the step proposed stay.
  [[nodiscard]] Status go_over(const Curve& curve, const Vec& p, const Vec& V);

  /// The next step is no longer than this in the parameter.
  void propose_at_most(double h) {
    if (adaptive()) h_ = std::min(h_, h);
  }

  /// The last step by dense output as it is, not projected, and its derivative by theta.
  [[nodiscard]] Status dense_point(const Curve& curve, double theta, Vec& p, Vec& slope);

  /// The last step, 0 <= theta <= 1, by dense output, projected. As the two below, of no use after
  /// an advance() that has failed.
  [[nodiscard]] Status interpolate(const Curve& curve, double theta, Vec& p);

  /// The direction of dense output there: of any length, and not that of the curve.
  [[nodiscard]] Status heading(const Curve& curve, double theta, Vec& V);

  /// The first theta > 0 of the last step at which dense output has this x.
  [[nodiscard]] Status find(const Curve& curve, double x, std::optional<double>& theta);

  /// Where dense output of the last step turns round in x (an impasse point), if it does.
  [[nodiscard]] Status find_turn(const Curve& curve, std::optional<double>& theta);

  /// For further questions about the curve near the last step. They do not change the run.
  [[nodiscard]] CurveEvaluation& evaluation() { return ev_; }

  [[nodiscard]] const Vec& direction() const { return V_; }  ///< at p
  [[nodiscard]] const Vec& point() const { return next_; }   ///< p, as it was given back
  /// Of the curve so far; in the parametrisation by time by the method's own quadrature of 1 /
  /// |V_x|.
  [[nodiscard]] double length() const { return s_; }
  /// Of the curve up to a place of the last step, by dense output.
  [[nodiscard]] double length_at(const Curve& curve, double theta);
  /// Σ E of (2) over all steps: in units of the tolerance, what their errors may add up to.
  [[nodiscard]] double error_sum() const { return error_sum_; }
  /// Of V_x at the stages and ends of the last step.
  struct SlopeRange {
    double least, most;
  };
  [[nodiscard]] SlopeRange slopes_of_x() const { return {x_slope_least_, x_slope_most_}; }
  [[nodiscard]] double last_step() const { return last_; }  ///< in the parameter, or in x
  [[nodiscard]] double next_step() const { return h_; }     ///< as proposed
  [[nodiscard]] const CurveIntegratorOptions& options() const { return options_; }

  /// Why the last call failed, with names and numbers; empty if it did not.
  [[nodiscard]] std::string reason(const Curve& curve) const;

  /// What cannot be recomputed from p to the same bits. After reading, point() is where to go on.
  void archive(Archive& archive);

  /// Whether errors of x count as in (4).
  void weigh_x(bool so) { weigh_x_ = so; }

  /// No step from now on is longer than this in the parameter, nor than options().max_step.
  void bound_steps(double most) { most_ = most; }

  CurveCounters counters;

 private:
  struct Place {
    double x, slope;  // slope: dx / dtheta
  };

  [[nodiscard]] double most_step() const {
    return options_.max_step > 0.0 ? std::min(options_.max_step, most_) : most_;
  }
  [[nodiscard]] bool adaptive() const { return !(options_.step > 0.0); }
  [[nodiscard]] bool by_time() const {
    return options_.parameter == Parametrisation::time || in_x_;
  }
  [[nodiscard]] bool doubles() const { return adaptive() && tableau_->e.empty(); }
  [[nodiscard]] bool refused(double error) const { return !landing_ && !(error <= 1.0); }
  // V is oriented stage by stage
  [[nodiscard]] bool guided(const Curve& curve) const {
    return options_.max_turn > 0.0 && !curve.structure().x_orients;
  }

  // from from_ to next_
  [[nodiscard]] Status accepted_step(const Curve& curve, std::optional<double> x_stop);
  [[nodiscard]] Status land(const Curve& curve, double x_stop, double theta);
  void head_for(double x_stop, double stretch, double& h, bool& cut);
  [[nodiscard]] Status try_step(const Curve& curve, double h, double& error);
  [[nodiscard]] Status try_pair(const Curve& curve, double h, double& error);
  [[nodiscard]] Status try_halves(const Curve& curve, double h, double& error);
  [[nodiscard]] Status stages(const Curve& curve, double h, const Vec& from, Vec& to);
  [[nodiscard]] Status finish(const Curve& curve);
  [[nodiscard]] Status find_direction(const Curve& curve, const Vec& at, Vec& V);
  [[nodiscard]] Status slope(const Curve& curve, const Vec& at, Vec& k);
  [[nodiscard]] Status end_slope(const Curve& curve, Vec& k);
  [[nodiscard]] bool bound_by_stability() const;
  [[nodiscard]] Status project(const Curve& curve, Vec& at, bool of_stage);
  [[nodiscard]] Status reparametrise(Vec& V) const;
  [[nodiscard]] Status give_up(Status cause, Vec& p);
  [[nodiscard]] bool too_sharp(const Vec& from, const Vec& to) const;
  [[nodiscard]] bool too_short(double way) const;
  [[nodiscard]] double estimate(double h);
  [[nodiscard]] double length_of_step() const;
  [[nodiscard]] double quadrature(double h) const;
  [[nodiscard]] double weight_of_x() const;
  [[nodiscard]] double weighted_square(const Vec& e, const Vec& q) const;
  [[nodiscard]] double error_order() const;
  [[nodiscard]] double resolution() const;
  void first_step(const Curve& curve);
  void propose(double h, double error, bool rejected, bool cut);
  void commit(Vec& p);
  void count(bool of_stage);

  [[nodiscard]] Status prepare_dense(const Curve& curve);
  [[nodiscard]] Place dense(double theta) const;
  [[nodiscard]] std::optional<double> turn() const;
  [[nodiscard]] std::optional<double> crossing(double x) const;

  CurveIntegratorOptions options_;
  const ExplicitTableau* tableau_;
  CurveProjection projection_;
  CurveEvaluation ev_;
  double sense_ = 1.0;                                     // of x at the start
  double h_ = 0.0;                                         // proposed next step, > 0; 0: not known
  double most_ = std::numeric_limits<double>::infinity();  // length of a step
  Vec V_, k_now_;       // at the point where the next step begins
  Vec V_end_, k_end_;   // at next_
  Vec V_start_;         // at from_
  Vec along_;           // V found last in this step, by which the next is oriented
  Vec from_, next_;     // ends of the step
  double x_end_ = 0.0;  // x of next_ in the parametrisation by time
  std::vector<Vec> k_;
  Vec stage_, e_, middle_, other_;
  std::vector<Vec> r_;  // of dense output
  bool dense_ready_ = false;
  double s_ = 0.0, last_ = 0.0;
  double s_from_ = 0.0;  // of from_
  double halves_ = 0.0;  // length of the step, where it is halved
  double trying_ = 0.0;  // length of the step that is tried
  double whole_ = 0.0;   // of the last step, before it was shortened
  double error_ = 0.0, error_sum_ = 0.0;
  double x_slope_least_ = 0.0, x_slope_most_ = 0.0;
  bool corner_ = false;  // this step passes one
  bool landed_ = false;
  bool weigh_x_ = false;
  bool stiff_ = false;                         // stability has bounded the last step
  Index first_uncounted_ = 0, uncounted_ = 0;  // in no norm, as the curve says
  bool in_x_ = false;                          // this step is one in x, though others are not
  bool landing_ = false;                       // a step accepted before is taken again, shorter

  std::int64_t step_iterations_ = 0, step_projections_ = 0;    // in all tries of the step
  std::int64_t stage_iterations_ = 0, stage_projections_ = 0;  // of stages in the last one

  enum class Part : unsigned char { step, projection, direction, turn };
  Status failure_ = Status::ok;  // what reason() is about
  Part failed_ = Part::step;
  double failed_step_ = 0.0, failed_error_ = 0.0;
  Vec failed_at_;
};

/// In both directions (see Archive).
void archive_counters(Archive& archive, CurveCounters& counters);

/// That stability, not the tolerance, has bounded the steps, in words; empty where it has not.
[[nodiscard]] Note stiffness_note(const CurveCounters& counters, bool along_curve);

}  // namespace taut
