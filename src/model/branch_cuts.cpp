// SPDX-License-Identifier: BSD-3-Clause
#include "model/branch_cuts.hpp"

#include <cmath>
#include <vector>

#include "model/compiled_system.hpp"
#include "model/node_value.hpp"

namespace taut {
namespace {

using formula::NodeId;
using formula::Op;

bool has_cut(Op op) { return op == Op::atan2 || op == Op::acos || op == Op::asin; }

/// Nodes with a cut below a root.
std::vector<NodeId> cuts_below(const formula::Graph& graph, NodeId root) {
  std::vector<NodeId> found, stack{root};
  std::vector<bool> seen(static_cast<std::size_t>(root) + 1, false);
  while (!stack.empty()) {
    const NodeId id = stack.back();
    stack.pop_back();
    if (id == formula::no_node || seen[static_cast<std::size_t>(id)]) continue;
    seen[static_cast<std::size_t>(id)] = true;
    if (has_cut(graph[id].op)) found.push_back(id);
    for (const NodeId operand : {graph[id].a, graph[id].b, graph[id].c}) stack.push_back(operand);
  }
  return found;
}

/// One element of a batch at a place.
class Place {
 public:
  Place(const Batch& batch, int instance, const State& at)
      : batch_{batch}, instance_{static_cast<std::size_t>(instance)}, at_{at} {}

  [[nodiscard]] double operator()(NodeId node) const {
    return node_value(batch_.formula.graph, node,
                      [&](formula::Input input) { return formula::Number{value(input)}; })
        .value();
  }

 private:
  [[nodiscard]] double value(formula::Input input) const {
    const auto k =
        static_cast<std::size_t>(input.index) * static_cast<std::size_t>(batch_.instances) +
        instance_;
    switch (input.slot) {
      case formula::Slot::q:
        return at_.q[batch_.coordinates[k]];
      case formula::Slot::v:
        return at_.v[batch_.coordinates[k]];
      case formula::Slot::t:
        return at_.t;
      case formula::Slot::parameter:
        return batch_.parameters[k];
      default:
        return 0.0;
    }
  }

  const Batch& batch_;
  std::size_t instance_;
  const State& at_;
};

bool at_cut(const formula::Node& node, const Place& here, const Place& there) {
  constexpr double near = 1e-3;  // an angle
  if (node.op == Op::atan2) {
    const double y = here(node.a), x = here(node.b);
    return x < 0.0 && (std::abs(y) <= -near * x || (y < 0.0) != (there(node.a) < 0.0));
  }
  const double edge = 1.0 - near * near / 2;
  return std::abs(here(node.a)) >= edge || std::abs(there(node.a)) >= edge;
}

}  // namespace

std::optional<BranchCut> branch_cut(const System& system, const State& at, double h) {
  const auto* const compiled = dynamic_cast<const CompiledSystem*>(&system.implementation());
  if (compiled == nullptr) return {};
  const formula::Recording none{nullptr};
  State ahead = at;
  ahead.t += 2 * h;
  ahead.q += 2 * h * at.v;
  for (const Batch& batch : compiled->batches()) {
    if (batch.drawn) continue;
    for (std::size_t r = 0; r < batch.formula.roots.size(); ++r)
      for (const NodeId id : cuts_below(batch.formula.graph, batch.formula.roots[r].node))
        for (int i = 0; i < batch.instances; ++i)
          if (at_cut(batch.formula.graph[id], Place{batch, i, at}, Place{batch, i, ahead}))
            return BranchCut{batch.labels[batch.merged ? r : static_cast<std::size_t>(i)],
                             batch.formula.graph[id].op};
  }
  return {};
}

}  // namespace taut
