// SPDX-License-Identifier: BSD-3-Clause
#include "formula/freeze.hpp"

#include <algorithm>
#include <utility>

namespace taut::formula {
namespace {

bool is_switch(Op op) {
  switch (op) {
    case Op::less:
    case Op::sign:
    case Op::floor:
    case Op::min:
    case Op::max:
    case Op::abs:
      return true;
    default:
      return false;
  }
}

/// Corners of multipliers, whose value they change in turn, are evaluated as they are written.
bool is_frozen(const Graph& graph, NodeId id) {
  const Node& n = graph[id];
  if (!is_switch(n.op)) return false;
  if (n.op == Op::less || n.op == Op::sign || n.op == Op::floor) return true;
  constexpr SlotMask of_multipliers = mask(Slot::mu);
  return ((graph.reads(n.a) | (n.b == no_node ? 0 : graph.reads(n.b))) & of_multipliers) == 0;
}

/// For each node the number of the first moving root that reads it; -1 where none does.
std::vector<int> readers(const Formula& formula) {
  std::vector<int> reader(static_cast<std::size_t>(formula.graph.size()), -1);
  std::vector<NodeId> stack;
  for (std::size_t r = 0; r < formula.roots.size(); ++r) {
    if (formula.roots[r].role == Role::observable) continue;
    stack.push_back(formula.roots[r].node);
    while (!stack.empty()) {
      const NodeId id = stack.back();
      stack.pop_back();
      int& first = reader[static_cast<std::size_t>(id)];
      if (first >= 0) continue;
      first = static_cast<int>(r);
      const Node& n = formula.graph[id];
      for (const NodeId operand : {n.a, n.b, n.c})
        if (operand != no_node) stack.push_back(operand);
    }
  }
  return reader;
}

}  // namespace

bool has_switches(const Formula& formula) {
  const std::vector<int> reader = readers(formula);
  for (NodeId id = 0; id < formula.graph.size(); ++id)
    if (reader[static_cast<std::size_t>(id)] >= 0 && is_frozen(formula.graph, id)) return true;
  return false;
}

Frozen freeze(const Formula& formula) {
  Frozen result;
  Formula& to = result.formula;
  to.coordinates = formula.coordinates;
  to.parameters = formula.parameters;
  to.rows = formula.rows;
  to.observables = formula.observables;
  to.theta_rate = formula.theta_rate;

  const std::vector<int> reader = readers(formula);
  Graph& graph = to.graph;
  Copier frozen{formula.graph, graph}, live{formula.graph, graph};
  // operands have smaller numbers: their switches are frozen already
  for (NodeId id = 0; id < formula.graph.size(); ++id) {
    const Node& n = formula.graph[id];
    const int root = reader[static_cast<std::size_t>(id)];
    if (root < 0 || !is_frozen(formula.graph, id)) continue;
    const NodeId a = frozen(n.a), b = n.b == no_node ? no_node : frozen(n.b);
    const NodeId mode = graph.input({Slot::mode, static_cast<int>(result.guards.size())});
    Guard guard{.root = static_cast<std::size_t>(root)};
    NodeId value = mode;  // (1)
    switch (n.op) {
      case Op::less:
        guard.node = graph.make(Op::sub, b, a);
        break;
      case Op::max:  // (2)
        guard.node = graph.make(Op::sub, a, b);
        value = graph.make(Op::select, mode, a, b);
        break;
      case Op::min:
        guard.node = graph.make(Op::sub, b, a);
        value = graph.make(Op::select, mode, a, b);
        break;
      case Op::abs:  // (3)
        guard.node = a;
        value = graph.make(Op::select, mode, a, graph.make(Op::neg, a));
        break;
      case Op::sign:
        guard.kind = Guard::Kind::sign;
        guard.node = a;
        break;
      default:
        guard.kind = Guard::Kind::floor;
        guard.node = a;
        break;
    }
    result.guards.push_back(guard);
    frozen.assign(id, value);
  }
  for (const Root& root : formula.roots)
    to.roots.push_back(
        {root.role, (root.role == Role::observable ? live : frozen)(root.node), root.target});
  return result;
}

}  // namespace taut::formula
