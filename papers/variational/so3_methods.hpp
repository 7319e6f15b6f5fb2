// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

namespace taut::papers::variational::rotations {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;

/// The magnetized body of section 4.5, with identity inertia:
///
///   L = Ω . Ω / 2 - Bμ R33,    R' = R hat(Ω),    R(0) = 1                                    (1)
///
/// and its penalized form, in which R is any matrix and p = R'/2:
///
///   H = |p|² + V(R),    V = Bμ R33 + ω²/2 |RᵀR - 1|²                                         (2)
struct Magnet {
  double strength = 1.0;  ///< Bμ
  double omega = 10.0;
  Vec3 spin{1.0, 0.2, 0.1};  ///< Ω(0)
};

[[nodiscard]] Mat3 hat(const Vec3& w);

/// Position and velocity in one of two forms: on the group with Ω, or penalized with p.
struct OnGroup {
  Mat3 R = Mat3::Identity();
  Vec3 Omega;
};
struct Penalized {
  Mat3 R = Mat3::Identity();
  Mat3 p;
};

[[nodiscard]] OnGroup start_on_group(const Magnet& magnet);
[[nodiscard]] Penalized start_penalized(const Magnet& magnet);
[[nodiscard]] double energy(const Magnet& magnet, const OnGroup& at);
[[nodiscard]] double energy(const Magnet& magnet, const Penalized& at);

/// (34), (35): Hamilton and Pontryagin's principle with Cayley's map. Its equation for Ω says that
/// Ω1 is along a known vector r, and of the length s with s + h² s³/4 = |r|.
void hamilton_pontryagin_cayley(const Magnet& magnet, double h, OnGroup& at);

/// Strang's splitting: half a kick of Ω, the free rotation by Rodrigues' formula, half a kick.
/// Explicit, because Ω is constant in the free rotation of a body with identity inertia.
void strang_splitting(const Magnet& magnet, double h, OnGroup& at);

/// Force f_k of the linearized variational integrator, after a from (37), with b = β h²:
/// corrected  a - 2 ω² b² (R aᵀa + a Rᵀa + a aᵀR),
/// printed    a + 2 ω² b² (aᵀa Rᵀ + aᵀR aᵀ + Rᵀa aᵀ),  dropped  a.
enum class Third { corrected, printed, dropped };
[[nodiscard]] Mat3 linearized_force(const Magnet& magnet, double b, Third third, const Mat3& R);

/// p1 = p0 + h f(R0),  R1 = R0 + 2 h p1.
void linearized_euler(const Magnet& magnet, double h, double beta, Third third, Penalized& at);

/// p½ = p0 + h/2 f(R0),  R1 = R0 + 2 h p½,  p1 = p½ + h/2 f(R1).
void linearized_trapezoidal(const Magnet& magnet, double h, double beta, Third third,
                            Penalized& at);

}  // namespace taut::papers::variational::rotations
