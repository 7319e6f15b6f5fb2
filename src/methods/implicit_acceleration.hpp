// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "methods/shifted_stiffness.hpp"
#include "taut/core/counters.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// The acceleration of implicit Newmark methods, by Newton's method:
///
///   M a = f(c + b a, t),      b = β h²                                                       (1)
///   (M + b K(y)) δ = f(y, t) - M a,      y = c + b a,      a += δ                            (2)
///
/// until a change of y is lost in its rounding, or has come down to it and falls no more. Fails
/// with iteration_limit when it has not come there in 40 iterations, and with indefinite_matrix
/// (see ShiftedStiffness); message() has the details. One evaluation of f and K and one
/// factorisation an iteration.
class ImplicitAcceleration {
 public:
  explicit ImplicitAcceleration(double beta) : matrix_{beta} {}

  /// Sizes everything and finds a of (1) with b = 0 at a state.
  [[nodiscard]] Status start(const System& system, const State& state, Vec& a, Counters& counters);

  /// The a for which y is a given position; 0 where b is.
  void guess(const Vec& y, const State& at, double h, Vec& a) const;

  /// (1) with c = at.q, t = at.t; `a` is a guess that becomes the solution.
  [[nodiscard]] Status operator()(const System& system, const State& at, double h, Vec& a,
                                  Counters& counters);

  /// One iteration (2).
  [[nodiscard]] Status iterate(const System& system, const State& at, double h, Vec& a,
                               Counters& counters);

  [[nodiscard]] double b(double h) const { return matrix_.b(h); }
  /// y of (1) for the last solution.
  [[nodiscard]] const Vec& position() const { return y_; }
  [[nodiscard]] const std::string& message() const { return message_; }

 private:
  ShiftedStiffness matrix_;
  Evaluation ev_;
  Vec y_, delta_;
  std::string message_;
};

}  // namespace taut
