// SPDX-License-Identifier: BSD-3-Clause
#include "model/watched_batch.hpp"

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

using formula::EnclosedGraph;
using formula::mask;
using formula::NodeId;
using formula::Op;
using formula::Slot;
using formula::SlotMask;
using formula::Target;

constexpr SlotMask in_space = mask(Slot::q) | mask(Slot::v);
constexpr SlotMask in_time = mask(Slot::t) | mask(Slot::theta);

/// Degree from which on a product is as steep as a function.
constexpr int high_degree = 8;

}  // namespace

bool is_steep(const EnclosedGraph& graph, const formula::Graph& of, NodeId id) {
  const formula::Node& n = of[id];
  const auto moves = [&](NodeId operand) {
    return operand != formula::no_node && (of.reads(operand) & (in_space | in_time)) != 0;
  };
  switch (n.op) {
    case Op::exp:
    case Op::log:
    case Op::sqrt:
    case Op::sin:
    case Op::cos:
    case Op::tan:
    case Op::asin:
    case Op::acos:
    case Op::atan:
    case Op::sinh:
    case Op::cosh:
    case Op::tanh:
      return moves(n.a);
    case Op::atan2:
    case Op::pow:
      return moves(n.a) || moves(n.b);
    case Op::div:
      return moves(n.b);
    case Op::mul: {
      // what is steep in a factor is seen there
      const int a = graph.degree(graph.place(n.a)), b = graph.degree(graph.place(n.b));
      return a < high_degree && b < high_degree && graph.degree(graph.place(id)) >= high_degree;
    }
    default:
      return false;
  }
}

namespace {

/// Whether an atan2 is read by sines and cosines of its whole multiples alone, so that nothing
/// notices when it jumps by 2 pi.
bool is_read_in_turns(const formula::Graph& graph, const Batch& batch, NodeId angle) {
  const auto is_whole = [&](NodeId id) {
    const formula::Node& n = graph[id];
    if (n.op == Op::constant) return n.value == std::floor(n.value);
    if (n.op != Op::input || n.input.slot != Slot::parameter) return false;
    const auto count = static_cast<std::size_t>(batch.instances);
    const auto first = batch.parameters.begin() +
                       static_cast<std::ptrdiff_t>(static_cast<std::size_t>(n.input.index) * count);
    return std::all_of(first, first + static_cast<std::ptrdiff_t>(count),
                       [](double x) { return x == std::floor(x); });
  };
  std::vector<bool> turns(static_cast<std::size_t>(graph.size()), false);  // with the angle
  turns[static_cast<std::size_t>(angle)] = true;
  for (NodeId id = angle + 1; id < graph.size(); ++id) {
    const formula::Node& n = graph[id];
    const auto has = [&](NodeId x) {
      return x != formula::no_node && turns[static_cast<std::size_t>(x)];
    };
    if (!has(n.a) && !has(n.b) && !has(n.c)) continue;
    switch (n.op) {
      case Op::sin:
      case Op::cos:
        break;
      case Op::add:
      case Op::sub:
      case Op::neg:
        turns[static_cast<std::size_t>(id)] = true;
        break;
      case Op::mul:
        if (has(n.a) && has(n.b)) return false;
        if (!is_whole(has(n.a) ? n.b : n.a)) return false;
        turns[static_cast<std::size_t>(id)] = true;
        break;
      default:
        return false;
    }
  }
  return true;
}

/// Whether a root that moves the system has switches or steep parts: derivatives have them only
/// then.
bool is_watched(const formula::Formula& formula) {
  std::vector<NodeId> roots;
  for (const formula::Root& root : formula.roots)
    if (root.role != formula::Role::observable) roots.push_back(root.node);
  if (roots.empty()) return false;
  const EnclosedGraph graph{formula.graph, roots};
  for (NodeId id = 0; id < formula.graph.size(); ++id)
    if (graph.place(id) >= 0 && is_steep(graph, formula.graph, id)) return true;
  return formula::has_switches(formula);
}

/// For each node the modes without which nothing reads it: wherever it is used, on the way to an
/// effect or to a guard that decides something, stands select(mode, b, c) with it in b.
class IdleWithout {
 public:
  IdleWithout(const formula::Graph& graph, const WatchedBatch& of)
      : graph_{graph}, masks_(static_cast<std::size_t>(graph.size()), all) {
    for (const auto* effects : {&of.effects, &of.gradients})
      for (const WatchedBatch::Effect& effect : *effects) meet(effect.node, 0);
    // guards come before what their modes choose: a few passes
    for (bool moves = true; moves;) {
      moves_ = false;
      for (NodeId id = graph.size() - 1; id >= 0; --id) pass_on(id);
      for (std::size_t k = 0; k < of.guards.size(); ++k)
        if (of.guards[k].node != formula::no_node) meet(of.guards[k].node, of_mode(k));
      moves = moves_;
    }
  }

  [[nodiscard]] std::uint64_t operator[](NodeId id) const {
    const std::uint64_t mask = masks_[static_cast<std::size_t>(id)];
    return mask == all ? 0 : mask;
  }
  [[nodiscard]] std::uint64_t of_mode(std::size_t k) const {
    for (NodeId id = 0; id < graph_.size(); ++id)
      if (is_mode(id) && graph_[id].input.index == static_cast<int>(k))
        return masks_[static_cast<std::size_t>(id)];
    return all;
  }

