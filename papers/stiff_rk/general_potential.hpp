// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "fixed_step.hpp"

namespace taut::papers::stiff_rk {

/// One Runge-Kutta step of M y'' = f - ε⁻² ∇U when only the gradient and the Hessian H of U are
/// known: the iteration (8.5)-(8.8).
///
/// m columns J of H(y_0), found by pivoted Cholesky, and the same rows give
///
///   G(y)ᵀ = H(y)[:, J],    (Gᵀ)⁻ = H(y)[J, J]⁻¹ on the rows J                               (1)
///
/// which reproduces H on the manifold. With Y_i, Y'_i from (5.1b), r_i = 0 at first, solve for
/// k = 0, 1, ...
///
///   M(Y_i) Y''_i = f(Y_i, Y'_i) - G(Y_i)ᵀ Λ_i + r_i,    (ε/h)² Λ_i = h⁻² (Gᵀ)⁻ ∇U(Y_i)      (8.6)
///   r_i <- G(Y_i)ᵀ Λ_i - ε⁻² ∇U(Y_i)                                                        (8.7)
///
/// The inner iteration for (8.6) is a modified Newton method with the matrix frozen at y_0
///
///   [ I ⊗ M                I ⊗ Gᵀ    ]
///   [ A² ⊗ (Gᵀ)⁻ H        -(ε/h)² I  ]                                                      (8.8)
///
/// It contracts with O(h), independently of ε; each outer iteration gains a factor O(ε²). In place
/// of (8.7) the remainder may be taken from the current stages alone,
///
///   r_i <- ε⁻² (Gᵀ(Gᵀ)⁻ - I) ∇U(Y_i)                                                        (2)
///
/// which has the same limit and does not see an unconverged Λ.
class GeneralPotential {
 public:
  using Real = long double;
  enum class Remainder { paper, from_stages };  // (8.7), (2)
  struct Options {
    int outer = 1;  ///< corrections: k = 0 .. outer
    Real inner_tolerance = Real(1e-17L);
    Remainder remainder = Remainder::from_stages;
  };

  GeneralPotential(const Problem<Real>& problem, const Tableau<Real>& tableau, Real eps,
                   Options options);

  struct Solution {
    std::vector<MatOf<Real>> acceleration;  ///< Y'' of every outer iteration, a column per stage
    MatOf<Real> Lambda;                     ///< of the last
    int inner_iterations = 0;               ///< of the first outer iteration
    Real contraction = 0;                   ///< mean ratio of its updates after the second
    Real condition = 0;                     ///< of (8.8)
  };
  [[nodiscard]] std::optional<Solution> stages(const Point<Real>& from, Real h) const;
  [[nodiscard]] std::optional<Point<Real>> run(Point<Real> from, Real h, int steps) const;

 private:
  const Problem<Real>& problem_;
  const Tableau<Real>& tableau_;
  MatOf<Real> A2_;
  Real eps2_;
  Options options_;
};

/// J of (1): the m columns that pivoted Cholesky picks from a positive semidefinite matrix.
template <class Real>
[[nodiscard]] std::vector<int> pivot_columns(MatOf<Real> H, int m);

/// (Gᵀ)⁻ x of (1).
template <class Real>
[[nodiscard]] MatOf<Real> left_inverse(const MatOf<Real>& H, const std::vector<int>& J,
                                       const MatOf<Real>& x);

}  // namespace taut::papers::stiff_rk
