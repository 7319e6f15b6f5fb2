// SPDX-License-Identifier: BSD-3-Clause
#include "taut/formula/graph.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

#include "formula/origins.hpp"
#include "formula/table.hpp"

namespace taut::formula {
namespace {

std::uint64_t mix(std::uint64_t h, std::uint64_t x) {
  h = (h ^ x) * 0x9e3779b97f4a7c15u;
  return h ^ (h >> 32);
}

std::uint64_t hash(const Node& n) {
  std::uint64_t h = static_cast<std::uint64_t>(n.op) + 1;
  if (n.op == Op::constant) return mix(h, std::bit_cast<std::uint64_t>(n.value));
  if (n.op == Op::input) {
    return mix(mix(h, static_cast<std::uint64_t>(n.input.slot)),
               static_cast<std::uint32_t>(n.input.index));
  }
  const auto pair = static_cast<std::uint64_t>(static_cast<std::uint32_t>(n.a)) << 32 |
                    static_cast<std::uint32_t>(n.b);
  h = mix(mix(h, pair), static_cast<std::uint32_t>(n.c));
  if (n.lookup.table < 0) return h;
  return mix(h, static_cast<std::uint64_t>(n.lookup.table) << 24 |
                    static_cast<std::uint64_t>(n.lookup.order_x) << 16 |
                    static_cast<std::uint64_t>(n.lookup.order_y) << 8 | n.lookup.axis);
}

bool same(const Node& x, const Node& y) {
  return x.op == y.op && x.a == y.a && x.b == y.b && x.c == y.c && x.input == y.input &&
         x.lookup == y.lookup &&
         std::bit_cast<std::uint64_t>(x.value) == std::bit_cast<std::uint64_t>(y.value);
}

}  // namespace

NodeId Graph::constant(const Number& number) {
  // one zero and one NaN, so that equal constants are one node
  double value = number.value();
  if (value == 0.0) value = 0.0;
  if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
  Node node;
  node.op = Op::constant;
  node.value = value;
  Origins* const tape = Origins::current();
  if (tape == nullptr) return intern(node);
  // of most kinds of value there is one alone; that the kind stays is a guard
  if (const Kind kind = kind_of(number); kind == Kind::normal || kind == Kind::subnormal ||
                                         kind == Kind::minus_normal ||
                                         kind == Kind::minus_subnormal)
    node.origin = number.origin();
  const NodeId before = size();
  const NodeId id = intern(node);
  guard_constant(id, id == before, node.origin);
  return id;
}

/// Which constants are one node, and which are not, decides what a formula becomes.
void Graph::guard_constant(NodeId id, bool is_new, int origin) {
  Origins& tape = *Origins::current();
  if (!is_new) {
    tape.guard_same(number(id), {(*this)[id].value, origin});
    return;
  }
  const bool known = tape_ == tape.identity();
  if (known) tape.add_to_group(group_, number(id));
  if (known || origin < 0) return;
  tape_ = tape.identity();
  group_ = tape.new_group();
  for (NodeId i = 0; i < size(); ++i)
    if (is_constant(i)) tape.add_to_group(group_, number(i));
}

Graph Graph::revalued(std::span<const double> value_of) const {
  Graph result = *this;
  for (Node& node : result.nodes_) {
    if (node.op != Op::constant || node.origin < 0) continue;
    node.value = value_of[static_cast<std::size_t>(node.origin)];
    node.origin = -1;
  }
  result.rehash(result.table_.size());
  return result;
}

NodeId Graph::input(Input input) {
  Node node;
  node.op = Op::input;
  node.input = input;
  return intern(node);
}

int Graph::add_table(const std::shared_ptr<const Table>& table) {
  const auto found = std::find(tables_.begin(), tables_.end(), table);
  if (found != tables_.end()) return static_cast<int>(found - tables_.begin());
  tables_.push_back(table);
  return static_cast<int>(tables_.size()) - 1;
}

NodeId Graph::look_up(Op op, const Lookup& what, NodeId a, NodeId b, NodeId c) {
  const auto known = [&](NodeId id) { return id == no_node || is_constant(id); };
  // what is looked up is decided by: a change of it means compiling anew
  const auto value = [&](NodeId id) { return id == no_node ? 0.0 : double{number(id)}; };
  if (known(a) && known(b) && known(c))
    return constant(table(what.table)->look_up(op, what, value(a), value(b), value(c)));
  Node node;
  node.op = op;
  node.a = a;
  node.b = b;
  node.c = c;
  node.lookup = what;
  return intern(node);
}

NodeId Graph::make_like(const Graph& from, const Node& n, NodeId a, NodeId b, NodeId c) {
  if (n.lookup.table < 0) return make(n.op, a, b, c);
  Lookup what = n.lookup;
  what.table = add_table(from.table(what.table));
  return look_up(n.op, what, a, b, c);
}

NodeId Graph::intern(Op op, NodeId a, NodeId b, NodeId c) {
  Node node;
  node.op = op;
  node.a = a;
  node.b = b;
  node.c = c;
  return intern(node);
}

NodeId Graph::intern(const Node& node) {
  if (2 * (nodes_.size() + 1) > table_.size()) grow();
  const std::size_t last = table_.size() - 1;
  const std::uint64_t h = hash(node);
  const auto tag = static_cast<std::uint32_t>(h >> 32);
  std::size_t place = h & last;
  for (; table_[place].node != no_node; place = (place + 1) & last) {
    if (table_[place].tag == tag && same((*this)[table_[place].node], node)) {
      return table_[place].node;
    }
  }
  const NodeId id = size();
  table_[place] = {id, tag};
  traits_.push_back(traits(node));
  place_.push_back(static_cast<std::uint32_t>(place));
  nodes_.push_back(node);
  return id;
}

void Graph::grow() { rehash(std::max<std::size_t>(64, 2 * table_.size())); }

void Graph::rehash(std::size_t places) {
  table_.assign(places, {});
  const std::size_t last = table_.size() - 1;
  for (NodeId id = 0; id < size(); ++id) {
    const std::uint64_t h = hash((*this)[id]);
    std::size_t place = h & last;
    while (table_[place].node != no_node) place = (place + 1) & last;
    table_[place] = {id, static_cast<std::uint32_t>(h >> 32)};
    place_[static_cast<std::size_t>(id)] = static_cast<std::uint32_t>(place);
  }
}

void Graph::clear() {
  for (const std::uint32_t place : place_) table_[place] = {};
  nodes_.clear();
  traits_.clear();
  place_.clear();
}

Graph::Traits Graph::traits(const Node& n) const {
  if (n.op == Op::constant) return {.reads = 0, .non_negative = n.value >= 0.0};
  if (n.op == Op::input) return {.reads = mask(n.input.slot), .non_negative = false};

  const Traits none;
  const auto of = [&](NodeId id) {
    return id == no_node ? none : traits_[static_cast<std::size_t>(id)];
  };
  const Traits a = of(n.a), b = of(n.b), c = of(n.c);
  Traits t{.reads = static_cast<SlotMask>(a.reads | b.reads | c.reads), .non_negative = false};
  switch (n.op) {
    case Op::abs:
    case Op::exp:
    case Op::cosh:
    case Op::sqrt:
    case Op::less:
      t.non_negative = true;
      break;
    case Op::mul:
      t.non_negative = n.a == n.b || (a.non_negative && b.non_negative);
      break;
    case Op::add:
    case Op::div:
    case Op::min:
      t.non_negative = a.non_negative && b.non_negative;
      break;
    case Op::max:
      t.non_negative = a.non_negative || b.non_negative;
      break;
    case Op::floor:
    case Op::pow:
      t.non_negative = a.non_negative;
      break;
    case Op::select:
      t.non_negative = b.non_negative && c.non_negative;
      break;
    default:
      break;
  }
  return t;
}

Copier::Copier(const Graph& from, Graph& to, Substitution substitution)
    : from_{from}, to_{to}, substitution_{std::move(substitution)} {
  assert(&from != &to);
}

void Copier::assign(NodeId id, NodeId node) {
  copied_.resize(static_cast<std::size_t>(from_.size()), no_node);
  copied_[static_cast<std::size_t>(id)] = node;
}

NodeId Copier::operator()(NodeId root) {
  copied_.resize(static_cast<std::size_t>(from_.size()), no_node);
  const auto image = [&](NodeId id) -> NodeId& { return copied_[static_cast<std::size_t>(id)]; };

  // operands first, with a stack of our own: an expression may be deeper than the call stack
  stack_.assign(1, root);
  while (!stack_.empty()) {
    const NodeId id = stack_.back();
    if (image(id) != no_node) {
      stack_.pop_back();
      continue;
    }
    const Node& n = from_[id];
    bool ready = true;
    for (const NodeId operand : {n.a, n.b, n.c}) {
      if (operand == no_node || image(operand) != no_node) continue;
      stack_.push_back(operand);
      ready = false;
    }
    if (!ready) continue;
    stack_.pop_back();
    if (n.op == Op::constant) {
      image(id) = to_.constant(from_.number(id));
    } else if (n.op == Op::input) {
      image(id) = substitution_ ? substitution_(n.input, to_) : to_.input(n.input);
    } else {
      image(id) = to_.make_like(from_, n, image(n.a), n.b == no_node ? no_node : image(n.b),
                                n.c == no_node ? no_node : image(n.c));
    }
  }
  return image(root);
}

NodeId copy(const Graph& from, NodeId root, const Copier::Substitution& substitution, Graph& to) {
  return Copier{from, to, substitution}(root);
}

int degree(const Graph& graph, NodeId root, Slot slot) {
  // any degree above `high` is as good as "not a polynomial"; this keeps x^(2^n) from overflowing
  constexpr int unknown = -2, none = -1, high = 1 << 20;
  std::vector<int> known(static_cast<std::size_t>(root) + 1, unknown);
  const auto of = [&](NodeId id) -> int& { return known[static_cast<std::size_t>(id)]; };

  std::vector<NodeId> stack{root};
  while (!stack.empty()) {
    const NodeId id = stack.back();
    const Node& n = graph[id];
    if (of(id) != unknown || !graph.depends_on(id, slot)) {
      if (of(id) == unknown) of(id) = 0;
      stack.pop_back();
      continue;
    }
    bool ready = true;
    for (const NodeId operand : {n.a, n.b, n.c}) {
      if (operand == no_node || of(operand) != unknown) continue;
      stack.push_back(operand);
      ready = false;
    }
    if (!ready) continue;
    stack.pop_back();

    int d = none;
    switch (n.op) {
      case Op::input:
        d = 1;
        break;
      case Op::neg:
        d = of(n.a);
        break;
      case Op::add:
      case Op::sub:
        d = of(n.a) == of(n.b) ? of(n.a) : none;
        break;
      case Op::mul:
        d = of(n.a) < 0 || of(n.b) < 0 ? none : of(n.a) + of(n.b);
        break;
      case Op::div:
        d = of(n.b) == 0 ? of(n.a) : none;
        break;
      case Op::select:
        d = of(n.a) == 0 && of(n.b) == of(n.c) ? of(n.b) : none;
        break;
      default:
        break;
    }
    of(id) = d > high ? none : d;
  }
  return of(root);
}

}  // namespace taut::formula