 private:
  static constexpr std::uint64_t all = ~std::uint64_t{0};

  [[nodiscard]] bool is_mode(NodeId id) const {
    return graph_[id].op == Op::input && graph_[id].input.slot == Slot::mode;
  }
  void meet(NodeId id, std::uint64_t mask) {
    if (id == formula::no_node) return;
    std::uint64_t& own = masks_[static_cast<std::size_t>(id)];
    moves_ |= (own & mask) != own;
    own &= mask;
  }
  void pass_on(NodeId id) {
    const formula::Node& n = graph_[id];
    if (n.op == Op::constant || n.op == Op::input) return;
    const std::uint64_t own = masks_[static_cast<std::size_t>(id)];
    const bool chooses = n.op == Op::select && is_mode(n.a) && graph_[n.a].input.index < 64;
    meet(n.a, own);
    meet(n.b, chooses ? own | (std::uint64_t{1} << graph_[n.a].input.index) : own);
    meet(n.c, own);
  }

  const formula::Graph& graph_;
  std::vector<std::uint64_t> masks_;
  bool moves_ = false;
};

WatchedBatch watch(Batch batch, std::vector<formula::Guard> guards) {
  WatchedBatch result;
  // guards become observables behind those of the batch, so that they share its graph
  formula::Formula formula = batch.formula;
  std::erase_if(formula.roots,
                [](const formula::Root& root) { return root.role == formula::Role::observable; });
  for (std::size_t k = 0; k < guards.size(); ++k)
    formula.roots.push_back({formula::Role::observable, guards[k].node, static_cast<int>(k)});
  const formula::Differentiated all = formula::differentiate(
      formula, formula::needs(Target::force, Target::constraint, Target::constraint_jacobian,
                              Target::constraint_curvature, Target::observable));
  const formula::Graph& graph = all.graph;

  result.guards.resize(guards.size());
  std::vector<NodeId> roots;
  for (const formula::Result& r : all.results) {
    roots.push_back(r.node);
    switch (r.target) {
      case Target::observable: {
        const SlotMask reads = graph.reads(r.node);
        const formula::Guard& guard = guards[static_cast<std::size_t>(r.row)];
        result.guards[static_cast<std::size_t>(r.row)] = {
            .kind = guard.kind,
            .node = r.node,
            .minus = graph[r.node].op == Op::neg ? graph[r.node].a : formula::no_node,
            .root = guard.root,
            .of_time = (reads & (in_space | mask(Slot::mu))) == 0 && (reads & in_time) != 0,
            .of_velocity = (reads & mask(Slot::v)) != 0 && (reads & mask(Slot::mu)) == 0,
            .reads_modes = (reads & mask(Slot::mode)) != 0,
            .of_multipliers = (reads & mask(Slot::mu)) != 0};
        break;
      }
      case Target::constraint_jacobian:
        result.gradients.push_back({r.target, r.row, r.node});
        break;
      default:
        result.effects.push_back({r.target, r.row, r.node});
        break;
    }
  }
  std::vector<NodeId> angles;
  for (NodeId id = 0; id < graph.size(); ++id)
    if (graph[id].op == Op::atan2 && std::find(roots.begin(), roots.end(), id) == roots.end() &&
        is_read_in_turns(graph, batch, id))
      angles.push_back(id);
  const auto enclosed = [&] {
    auto made = std::make_shared<EnclosedGraph>(graph, roots);
    for (const NodeId id : angles)
      if (made->place(id) >= 0) made->unwind(made->place(id));
    return made;
  };
  result.whole = enclosed();

  roots.clear();
  for (const WatchedBatch::Decision& guard : result.guards)
    if (guard.node != formula::no_node) roots.push_back(guard.node);
  for (NodeId id = 0; id < graph.size(); ++id)
    if (result.whole->place(id) >= 0 && is_steep(*result.whole, graph, id)) {
      result.steep.push_back(id);
      result.steep_in_time |= (graph.reads(id) & mask(Slot::t)) != 0;
      roots.push_back(id);
    }
  result.features = enclosed();
  const IdleWithout idle{graph, result};
  for (std::size_t k = 0; k < result.guards.size(); ++k)
    if (result.guards[k].node != formula::no_node)
      result.guards[k].idle_without = idle[result.guards[k].node];
  for (const NodeId id : result.steep) result.steep_idle_without.push_back(idle[id]);
  result.batch = std::move(batch);
  return result;
}

}  // namespace

WatchedBatches watched_batches(const std::vector<Batch>& batches) {
  WatchedBatches result;
  for (const Batch& batch : batches) {
    result.frozen.push_back(batch);
    if (batch.drawn || !is_watched(batch.formula)) continue;
    Batch& own = result.frozen.back();
    std::vector<formula::Guard> guards;
    if (formula::has_switches(batch.formula)) {
      formula::Frozen frozen = formula::freeze(batch.formula);
      guards = std::move(frozen.guards);
      own.formula = std::move(frozen.formula);
      for (std::size_t k = 0; k < guards.size() * static_cast<std::size_t>(batch.instances); ++k)
        own.modes.push_back(result.modes++);
    }
    WatchedBatch watched = watch(own, std::move(guards));
    if (!watched.guards.empty() || !watched.steep.empty())
      result.watched.push_back(std::move(watched));
  }
  return result;
}

}  // namespace taut
