// SPDX-License-Identifier: BSD-3-Clause
#include "formula/derivative.hpp"

#include <algorithm>
#include <cassert>

#include "formula/table.hpp"

namespace taut::formula {
namespace {

/// Nodes looked at in search of the inner node of (2): bounds the search where an expression has
/// long shared tails, and is far more than any V(r^2) needs.
constexpr int inner_search = 96;

}  // namespace

Derivatives::Derivatives(Graph& graph)
    : graph_{graph},
      zero_{graph.constant(0.0)},
      one_{graph.constant(1.0)},
      half_{graph.constant(0.5)} {}

// ---- forward ------------------------------------------------------------------------------------

void Derivatives::direction(std::span<const Seed> seeds) {
  user_.derivative.clear();
  user_.seeded = 0;
  for (const Seed& seed : seeds) {
    user_.derivative.set(seed.node, seed.derivative);
    user_.seeded = static_cast<SlotMask>(user_.seeded | graph_.reads(seed.node));
  }
}

NodeId Derivatives::along(NodeId root) { return derivative(user_, root); }

NodeId Derivatives::derivative(Tangent& tangent, NodeId root) {
  tangent.leaked = false;
  stack_.assign(1, root);
  while (!stack_.empty()) {
    const NodeId id = stack_.back();
    if (!reads(id, tangent.seeded) || tangent.derivative.get(id) != no_node) {
      stack_.pop_back();
      continue;
    }
    const Node& n = graph_[id];
    bool ready = true;
    for (const NodeId operand : {n.a, n.b, n.c}) {
      if (!reads(operand, tangent.seeded) || tangent.derivative.get(operand) != no_node) continue;
      stack_.push_back(operand);
      ready = false;
    }
    if (!ready) continue;
    stack_.pop_back();
    if (n.op == Op::input) {
      tangent.leaked = true;
      tangent.derivative.set(id, zero());
    } else {
      tangent.derivative.set(id, forward_rule(tangent, id));
    }
  }
  return reads(root, tangent.seeded) ? tangent.derivative.get(root) : zero();
}

NodeId Derivatives::forward_rule(const Tangent& tangent, NodeId id) {
  const Node n = graph_[id];
  const auto of = [&](NodeId operand) {
    return reads(operand, tangent.seeded) ? tangent.derivative.get(operand) : zero();
  };
  switch (n.op) {
    case Op::add:
    case Op::sub:
    case Op::neg:
      return graph_.make(n.op, of(n.a), n.b == no_node ? no_node : of(n.b));
    case Op::div:
      // (a' - (a/b) b') / b
      return graph_.make(Op::div, graph_.make(Op::sub, of(n.a), graph_.make(Op::mul, id, of(n.b))),
                         n.b);
    case Op::atan2: {
      // (x y' - y x') / (x^2 + y^2)
      const NodeId cross = graph_.make(Op::sub, graph_.make(Op::mul, n.b, of(n.a)),
                                       graph_.make(Op::mul, n.a, of(n.b)));
      const NodeId square =
          graph_.make(Op::add, graph_.make(Op::mul, n.a, n.a), graph_.make(Op::mul, n.b, n.b));
      return graph_.make(Op::div, cross, square);
    }
    case Op::min:
      return graph_.make(Op::select, graph_.make(Op::less, n.a, n.b), of(n.a), of(n.b));
    case Op::max:
      return graph_.make(Op::select, graph_.make(Op::less, n.b, n.a), of(n.a), of(n.b));
    case Op::select:
      return graph_.make(Op::select, n.a, of(n.b), of(n.c));
    default: {
      NodeId sum = zero();
      const NodeId operands[] = {n.a, n.b};
      for (int k = 0; k < 2; ++k) {
        if (operands[k] == no_node || is_zero(of(operands[k]))) continue;
        sum = graph_.make(Op::add, sum, chain(id, k, of(operands[k])));
      }
      return sum;
    }
  }
}

/// w times the derivative of node `id` in its operand number `operand`.
NodeId Derivatives::chain(NodeId id, int operand, NodeId w) {
  const Node n = graph_[id];
  const auto make = [&](Op op, NodeId a, NodeId b = no_node, NodeId c = no_node) {
    return graph_.make(op, a, b, c);
  };
  const auto square = [&](NodeId x) { return make(Op::mul, x, x); };
  switch (n.op) {
    case Op::add:
      return w;
    case Op::sub:
      return operand == 0 ? w : make(Op::neg, w);
    case Op::neg:
      return make(Op::neg, w);
    case Op::mul:
      return make(Op::mul, w, operand == 0 ? n.b : n.a);
    case Op::div: {
      const NodeId scaled = make(Op::div, w, n.b);
      return operand == 0 ? scaled : make(Op::neg, make(Op::mul, scaled, id));
    }
    case Op::pow: {
      // b a^(b-1) is right at a = 0, where b a^b / a is not
      if (operand == 0) {
        return make(Op::mul, w, make(Op::mul, n.b, make(Op::pow, n.a, make(Op::sub, n.b, one_))));
      }
      const NodeId slope = make(Op::mul, id, make(Op::log, n.a));
      return make(Op::mul, w, make(Op::select, n.a, slope, zero()));
    }
    case Op::sqrt:
      return make(Op::mul, half_, make(Op::div, w, id));
    case Op::exp:
      return make(Op::mul, w, id);
    case Op::log:
      return make(Op::div, w, n.a);
    case Op::sin:
      return make(Op::mul, w, make(Op::cos, n.a));
    case Op::cos:
      return make(Op::neg, make(Op::mul, w, make(Op::sin, n.a)));
    case Op::tan:
      return make(Op::mul, w, make(Op::add, one_, square(id)));
    case Op::asin:
      return make(Op::div, w, make(Op::sqrt, make(Op::sub, one_, square(n.a))));
    case Op::acos:
      return make(Op::neg, make(Op::div, w, make(Op::sqrt, make(Op::sub, one_, square(n.a)))));
    case Op::atan:
      return make(Op::div, w, make(Op::add, one_, square(n.a)));
    case Op::atan2: {
      const NodeId scaled = make(Op::div, w, make(Op::add, square(n.a), square(n.b)));
      return operand == 0 ? make(Op::mul, scaled, n.b) : make(Op::neg, make(Op::mul, scaled, n.a));
    }
    case Op::sinh:
      return make(Op::mul, w, make(Op::cosh, n.a));
    case Op::cosh:
      return make(Op::mul, w, make(Op::sinh, n.a));
    case Op::tanh:
      return make(Op::mul, w, make(Op::sub, one_, square(id)));
    case Op::abs:
      return make(Op::mul, w, make(Op::sign, n.a));
    case Op::min:
    case Op::max: {
      const NodeId first = n.op == Op::min ? make(Op::less, n.a, n.b) : make(Op::less, n.b, n.a);
      return operand == 0 ? make(Op::select, first, w, zero()) : make(Op::select, first, zero(), w);
    }
    case Op::select:
      if (operand == 0) return zero();
      return operand == 1 ? make(Op::select, n.a, w, zero()) : make(Op::select, n.a, zero(), w);
    case Op::knot:
    case Op::piece: {
      // d/dx of order n is order n + 1, as far as the polynomial goes; what it is made of looks up
      // the same piece, b standing for a where there is one argument
      Lookup what = n.lookup;
      const bool in_x = operand == 0;
      if (!in_x && (n.op == Op::knot || graph_.table(what.table)->axes() < 2)) return zero();
      std::uint8_t& order = in_x ? what.order_x : what.order_y;
      const int highest = n.op == Op::knot ? 1 : graph_.table(what.table)->degree();
      if (++order > highest) return zero();
      return make(Op::mul, w, graph_.look_up(n.op, what, n.a, n.b, n.c));
    }
    case Op::constant:
    case Op::input:
    case Op::sign:
    case Op::floor:
    case Op::less:
    case Op::cell:
      break;
  }
  return zero();
}

// ---- reverse ------------------------------------------------------------------------------------

/// The deepest node through which alone `root` reads the slots; `root` itself when there is none.
NodeId Derivatives::inner(NodeId root, SlotMask slots) {
  NodeId found = root;
  seen_.clear();
  heap_.assign(1, root);
  for (int looked = 0; looked < inner_search && !heap_.empty(); ++looked) {
    std::pop_heap(heap_.begin(), heap_.end());
    const NodeId id = heap_.back();
    heap_.pop_back();
    // whatever is read further down is read through `id` when nothing else is open
    if (heap_.empty()) found = id;
    if (is_leaf(id)) break;
    const Node& n = graph_[id];
    for (const NodeId operand : {n.a, n.b, n.c}) {
      if (!reads(operand, slots) || seen_.get(operand) != no_node) continue;
      seen_.set(operand, operand);
      heap_.push_back(operand);
      std::push_heap(heap_.begin(), heap_.end());
    }
  }
  return found;
}

/// phi' and phi'' of root = phi(s); nothing when simplification has taken s apart on the way.
Derivatives::Derived Derivatives::derive_in(NodeId root, NodeId s, SlotMask slots, bool second) {
  local_.derivative.clear();
  local_.seeded = slots;
  local_.derivative.set(s, one_);
  Derived result;
  result.first = derivative(local_, root);
  if (local_.leaked) return {};
  if (second) {
    result.second = derivative(local_, result.first);
    if (local_.leaked) return {};
  }
  return result;
}

void Derivatives::push(Sweep& sweep, NodeId id, NodeId weight) {
  if (is_zero(weight)) return;
  const NodeId before = sweep.weight.get(id);
  if (before != no_node) {
    sweep.weight.set(id, graph_.make(Op::add, before, weight));
    return;
  }
  sweep.weight.set(id, weight);
  sweep.open.push_back(id);
  std::push_heap(sweep.open.begin(), sweep.open.end());
}

/// (1); false when the node is not linear in what it reads of the slots.
bool Derivatives::push_linear(Sweep& sweep, NodeId id, NodeId w, SlotMask slots) {
  const Node n = graph_[id];
  const bool a = reads(n.a, slots), b = reads(n.b, slots);
  const bool linear = n.op == Op::add || n.op == Op::sub || n.op == Op::neg ||
                      (n.op == Op::mul && a != b) || (n.op == Op::div && !b);
  if (!linear) return false;
  if (a) push(sweep, n.a, chain(id, 0, w));
  if (b) push(sweep, n.b, chain(id, 1, w));
  return true;
}

/// Weights of the inputs below a select, each by a forward sweep: a reverse sweep would multiply
/// the branch not taken by 0, and that branch may be NaN.
void Derivatives::push_guarded(Sweep& sweep, NodeId id, NodeId w, Slot slot) {
  for (const int index : support(id, slot)) {
    const NodeId input = input_seed(local_, slot, index);
    push(sweep, input, graph_.make(Op::mul, w, derivative(local_, id)));
  }
}

/// Points `tangent` along one input.
NodeId Derivatives::input_seed(Tangent& tangent, Slot slot, int index) {
  const NodeId input = graph_.input({slot, index});
  tangent.derivative.clear();
  tangent.seeded = mask(slot);
  tangent.derivative.set(input, one_);
  return input;
}

std::vector<Partial> Derivatives::gradient(NodeId root, Slot slot) {
  const Weighted weighted{root, one_};
  return gradient({&weighted, 1}, slot);
}

std::vector<Partial> Derivatives::gradient(std::span<const Weighted> roots, Slot slot) {
  leaves_.clear();
  std::vector<Partial> result;
  for (const Weighted& leaf : sweep(roots, slot)) {
    result.push_back({graph_[leaf.node].input.index, leaf.weight});
  }
  std::sort(result.begin(), result.end(),
            [](const Partial& x, const Partial& y) { return x.index < y.index; });
  return result;
}

/// The weights that arrive at the leaves: the inputs of `slot`, or what leaves_ puts above them.
std::vector<Weighted> Derivatives::sweep(std::span<const Weighted> roots, Slot slot) {
  const SlotMask slots = mask(slot);
  Sweep& sweep = gradient_;
  sweep.weight.clear();
  sweep.open.clear();
  for (const Weighted& root : roots) {
    if (reads(root.node, slots)) push(sweep, root.node, root.weight);
  }

  std::vector<Weighted> result;
  while (!sweep.open.empty()) {
    std::pop_heap(sweep.open.begin(), sweep.open.end());
    const NodeId id = sweep.open.back();
    sweep.open.pop_back();
    ++swept_;
    const NodeId w = sweep.weight.get(id);
    if (is_zero(w)) continue;
    if (is_leaf(id)) {
      result.push_back({id, w});
      continue;
    }
    if (push_linear(sweep, id, w, slots)) continue;
    if (const NodeId s = inner(id, slots); s != id) {
      if (const Derived phi = derive_in(id, s, slots, false); phi.first != no_node) {
        push(sweep, s, graph_.make(Op::mul, w, phi.first));
        continue;
      }
    }
    const Node n = graph_[id];
    if (n.op == Op::select) {
      push_guarded(sweep, id, w, slot);
      continue;
    }
    if (reads(n.a, slots)) push(sweep, n.a, chain(id, 0, w));
    if (reads(n.b, slots)) push(sweep, n.b, chain(id, 1, w));
  }
  return result;
}

std::vector<int> Derivatives::support(NodeId root, Slot slot) {
  const SlotMask slots = mask(slot);
  std::vector<int> indices;
  if (!reads(root, slots)) return indices;
  seen_.clear();
  seen_.set(root, root);
  stack_.assign(1, root);
  while (!stack_.empty()) {
    const Node& n = graph_[stack_.back()];
    stack_.pop_back();
    if (n.op == Op::input) {
      indices.push_back(n.input.index);
      continue;
    }
    for (const NodeId operand : {n.a, n.b, n.c}) {
      if (!reads(operand, slots) || seen_.get(operand) != no_node) continue;
      seen_.set(operand, operand);
      stack_.push_back(operand);
    }
  }
  std::sort(indices.begin(), indices.end());
  return indices;
}

}  // namespace taut::formula
