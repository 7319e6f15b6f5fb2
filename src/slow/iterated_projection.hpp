// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/kkt.hpp"
#include "filters/filter.hpp"
#include "slow/micro_solution.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/model/system.hpp"

namespace taut {

struct IteratedProjectionOptions {
  double tol = 1e-13;        ///< of q and of v, or of g and g' where they are known; > 0
  double reduction = 1e-10;  ///< iterations for this much are made whatever the test says; 1: none
  bool scaled = true;        ///< test what is left, d R/(1 - R); false: the change d itself
  bool processed = true;     ///< (4), (5); false: Verlet's slow solution is taken as it is
  int max_iterations = 30;   ///< reaching it is a failure
  /// Called with the number of iterations made, 0 at first, and the point they have led to.
  std::function<void(int, const State&)> observer{};
};

/// The algorithm as it was published: plain Verlet, the change tested as it is.
[[nodiscard]] IteratedProjectionOptions published_projection(double tol);

/// Projects a state onto the slow manifold of  M q'' = f(q, t),  f stiff: solutions from there do
/// not vibrate. Only the force is asked for, no derivative and no constraint.
///
///   q_j, v_j, a_j  for |j| <= N:  a micro-solution with the centre (q, v)  (MicroSolution)     (1)
///   q <- Σ w_j q_j,      v <- Σ w_j v_j      with the weights w of a filter (2)
///
/// is repeated. Vibrations of the filter's band are damped by its R in every iteration and what is
/// slow is kept, up to c h^(µ+1) d^(µ+1)/dt^(µ+1) of it: neither depends on the stiffness, and with
/// h in proportion to 1/ω the work does not either. Slow motion has no part of its own in (2): it
/// glides along the manifold by the error of the filter in each iteration.
///
/// Test. The change d of an iteration is that of the accelerations, which the stiffness magnifies:
///
///   d_q = |a_0' - a_0| / ω²,    d_v = |b' - b| / ω²,    b = (a_1 - a_-1) / 2h (3)
///
/// with a prime at the new point and ω the lowest frequency of the band; or |g' - g| and the same
/// of the rate G v + g_t where constraints are given. It is met when d R/(1 - R) <= tol, or at the
/// level of rounding. Before it is asked, so many iterations are made since the first with
/// d <= tol/(10 reduction) that the filter reduces by `reduction`: with the same start the work is
/// then the same for every ω. Where d is no more than a tenth of the glide it ends at once: the
/// error of the filter is all that is left.
///
/// Processed Verlet. Verlet's slow solution is not that of the system: its velocity is not q', and
/// its manifold lies beside the other. With filters w' and w" one and two steps shorter
///
///   v_V = q' + s3 + O(h⁴),      s3 = h/12 Σ w'_j (a_{j+1} - a_{j-1})  ~  h²/6 q''' (4) s4 = Σ w'_j
///   (a_{j+1} - 2 a_j + a_{j-1})  ~  h² q'''',   s5 = the same of third differences  (5)
///
/// v_V is what (2) is done with; s3 is added when it changes and taken off at the end, so that
/// motion along the manifold keeps its q'. The micro-solution of the next iteration is driven by
/// c_j = (s4 + j s5)/12, which makes it the system's own up to O(h⁴). Vibrations enter the
/// corrections with the damping R' of w', so that R of the test is the larger root of
/// x² = R x + (ω h)²/6 R'.
///
/// Cost: (2N + 1) force evaluations for each iteration, and 3 for the last test (3). Nothing
/// allocates after start(), unless an observer does.
///
/// Fails, with the state as it was given and a reason in words and numbers: a start too far from
/// the manifold, frequencies that the filter does not damp, steps beyond Verlet's stability
/// (projection_diverged); slow motion within the window of the filter (not_supported); a force that
/// is not finite; the iteration limit. A vibration inside the band is fast by that: no test can
/// know that a user meant it to stay. Reference: ariel2012.
class IteratedProjection {
 public:
  /// `system` has no equations: springs(system), penalized(system, omega), force_only(...).
  [[nodiscard]] Status start(const System& system, const FilterChoice& filter,
                             const IteratedProjectionOptions& options = {});
  /// The same where the constraints that became springs are known: `known` = equations(system).
  [[nodiscard]] Status start(const System& system, const System& known, const FilterChoice& filter,
                             const IteratedProjectionOptions& options = {});

