// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fixed_step.hpp"

namespace taut::papers::stiff_rk {

/// What of the error estimate (Δy, Δv) the step size control sees.
enum class Estimate {
  standard,  ///< ‖Δy‖ + ‖Δv‖: what a solver for stiff equations does
  scaled,    ///< ‖Δy‖ + h ‖Δv‖: what Section 8 (i) recommends
  split,  ///< ‖Δy‖ + ‖P Δv‖ + h ‖(I-P) Δv‖: only the velocity normal to g = 0 is scaled
};

/// A Radau IIA code with variable steps of the kind Section 8 speaks of (the strategies of RADAU5,
/// hairer1996 IV.8), small and dense. With u = (y, v, λ),
///
///   Mass u' = r(u),   Mass = diag(I, M, 0),   r = (v, f - Gᵀλ, g - ε² λ)                    (1)
///
/// it solves the stage equations (2), (3) of FixedStep by Newton's method with the Jacobian frozen
/// at the start of the step, in the form index3 or, with λ = g/ε² eliminated first, in the form
/// ode. The latter is the standard iteration of (8.1). The error estimate is Hairer's,
///
///   (κ Mass - r_u) Δu = r(u_n) + κ Mass Σ_i e_i (U_i - u_n),    κ = 1/(h γ₀)                (2)
///   e = A⁻ᵀ(b̂ - b),    b̂ of order s with the weight γ₀ on u_n                              (3)
///
/// with γ₀ the real eigenvalue of A (s odd). After a rejection and in the first step it is filtered
/// once more, with r(u_n + Δu). New steps follow from error^(-1/(s+1)).
///
/// With `hidden_constraints` it uses the gradient and the Hessian of U and nothing else of g:
/// (8.6) in place of (2), (3), solved a second time with the remainder where that matters, see
/// StiffForce. λ is then that of (8.6).
struct AdaptiveOptions {
  int s = 3;
  Form form = Form::index3;         ///< or Form::ode
  bool hidden_constraints = false;  ///< (8.5)-(8.8); needs Form::index3 and ε > 0
  Estimate estimate = Estimate::standard;
  double tol = 1e-6;    ///< relative and absolute
  double h0 = 1e-3;     ///< first step
  double kappa = 0.03;  ///< Newton's method stops at kappa * tol, as in RADAU5
  int most_steps = 200000;
};

struct AdaptiveResult {
  Point<double> end;
  int steps = 0;              ///< accepted
  int rejected = 0;           ///< by the error estimate
  int newton_rejections = 0;  ///< by Newton's method
  int newton_iterations = 0;
  bool done = false;  ///< otherwise most_steps was reached or the step became too small
};

[[nodiscard]] AdaptiveResult integrate_adaptively(const Problem<double>& problem, double eps,
                                                  const Point<double>& from, double until,
                                                  const AdaptiveOptions& options);

}  // namespace taut::papers::stiff_rk
