// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <utility>

#include "formula/derivative.hpp"

namespace taut::formula {
namespace {

std::uint64_t entry_key(int row, int column) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(row)) << 32 |
         static_cast<std::uint32_t>(column);
}

}  // namespace

void Derivatives::add_entry(int row, int column, NodeId node) {
  if (is_zero(node)) return;
  const auto [place, fresh] = entries_.try_emplace(entry_key(row, column), node);
  if (!fresh) place->second = graph_.make(Op::add, place->second, node);
}

/// Divides the slopes by a constant factor all of them have, and returns it: 1 when there is none.
Number Derivatives::take_common_factor(std::vector<Partial>& slope) {
  const auto unsigned_part = [&](NodeId id) {
    return graph_[id].op == Op::neg ? graph_[id].a : id;
  };
  const auto factor = [&](NodeId id) {
    const Node& n = graph_[unsigned_part(id)];
    return n.op == Op::mul && graph_.is_constant(n.a) ? graph_.number(n.a) : Number{1.0};
  };
  if (slope.empty()) return 1.0;
  // no guards: equal constants of one graph are one node, and a factor 1 is not written
  const Number common = factor(slope.front().node);
  for (const Partial& p : slope) {
    if (factor(p.node).value() != common.value()) return 1.0;
  }
  if (common.value() == 1.0) return 1.0;
  for (Partial& p : slope) {
    const NodeId core = graph_[unsigned_part(p.node)].b;
    p.node = graph_[p.node].op == Op::neg ? graph_.make(Op::neg, core) : core;
  }
  return common;
}

/// Whether `root` takes a power of s between 1 and 2: its curvature is infinite at s = 0.
bool Derivatives::bends_at_zero(NodeId root, NodeId s) {
  seen_.clear();
  stack_.assign(1, root);
  while (!stack_.empty()) {
    const NodeId id = stack_.back();
    stack_.pop_back();
    const Node& n = graph_[id];
    if (n.op == Op::pow && n.a == s && graph_.is_constant(n.b) && graph_[n.b].value > 1.0 &&
        graph_[n.b].value < 2.0)
      return true;
    for (const NodeId operand : {n.a, n.b, n.c}) {
      if (operand == no_node || operand <= s || seen_.get(operand) != no_node) continue;
      seen_.set(operand, operand);
      stack_.push_back(operand);
    }
  }
  return false;
}

/// (4)
void Derivatives::add_rank_one(NodeId s, NodeId curvature, bool bends, Slot slot) {
  std::vector<Partial> slope = gradient(s, slot);
  const Number common = take_common_factor(slope);
  curvature = graph_.make(Op::mul, graph_.constant(common * common), curvature);
  const auto size = [&](NodeId id) { return graph_[id].op == Op::neg ? graph_[id].a : id; };
  for (std::size_t j = 0; j < slope.size(); ++j) {
    for (std::size_t i = 0; i <= j; ++i) {
      // the same factor first whichever way round, so that entries equal up to sign are shared
      const bool swap = size(slope[i].node) < size(slope[j].node);
      const NodeId first = slope[swap ? j : i].node, second = slope[swap ? i : j].node;
      NodeId entry = graph_.make(Op::mul, graph_.make(Op::mul, curvature, first), second);
      // s = x² + y² and the like are flat where they vanish, and win: s^1.5 has the curvature 0
      if (bends)
        entry = graph_.make(Op::select, graph_.make(Op::mul, first, second), entry, zero());
      add_entry(slope[i].index, slope[j].index, entry);
    }
  }
}

/// (5)
void Derivatives::add_term(NodeId id, NodeId w, Slot slot) {
  const std::vector<int> variables = support(id, slot);
  if (const std::vector<NodeId> sums = linear_parts(id, slot);
      sums.size() < variables.size() && add_term_in(sums, id, w, slot)) {
    return;
  }
  const std::vector<Partial> slope = gradient(id, slot);
  for (const int j : variables) {
    input_seed(local_, slot, j);
    for (const Partial& p : slope) {
      if (p.index > j) break;
      add_entry(p.index, j, graph_.make(Op::mul, w, derivative(local_, p.node)));
    }
  }
}

