// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace taut::formula {

using NodeId = std::int32_t;
inline constexpr NodeId no_node = -1;

/// Every operation has one fixed meaning: IEEE double, operands in the order written, no
/// contraction of a*b+c, and the named function of the C library where it is not arithmetic.
enum class Op : std::uint8_t {
  constant, input,
  add, sub, mul, div, neg,
  pow, sqrt, exp, log,
  sin, cos, tan, asin, acos, atan, atan2,
  sinh, cosh, tanh,
  abs, sign, min, max, floor,
  less,    ///< 1 if a < b, else 0
  select,  ///< a != 0 ? b : c
};

/// What a formula may read. Local numbering: coordinate i of the element, parameter k of it.
enum class Slot : std::uint8_t {
  q,          ///< position of local coordinate i
  v,          ///< velocity of local coordinate i
  a,          ///< acceleration, or any direction a derivative is taken along
  lambda,     ///< multiplier of the element's constraint row r
  t,          ///< time
  theta,      ///< phase of the vibration, omega t + theta0
  parameter,  ///< number that differs between the instances of one formula
};

struct Input {
  Slot slot = Slot::q;
  int index = 0;
  friend bool operator==(const Input&, const Input&) = default;
};

struct Node {
  Op op = Op::constant;
  NodeId a = no_node, b = no_node, c = no_node;
  double value = 0.0;  ///< of a constant
  Input input;         ///< of an input
};

/// Expression graph with shared subexpressions. A node only refers to nodes with smaller numbers,
/// so the numbering is a topological order. `make` simplifies on the way (constants folded, 0 and
/// 1 dropped, signs pulled outward, commutative operands ordered) and returns the existing node
/// when there is one; equal formulas built in the same order therefore have equal graphs.
class Graph {
 public:
  NodeId constant(double value);
  NodeId input(Input input);
  NodeId make(Op op, NodeId a, NodeId b = no_node, NodeId c = no_node);

  [[nodiscard]] const Node& operator[](NodeId id) const { return nodes_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] NodeId size() const { return static_cast<NodeId>(nodes_.size()); }
  [[nodiscard]] bool is_constant(NodeId id) const { return (*this)[id].op == Op::constant; }

  /// True when `id` reads an input of this kind.
  [[nodiscard]] bool depends_on(NodeId id, Slot slot) const;

  void clear();

 private:
  std::vector<Node> nodes_;
  // the implementer adds the hash table
};

}  // namespace taut::formula
