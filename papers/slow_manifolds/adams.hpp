// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "taut/core/status.hpp"
#include "taut/core/types.hpp"

namespace taut::papers::slow_manifolds {

/// dy/dt of a first-order system, into the last argument.
using Derivative = std::function<void(double t, const Vec& y, Vec& dy)>;

struct AdamsOptions {
  double rel_tol = 1e-3;
  double abs_tol = 1e-6;
  double max_step = 0.0;  ///< [s]; 0: a tenth of the interval
  int max_order = 12;
  std::int64_t most_evaluations = 50'000'000;
};

struct AdamsResult {
  Status status = Status::ok;
  std::string reason;
  double t = 0.0;  ///< reached, with y there
  Vec y;
  std::int64_t steps = 0, rejected = 0, evaluations = 0;
};

/// Adams method of variable order and step, in PECE form: what the paper's ode113 is. A stand-in
/// written from the equations of shampine1975.
///
/// With steps h_n, h_{n-1}, ... behind t_n and h to come, the predictor integrates the polynomial
/// through k values of f, the corrector that through k + 1. In modified divided differences
///
///   ψ_i = h + h_n + ... (i steps),   ψ'_i = h_n + h_{n-1} + ... (i steps),   α_i = h/ψ_i       (1)
///   β_1 = 1,  β_i = β_{i-1} ψ_{i-1}/ψ'_{i-1},      φ*_i = β_i φ_i                             (2)
///   c_{1,q} = 1/q,   c_{i,q} = c_{i-1,q} - α_{i-1} c_{i-1,q+1}                                (3)
///   predict   p = y + h Σ_{i<=k} c_{i,1} φ*_i,    P_i = φ*_i + P_{i+1},  P_{k+1} = 0           (4)
///   evaluate  e = f(t + h, p) - P_1                                                           (5)
///   correct   y = p + h c_{k+1,1} e                                                           (6)
///   evaluate  φ_{k+1} = f(t + h, y) - P_1,  φ_i = P_i + φ_{k+1},
///             φ_{k+2} = φ_{k+1} - φ_{k+1} of before                                           (7)
///
/// The error is that of order k, though (6) has order k + 1:
///
///   error = h |c_{k,1} - c_{k+1,1}| ‖e‖,   ‖x‖ = max |x_i| / max(|y_i|, abs_tol/rel_tol)       (8)
///
/// A step is taken when it is at most rel_tol. Errors of neighbouring orders as they would be with
/// equal steps, E_j = h σ_{j+1} |γ*_j| ‖·‖ with σ_1 = 1, σ_{j+1} = j α_j σ_j, choose the next
/// order; step sizes are doubled, kept or reduced to between a half and nine tenths. Starts at
/// order 1, and raises order and doubles steps until an error forbids it.
///
/// Fails with step_too_small, step_limit (evaluations) or non_finite; y and t are then the last
/// ones that were accepted.
[[nodiscard]] AdamsResult adams(const Derivative& derivative, double t, const Vec& y, double t_end,
                                const AdamsOptions& options);

}  // namespace taut::papers::slow_manifolds
