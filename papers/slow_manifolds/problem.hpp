// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <vector>

#include "taut/core/state.hpp"
#include "taut/model/system.hpp"

namespace taut::papers::slow_manifolds {

/// The test problem of section 5.1: two unit masses q = (x₁, y₁, x₂, y₂) in the plane, one on a
/// stiff spring to the origin, the other on one to the first,
///
///   q'' = -ω² g'(q)ᵀ g(q),     g₁ = r₁ - 1,   g₂ = r₁₂ - 1                                  (1)
///
/// as a model: two constraints of compliance 1/ω². The second spring may have the frequency ratio
/// ω, and there may be gravity.
[[nodiscard]] System double_pendulum(double omega, double ratio = 1.0, double gravity = 0.0);

/// Section 4.2:  x'' = F(x; t),  y'' = -ω² (y - cos t),  with F = -x.
[[nodiscard]] System uncoupled_problem(double omega);

/// The linear problem (5):  q'' = -ω² (q - cos t).
[[nodiscard]] System linear_problem(double omega);

/// Its slow solution (6):  A cos t, -A sin t,  A = ω²/(ω² - 1).
[[nodiscard]] State linear_slow_point(double omega, double t);

/// (29)-(30): 3 % off the constraints.
[[nodiscard]] State far_start();
/// (31)-(32): on the constraints.
[[nodiscard]] State constrained_start();

/// What section 5 does with the test problem, written by hand: the reference for what taut derives
/// from formulas, and cheap enough for a million evaluations.
void double_pendulum_acceleration(double omega, const Vec& q, Vec& a);

/// Constraints with their first two derivatives, in the precision of references.
using Real = long double;
using RealVec = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
using RealMat = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
struct ConstraintsAt {
  RealVec g;
  RealMat G;
  std::vector<RealMat> hessian;  ///< of g_1, g_2, ...
};

/// Of (1), by hand.
[[nodiscard]] ConstraintsAt double_pendulum_constraints(const RealVec& q);

/// Of the single spring of section 2.3:  g = r - 1.
[[nodiscard]] ConstraintsAt spring_constraints(const RealVec& q);

/// g and g' of a state of (1), in the order in which Table 1 prints them.
[[nodiscard]] Eigen::Vector4d constraint_values(const State& state);

}  // namespace taut::papers::slow_manifolds
