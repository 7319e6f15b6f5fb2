// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "taut/formula/graph.hpp"

namespace taut::formula {

/// One term  weight * node  of a sum; the weight counts as a constant under differentiation.
struct Weighted {
  NodeId node = no_node;
  NodeId weight = no_node;
};

/// d/dx_index of something.
struct Partial {
  int index = 0;
  NodeId node = no_node;
};

/// d2/dx_row dx_column of something; row <= column.
struct SecondPartial {
  int row = 0, column = 0;
  NodeId node = no_node;
};

/// Where a direction points: d(node) = derivative.
struct Seed {
  NodeId node = no_node;
  NodeId derivative = no_node;
};

/// Map from nodes to nodes that is emptied in constant time.
class NodeMap {
 public:
  void clear() { ++age_; }
  [[nodiscard]] NodeId get(NodeId id) const {
    const auto i = static_cast<std::size_t>(id);
    return i < entries_.size() && entries_[i].age == age_ ? entries_[i].node : no_node;
  }
  void set(NodeId id, NodeId node) {
    const auto i = static_cast<std::size_t>(id);
    if (i >= entries_.size()) entries_.resize(i + 1 + i / 2);
    entries_[i] = {node, age_};
  }

 private:
  struct Entry {
    NodeId node = no_node;
    std::uint32_t age = 0;
  };
  std::vector<Entry> entries_;
  std::uint32_t age_ = 1;
};

/// Derivatives of nodes of one graph, as nodes of the same graph.
///
/// With w the weight a node N has got from above, the reverse sweep uses, in this order,
///
///   N = a +- b, c a, a / c         w goes to a and b through c                          (1)
///   N = phi(s), one inner node s   w phi'(s) goes to s; curvature w phi''(s) at s       (2)
///   N = f(a, b)                    w f_a goes to a, w f_b to b                          (3)
///
/// where (2) takes the deepest s through which alone N reads the variables, so that V(r^2) costs
/// two scalar derivatives however many coordinates r has. The Hessian adds up
///
///   curvature(s) grad s grad s^T   at every s of (2)                                    (4)
///   w d(grad N)/dx_j               forward over reverse, at every N of (3), with the     (5)
///                                  linear combinations N is made of as its variables
///
/// Each call costs time proportional to the part of the graph its roots reach (the Hessian: times
/// the variables each term (5) reads), not to the graph. The gradients of (4) reach down to the
/// inputs from every s: where many s stand on one another, that grows with the square of their
/// number, and the Hessian is taken forward over reverse as a whole instead, (5) with all roots as
/// one N.
///
/// At points where a formula has no derivative: |x| has 0 at 0, min and max take one of their
/// sides at a tie, sign, floor and less have 0 everywhere, and select differentiates its branches
/// without mixing them, so that a guard such as select(less(0, x), sqrt(x), 0) guards the
/// derivative too. Powers above 1 of max(0, u), |u| and x² + y² have their first derivative at 0,
/// those above 2 (of x² + y²: above 1) the second. sqrt at 0 gives infinity and atan2 at (0, 0)
/// NaN: there is no force to report.
class Derivatives {
 public:
  explicit Derivatives(Graph& graph);

  /// Gradient of the sum of `roots` in the inputs of `slot`, by index; structural zeros left out.
  [[nodiscard]] std::vector<Partial> gradient(std::span<const Weighted> roots, Slot slot);
  [[nodiscard]] std::vector<Partial> gradient(NodeId root, Slot slot);

  /// Hessian of the sum of `roots`: upper triangle by row and column, structural zeros left out.
  [[nodiscard]] std::vector<SecondPartial> hessian(std::span<const Weighted> roots, Slot slot);

  /// Sets the direction of along(). Inputs that are not among the seeds are constant.
  void direction(std::span<const Seed> seeds);

  /// Derivative of `root` along the direction. Calls with one direction share their work.
  [[nodiscard]] NodeId along(NodeId root);

  /// Indices of the inputs of `slot` that `root` reads, ascending.
  [[nodiscard]] std::vector<int> support(NodeId root, Slot slot);

 private:
  struct Tangent {  // one forward sweep
    NodeMap derivative;
    SlotMask seeded = 0;
    bool leaked = false;  // an input of a seeded slot that is not itself a seed was met
  };
  struct Sweep {  // one reverse sweep
    NodeMap weight, curvature;
    NodeMap bends;             // where the curvature may be infinite at 0
    std::vector<NodeId> open;  // heap, largest node first
  };
  struct Derived {
    NodeId first = no_node, second = no_node;
  };

  [[nodiscard]] NodeId zero() const { return zero_; }
  [[nodiscard]] bool is_zero(NodeId id) const { return id == zero_; }
  [[nodiscard]] bool reads(NodeId id, SlotMask slots) const {
    return id != no_node && (graph_.reads(id) & slots) != 0;
  }
  NodeId derivative(Tangent& tangent, NodeId root);
  NodeId forward_rule(const Tangent& tangent, NodeId id);
  NodeId chain(NodeId id, int operand, NodeId w);
  NodeId inner(NodeId root, SlotMask slots);
  Derived derive_in(NodeId root, NodeId s, SlotMask slots, bool second);
  void push(Sweep& sweep, NodeId id, NodeId weight);
  bool push_linear(Sweep& sweep, NodeId id, NodeId w, SlotMask slots);
  void push_guarded(Sweep& sweep, NodeId id, NodeId w, Slot slot);
  void add_entry(int row, int column, NodeId node);
  bool whole_hessian(std::span<const Weighted> roots, Slot slot, std::int64_t most);
  Number take_common_factor(std::vector<Partial>& slope);
  bool bends_at_zero(NodeId root, NodeId s);
  void add_rank_one(NodeId s, NodeId curvature, bool bends, Slot slot);
  void add_term(NodeId id, NodeId w, Slot slot);
  bool add_term_in(const std::vector<NodeId>& sums, NodeId id, NodeId w, Slot slot);
  std::vector<NodeId> linear_parts(NodeId root, Slot slot);
  std::vector<Weighted> sweep(std::span<const Weighted> roots, Slot slot);
  [[nodiscard]] bool is_leaf(NodeId id) const {
    return graph_[id].op == Op::input || leaves_.get(id) != no_node;
  }
  NodeId input_seed(Tangent& tangent, Slot slot, int index);

  Graph& graph_;
  NodeId zero_, one_, half_;
  Tangent user_, local_;
  Sweep gradient_, hessian_;
  NodeMap seen_, linear_;
  NodeMap leaves_;  // where a reverse sweep ends besides the inputs
  std::vector<NodeId> heap_, stack_;
  std::unordered_map<std::uint64_t, NodeId> entries_;
  std::int64_t swept_ = 0;  // nodes that reverse sweeps for gradients have met
};

}  // namespace taut::formula
