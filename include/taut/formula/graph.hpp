// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "taut/formula/number.hpp"
#include "taut/formula/op.hpp"

#pragma GCC visibility push(default)

namespace taut::formula {

using NodeId = std::int32_t;
inline constexpr NodeId no_node = -1;

/// What a formula may read. Local numbering: coordinate i of the element, parameter k of it.
enum class Slot : std::uint8_t {
  q,          ///< position of local coordinate i
  v,          ///< velocity of local coordinate i
  a,          ///< acceleration, or any direction a derivative is taken along
  lambda,     ///< multiplier of the element's constraint row r
  t,          ///< time
  theta,      ///< phase of the vibration, omega t + theta0
  parameter,  ///< number that differs between the instances of one formula
  input,      ///< number that is set from outside while a system moves; its index in the model
  mode,       ///< side of a switch that is kept during a step: see Frozen
  mu,         ///< multiplier that formulas read; its number among these in the model
};

/// Set of slots: bit `1 << slot`.
using SlotMask = std::uint16_t;
[[nodiscard]] constexpr SlotMask mask(Slot slot) {
  return static_cast<SlotMask>(1u << static_cast<unsigned>(slot));
}

struct Input {
  Slot slot = Slot::q;
  int index = 0;
  friend bool operator==(const Input&, const Input&) = default;
};

class Table;  // of numbers, with the function that goes through them

/// What a node looks up in a table.
struct Lookup {
  int table = -1;                      ///< number in its graph
  std::uint8_t order_x = 0;            ///< of the derivative in the first argument; of a knot: in a
  std::uint8_t order_y = 0, axis = 0;  ///< in the second; of a knot: which axis
  friend bool operator==(const Lookup&, const Lookup&) = default;
};

struct Node {
  Op op = Op::constant;
  NodeId a = no_node, b = no_node, c = no_node;
  double value = 0.0;  ///< of a constant
  int origin = -1;     ///< of a constant that came from parameters: see Number
  Input input;         ///< of an input
  Lookup lookup;       ///< of a knot or a piece
};

/// Expression graph with shared subexpressions. A node only refers to nodes with smaller numbers,
/// so the numbering is a topological order. `make` simplifies on the way and returns the existing
/// node when there is one; equal formulas built in the same order therefore have equal graphs.
///
/// What `make` does: constants are folded (NaN and infinity included); 0 and 1 are dropped; signs
/// and constant factors are pulled outward through sums, products, quotients and odd or even
/// functions, so that x and -x share their node; commutative operands are ordered; x + x, x - x,
/// c1 (c2 x), k x + k y and (x y) y are collected, with k a constant or something that reads
/// parameters alone, which is pulled outward likewise; powers with small integer exponents become
/// products, roots of squares absolute values; a product with a select that has a 0 goes inside it;
/// a division by a constant or by something that reads parameters alone becomes a product with the
/// reciprocal. The value changes by rounding only, with two exceptions: 0 * x and x - x are 0 even
/// where x is NaN or infinite, and the sign of a zero is not kept.
class Graph {
 public:
  /// x^(n + 1/2): one node, to be differentiated, or x^n sqrt(x), to be computed.
  enum class Powers : std::uint8_t { nodes, products };

  Graph() = default;
  explicit Graph(Powers powers) : powers_{powers} {}

  NodeId constant(const Number& value);
  NodeId input(Input input);
  NodeId make(Op op, NodeId a, NodeId b = no_node, NodeId c = no_node);

  /// A knot or a piece of one of the tables of this graph.
  NodeId look_up(Op op, const Lookup& what, NodeId a, NodeId b = no_node, NodeId c = no_node);
  /// The number of a table in this graph, which gets it when it is new.
  int add_table(const std::shared_ptr<const Table>& table);
  [[nodiscard]] const std::shared_ptr<const Table>& table(int number) const {
    return tables_[static_cast<std::size_t>(number)];
  }
  /// The node `n` of another graph with other operands, or of this one.
  NodeId make_like(const Graph& from, const Node& n, NodeId a, NodeId b, NodeId c);

  [[nodiscard]] const Node& operator[](NodeId id) const {
    return nodes_[static_cast<std::size_t>(id)];
  }
  [[nodiscard]] NodeId size() const { return static_cast<NodeId>(nodes_.size()); }
  [[nodiscard]] bool is_constant(NodeId id) const { return (*this)[id].op == Op::constant; }
  [[nodiscard]] bool is_constant(NodeId id, double value) const {
    return is_constant(id) && (*this)[id].value == value;
  }

