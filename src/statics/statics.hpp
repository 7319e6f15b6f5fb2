// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// Forces on a system at rest, where first-order states are unknowns as places are: in vectors of
/// this class the entries of their integrals in q are the states themselves, f is h there, and
/// columns of K are -h_z. In the directions that its constraints allow. Equations of the
/// system are rigid.
///
///   M = L Lᵀ,    L⁻¹ Gᵀ = Q R,    Z = L⁻ᵀ Q₂:    Zᵀ M Z = 1,   G Z = 0                       (1)
///   F = Zᵀ f,    λ: |L⁻¹(f - Gᵀ λ)| smallest                                                 (2)
///   K_z = Zᵀ K Z,   D_z = Zᵀ D Z                                                             (3)
///
/// Rows of velocities W v = 0 are rows of G in (1) and (2), with reactions of their own: what rolls
/// moves without slipping, from the place where it is. They have no g.
///
/// Z has the directions of states last, each alone. Q₂ are the columns of Q beyond the rank of G,
/// which may be less than its rows. Dense.
class Statics {
 public:
  Statics(const System& system, double t);

  /// Moves q onto g(q, t) = 0 by Gauss-Newton steps along M⁻¹Gᵀ, the rank of G as it is found.
  [[nodiscard]] Status onto_constraints(Vec& q);

  /// (1) and (2) at q, which lies on the constraints.
  [[nodiscard]] Status forces(const Vec& q);

  /// (3) where forces() was last called.
  [[nodiscard]] Status stiffness();

  /// First-order states among the unknowns.
  [[nodiscard]] Index nz() const { return system_.structure().nz; }
  [[nodiscard]] const Mat& Z() const { return Z_; }
  [[nodiscard]] const Vec& F() const { return F_; }
  [[nodiscard]] const Vec& lambda() const { return lambda_; }
  [[nodiscard]] const Mat& K() const { return K_; }
  [[nodiscard]] const Mat& D() const { return D_; }
  [[nodiscard]] const Vec& q() const { return q_; }  ///< of the last forces()
  [[nodiscard]] Vec net_force() const { return ev_.f - ev_.G.transpose() * lambda_; }
  /// |L⁻¹ f|: what the forces in (2) are made of.
  [[nodiscard]] double size() const { return size_; }
  /// Lᵀ x with M as it was last evaluated: |Lᵀ x|² = xᵀ M x.
  [[nodiscard]] Vec in_mass_metric(const Vec& x) const { return L_.transpose() * x; }

  /// Multipliers of all rows where forces() was last called.
  [[nodiscard]] Status multipliers(Vec& all_rows);

 private:
  [[nodiscard]] Status factor_mass();
  [[nodiscard]] Arguments here(const Vec& q) {
    rest_.tail(nz()) = q.tail(nz());
    return {.t = t_, .q = q, .v = rest_};
  }

  const System& system_;
  double t_;
  Evaluation ev_;
  Vec rest_, no_acceleration_, scale_;
  Vec q_, F_, lambda_;
  Mat L_, Z_, K_, D_;
  double size_ = 0.0;
};

}  // namespace taut
