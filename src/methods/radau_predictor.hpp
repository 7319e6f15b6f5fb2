// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "methods/radau_step.hpp"

namespace taut {

/// Weights w[k][j] with  Σ_j w[k][j] f(x_j) = k-th derivative at x, k = 0, 1, 2, of the polynomial
/// through `count` nodes. Reference: fornberg1988.
using DerivativeWeights = std::array<std::array<double, 8>, 3>;
[[nodiscard]] DerivativeWeights derivative_weights(double x, const double* nodes, int count);

/// Starting values for the stages of a step from the one before it, by extrapolation.
///
/// With x = 1, c_{s-1}, ..., c_1, 0 the nodes of the step before, from its end backwards, and δ_j
/// the divided differences of its positions there, the polynomial through the last k + 1 nodes
/// gives
///
///   Z^(k)(x) = Σ_{j=1..k} δ_j Π_{l<j} (x - x_l)                                              (1)
///
/// A high degree magnifies what Newton's method left as error: by the Lebesgue constant L_k of the
/// extrapolation, thousands for seven stages. So k is the one with the smallest
///
///   max(L_k τ, |Z^(k) - Z^(k-1)|)                                                            (2)
///
/// with τ the tolerance of Newton's method, and Λ is extrapolated with degree k - 1.
///
/// A step that begins anew, at a time ϑ inside the one before or at its end, has another velocity,
/// acceleration or multipliers there than that one. What is different is taken into account, and
/// nothing is where they are the same:
///
///   Z(t) = Z^(k)(t) - Z^(k)(ϑ) + (t - ϑ)(v - v^(k)(ϑ)) + (t - ϑ)²/2 (a - a^(k)(ϑ))           (3)
class RadauPredictor {
 public:
  void start(Index nq);

  /// Sets Z, U, lambda of `next` (its method, h and from are given); `last` ended at next.from.
  void extrapolate(const RadauStep& last, const RadauWeights& weights, double newton_tolerance,
                   RadauStep& next);

  /// (3): `last` goes beyond next.from, where accelerations and multipliers are these.
  void extrapolate_anew(const RadauStep& last, const RadauWeights& weights, double newton_tolerance,
                        const Vec& a, const Vec& lambda, RadauStep& next);

 private:
  using Nodes = std::array<double, 8>;
  // Z(x), U = 0 and lambda(x) of (1) with the degree of (2) at the stages of `next`, which begins
  // at x0 of the last step; returns the degree
  int evaluate(const RadauStep& last, const RadauWeights& weights, double newton_tolerance,
               double x0, RadauStep& next);
  [[nodiscard]] static Nodes nodes_of(const RadauStep& last);

  std::vector<Vec> difference_;
  Vec shift_, rate_, curvature_;
};

}  // namespace taut
