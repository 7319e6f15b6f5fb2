// SPDX-License-Identifier: BSD-3-Clause
#include "taut/formula/sym.hpp"

#include <cassert>

#include "formula/arithmetic.hpp"

namespace taut::formula {

NodeId Sym::node(Graph& graph) const {
  assert(graph_ == nullptr || graph_ == &graph);
  return graph_ == nullptr ? graph.constant(value_) : node_;
}

Sym Sym::record(Op op, const Sym& a) {
  if (a.graph_ == nullptr) return {evaluate(op, a.value_, 0.0, 0.0)};
  return {*a.graph_, a.graph_->make(op, a.node_)};
}

Sym Sym::record(Op op, const Sym& a, const Sym& b) {
  Graph* graph = a.graph_ != nullptr ? a.graph_ : b.graph_;
  if (graph == nullptr) return {evaluate(op, a.value_, b.value_, 0.0)};
  const NodeId x = a.node(*graph), y = b.node(*graph);
  return {*graph, graph->make(op, x, y)};
}

Sym Sym::record(Op op, const Sym& a, const Sym& b, const Sym& c) {
  Graph* graph = a.graph_ != nullptr ? a.graph_ : b.graph_ != nullptr ? b.graph_ : c.graph_;
  if (graph == nullptr) return {evaluate(op, a.value_, b.value_, c.value_)};
  const NodeId x = a.node(*graph), y = b.node(*graph), z = c.node(*graph);
  return {*graph, graph->make(op, x, y, z)};
}

}  // namespace taut::formula
