// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "dense_algebra.hpp"
#include "series.hpp"

namespace taut::papers::stiff_rk {

/// A point of a motion with its multiplier.
template <class Real>
struct Point {
  VecOf<Real> y, v, lambda;
};

template <class Real>
struct ConstraintsAt {
  VecOf<Real> g;
  MatOf<Real> G;
  std::vector<MatOf<Real>> hessian;  ///< of g_1, g_2, ...
};

template <class Real>
struct MassAt {
  MatOf<Real> M;
  std::vector<MatOf<Real>> dM;  ///< dM/dy_1, dM/dy_2, ...
};

template <class Real>
struct ForceAt {
  VecOf<Real> f;
  MatOf<Real> f_y, f_v;
};

/// The potential of a problem whose g is hidden from the solver.
template <class Real>
struct PotentialAt {
  VecOf<Real> gradient;
  MatOf<Real> hessian;
};

/// A problem along a motion given as power series.
template <class Real>
struct SeriesAt {
  std::vector<Series<Real>> g, f;
  std::vector<std::vector<Series<Real>>> G, M;
};

/// A stiff mechanical system of the paper,
///
///   M(y) y'' = f(y, y') - ε⁻² ∇U(y),    U = ½ gᵀg                                           (2.1)
///
/// with everything the laboratory needs of it. With λ = g/ε² the force is -G(y)ᵀλ, G = dg/dy.
template <class Real>
class Problem {
 public:
  virtual ~Problem() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual int n() const = 0;  ///< coordinates
  [[nodiscard]] virtual int m() const = 0;  ///< constraints
  /// A start on the tangent bundle of g = 0; its lambda is left empty.
  [[nodiscard]] virtual Point<Real> start() const = 0;
  [[nodiscard]] virtual ConstraintsAt<Real> constraints(const VecOf<Real>& y) const = 0;
  [[nodiscard]] virtual MassAt<Real> mass(const VecOf<Real>& y) const = 0;
  [[nodiscard]] virtual ForceAt<Real> force(const VecOf<Real>& y, const VecOf<Real>& v) const = 0;
  [[nodiscard]] virtual PotentialAt<Real> potential(const VecOf<Real>& y) const = 0;
  [[nodiscard]] virtual SeriesAt<Real> series(const std::vector<Series<Real>>& y,
                                              const std::vector<Series<Real>>& v) const = 0;
};

template <class Real>
using ProblemPtr = std::unique_ptr<const Problem<Real>>;

/// (a) The stiff spring pendulum (1.1):  n = 2,  g = |y| - 1,  unit gravity.
template <class Real>
[[nodiscard]] ProblemPtr<Real> pendulum();

/// (b) The double pendulum:  n = 4,  g₁ = |y_a| - 1,  g₂ = |y_b - y_a| - 1,  unit gravity.
template <class Real>
[[nodiscard]] ProblemPtr<Real> double_pendulum();

/// (c) A general potential: with e₁, e₂ the two strains of (b),
///   g₁ = √(1 + ½ sin(y₁+y₄)) e₁ + 0.2 e₁²,   g₂ = ½ cos(y₂) e₁ + (1 + 0.3 y₃²) e₂ + 0.3 e₂²,
/// a mass matrix that depends on y and forces that depend on v. Off the manifold the Hessian of U
/// has full rank. By Lemma 2.1 every admissible U is locally of this form.
template <class Real>
[[nodiscard]] ProblemPtr<Real> general_problem();

}  // namespace taut::papers::stiff_rk
