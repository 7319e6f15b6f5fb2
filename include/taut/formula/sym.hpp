// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>

#include "taut/formula/graph.hpp"

namespace taut::formula {

/// Recording scalar: arithmetic on it builds nodes. A formula written as a template over its scalar
/// is called once with Sym, and its graph gives every derivative.
///
/// Sym does not convert to bool: a formula that branches does not compile, and `select(c, a, b)`
/// with `less(a, b)` says the same on the graph.
class Sym {
 public:
  Sym(double value = 0.0) : value_{value} {}  // NOLINT(google-explicit-constructor): numbers are formulas
  Sym(Graph& graph, NodeId node) : graph_{&graph}, node_{node} {}

  /// The node in `graph`; a plain number becomes a constant of it.
  [[nodiscard]] NodeId node(Graph& graph) const;
  // the implementer declares the operators and functions as friends: + - * / unary -, +=, -=, *=, /=,
  // pow sqrt exp log sin cos tan asin acos atan atan2 sinh cosh tanh abs sign min max floor less select
 private:
  Graph* graph_ = nullptr;
  NodeId node_ = no_node;
  double value_ = 0.0;
};

}  // namespace taut::formula
