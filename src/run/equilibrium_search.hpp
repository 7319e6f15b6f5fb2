// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include "statics.hpp"
#include "taut/core/status.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// Searches that begin at a point and end at an equilibrium, (2) and (3) of equilibria(). With
/// K_z = U diag(s) Vᵀ, s >= 0, a step is
///
///   newton   z = V s (s² + shift)⁻¹ Uᵀ F       settle   z = V (s + shift)⁻¹ Vᵀ F,  K_z = ± V s Vᵀ
///
/// with the shift that keeps Z z within a radius; the radius grows where steps do what they should
/// and shrinks where they do not.
class EquilibriumSearch {
 public:
  /// Nothing farther than twice the reach from `centre` is looked at.
  EquilibriumSearch(const System& system, double t, Vec centre, double reach)
      : statics_{system, t}, centre_{std::move(centre)}, reach_{reach} {}

  /// From q, which need not lie on the constraints, to an equilibrium. On failure q is as given.
  [[nodiscard]] Status newton(Vec& q) { return go(Way::newton, q); }
  [[nodiscard]] Status settle(Vec& q) { return go(Way::settle, q); }

  /// Takes the forces at q into the size that others are measured against.
  void weigh(Vec q);

  /// With forces and stiffness at the equilibrium found last.
  [[nodiscard]] Statics& statics() { return statics_; }

  /// Largest |K_z| that was met on the way: what rounding is measured against.
  [[nodiscard]] double largest_stiffness() const { return stiffness_; }

 private:
  enum class Way : unsigned char { newton, settle };
  enum class Tried : unsigned char { moved, arrived, stuck };

  [[nodiscard]] Status go(Way way, Vec& q);
  [[nodiscard]] Status decompose(Way way);
  [[nodiscard]] Tried step(Way way, Vec& q);
  [[nodiscard]] bool improves(Way way, const Vec& q, Vec& q_new, const Vec& z);
  [[nodiscard]] Vec direction(Way way, double shift) const;
  [[nodiscard]] Vec within_radius(Way way) const;
  [[nodiscard]] double length(const Vec& z) const { return (Z_ * z).lpNorm<Eigen::Infinity>(); }
  [[nodiscard]] bool at_rest(double relative) const {
    return statics_.F().norm() <= relative * size_;
  }

  Statics statics_;
  Vec centre_;
  double reach_;
  double size_ = 0.0;       // of the forces seen
  double stiffness_ = 0.0;  // of the stiffnesses seen
  double radius_ = 0.0;     // [unit of q]

  // where a step begins
  Mat Z_, U_, V_;
  Vec F_, s_, c_;  // c = Uᵀ F
};

}  // namespace taut
