// SPDX-License-Identifier: BSD-3-Clause
#include "model/branch_cuts.hpp"

#include <cmath>
#include <vector>

#include "formula/table.hpp"
#include "model/compiled_system.hpp"
#include "model/node_value.hpp"

namespace taut {
namespace {

using formula::NodeId;
using formula::Op;

bool has_cut(Op op) {
  return op == Op::atan2 || op == Op::acos || op == Op::asin || op == Op::knot;
}

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

/// Where a table ends that its argument is at the end of.
std::optional<double> end_of_table(const formula::Graph& graph, const formula::Node& node,
                                   const Place& here, const Place& there) {
  const formula::Table& table = *graph.table(node.lookup.table);
  if (!table.refuses() || (node.lookup.axis == 0 && table.is_periodic())) return {};
  const formula::Interval range = table.range(node.lookup.axis);
  const double near = 1e-6 * range.width();
  for (const double x : {here(node.a), there(node.a)}) {
    if (x <= range.lo + near) return range.lo;
    if (x >= range.hi - near) return range.hi;
  }
  return {};
}

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
  // angles of joints count turns: theirs is never met
  const bool turns = compiled->reads_turns();
  for (const Batch& batch : compiled->batches()) {
    if (batch.drawn) continue;
    for (std::size_t r = 0; r < batch.formula.roots.size(); ++r)
      for (const NodeId id : cuts_below(batch.formula.graph, batch.formula.roots[r].node)) {
        if (turns && batch.formula.graph[id].op == Op::atan2 &&
            batch.formula.graph.depends_on(id, formula::Slot::input))
          continue;
        for (int i = 0; i < batch.instances; ++i)
          if (const formula::Node& node = batch.formula.graph[id]; node.op == Op::knot) {
            const Place here{batch, i, at}, there{batch, i, ahead};
            if (const auto end = end_of_table(batch.formula.graph, node, here, there))
              return BranchCut{batch.labels[batch.merged ? r : static_cast<std::size_t>(i)],
                               node.op, batch.formula.graph.table(node.lookup.table)->name(), *end};
          } else if (at_cut(batch.formula.graph[id], Place{batch, i, at}, Place{batch, i, ahead}))
            return BranchCut{batch.labels[batch.merged ? r : static_cast<std::size_t>(i)],
                             batch.formula.graph[id].op,
                             {},
                             0.0};
      }
  }
  return {};
}

}  // namespace taut
