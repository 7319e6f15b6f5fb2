// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/sundials_support.hpp"
#include "model/accelerations.hpp"
#include "taut/core/counters.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/model/system.hpp"

namespace taut::sundials {

/// The stabilised index-2 form of a system, unknowns y = (q, v, λ, μ):
///
///   q' - v + Gᵀμ      = 0                                                                    (1)
///   M v' - f + Gᵀλ    = 0                                                                    (2)
///   g                 = 0                                                                    (3)
///   G v + g_t         = 0                                                                    (4)
///
/// with the exact Jacobian of the residual, F_y + c F_y', in which K = d(2)/dq, D = d(2)/dv,
/// N = d(4)/dq and H = d(Gᵀμ)/dq:
///
///   [ c + H   -1        0    Gᵀ ]
///   [ K       c M + D   Gᵀ   0  ]
///   [ G       0         0    0  ]                                                            (5)
///   [ N       G         0    0  ]
///
/// On the solution μ = 0. Rows of (3) and (4) that depend on others at the start are replaced by
/// λ_r = 0 and μ_r = 0. A condition on velocities has no g: μ_r = 0 stands in its row of (3).
class Stabilised {
 public:
  /// Sizes everything.
  [[nodiscard]] Status start(const System& system, SUNContext context);

  /// Consistent y and y' at a consistent state: λ and v' from the accelerations, μ = 0.
  [[nodiscard]] Status consistent(const State& state, Vec& y, Vec& y_dot);

  /// 1 for differential unknowns, 0 for λ and μ.
  [[nodiscard]] Vec differential() const;

  /// (1) to (4); all of size 2 (nq + nc).
  [[nodiscard]] Status residual(double t, const double* y, const double* y_dot, double* r);

  /// (5) into matrix(), for the derivative factor c.
  [[nodiscard]] Status jacobian(double t, double c, const double* y, const double* y_dot);

  /// Factorises M and G of the last residual() for a projection.
  [[nodiscard]] Status factor_kkt();
  [[nodiscard]] const Kkt& kkt() const { return kkt_; }

  [[nodiscard]] BlockMatrix& matrix() { return matrix_; }
  [[nodiscard]] Index size() const { return 2 * (nq_ + nc_); }

  Counters counters;

 private:
  void take(const double* y, const double* y_dot);
  [[nodiscard]] const Sparse& mass() const;

  System system_;
  Accelerations accelerations_;
  Kkt kkt_;
  Vec no_compliance_;
  Index nq_ = 0, nc_ = 0;
  Evaluation ev_;
  Evaluation other_;  // K at other multipliers
  BlockMatrix matrix_;
  Sparse one_;
  Sparse dropped_;  // diagonal: 1 on rows that are replaced, else 0
  Sparse rolling_;  // diagonal: 1 on conditions on velocities in use, else 0
  Vec keep_;        // 1 on rows in use, else 0
  Vec places_;      // 0 on conditions on velocities, else 1
  Vec q_, v_, lambda_, mu_, q_dot_, v_dot_, other_lambda_;
};

}  // namespace taut::sundials