/// The topmost nodes below `root` that are linear in the inputs with coefficients free of them;
/// nothing when the formula branches on the way.
std::vector<NodeId> Derivatives::linear_parts(NodeId root, Slot slot) {
  const SlotMask slots = mask(slot);
  // which nodes are linear, operands first: 1 for yes, 0 for no
  NodeMap& linear = linear_;
  linear.clear();
  bool branches = false;
  stack_.assign(1, root);
  while (!stack_.empty()) {
    const NodeId id = stack_.back();
    const Node& n = graph_[id];
    bool ready = true;
    for (const NodeId operand : {n.a, n.b, n.c}) {
      if (!reads(operand, slots) || linear.get(operand) != no_node) continue;
      stack_.push_back(operand);
      ready = false;
    }
    if (!ready) continue;
    stack_.pop_back();
    const auto is_linear = [&](NodeId operand) {
      return !reads(operand, slots) || linear.get(operand) == 1;
    };
    bool yes = n.op == Op::input;
    if (n.op == Op::add || n.op == Op::sub) yes = is_linear(n.a) && is_linear(n.b);
    if (n.op == Op::neg) yes = is_linear(n.a);
    if (n.op == Op::mul) {
      yes = (!reads(n.a, slots) && is_linear(n.b)) || (!reads(n.b, slots) && is_linear(n.a));
    }
    if (n.op == Op::div) yes = !reads(n.b, slots) && is_linear(n.a);
    branches = branches || n.op == Op::select;
    linear.set(id, yes ? 1 : 0);
  }
  if (branches) return {};

  std::vector<NodeId> parts;
  seen_.clear();
  stack_.assign(1, root);
  while (!stack_.empty()) {
    const NodeId id = stack_.back();
    stack_.pop_back();
    if (linear.get(id) == 1) {
      parts.push_back(id);
      continue;
    }
    const Node& n = graph_[id];
    for (const NodeId operand : {n.a, n.b, n.c}) {
      if (!reads(operand, slots) || seen_.get(operand) != no_node) continue;
      seen_.set(operand, operand);
      stack_.push_back(operand);
    }
  }
  std::sort(parts.begin(), parts.end());
  return parts;
}

/// (5) in the variables u = `sums`, each linear in x:  H_x = u_x^T H_u u_x.  False, with nothing
/// added, when simplification has taken one of them apart.
bool Derivatives::add_term_in(const std::vector<NodeId>& sums, NodeId id, NodeId w, Slot slot) {
  if (sums.empty()) return false;
  std::vector<std::vector<Partial>> u_x;
  for (const NodeId u : sums) u_x.push_back(gradient(u, slot));

  leaves_.clear();
  for (const NodeId u : sums) leaves_.set(u, u);
  const Weighted root{id, one_};
  std::vector<Weighted> slope = sweep({&root, 1}, slot);
  leaves_.clear();
  std::sort(slope.begin(), slope.end(),
            [](const Weighted& x, const Weighted& y) { return x.node < y.node; });

  struct Entry {
    std::size_t k, l;
    NodeId node;
  };
  std::vector<Entry> bends;
  for (std::size_t l = 0; l < sums.size(); ++l) {
    local_.derivative.clear();
    local_.seeded = mask(slot);
    for (const NodeId u : sums) local_.derivative.set(u, u == sums[l] ? one_ : zero());
    for (const Weighted& p : slope) {
      if (p.node > sums[l]) break;
      const NodeId bend = derivative(local_, p.weight);
      if (local_.leaked) return false;
      const auto k = std::lower_bound(sums.begin(), sums.end(), p.node) - sums.begin();
      bends.push_back({static_cast<std::size_t>(k), l, graph_.make(Op::mul, w, bend)});
    }
  }
  for (const auto& [k, l, bend] : bends) {
    if (is_zero(bend)) continue;
    for (const Partial& a : u_x[k]) {
      const NodeId scaled = graph_.make(Op::mul, bend, a.node);
      for (const Partial& b : u_x[l]) {
        if (k == l && a.index > b.index) continue;
        NodeId entry = graph_.make(Op::mul, scaled, b.node);
        if (k != l && a.index == b.index) entry = graph_.make(Op::add, entry, entry);
        add_entry(std::min(a.index, b.index), std::max(a.index, b.index), entry);
      }
    }
  }
  return true;
}