  [[nodiscard]] Status operator()(State& state);

  /// Why start() or the last projection failed.
  [[nodiscard]] const std::string& reason() const { return reason_; }
  [[nodiscard]] int iterations() const { return iterations_; }
  /// Of all projections since start().
  [[nodiscard]] std::int64_t force_evaluations() const { return micro_.force_evaluations; }

  /// Estimates of the distance to the slow manifold after the last projection: what is left of the
  /// vibration, and the error of the filter.
  [[nodiscard]] double left() const { return left_.q; }
  [[nodiscard]] double velocity_left() const { return left_.v; }

  /// Σ w_j a_j along the last micro-solution.
  [[nodiscard]] const Vec& acceleration() const { return a_mean_; }
  /// The velocity that goes with it: that of the point reached.
  [[nodiscard]] const Vec& velocity() const { return velocity_; }

 private:
  struct Sizes {
    double q = 0.0, v = 0.0;
  };
  /// What the test looks at: a_0 and b of (3), or g and G v + g_t.
  struct Trace {
    Vec q, v;
  };

  [[nodiscard]] Status begin(const System& system, const FilterChoice& filter,
                             const IteratedProjectionOptions& options);
  [[nodiscard]] Status set_difference_weights();
  [[nodiscard]] Status iterate();
  [[nodiscard]] Status average();
  void begin_differences();
  void add_differences(Index j);
  void use_differences();
  [[nodiscard]] Status trace(Trace& out);
  [[nodiscard]] bool finished();
  [[nodiscard]] bool met(double change, double rounding) const;
  [[nodiscard]] double across(const Vec& change);
  [[nodiscard]] double moved() const;
  [[nodiscard]] double slow_rate() const;
  [[nodiscard]] bool stalls();
  void count_near();
  void set_roundings();
  void set_left();
  void observe();

  // why it failed: iterated_projection_reasons.cpp
  [[nodiscard]] Status explain(Status status);
  [[nodiscard]] Status check_slowness();
  [[nodiscard]] double highest_frequency();
  [[nodiscard]] std::string course() const;
  [[nodiscard]] std::string why_it_stalls() const;
  // a change below this part of what was moved is none of a vibration
  static constexpr double part_of_glide = 0.1;

  IteratedProjectionOptions options_;
  System system_, known_;
  bool is_known_ = false;
  FilterChoice filter_;
  Vec first_difference_, second_, third_;  // weights of a_j in s3 (without h/12), s4 and s5
  double contraction_ = 0.0;               // of vibrations, in one iteration
  int enough_ = 0;                         // iterations that reduce by options_.reduction
  double omega2_ = 1.0;                    // ω² of (3)

  MicroSolution micro_;
  Evaluation ev_;  // of known_, as is what follows
  Kkt kkt_;
  Vec no_compliance_, along_, multiplier_;

  State given_;
  State here_;             // the point reached; v is v_V
  Vec q_moved_, v_moved_;  // by the last iteration
  Vec s3_, s3_next_, s4_, s5_, a_mean_, velocity_;
  Vec taken_;        // from a_0 by the filter
  Vec slope_;        // (a_1 - a_-1) / 2h
  Vec slope_taken_;  // from it by the filter w'; zero without corrections
  Trace trace_, trace_next_;
  Sizes change_, before_, first_;  // d of this, the last and the first iteration
  Sizes rounding_, left_;
  int iterations_ = 0, near_ = 0, stalls_ = 0;
  std::string reason_;
};

/// The minimax filter for a band with which a reduction costs fewest force evaluations, in three
/// iterations or more: it takes as many to find the corrections (4), (5).
[[nodiscard]] FilterChoice choose_filter(const Band& band, int mu = 7, double reduction = 1e-10);

}  // namespace taut
