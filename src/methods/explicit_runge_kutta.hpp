// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/kkt.hpp"
#include "fused/fused_accelerations.hpp"
#include "model/accelerations.hpp"
#include "projections/projection.hpp"
#include "tableaux/explicit_tableau.hpp"
#include "taut/core/archive.hpp"
#include "taut/core/counters.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/methods/method_info.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// One step of an explicit Runge-Kutta method on y = (q, v),
///
///   q' = v,   v' = a(q, v, t)   with   M a + Gᵀλ = f,   G a + g'' terms = 0                  (1)
///
/// (the accelerations of Accelerations; without constraints simply M a = f). After (2) of
/// ExplicitTableau, y1 is pulled onto g(q1, t1) = 0 and then G v1 + g_t = 0, with the factorisation
/// of the last stage, which lies at t1 too. k_s is evaluated at the point that results and serves
/// the next step: the projection costs no evaluation of f and no factorisation. Where the system
/// has a manifold of its own (Structure::has_manifold), System::project() takes its place.
///
/// This is the machinery; the methods are Rk4, DormandPrince54 and DormandPrince853.
class ExplicitRungeKutta {
 public:
  explicit ExplicitRungeKutta(const ExplicitTableau& tableau) : tableau_{&tableau} {}

  /// Sizes everything and evaluates k_0. `why` says what is wrong where a system is refused.
  [[nodiscard]] Status start(const System& system, const State& s, const MethodInfo& info,
                             std::string& why);

  /// k_0 at another state of a system that was started with, of which values may have changed.
  [[nodiscard]] Status restart(const System& system, const State& s);

  /// Stages 1 .. s-1 of a step of h from s, and y1 of (2).
  [[nodiscard]] Status stages(const System& system, double h, const State& s);

  /// Projects y1 at time t1 (t0 + h but for rounding) and evaluates k_s there.
  [[nodiscard]] Status finish(const System& system, double t1);

  /// Makes y1 the state and k_s the next k_0; dense output then belongs to this step.
  void commit(State& s);

  /// Σ w_i k_i, of q and of v.
  void combine(std::span<const double> w, Vec& dq, Vec& dv) const;

  /// The step committed last, at time t in it, on the constraints. Evaluates the dense stages when
  /// it is asked for the first time in a step.
  [[nodiscard]] Status interpolate(const System& system, double t, State& out);

  /// Derivatives of the same with respect to t, before it is put onto the constraints.
  [[nodiscard]] Status rates(const System& system, double t, State& rate);

  /// Evaluates k_i at a point.
  [[nodiscard]] Status evaluate(const System& system, const State& at, int i);

  /// a of k_i, and of k_0 of the step to come.
  [[nodiscard]] const Vec& acceleration(int i) const { return kv_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] const Vec& acceleration() const {
    return acceleration(committed_ ? tableau_->stages : 0);
  }

  [[nodiscard]] const State& next() const { return next_; }

  /// Of the step committed last: its length, and |k_s - k_(s-1)| / |y1 - y_(s-1)| with the point
  /// y_(s-1) of the last stage, which lies at its end as well.
  [[nodiscard]] double length() const { return next_.t - from_.t; }
  [[nodiscard]] double rate() const { return rate_; }
  [[nodiscard]] const ExplicitTableau& tableau() const { return *tableau_; }

  /// How far the constraints are from depending on each other, as Kkt has it, compared with the
  /// best so far: the least of all points of stages() and finish(), and at the point evaluated
  /// last. 0 where more of them do than at other points; 1 where that is nothing unusual.
  [[nodiscard]] double independence() const { return independence_; }
  [[nodiscard]] double independence_at_end() const { return independence_at_end_; }
  /// Where the step to come begins, and the steps that are tried from there.
  [[nodiscard]] double independence_at_begin() const { return independence_at_begin_; }

  /// What is known of that before the start; 0: nothing.
  void expect_independence(double best) { expected_independence_ = best; }

  void archive(Archive& archive) { archive(fewest_, best_independence_, independence_at_begin_); }

  Counters counters;

 private:
  void stage_point(double h, int i, State& to) const;
  void estimate_rate();
  void watch_independence(std::int64_t dependent, double here);
  [[nodiscard]] Status prepare_dense(const System& system);
  [[nodiscard]] Status factor_at(const System& system, const State& at);
  [[nodiscard]] Status project(const System& system, const Kkt& kkt, State& at);

  const ExplicitTableau* tableau_;
  Accelerations accelerations_;
  fused::FusedAccelerations fused_;
  Projection projection_;
  std::vector<Vec> kq_, kv_;  // k_i of q and of v
  State from_, next_;         // ends of the step
  State point_;               // of a stage; after stages() of the last one
  double rate_ = 0.0;
  double independence_ = 1.0, independence_at_end_ = 1.0;
  double independence_at_begin_ = 1.0, independence_at_next_ = 1.0;
  double best_independence_ = 0.0, expected_independence_ = 0.0;
  std::int64_t fewest_ = 0;  // dependent constraints, at any point
  Vec lambda_, no_compliance_;
  bool committed_ = false;  // the step from_ .. next_ has become the caller's

  bool dense_ready_ = false;  // rq_, rv_ hold r_m of q and v for this step
  std::vector<Vec> rq_, rv_;
  Kkt kkt_;                                         // factorised at points of dense output
  std::shared_ptr<const SystemImplementation> of_;  // whose structure it knows
  Evaluation ev_;
};

}  // namespace taut
