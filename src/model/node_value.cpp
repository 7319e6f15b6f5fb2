// SPDX-License-Identifier: BSD-3-Clause
#include "model/node_value.hpp"

#include <array>
#include <vector>

#include "formula/table.hpp"

namespace taut {
namespace {

using formula::NodeId;
using formula::Number;
using formula::Op;

/// Nodes that `root` is made of, itself included.
std::vector<bool> reached(const formula::Graph& graph, NodeId root) {
  std::vector<bool> is_reached(static_cast<std::size_t>(root) + 1, false);
  is_reached[static_cast<std::size_t>(root)] = true;
  for (NodeId id = root; id >= 0; --id) {
    if (!is_reached[static_cast<std::size_t>(id)]) continue;
    for (const NodeId operand : {graph[id].a, graph[id].b, graph[id].c})
      if (operand != formula::no_node) is_reached[static_cast<std::size_t>(operand)] = true;
  }
  return is_reached;
}

/// Values of all nodes below `root`, and their errors where `error` is given:
///   E(f(a, b)) = |f_a| E(a) + |f_b| E(b) + |f|
std::vector<Number> values(const formula::Graph& graph, NodeId root, const InputValue& value_of,
                           std::vector<Number>* error) {
  const std::vector<bool> is_reached = reached(graph, root);
  std::vector<Number> value(is_reached.size(), 0.0);
  if (error != nullptr) error->assign(value.size(), 0.0);
  for (NodeId id = 0; id <= root; ++id) {
    const formula::Node& node = graph[id];
    const auto i = static_cast<std::size_t>(id);
    if (!is_reached[i]) continue;
    if (node.op == Op::constant) {
      value[i] = graph.number(id);
    } else if (node.op == Op::input) {
      value[i] = value_of(node.input);
    } else {
      const std::array operands{node.a, node.b, node.c};
      std::array<Number, 3> x{};
      for (std::size_t k = 0; k < x.size(); ++k)
        if (operands[k] != formula::no_node) x[k] = value[static_cast<std::size_t>(operands[k])];
      const auto evaluated = [&](const std::array<Number, 3>& at) -> Number {
        if (node.lookup.table < 0) return record(node.op, at[0], at[1], at[2]);
        return graph.table(node.lookup.table)->look_up(node.op, node.lookup, at[0], at[1], at[2]);
      };
      value[i] = evaluated(x);
      for (std::size_t k = 0; k < x.size() && error != nullptr; ++k) {
        if (operands[k] == formula::no_node) continue;
        // slopes by differences: two digits are plenty here
        const Number d = 1e-5 * (abs(x[k]) + 1e-5);
        auto above = x, below = x;
        above[k] = above[k] + d;
        below[k] = below[k] - d;
        const Number slope = (evaluated(above) - evaluated(below)) / (2.0 * d);
        if (isfinite(slope))
          (*error)[i] += abs(slope) * (*error)[static_cast<std::size_t>(operands[k])];
      }
    }
    if (error != nullptr) (*error)[i] += abs(value[i]);
  }
  return value;
}

}  // namespace

Number node_value(const formula::Graph& graph, NodeId root, const InputValue& value_of) {
  return values(graph, root, value_of, nullptr)[static_cast<std::size_t>(root)];
}

Number rounding_size(const formula::Graph& graph, NodeId root, const InputValue& value_of) {
  std::vector<Number> error;
  static_cast<void>(values(graph, root, value_of, &error));
  return error[static_cast<std::size_t>(root)];
}

}  // namespace taut
