// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "taut/core/status.hpp"
#include "taut/core/types.hpp"
#include "taut/simulation/simulate.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// Rates at which small changes of a motion grow in the long run, the largest first.
///
/// With y in orthonormal coordinates of the tangent space of the constraint manifold (in the metric
/// of M), Y(t) the derivative of the flow on `count` directions,
///
///   Y(t_k) = Q_k R_k,   Y(t_k) begins anew with Q_k,   lambda_i = sum_k log R_k,ii / (T - t_0) (1)
///
/// (benettin1980): changes stay on the constraints, and constraints add no exponents. The motion is
/// integrated with its linearisation, from where the run begins, at a tolerance of its own: a
/// chaotic motion is another one after a while, its exponents are the same. The first tenth of the
/// run, in which the directions turn into their own, does not count.
struct LyapunovExponents {
  Status status = Status::ok;
  std::string reason = {}, hint = {};  ///< why they end before the run does, and what to do
  Index dimension = 0;                 ///< of the manifold: how many there are in all
  std::vector<double> exponents = {};  ///< [1/s]
  /// Standard errors from ten parts of the run; what its end decides is not in them.
  std::vector<double> errors = {};
  double sum = std::numeric_limits<double>::quiet_NaN();  ///< of all; nan of some
  /// j + (lambda_1 + ... + lambda_j) / |lambda_j+1| with j the last of which that sum is not
  /// negative (kaplan1979); nan where not enough exponents were asked for.
  double kaplan_yorke = std::numeric_limits<double>::quiet_NaN();
  /// Estimates up to some times: a row for each, a column for each exponent.
  std::vector<double> times = {};
  Mat history = {};

  [[nodiscard]] bool good() const { return status == Status::ok; }
};

/// A run with its exponents. Its motion has them as outputs lyapunov(1), lyapunov(2), ...: the
/// estimates up to each row, nan where there is none yet.
struct LyapunovRun {
  Result result;
  LyapunovExponents lyapunov;
};

/// Carries a plan out and finds `count` exponents of its motion; 0: all. What has none goes to
/// `problems`.
[[nodiscard]] LyapunovRun lyapunov(Plan plan, int count, Problems& problems);

/// The same for a model; throws ModelError with all mistakes.
[[nodiscard]] LyapunovRun lyapunov(const Model& model, const SimulationOptions& options, int count);

}  // namespace taut

#pragma GCC visibility pop
