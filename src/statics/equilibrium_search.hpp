// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "statics/search_limits.hpp"
#include "statics/statics.hpp"
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
  /// Nothing farther than twice the reach from `centre` is looked at, and nothing past the limits.
  EquilibriumSearch(const System& system, const State& centre, double reach,
                    const SearchLimits& limits)
      : statics_{system, centre.t}, centre_{centre.q}, reach_{reach}, limits_{limits} {}

  /// From q, which need not lie on the constraints, to an equilibrium. On failure q is as given.
  [[nodiscard]] Status newton(Vec& q) { return go(Way::newton, q); }
  [[nodiscard]] Status settle(Vec& q) { return go(Way::settle, q); }

  /// With forces and stiffness at the equilibrium found last.
  [[nodiscard]] Statics& statics() { return statics_; }

  /// |K_z| where the last search began: what is small beside it may be nothing.
  [[nodiscard]] double first_stiffness() const { return first_stiffness_; }

 private:
  enum class Way : unsigned char { newton, settle };
  enum class Tried : unsigned char { moved, arrived, stuck };

  [[nodiscard]] Status go(Way way, Vec& q);
  [[nodiscard]] Status decompose(Way way);
  [[nodiscard]] Tried step(Way way, Vec& q);
  [[nodiscard]] bool improves(Way way, const Vec& q, Vec& q_new, const Vec& z);
  [[nodiscard]] Vec direction(Way way, double shift) const;
  [[nodiscard]] Vec within_radius(Way way) const;
  /// Of a step: the largest change of a place, or of a state, in units of its size times the reach.
  [[nodiscard]] double length(const Vec& z) const {
    const Vec x = Z_ * z;
    const Index states = size_of_state_.size();
    const double places = x.head(x.size() - states).lpNorm<Eigen::Infinity>();
    const auto changes = x.tail(states).cwiseQuotient(size_of_state_);
    return std::max(places, reach_ * changes.lpNorm<Eigen::Infinity>());
  }
  Statics statics_;
  Vec centre_;
  double reach_;
  const SearchLimits& limits_;
  double first_stiffness_ = 0.0;
  double radius_ = 0.0;  // [unit of q]
  Vec size_of_state_;    // 1, its value where a search began, or the longest step asked for

  // where a step begins
  Mat Z_, U_, V_;
  Vec F_, s_, c_;           // c = Uᵀ F
  bool unopposed_ = false;  // there is a force in a direction without stiffness
};

}  // namespace taut
