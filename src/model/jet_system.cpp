// SPDX-License-Identifier: BSD-3-Clause
#include "taut/model/jet_system.hpp"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "model/node_value.hpp"

namespace taut {

std::string JetSystem::name_of(Index jet) const {
  if (jet == 0) return independent;
  const Index derivative = (jet - 1) / n();
  const std::string& name = unknowns[static_cast<std::size_t>((jet - 1) % n())];
  if (derivative > 3) return fmt::format("{}^({})", name, derivative);
  return name + std::string(static_cast<std::size_t>(derivative), '\'');
}

double JetSystem::value(formula::NodeId node, const Vec& p) const {
  return node_value(graph, node, [&](formula::Input input) { return p[input.index]; });
}

std::vector<Index> JetSystem::reads(formula::NodeId root) const {
  std::vector<Index> result;
  std::vector<formula::NodeId> reached{root};
  std::unordered_set<formula::NodeId> seen{root};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const formula::Node& node = graph[reached[i]];
    if (node.op == formula::Op::input) result.push_back(node.input.index);
    for (const formula::NodeId operand : {node.a, node.b, node.c})
      if (operand != formula::no_node && seen.insert(operand).second) reached.push_back(operand);
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace taut
