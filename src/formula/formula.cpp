// SPDX-License-Identifier: BSD-3-Clause
#include "taut/formula/formula.hpp"

#include <utility>

#include "formula/table.hpp"

namespace taut::formula {
namespace {

template <class T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

std::string key(const Formula& formula) { return key(outline(formula)); }

std::string key(Outline outline) {
  for (const Number& constant : outline.constants) append(outline.bytes, constant.value());
  return std::move(outline.bytes);
}

Outline outline(const Formula& formula) {
  const Graph& graph = formula.graph;
  Outline result;
  std::string& bytes = result.bytes;
  for (const int size : {formula.coordinates, formula.parameters, formula.rows, formula.observables,
                         static_cast<int>(formula.roots.size())}) {
    append(bytes, size);
  }
  result.constants.push_back(formula.theta_rate);

  // nodes are numbered as they are written down, operands first
  std::vector<NodeId> number(static_cast<std::size_t>(graph.size()), no_node);
  const auto of = [&](NodeId id) {
    return id == no_node ? no_node : number[static_cast<std::size_t>(id)];
  };
  NodeId next = 0;
  std::vector<NodeId> stack;
  for (const Root& root : formula.roots) {
    stack.push_back(root.node);
    while (!stack.empty()) {
      const NodeId id = stack.back();
      const Node& n = graph[id];
      bool ready = true;
      for (const NodeId operand : {n.c, n.b, n.a}) {
        if (operand == no_node || of(operand) != no_node) continue;
        stack.push_back(operand);
        ready = false;
      }
      if (!ready) continue;
      stack.pop_back();
      if (of(id) != no_node) continue;
      number[static_cast<std::size_t>(id)] = next++;
      append(bytes, n.op);
      if (n.op == Op::constant) {
        result.constants.push_back(graph.number(id));
      } else if (n.op == Op::input) {
        append(bytes, n.input.slot);
        append(bytes, n.input.index);
      } else {
        for (const NodeId operand : {n.a, n.b, n.c}) append(bytes, of(operand));
        if (n.lookup.table >= 0) {
          append(bytes, graph.table(n.lookup.table)->number());
          for (const auto part : {n.lookup.order_x, n.lookup.order_y, n.lookup.axis})
            append(bytes, part);
        }
      }
    }
    append(bytes, root.role);
    append(bytes, root.target);
    append(bytes, of(root.node));
  }
  return result;
}

}  // namespace taut::formula