/// Forward over reverse of the sum of all roots. False, with nothing added, where a weight is not
/// constant or where it would take more than about `most` nodes.
bool Derivatives::whole_hessian(std::span<const Weighted> roots, Slot slot, std::int64_t most) {
  std::vector<int> variables;
  for (const Weighted& root : roots) {
    if (reads(root.weight, mask(slot))) return false;
    const std::vector<int> own = support(root.node, slot);
    variables.insert(variables.end(), own.begin(), own.end());
  }
  std::sort(variables.begin(), variables.end());
  variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
  const std::int64_t before = swept_;
  const std::vector<Partial> slope = gradient(roots, slot);
  if ((swept_ - before) * static_cast<std::int64_t>(variables.size()) > most) return false;
  for (const int j : variables) {
    input_seed(local_, slot, j);
    for (const Partial& p : slope) {
      if (p.index > j) break;
      add_entry(p.index, j, derivative(local_, p.node));
    }
  }
  return true;
}

std::vector<SecondPartial> Derivatives::hessian(std::span<const Weighted> roots, Slot slot) {
  const SlotMask slots = mask(slot);
  Sweep& sweep = hessian_;
  sweep.weight.clear();
  sweep.curvature.clear();
  sweep.bends.clear();
  sweep.open.clear();
  entries_.clear();
  for (const Weighted& root : roots) {
    if (reads(root.node, slots)) push(sweep, root.node, root.weight);
  }

  // of gradients in (4): what a formula may take, and what each of its nodes may on the average
  constexpr std::int64_t gladly = 20'000, each = 50;
  const std::int64_t begun = swept_;
  std::int64_t met = 0, most = gladly;
  while (!sweep.open.empty()) {
    if (const std::int64_t work = swept_ - begun; work > most + each * ++met) {
      std::unordered_map<std::uint64_t, NodeId> kept;
      std::swap(kept, entries_);
      if (whole_hessian(roots, slot, 4 * work)) break;
      std::swap(kept, entries_);
      most = 2 * (swept_ - begun);
    }
    std::pop_heap(sweep.open.begin(), sweep.open.end());
    const NodeId id = sweep.open.back();
    sweep.open.pop_back();
    const NodeId w = sweep.weight.get(id);
    if (const NodeId curvature = sweep.curvature.get(id);
        curvature != no_node && !is_zero(curvature)) {
      add_rank_one(id, curvature, sweep.bends.get(id) != no_node, slot);
    }
    if (is_zero(w) || graph_[id].op == Op::input) continue;
    if (push_linear(sweep, id, w, slots)) continue;
    if (const NodeId s = inner(id, slots); s != id) {
      if (const Derived phi = derive_in(id, s, slots, true); phi.first != no_node) {
        const NodeId bend = graph_.make(Op::mul, w, phi.second);
        const NodeId before = sweep.curvature.get(s);
        if (bends_at_zero(id, s)) sweep.bends.set(s, s);
        // a first visit must leave s open even when phi' is 0
        if (sweep.weight.get(s) == no_node) {
          sweep.weight.set(s, zero());
          sweep.open.push_back(s);
          std::push_heap(sweep.open.begin(), sweep.open.end());
        }
        push(sweep, s, graph_.make(Op::mul, w, phi.first));
        sweep.curvature.set(s, before == no_node ? bend : graph_.make(Op::add, before, bend));
        continue;
      }
    }
    add_term(id, w, slot);
  }

  std::vector<SecondPartial> result;
  result.reserve(entries_.size());
  for (const auto& [key, node] : entries_) {
    if (is_zero(node)) continue;
    result.push_back({static_cast<int>(key >> 32), static_cast<int>(key & 0xffffffffu), node});
  }
  std::sort(result.begin(), result.end(), [](const SecondPartial& x, const SecondPartial& y) {
    return std::pair{x.row, x.column} < std::pair{y.row, y.column};
  });
  return result;
}

}  // namespace taut::formula
