// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fixed_step.hpp"

namespace taut::papers::stiff_rk {

/// Modified Newton iterations of Section 8, on one step of size h from a given point.
///
/// The equations (5.1c) for the stage accelerations Y''_i are, with Y and Y' inserted from (5.1b),
///
///   F_i(Y'') = M(Y_i) Y''_i - f(Y_i, Y'_i) + ε⁻² ∇U(Y_i) = 0                               (5.1c)
///   Y_i = y_0 + c_i h y'_0 + h² Σ_k (A²)_ik Y''_k,    Y'_i = y'_0 + h Σ_k a_ik Y''_k       (5.1b)
///
/// and the matrices the paper tries in Y'' <- Y'' - J⁻¹ F(Y'')
///
///   J_ik = δ_ik M(y_0) + (h/ε)² (A²)_ik ∇²U(P_i),   P_i = y_0                               (8.1)
///                                                   P_i = y_0 + c_i h y'_0                  (8.2)
///                                                   P_i = Y_i of the constrained problem    (8.3)
///
/// In the augmented form with unknowns Y''_i, Λ_i the equations are
///
///   M(Y_i) Y''_i - f(Y_i, Y'_i) + G(Y_i)ᵀ Λ_i = 0,    h⁻² (g(Y_i) - ε² Λ_i) = 0             (8.4)
///
/// and the matrix is that of (8.8) with the true G at y_0:
///
///   [ I ⊗ M      I ⊗ Gᵀ        ]
///   [ A² ⊗ G    -(ε/h)² I      ]                                                            (8.8)
///
/// What the paper writes as O(h) is left out everywhere. The solution of the stage equations, which
/// the studies look from, comes from the exact Newton iteration of FixedStep; should that fail,
/// they throw std::bad_optional_access.
enum class NewtonMatrix { at_start, along_velocity, at_constrained_stages };  // (8.1) (8.2) (8.3)

class NewtonStudy {
 public:
  using Real = long double;

  /// `from` lies on the manifold of smooth motion of this ε; ε may be 0 for augmented() only.
  NewtonStudy(const Problem<Real>& problem, const Tableau<Real>& tableau, Real eps,
              Point<Real> from);

  struct Contraction {
    Real norm = 0;             ///< ‖I - J⁻¹F'‖₂ at the solution
    Real spectral_radius = 0;  ///< of the same matrix
    Real condition = 0;        ///< of J
  };
  [[nodiscard]] Contraction contraction(NewtonMatrix matrix, Real h) const;
  [[nodiscard]] Contraction augmented(Real h) const;

  /// Where an iteration starts: the acceleration at the point, constant over the stages, or the
  /// accelerations of the constrained stages.
  enum class Guess { constant, constrained };

  /// Does every update shrink until one is below 1e-8, within ten iterations?
  [[nodiscard]] bool converges(NewtonMatrix matrix, Guess guess, Real h) const;

 private:
  [[nodiscard]] MatOf<Real> positions(const MatOf<Real>& acceleration, Real h) const;
  [[nodiscard]] MatOf<Real> velocities(const MatOf<Real>& acceleration, Real h) const;
  [[nodiscard]] MatOf<Real> solution(Real eps, Real h) const;
  [[nodiscard]] VecOf<Real> residual(const MatOf<Real>& acceleration, Real h) const;
  [[nodiscard]] MatOf<Real> jacobian(const MatOf<Real>& acceleration, Real h) const;
  [[nodiscard]] MatOf<Real> matrix(NewtonMatrix which, Real h) const;

  const Problem<Real>& problem_;
  const Tableau<Real>& tableau_;
  MatOf<Real> A2_;
  Real eps_;
  Point<Real> from_;
};

}  // namespace taut::papers::stiff_rk
