// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "problem.hpp"
#include "tableaux/implicit_tableaux.hpp"

namespace taut::papers::stiff_rk {

/// In which form a Runge-Kutta method is given the stiff problem. With y' = v and
/// M v' = f - Gᵀλ each form adds
///
///   ode       λ := g(y)/ε²                          the second-order equation (2.1) itself; ε > 0
///   index3    ε² λ = g(y)                           (8.4); (2.25.0) for ε = 0
///   index2    ε² λ' = G v                           g drifts with the error of the method
///   ggl       ε² λ = g(y),  ε² λ' = G v,            y' = v - M⁻¹Gᵀμ instead of y' = v; μ = 0 in
///                                                   the exact solution
///   damped    ε² λ = g(y) + G v                     strong damping; index 2 for ε = 0
///
/// The Runge-Kutta solutions of ode and index3 are the same. The default of taut is ggl.
enum class Form { ode, index3, index2, ggl, damped };

template <class Real>
using Tableau = BasicImplicitTableau<Real>;

/// One problem, one method, one form, one ε: steps of any size whose stage equations are solved to
/// rounding by Newton's method with the exact Jacobian. Unknowns of stage i are Z_i = Y_i - y_n,
/// Λ_i and (ggl) μ_i. With D = A⁻¹/h,
///
///   V_i = Σ_j D_ij Z_j + M(Y_i)⁻¹G(Y_i)ᵀ μ_i,     A_i = Σ_j D_ij (V_j - v_n)                 (1)
///   0 = M(Y_i) A_i - f(Y_i, V_i) + G(Y_i)ᵀ Λ_i                                              (2)
///   0 = g(Y_i) - ε² Λ_i                                   index3, ggl                       (3)
///   0 = G(Y_i) V_i - ε² Σ_j D_ij (Λ_j - λ_n)              index2                            (4)
///   0 = G(Y_i) V_i - Σ_j D_ij (g(Y_j) - g(y_n))           ggl                               (5)
///   0 = g(Y_i) + G(Y_i) V_i - ε² Λ_i                      damped                            (6)
///   y_(n+1) = y_n + bᵀA⁻¹ Z,  v_(n+1) = v_n + bᵀA⁻¹ (V - v_n),  λ_(n+1) = Λ_s               (7)
///
/// (5) is the rule ε² λ' = G v with ε² λ = g inserted, so that λ_n need not be known.
template <class Real>
class FixedStep {
 public:
  FixedStep(const Problem<Real>& problem, const Tableau<Real>& tableau, Form form, Real eps);

  /// The point after one step; nothing when Newton's method does not converge.
  [[nodiscard]] std::optional<Point<Real>> step(const Point<Real>& from, Real h) const;

  /// `steps` equal steps from a start whose lambda may be empty.
  [[nodiscard]] std::optional<Point<Real>> run(Point<Real> from, Real h, int steps) const;

  /// Stage values, (1) to (6) solved.
  struct Stages {
    MatOf<Real> Z, V, A, Lambda, mu;  ///< one column per stage
  };
  [[nodiscard]] std::optional<Stages> stages(const Point<Real>& from, Real h) const;

 private:
  const Problem<Real>& problem_;
  const Tableau<Real>& tableau_;
  MatOf<Real> A_inverse_;
  Form form_;
  Real eps2_;
};

}  // namespace taut::papers::stiff_rk
