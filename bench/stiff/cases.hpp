// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "problems.hpp"

namespace taut::bench {

/// A problem at one stiffness, with the truth about its smooth motion.
struct Case {
  Problem problem;                ///< compliant rows as equations; the start is smooth
  std::optional<double> epsilon;  ///< square root of the compliance; none: not a parameter
  std::string truth;              ///< how q and v at the end were found
  double doubt = 0.0;             ///< error() of a second method of another kind

  /// Whether an error of this size can be told from one of the truth.
  [[nodiscard]] bool can_tell(double size) const { return 3.0 * doubt <= size; }
};

using Visit = std::function<void(Case)>;

/// Largest error of q and of v at the end, each relative to its largest component; the larger one.
[[nodiscard]] double error(const Problem& problem, const State& end);

/// Pendulum and double pendulum with epsilon 1e-3, 1e-4, 1e-6, 0, chains of 40 and 160 links with
/// 1e-4, 1e-6, 0, car axis and Andrews' mechanism.
///
/// Where epsilon > 0 every method gets the same start on the manifold of smooth motion. The truth:
///
///   rigid    an explicit method of order 8 on the rigid model
///   stiff    the parabola in epsilon² through the rigid model and two that are so soft that the
///            same method resolves every vibration: smooth motions expand in powers of epsilon²
///   others   recomputed in quadruple precision elsewhere
///
/// Only cases whose name contains `only`.
void for_each_case(const std::string& models, const std::string& only, const Visit& visit);

}  // namespace taut::bench
