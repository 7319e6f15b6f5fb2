// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <concepts>
#include <string_view>

namespace taut {

/// An implicit Runge-Kutta method for y' = F(t, y), as data:
///
///   Y_i = y0 + h Σ_j a_ij F(t0 + c_j h, Y_j),    y1 = y0 + h Σ_j b_j F(t0 + c_j h, Y_j)      (1)
///
/// The families are defined by their nodes and by the simplifying conditions
///
///   B(p):  Σ_i b_i c_i^(k-1) = 1/k                          k = 1 .. p                       (2)
///   C(q):  Σ_j a_ij c_j^(k-1) = c_i^k / k                   k = 1 .. q,  q the stage order   (3)
///   D(r):  Σ_i b_i c_i^(k-1) a_ij = b_j (1 - c_j^k) / k     k = 1 .. r                       (4)
///
/// Their behaviour on stiff problems is that of the stability function
///
///   R(z) = 1 + z bᵀ (I - zA)⁻¹ 1 = R(∞) + R'(∞)/z + O(1/z²),
///   R(∞) = 1 - bᵀA⁻¹1,    R'(∞) = -bᵀA⁻²1                                                   (5)
///
/// Coefficients are computed at first use, in long double, from nodes that are roots of Jacobi
/// polynomials; they are right to a few units in the last place. Real is double or long double.
template <std::floating_point Real>
struct BasicImplicitTableau {
  std::string_view name;
  int s = 0;            ///< stages
  int order = 0;        ///< p of the method on a non-stiff problem
  int stage_order = 0;  ///< q of (3)
  Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic> A;
  Eigen::Matrix<Real, Eigen::Dynamic, 1> b, c;

  /// y1 is the last stage: bᵀ is the last row of A.
  [[nodiscard]] bool stiffly_accurate() const { return A.row(s - 1).transpose() == b; }
  [[nodiscard]] Real r_infinity() const;        ///< R(∞) of (5)
  [[nodiscard]] Real r_prime_infinity() const;  ///< R'(∞) of (5)
};

using ImplicitTableau = BasicImplicitTableau<double>;

/// Radau IIA, s = 1 .. 7: collocation at the right Radau nodes. Order 2s - 1, stage order s,
/// stiffly accurate, R(∞) = 0, R'(∞) = (-1)^s s (hairer1996, IV.5).
template <std::floating_point Real = double>
[[nodiscard]] const BasicImplicitTableau<Real>& radau_iia(int s);

/// Radau IA, s = 1 .. 7: left Radau nodes and D(s). Order 2s - 1, stage order s - 1, the stability
/// function of Radau IIA (hairer1996, IV.5).
template <std::floating_point Real = double>
[[nodiscard]] const BasicImplicitTableau<Real>& radau_ia(int s);

/// Lobatto IIIC, s = 2 .. 7: Lobatto nodes, a_i1 = b_1 and C(s-1). Order 2s - 2, stage order s - 1,
/// stiffly accurate, R(∞) = R'(∞) = 0 (hairer1996, IV.5).
template <std::floating_point Real = double>
[[nodiscard]] const BasicImplicitTableau<Real>& lobatto_iiic(int s);

/// Gauss, s = 1 .. 7: collocation at the Legendre nodes. Order 2s, stage order s, |R(∞)| = 1: it
/// damps nothing (hairer1996, IV.5).
template <std::floating_point Real = double>
[[nodiscard]] const BasicImplicitTableau<Real>& gauss(int s);

/// The L-stable diagonally implicit method of two stages and order 2, γ = 1 - 1/√2; stiffly
/// accurate (hairer1996, IV.6).
template <std::floating_point Real = double>
[[nodiscard]] const BasicImplicitTableau<Real>& sdirk2();

/// Crouzeix's diagonally implicit method of two stages and order 3, γ = (3 + √3)/6;
/// R(∞) = 1 - √3 (hairer1993, II.7).
template <std::floating_point Real = double>
[[nodiscard]] const BasicImplicitTableau<Real>& sdirk3();

/// The L-stable diagonally implicit method of five stages and order 4, γ = 1/4; stiffly accurate
/// (hairer1996, IV.6).
template <std::floating_point Real = double>
[[nodiscard]] const BasicImplicitTableau<Real>& sdirk4();

}  // namespace taut
