// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

#include "taut/core/status.hpp"
#include "taut/core/types.hpp"

namespace taut {

/// minimise f(x) where c(x) <= 0 and lower <= x <= upper, by sequential quadratic programming:
///
///   d = argmin  dᵀB d/2 + ∇fᵀd + ρ Σ s_i     with  c + A d <= s,  s >= 0,  lower <= x + d <= upper
///   (1) φ(x) = f(x) + ρ Σ max(0, c_i(x)) (2)
///
/// B is the damped BFGS matrix of the Lagrangian f + λᵀc with λ the multipliers of (1), halving of
/// d until φ falls by 1e-4 of what (1) promises; where a full step misses for the curvature of c
/// alone, (1) once more with c(x + d) - A d in place of c. (1) is always solvable; ρ grows above
/// the largest multiplier, and where s remains, tenfold. Converged where
///
///   |x - clamp(x - ∇f - Aᵀλ)| <= tol,  λ_i |c_i| <= tol,  max(0, c_i) <= tol                  (3)
///
/// in units of scaled variables, f and c. Fails where no step is better, or ρ does not help:
/// there is no point nearby that fulfils the constraints. Reference: nocedal2006, ch. 18.
struct SqpProblem {
  struct Point {
    double f = 0.0;
    Vec gradient;
    Vec c;
    Mat A;  ///< dc/dx
  };
  /// False where there is none: such a step is halved.
  std::function<bool(const Vec& x, Point& point)> at;
  Vec lower, upper;
  double tol = 1e-7;
  int max_iterations = 200;
  /// After every iteration; false ends it.
  std::function<bool(const Vec& x, const Point& point)> seen;
};

struct SqpResult {
  Status status = Status::ok;
  std::string message;
  Vec x, multipliers;  ///< of c
  SqpProblem::Point point;
  int iterations = 0, evaluations = 0;
};

[[nodiscard]] SqpResult minimise(const SqpProblem& problem, Vec x);

/// minimise zᵀQ z/2 + qᵀz where G z <= h, for Q positive semidefinite and an interior that is not
/// empty, by Mehrotra's predictor and corrector; false where it does not converge. `multipliers` of
/// the rows of G.
[[nodiscard]] bool minimise_quadratic(const Mat& Q, const Vec& q, const Mat& G, const Vec& h,
                                      Vec& z, Vec& multipliers);

}  // namespace taut
