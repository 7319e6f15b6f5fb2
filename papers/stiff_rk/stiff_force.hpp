// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "problem.hpp"
#include "slow_manifold.hpp"

namespace taut::papers::stiff_rk {

/// The stiff force as the augmented form sees it, in factors and a remainder:
///
///   ε⁻² ∇U(y) = B(y) λ - r,    c(y) = ε² λ                                                  (1)
///
/// With g known, B = Gᵀ, c = g and r = 0: (8.4). With only the gradient and the Hessian H of U
/// known, (8.6) and (2) of GeneralPotential:
///
///   B = H[:, J],   c = H[J, J]⁻¹ ∇U[J],   r = (B c - ∇U) / ε²                               (2)
class StiffForce {
 public:
  virtual ~StiffForce() = default;

  struct Factors {
    MatOf<double> B;
    VecOf<double> c;
  };
  [[nodiscard]] virtual Factors factors(const VecOf<double>& y) const = 0;
  /// dc/dy; exact where g = 0.
  [[nodiscard]] virtual MatOf<double> slope(const VecOf<double>& y) const = 0;
  /// d(B λ)/dy as far as it is known.
  [[nodiscard]] virtual MatOf<double> stiffness(const VecOf<double>& y,
                                                const VecOf<double>& lambda) const = 0;
  [[nodiscard]] virtual VecOf<double> remainder(const VecOf<double>& y) const = 0;
  /// Is there a remainder? Then stage equations are solved twice, the second time with it.
  [[nodiscard]] virtual bool has_remainder() const = 0;
  /// Acceleration and multiplier of the constrained motion.
  [[nodiscard]] virtual Acceleration<double> constrained(const VecOf<double>& y,
                                                         const VecOf<double>& v) const = 0;
};

[[nodiscard]] std::unique_ptr<const StiffForce> force_of_constraints(
    const Problem<double>& problem);

/// J is chosen at `start` and kept, so that λ means the same in every step. For ε < 1e-4 the
/// remainder, O(ε²), is below what rounding of ∇U leaves of it, and is dropped.
[[nodiscard]] std::unique_ptr<const StiffForce> force_of_potential(const Problem<double>& problem,
                                                                   double eps,
                                                                   const VecOf<double>& start);

}  // namespace taut::papers::stiff_rk