  /// The kinds of input `id` reads, directly or through its operands.
  [[nodiscard]] SlotMask reads(NodeId id) const {
    return traits_[static_cast<std::size_t>(id)].reads;
  }

  /// True when `id` reads an input of this kind.
  [[nodiscard]] bool depends_on(NodeId id, Slot slot) const {
    return (reads(id) & mask(slot)) != 0;
  }

  /// The number a constant stands for, with its origin.
  [[nodiscard]] Number number(NodeId id) const { return {(*this)[id].value, (*this)[id].origin}; }

  /// The same graph with other numbers at the constants that have origins: `value_of[origin]`. The
  /// caller knows that none of the decisions taken while it was made changes.
  [[nodiscard]] Graph revalued(std::span<const double> value_of) const;

  /// Forgets every node; keeps the memory.
  void clear();

 private:
  struct Traits {
    SlotMask reads = 0;
    bool non_negative = false;  // whatever the inputs are, the value is >= 0 or NaN
  };
  struct Entry {
    NodeId node = no_node;
    std::uint32_t tag = 0;  // part of the hash: most other nodes are told apart by it
  };
  struct Factor {  // coefficient * (parameter * core), each of the nodes possibly missing
    Number coefficient = 1.0;
    NodeId parameter = no_node, core = no_node;
  };

  [[nodiscard]] bool before(NodeId a, NodeId b) const;
  [[nodiscard]] bool parameter_only(NodeId id) const;
  [[nodiscard]] Factor factor(NodeId id) const;
  [[nodiscard]] static bool have_common_factor(const Factor& a, const Factor& b);
  [[nodiscard]] Traits traits(const Node& node) const;
  bool strip_sign(NodeId& id);
  NodeId negate(NodeId id);
  NodeId add(NodeId a, NodeId b);
  NodeId subtract(NodeId a, NodeId b);
  NodeId multiply(NodeId a, NodeId b);
  NodeId divide(NodeId a, NodeId b);
  NodeId scale(const Number& coefficient, NodeId parameter, NodeId core);
  NodeId product(NodeId a, NodeId b);
  NodeId quotient(NodeId a, NodeId b);
  NodeId power(NodeId a, NodeId b);
  NodeId integer_power(NodeId a, int exponent);
  NodeId half_power(NodeId a, int halves);
  NodeId root_of_square(NodeId x);
  NodeId joined_power(NodeId a, NodeId b);
  NodeId inside_select(Op op, NodeId a, NodeId b);
  NodeId unary(Op op, NodeId a);
  NodeId extremum(Op op, NodeId a, NodeId b);
  NodeId compare(NodeId a, NodeId b);
  NodeId choose(NodeId condition, NodeId a, NodeId b);
  NodeId intern(Op op, NodeId a, NodeId b = no_node, NodeId c = no_node);
  NodeId intern(const Node& node);
  void grow();
  void rehash(std::size_t places);
  void guard_constant(NodeId id, bool is_new, int origin);

  Powers powers_ = Powers::nodes;
  std::vector<std::shared_ptr<const Table>> tables_;
  std::vector<Node> nodes_;
  std::vector<Traits> traits_;
  std::vector<std::uint32_t> place_;  // of each node in the table
  std::vector<Entry> table_;          // open addressing; no_node marks an empty place
  std::uint64_t tape_ = 0;            // the one that knows the constants of this graph
  int group_ = -1;                    // their number there
};

/// Copies expressions of one graph into another with its inputs replaced. Each node is copied
/// once, however many roots share it: the cost is linear in the part reached.
class Copier {
 public:
  using Substitution = std::function<NodeId(Input, Graph& to)>;

  /// Inputs keep their slots unless `substitution` says otherwise.
  Copier(const Graph& from, Graph& to, Substitution substitution = {});

  /// From now on `node` of `to` stands for `id` of `from`, whatever it is made of.
  void assign(NodeId id, NodeId node);

  /// The node of `to` that stands for `root` of `from`.
  NodeId operator()(NodeId root);

 private:
  const Graph& from_;
  Graph& to_;
  Substitution substitution_;
  std::vector<NodeId> copied_;
  std::vector<NodeId> stack_;
};

/// Copies one root; use a Copier for several that share parts.
[[nodiscard]] NodeId copy(const Graph& from, NodeId root, const Copier::Substitution& substitution,
                          Graph& to);

/// Degree of a node that is a homogeneous polynomial in the inputs of `slot`, read off its
/// structure; -1 when it is not, or when that cannot be seen.
[[nodiscard]] int degree(const Graph& graph, NodeId root, Slot slot);

}  // namespace taut::formula

#pragma GCC visibility pop
