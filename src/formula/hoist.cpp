// SPDX-License-Identifier: BSD-3-Clause
#include <utility>

#include "formula/lower.hpp"
#include "taut/formula/program.hpp"

namespace taut::formula {

Hoisted hoist(const Formula& formula) {
  const Graph& graph = formula.graph;
  Hoisted result;
  result.formula = formula;
  result.formula.graph = {};
  Copier copier{graph, result.formula.graph};

  // the topmost nodes that read parameters alone, in the order in which the roots reach them
  std::vector<Result> taken;
  std::vector<bool> seen(static_cast<std::size_t>(graph.size()), false);
  std::vector<NodeId> stack;
  for (const Root& root : formula.roots) {
    stack.push_back(root.node);
    while (!stack.empty()) {
      const NodeId id = stack.back();
      stack.pop_back();
      if (seen[static_cast<std::size_t>(id)]) continue;
      seen[static_cast<std::size_t>(id)] = true;
      const Node& n = graph[id];
      if (n.op == Op::constant || n.op == Op::input) continue;
      if (graph.reads(id) == mask(Slot::parameter)) {
        const int k = static_cast<int>(taken.size());
        taken.push_back({Target::observable, k, 0, id});
        copier.assign(id, result.formula.graph.input({Slot::parameter, formula.parameters + k}));
        continue;
      }
      for (const NodeId operand : {n.c, n.b, n.a}) {
        if (operand != no_node) stack.push_back(operand);
      }
    }
  }

  for (Root& root : result.formula.roots) root.node = copier(root.node);
  result.formula.parameters += static_cast<int>(taken.size());
  result.prelude = lower(graph, taken);
  return result;
}

}  // namespace taut::formula
