// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/kkt.hpp"
#include "projections/secants.hpp"
#include "taut/core/counters.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/model/system.hpp"

namespace taut {

struct ProjectionOptions {
  double tol = 2e-15;       ///< |g_r| in units of Row::scale: nine roundings
  int max_iterations = 30;  ///< reaching it is a failure
};

/// Pulls positions onto g(q, t) = 0 and velocities onto G v + g_t = 0.
///
/// Position, from q_0 along the columns of M⁻¹Gᵀ, with M and G those a Kkt was factorised with:
///
///   z_k = -M⁻¹Gᵀζ_k  with  G z_k = -g(q_k, t)                                              (1)
///   x_k = (z_k + Σ_{j<k-1} c_j x_{j+1}) / (1 - c_{k-1}),     c_j = (x_j · z_k) / |x_j|²      (2)
///   q_{k+1} = q_k + x_k                                                                      (3)
///
/// (1) alone is the simplified Newton iteration, which converges linearly because G is not taken
/// at q_k; (2) is Broyden's update of its matrix. Every x_k is a combination of the z_j, so that
/// the whole correction is exactly -M⁻¹Gᵀλ: what makes RATTLE symplectic does not depend on how λ
/// was found. No second factorisation is needed: on a spinning double pendulum it converges up to
/// the step at which (1) ceases to have a solution, and Newton's method with G(q_k) gets no
/// farther.
///
/// Velocity:  y = -M⁻¹Gᵀμ  with  G y = -(G v + g_t),  v += y, repeated for what rounding (or a
/// factorisation at a point nearby) has left.
///
/// It has converged when every |g_r| is at rounding level. Dependent constraints that agree with
/// each other do not disturb it. Fails with constraints_contradict when only what lies in the null
/// space of Gᵀ is left, projection_diverged when |g| grows, iteration_limit when it does not fall.
/// Reference: kelley1995 (section 7.3) for the form (2) of Broyden's method.
class Projection {
 public:
  Projection() = default;
  explicit Projection(ProjectionOptions options) : options_{options} {}

  void start(const System& system);

  /// Evaluates once, at any point, every set of targets position() may ask for with this `also`, so
  /// that neither the system nor `ev` allocates later.
  [[nodiscard]] static Status rehearse(const System& system, const State& at, Evaluation& ev,
                                       Needs also = 0);

  /// Moves at.q onto g(at.q, at.t) = 0. On success `ev` holds g and all of `also` at that point;
  /// at.v is read by targets that depend on the velocity. On failure at.q and ev are spoiled.
  [[nodiscard]] Status position(const System& system, const Kkt& kkt, State& at, Evaluation& ev,
                                Needs also = 0);

  /// What the last position() added to q, and its multiplier: correction() = -M⁻¹Gᵀ lambda().
  [[nodiscard]] const Vec& correction() const { return secants_.total(); }
  [[nodiscard]] const Vec& lambda() const { return secants_.lambda(); }

  /// Moves v onto G v + g_t = 0, with G and g_t as `ev` holds them.
  [[nodiscard]] Status velocity(const System& system, const Kkt& kkt, const Evaluation& ev, Vec& v);

  /// Adds the work done since the last call to `counters`.
  void report(Counters& counters);

 private:
  [[nodiscard]] Status evaluate(const System& system, const State& at, Evaluation& ev, Needs needs);
  [[nodiscard]] double residual(const Vec& g);
  [[nodiscard]] bool at_rounding_level(const System& system, const State& at, Evaluation& ev);
  [[nodiscard]] bool contradicts(const Kkt& kkt, const Vec& g) const;
  void correct(const Kkt& kkt, int k, Vec& q);

  ProjectionOptions options_;
  Vec inverse_scale_;  // 1 / Row::scale of the nc equations
  Vec s_;              // right-hand side of (1)
  Secants secants_;    // (2)
  Vec y_, mu_;         // of a velocity
  Counters work_;      // not yet reported
};

}  // namespace taut
