// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "problems.hpp"

namespace taut::bench {

/// A problem at one stiffness, with the truth about its smooth motion.
struct Case {
  Problem problem;                ///< compliant rows as equations; the start is smooth
  std::optional<double> epsilon;  ///< square root of the compliance; none: not a parameter
  std::string truth;              ///< how q and v at the end were found
  double doubt = 0.0;             ///< error() of a second method of another kind
};

/// Largest error of q and of v at the end, each relative to its largest component; the larger one.
[[nodiscard]] double error(const Problem& problem, const State& end);

/// Pendulum and double pendulum with epsilon 1e-3, 1e-4, 1e-6, 0, chains of 40 and 160 links with
/// 1e-4, 1e-6, 0, car axis and Andrews' mechanism.
///
/// Where epsilon > 0 every method gets the same start on the manifold of smooth motion. The truth:
///   known   recomputed in quadruple precision elsewhere
///   eps = 0  an explicit method of order 8 on the rigid model, tolerance 1e-13
///   largest  the same on the springs, every vibration resolved
///   smaller  q(eps) = q(0) + (eps/eps_largest)² (q(eps_largest) - q(0)), an expansion in eps²
///   whose
///            next term is below rounding
/// Only those whose name contains `only`.
[[nodiscard]] std::vector<Case> cases(const std::string& models, const std::string& only);

}  // namespace taut::bench
