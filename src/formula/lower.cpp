// SPDX-License-Identifier: BSD-3-Clause
#include "formula/lower.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <tuple>

#include "formula/operands.hpp"
#include "formula/origins.hpp"

namespace taut::formula {
namespace {

Code code_of(Op op) {
  // both enumerations list the operations of the graph in the same order
  static_assert(static_cast<int>(Op::piece) - static_cast<int>(Op::add) ==
                static_cast<int>(Code::piece) - static_cast<int>(Code::add));
  static_assert(static_cast<int>(Op::atan2) - static_cast<int>(Op::add) ==
                static_cast<int>(Code::atan2) - static_cast<int>(Code::add));
  return static_cast<Code>(static_cast<int>(op) - static_cast<int>(Op::add));
}

class Lowering {
 public:
  Lowering(const Graph& graph, const std::vector<Result>& results)
      : graph_{graph}, results_{results}, info_(static_cast<std::size_t>(graph.size())) {}

  Program run() {
    reach();
    number_inputs_and_constants();
    for (const NodeId id : order_) emit(id);
    allocate();
    for (const Result& r : results_) {
      const NodeId node = unsigned_part(r.node);
      program_.outputs.push_back({.target = r.target,
                                  .row = r.row,
                                  .column = r.column,
                                  .reg = info(node).reg,
                                  .negate = node != r.node});
    }
    return std::move(program_);
  }

 private:
  struct Info {
    std::int32_t uses = 0;
    std::int32_t reg = -1;
    std::int32_t last_use = -1;  // instruction that reads it last
    NodeId partner = no_node;    // of an operand: its sine or cosine, when one was met
    bool reached = false;
    bool kept = false;   // an output: its register is never reused
    bool fused = false;  // a product inside the one instruction that uses it
    bool emitted = false;
  };

  Info& info(NodeId id) { return info_[static_cast<std::size_t>(id)]; }

  /// An output carries its sign itself.
  [[nodiscard]] NodeId unsigned_part(NodeId id) const {
    return graph_[id].op == Op::neg ? graph_[id].a : id;
  }

  /// Lists what the results need, operands first, each result's own part together: values are then
  /// used soon after they are made, and few are alive at a time.
  void reach() {
    std::vector<NodeId> stack;
    for (const Result& r : results_) {
      const NodeId root = unsigned_part(r.node);
      info(root).kept = true;
      ++info(root).uses;
      stack.push_back(root);
      while (!stack.empty()) {
        const NodeId id = stack.back();
        const Node& n = graph_[id];
        if (info(id).reached) {
          stack.pop_back();
          continue;
        }
        bool ready = true;
        for (const NodeId operand : {n.c, n.b, n.a}) {
          if (operand == no_node || info(operand).reached) continue;
          stack.push_back(operand);
          ready = false;
        }
        if (!ready) continue;
        stack.pop_back();
        info(id).reached = true;
        for (const NodeId operand : {n.a, n.b, n.c}) {
          if (operand != no_node) ++info(operand).uses;
        }
        order_.push_back(id);
      }
    }
  }

  void number_inputs_and_constants() {
    std::vector<NodeId> inputs, constants;
    for (const NodeId id : order_) {
      if (graph_[id].op == Op::input) inputs.push_back(id);
      if (graph_[id].op == Op::constant) constants.push_back(id);
    }
    std::sort(inputs.begin(), inputs.end(), [&](NodeId x, NodeId y) {
      const Input &a = graph_[x].input, &b = graph_[y].input;
      return std::tie(a.slot, a.index) < std::tie(b.slot, b.index);
    });
    for (const NodeId id : inputs) {
      info(id).reg = program_.registers++;
      program_.inputs.push_back(graph_[id].input);
    }
    for (const NodeId id : constants) {
      info(id).reg = program_.registers++;
      program_.constants.push_back(graph_[id].value);
      if (graph_[id].origin < 0) continue;
      program_.origins.resize(constants.size(), -1);
      program_.origins[program_.constants.size() - 1] = graph_[id].origin;
    }
    // a product used once, by a sum or difference, becomes part of that instruction
    for (const NodeId id : order_) {
      const Node& n = graph_[id];
      if (n.op != Op::add && n.op != Op::sub) continue;
      for (const NodeId operand : {n.b, n.a}) {
        if (graph_[operand].op != Op::mul || info(operand).uses != 1) continue;
        info(operand).fused = true;
        break;
      }
    }
    for (const NodeId id : order_) {
      const Node& n = graph_[id];
      if (n.op == Op::sin || n.op == Op::cos) {
        NodeId& partner = info(n.a).partner;
        partner = partner == no_node ? id : both;
      }
    }
  }

