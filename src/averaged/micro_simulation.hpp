// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "core/kkt.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/core/types.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// Phases and weights of a micro-simulation. Node j = 0, ..., N of each side has the phase
///
///   theta_j = start + side * unit * (j mod cycle) / per                                       (1)
///
/// from whole numbers, so that a window closes to the last bit whatever omega is.
struct MicroWindow {
  double h = 0.0;     ///< micro-step [s]
  Vec weights = {};   ///< of one side, 0 ... N: their sum is 1/2
  bool even = false;  ///< both sides are the same: only one is simulated
  double start = 0.0;
  double unit = 0.0;      ///< phase that `per` steps make; 0: the system has no phase, time runs
  int per = 1;            ///< micro-steps in `unit`
  int cycle = 0;          ///< nodes after which phases return; 0: they do not
  bool enslaved = false;  ///< begins with the velocity of the vibration, not at rest

  [[nodiscard]] Index steps() const { return weights.size() - 1; }
  [[nodiscard]] double phase(int side, Index j) const {
    const Index turned = cycle > 0 ? j % cycle : j;
    return start + side * unit * static_cast<double>(turned) / per;
  }
};

/// A node a micro-simulation went through.
struct MicroNode {
  double t = 0.0;       ///< since the start [s]
  Vec u = {};           ///< displacement
  double t_half = 0.0;  ///< half a step later
  Vec v_half = {};      ///< velocity there
  double weight = 0.0;  ///< in the means
};

/// The motion from rest at a point Q through a short window, by Verlet in leap-frog form, or SHAKE
/// where there are constraints, in displacements u = q - Q:
///
///   v_{k+½} = v_{k-½} + h M⁻¹ (f(Q + u_k, theta_k) - G(Q + u_k)ᵀ λ_k)                         (1)
///   u_{k+1} = u_k + h v_{k+½},      g(Q + u_{k+1}) - g(Q) = 0 gives λ_k                       (2)
///   v_½ = v_0 + h/2 M⁻¹ (f(Q, theta_0) - G(Q)ᵀ λ_0)                                           (3)
///
/// and its mean force Σ w_k (f_k - G_kᵀ λ_k), mean multiplier Σ w_k λ_k. The difference of g in (2)
/// is the integral of G(Q + s u) u over 0 <= s <= 1: by the midpoint where G is linear in q (rods,
/// all quadratic constraints; exact), else by Gauss's rule of three points. No positions are
/// subtracted, so that λ_k, of size omega, keeps its digits though u is of size 1/omega.
///
/// A window that is `enslaved` begins with the momentum about which the frozen force f(Q, theta)
/// vibrates,  M v_0 = h Σ_{j=1..n-1} (j/n - ½) f(Q, theta_j)  over the n nodes of a cycle, made
/// tangential: then leap-frog closes exactly after a cycle.
///
/// (2) is solved by the simplified Newton iteration with G(Q + u_k), to rounding level of the
/// displacements; fails with iteration_limit, projection_diverged, or as the system does. Nothing
/// allocates after the first run.
class MicroSimulation {
 public:
  /// Sizes everything; looks at G near `at`.
  [[nodiscard]] Status start(const System& system, const State& at);

  /// Adds `factor` times the means to F and lambda.
  [[nodiscard]] Status run(const System& system, const MicroWindow& window, double t, const Vec& Q,
                           double factor);

  Vec F;       ///< mean force
  Vec lambda;  ///< mean multipliers

  /// Force evaluations, and steps, of the last run().
  [[nodiscard]] std::int64_t evaluations() const { return evaluations_; }
  [[nodiscard]] std::int64_t steps() const { return steps_; }

  /// Where the next runs are written down; null: nowhere.
  void follow(std::vector<MicroNode>* trace) { trace_ = trace; }

 private:
  [[nodiscard]] Status find_velocity(const System& system, const MicroWindow& window, double t,
                                     const Vec& Q);
  [[nodiscard]] Status side(const System& system, const MicroWindow& window, double t, const Vec& Q,
                            int sign, double factor);
  [[nodiscard]] Status node(const System& system, const MicroWindow& window, double t, int sign,
                            Index j);
  [[nodiscard]] Status shake(const System& system, double t, const Vec& Q, double h, double kick);
  [[nodiscard]] Status drift(const System& system, double t, const Vec& Q);
  [[nodiscard]] double largest_residual() const;
  [[nodiscard]] bool jacobian_is_linear(const System& system, const State& at);

  Kkt kkt_;
  Evaluation ev_, between_;
  Vec rest_;        // velocity zero, for whoever asks
  Vec v_start_;     // v_0
  Vec x_, u_, v_;   // Q + u_k, u_k, v_{k+½}
  Vec a_, lambda_;  // of the step that is made
  Vec next_, shift_, reach_;
  Vec residual_, mu_, no_rate_, no_compliance_;
  bool midpoint_ = false;
  std::int64_t evaluations_ = 0, steps_ = 0;
  std::vector<MicroNode>* trace_ = nullptr;
};

}  // namespace taut
