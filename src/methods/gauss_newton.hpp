// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "core/kkt.hpp"
#include "taut/core/archive.hpp"
#include "taut/core/counters.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/methods/method_info.hpp"
#include "taut/methods/method_options.hpp"
#include "taut/model/system.hpp"

namespace taut {

struct GaussNewtonOptions {
  /// Weight of the step in (1), at least 1/4. Small is accurate, large is robust: 0.3 for smooth
  /// motion, 0.5 under a thermostat, where it keeps the constraints best.
  double beta = 0.3;
};

/// Velocity Verlet with constraints held by one linear solve per step, for
///   M v' = f(q, t) - G(q, t)ᵀλ,  q' = v,  g(q, t) = Cλ,  M constant, any C >= 0, row by row.
///
/// With b = β h², the constraints are asked for at q + b a instead of q, to first order:
///
///   M a + Gᵀλ = f,   g + b G a = C λ     that is   (C/b + G M⁻¹Gᵀ) λ = g/b + G M⁻¹f           (1)
///   v½ = v0 + h/2 a(q0, t0),   q1 = q0 + h v½,   v1 = v½ + h/2 a(q1, t1)                      (2)
///
/// (1) is what remains of a Newton step of Newmark's method on springs of stiffness 1/C when only
/// Gᵀ C⁻¹ G is kept of their second derivative, so that C = 0 is allowed and the matrix is always
/// positive definite. A displacement normal to the constraints swings with
/// ω² = GM⁻¹Gᵀ / (C + b GM⁻¹Gᵀ) < 1/b: (2) is stable for every stiffness where β > 1/4.
///
/// Order 2, symmetric, volume preserving, not symplectic; linear and angular momentum are kept to
/// rounding. Rigid constraints hold to O(h²): smooth motion has
///
///   g = b c,   G v + g_t = b c' - h²/6 (c' + G' a),   c = g_qq(v, v) + 2 g_qt v + g_tt         (3)
///
/// (with Cλ and Cλ' on the right where C > 0). A start with g = 0 in every rigid row is moved there
/// in the first step, by a shift along M⁻¹Gᵀ that takes the momenta with it (its cotangent lift),
/// and a kick along M⁻¹Gᵀ: else λ would swing about its value as much as it is large. Compliant
/// rows are moved where they are near g = Cλ, to a tenth of b c. Steps back lead to the start so
/// moved. Any other state is taken as it is.
///
/// Cost: one force evaluation and one factorisation per step. Fails when a formula is not finite;
/// the state is then as it was before the step. Refuses M(q), damped rows, forces that depend on v.
/// Reference: tao2016.
class GaussNewton {
 public:
  static constexpr MethodInfo info{
      .name = "gauss-newton",
      .order = 2,
      .symmetric = true,
      .constraints = true,
      .compliance = true,
      .exact_constraints = false,
      .about = "Verlet with one linear solve per step for rods of any stiffness, rigid ones too",
      .cite = "tao2016"};

  GaussNewton() = default;
  static constexpr OptionInfo beta_option{.name = "beta",
                                          .about = "weight of the step: small is accurate",
                                          .otherwise = GaussNewtonOptions{}.beta,
                                          .least = 0.25};
  static constexpr OptionInfo reads[]{beta_option};
  static GaussNewton made_of(const MethodOptions& given) {
    return GaussNewton{{.beta = given[beta_option]}};
  }

  explicit GaussNewton(GaussNewtonOptions options) : options_{options} {}

  [[nodiscard]] Status start(const System& system, const State& state);
  [[nodiscard]] Status step(const System& system, double h, State& s);

  /// a and λ of (1), linear in time between the ends of the last step; before the first step those
  /// of the equations of motion at the start.
  [[nodiscard]] Status multipliers(const System& system, const State& at, Vec& a, Vec& lambda);
  void archive(Archive& archive);

  /// Why start() refused the system, or why the first step failed.
  [[nodiscard]] const std::string& message() const { return message_; }

  Counters counters;

 private:
  [[nodiscard]] bool on_constraints(const Structure& structure) const;
  [[nodiscard]] Status first_multipliers(const System& system, const State& at);
  [[nodiscard]] Status onto_smooth_motion(const System& system, double h, State& s);
  [[nodiscard]] Status lift_velocities(const System& system, const Vec& nu, State& s);
  [[nodiscard]] Status smooth_rate(const System& system, double h, const State& s, Vec& rate);
  [[nodiscard]] Status accelerate(const System& system, const State& at, Vec& a, Vec& lambda);
  void set_step(double h, const Structure& structure);

  GaussNewtonOptions options_;
  Kkt kkt_;
  Evaluation ev_;
  double b_ = 0.0;              // β h² of the last step
  Vec compliance_;              // C/b
  Vec constant_force_;          // f where it is the same everywhere
  Vec s_, x_;                   // right-hand side -g/b; scratch
  Vec a_, lambda_;              // of the state, with this b, on entry to every step but the first
  State from_;                  // the start on the smooth motion
  State next_;                  // after a step the state before it
  Vec a_begin_, lambda_begin_;  // there, where multipliers() has asked for them
  double t_begin_ = 0.0, t_end_ = 0.0;  // of the last step
  bool current_ = false;                // a_ and lambda_ are those of the state and of b_
  bool known_ = false;                  // a_ and lambda_ are those of the state, or of the start
  bool stepped_ = false;                // there is a last step
  bool begin_known_ = false;            // a_begin_ and lambda_begin_ are those of the last step
  bool fresh_ = false;  // the next step begins on g = 0 and has to move away from it, see (3)
  std::string message_;
};

}  // namespace taut
