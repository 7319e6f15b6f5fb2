// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "taut/formula/graph.hpp"

#pragma GCC visibility push(default)

namespace taut::formula {

/// What a root of a formula contributes to  M(q) q'' = f(q, v, t) - Gᵀλ,  g(q, t) = Cλ.
enum class Role : std::uint8_t {
  kinetic,     ///< energy T(q, v, t), quadratic in v
  potential,   ///< energy U(q, t)
  force,       ///< component f_i(q, v, t) on local coordinate `target`
  constraint,  ///< g_r(q, t) of local row `target`
  observable,  ///< any value of (q, v, t): invariant, event, output; local number `target`
  inertia,     ///< a number m: M of local coordinate `target` without kinetic energy
  rolling,     ///< (A v + b)_r of local row `target`, affine in v: G = A, g_t = b, no g
};

struct Root {
  Role role = Role::potential;
  NodeId node = no_node;
  int target = 0;
};

/// A formula: a graph over local slots and the roots it gives. Elements with one formula differ
/// only in which coordinates they touch and in their parameters.
struct Formula {
  Graph graph;
  int coordinates = 0;  ///< local coordinates q_0 .. ; v_i and a_i belong to q_i
  int parameters = 0;
  int rows = 0;  ///< local constraint rows
  int observables = 0;
  Number theta_rate = 0.0;  ///< d theta / dt
  std::vector<Root> roots;
};

/// Bytes that are equal for equal formulas: same sizes, same roots, same expressions below them.
/// What no root reaches does not count.
[[nodiscard]] std::string key(const Formula& formula);

/// The key in two parts: equal bytes for formulas that differ in numbers alone, and the numbers.
struct Outline {
  std::string bytes;
  std::vector<Number> constants;
};
[[nodiscard]] Outline outline(const Formula& formula);
[[nodiscard]] std::string key(Outline outline);

}  // namespace taut::formula

#pragma GCC visibility pop
