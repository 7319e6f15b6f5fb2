// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "problem.hpp"

namespace taut::papers::stiff_rk {

/// The smooth motions of a stiff system (Theorem 2.2), by power series in t.
///
/// With λ = g/ε² equation (2.1) says
///
///   [ M  Gᵀ ] [ a ]   [ f                          ]
///   [ G  0  ] [ λ ] = [ -g_yy(v, v) + ε² λ''       ]                                        (1)
///   y' = v,  v' = a,    g(y(0)) = ε² λ(0),   G v(0) = ε² λ'(0)                              (2)
///
/// A solution is smooth when λ'' may be taken from a solution that is already known: each sweep
/// solves (1), (2) as an index-1 problem with the λ'' of the sweep before (0 at first) and gains a
/// factor ε², at the price of two degrees of the series. y(0) and v(0) move along M⁻¹Gᵀ of the
/// given point, as in the theorem. In (1), g_yy(v, v) = (g(y(t)))'' - G y''.
///
/// The ε²-series is asymptotic only: at ε = 1e-2 it reaches 1e-15 for the pendulum and 1e-12 for
/// the double pendulum, below ε = 1e-3 rounding of long double.
template <class Real>
struct Smooth {
  std::vector<Series<Real>> y, v, lambda;

  [[nodiscard]] Point<Real> at(Real t) const;
};

/// The smooth motion whose start is nearest to `from` in the sense of Theorem 2.2.
template <class Real>
[[nodiscard]] Smooth<Real> smooth_motion(const Problem<Real>& problem, const Point<Real>& from,
                                         Real eps, int sweeps);

/// As many sweeps as this ε needs for rounding of long double, at most 8.
template <class Real>
[[nodiscard]] int sweeps_for(Real eps);

/// The point on the manifold of smooth motion that belongs to the problem's start.
template <class Real>
[[nodiscard]] Point<Real> smooth_start(const Problem<Real>& problem, Real eps);

/// Where the smooth motion from there is at time `until`: restarted power series.
template <class Real>
[[nodiscard]] Point<Real> smooth_reference(const Problem<Real>& problem, Real eps, Real until);

/// Multiplier and acceleration of the constrained motion through (y, v): (1) with ε = 0.
template <class Real>
struct Acceleration {
  VecOf<Real> a, lambda;
};
template <class Real>
[[nodiscard]] Acceleration<Real> constrained_acceleration(const Problem<Real>& problem,
                                                          const VecOf<Real>& y,
                                                          const VecOf<Real>& v);

/// y₀ + ε² y¹, v₀ + ε² v¹ of the expansion (2.6) from a point of the tangent bundle, where
///
///   y¹ = M⁻¹Gᵀ S⁻¹ λ⁰,   v¹ = M⁻¹Gᵀ S⁻¹ (λ⁰' - G' y¹),   S = G M⁻¹ Gᵀ                       (2.14)
template <class Real>
[[nodiscard]] Point<Real> expanded_start(const Problem<Real>& problem, const Point<Real>& from,
                                         Real eps);

}  // namespace taut::papers::stiff_rk