  void emit(NodeId id) {
    const Node& n = graph_[id];
    if (n.op == Op::constant || n.op == Op::input || info(id).fused || info(id).emitted) return;
    info(id).emitted = true;
    if ((n.op == Op::add || n.op == Op::sub) && (info(n.a).fused || info(n.b).fused)) {
      // node numbers stand in for registers until allocate()
      const bool second = info(n.b).fused;
      const Node& product = graph_[second ? n.b : n.a];
      const Code code = n.op == Op::add ? Code::mul_add : second ? Code::sub_mul : Code::mul_sub;
      program_.code.push_back({code, id, product.a, product.b, second ? n.a : n.b});
      return;
    }
    if ((n.op == Op::sin || n.op == Op::cos) && info(n.a).partner == both) {
      const NodeId sine = find(Op::sin, n.a), cosine = find(Op::cos, n.a);
      info(sine).emitted = info(cosine).emitted = true;
      program_.code.push_back({Code::sincos, sine, n.a, cosine, 0});
      return;
    }
    program_.code.push_back(
        {code_of(n.op), id, n.a, n.b == no_node ? 0 : n.b, n.c == no_node ? 0 : n.c});
    if (n.lookup.table < 0) return;
    program_.code.back().lookup = static_cast<std::int32_t>(program_.lookups.size());
    program_.lookups.push_back({graph_.table(n.lookup.table), n.lookup});
  }

  /// The reached sine or cosine of `operand`.
  NodeId find(Op op, NodeId operand) {
    if (functions_.empty()) {
      for (const NodeId id : order_) {
        const Node& n = graph_[id];
        if (n.op == Op::sin || n.op == Op::cos) functions_.emplace_back(n.a, n.op, id);
      }
      std::sort(functions_.begin(), functions_.end());
    }
    const auto place =
        std::lower_bound(functions_.begin(), functions_.end(), std::tuple{operand, op, NodeId{0}});
    assert(place != functions_.end());
    return std::get<2>(*place);
  }

  /// Linear scan: a work register is free again after the last instruction that reads it.
  void allocate() {
    const auto count = static_cast<std::int32_t>(program_.code.size());
    const auto operands = [](const Instruction& i) {
      return std::array{i.a, reads_b(i.code) ? i.b : no_node, reads_c(i.code) ? i.c : no_node};
    };
    for (std::int32_t k = 0; k < count; ++k) {
      for (const NodeId id : operands(program_.code[static_cast<std::size_t>(k)])) {
        if (id != no_node) info(id).last_use = k;
      }
    }

    std::vector<std::int32_t> free;
    const auto take = [&](NodeId id) {
      if (free.empty()) {
        info(id).reg = program_.registers++;
      } else {
        info(id).reg = free.back();
        free.pop_back();
      }
    };
    for (std::int32_t k = 0; k < count; ++k) {
      Instruction& i = program_.code[static_cast<std::size_t>(k)];
      // an operand that dies here may give its register to the result
      for (const NodeId id : operands(i)) {
        if (id == no_node || info(id).last_use != k || info(id).kept) continue;
        const Op op = graph_[id].op;
        if (op == Op::input || op == Op::constant) continue;
        free.push_back(info(id).reg);
        info(id).last_use = -1;  // an operand named twice is freed once
      }
      const NodeId to = i.to, second = i.b;
      const std::array from = operands(i);
      take(to);
      if (i.code == Code::sincos) take(second);
      i.to = info(to).reg;
      i.a = info(from[0]).reg;
      if (from[1] != no_node) i.b = info(from[1]).reg;
      if (from[2] != no_node) i.c = info(from[2]).reg;
      if (i.code == Code::sincos) i.b = info(second).reg;
    }
  }

  static constexpr NodeId both = -2;  // sine and cosine of one operand are wanted

  const Graph& graph_;
  const std::vector<Result>& results_;
  std::vector<Info> info_;
  std::vector<NodeId> order_;
  std::vector<std::tuple<NodeId, Op, NodeId>> functions_;  // sines and cosines by operand
  Program program_;
};

/// True where a power of the graph is to be computed as a product with a square root.
bool has_half_powers(const Graph& graph) {
  for (NodeId id = 0; id < graph.size(); ++id) {
    const Node& n = graph[id];
    if (n.op != Op::pow || !graph.is_constant(n.b)) continue;
    if (const int form = exponent_of(graph.number(n.b)); form < whole_even && form % 2 != 0)
      return true;
  }
  return false;
}

}  // namespace

Program lower(const Graph& graph, const std::vector<Result>& results) {
  if (!has_half_powers(graph)) return Lowering{graph, results}.run();
  Graph products{Graph::Powers::products};
  Copier copy{graph, products};
  std::vector<Result> copied = results;
  for (Result& result : copied) result.node = copy(result.node);
  return Lowering{products, copied}.run();
}

}  // namespace taut::formula
