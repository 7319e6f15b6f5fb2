// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "taut/core/problems.hpp"
#include "taut/formula/graph.hpp"

namespace taut::formula {

/// Gives names in a text their meaning. Implemented by whoever parses: parameters fold to
/// constants, coordinates become inputs, definitions are parsed in turn.
class Scope {
 public:
  virtual ~Scope() = default;

  /// The node that `name` stands for in `graph`, or nothing when the name is unknown.
  virtual std::optional<NodeId> name(std::string_view name, Position at, Graph& graph) = 0;

  /// The node of `v(name)`: the velocity of a coordinate. Nothing when there is no such coordinate.
  virtual std::optional<NodeId> velocity(std::string_view name, Position at, Graph& graph) = 0;

  /// The node of a function of a name, such as angle(elbow). Nothing when it has no such name.
  virtual std::optional<NodeId> of_name(std::string_view /*function*/, std::string_view /*name*/,
                                        Position /*at*/, Graph& /*graph*/) {
    return {};
  }
  /// Functions of names that expressions of this scope may contain.
  [[nodiscard]] virtual std::vector<std::string> functions_of_names() const { return {}; }

  /// The node of y', y'' or der(y, order): a derivative of an unknown. Nothing when there is no
  /// such unknown.
  virtual std::optional<NodeId> derivative(std::string_view /*name*/, int /*order*/,
                                           Position /*at*/, Graph& /*graph*/) {
    return {};
  }
  /// Whether expressions of this scope may contain derivatives.
  [[nodiscard]] virtual bool has_derivatives() const { return false; }

  /// The table that is called so; null where there is none.
  [[nodiscard]] virtual std::shared_ptr<const Table> table(std::string_view /*name*/) const {
    return {};
  }

  /// The node of a number written `{...}` by a repeat: it differs between copies.
  virtual NodeId instance_number(double value, Graph& graph) = 0;

  /// Names a user may have meant.
  [[nodiscard]] virtual std::vector<std::string> candidates() const = 0;
};

struct ParseContext {
  Position at;        ///< of the first character of the text
  std::string where;  ///< element and field, for messages
};

/// Parses an expression into `graph`. Mistakes go to `problems` with their own line and column,
/// several per text where it can go on; nothing is returned then.
///
///   expression: comparison-free arithmetic   + - * / ^ (right associative, binds tighter than
///   unary -) numbers: 1  1.5  .5  1e-3  {12} (instance number);   constants: pi, e functions: sqrt
///   exp log sin cos tan asin acos atan sinh cosh tanh abs sign floor (1 argument), atan2 pow min
///   max hypot less (2), select (3), v(coordinate), functions of names of the scope; names:
///   [A-Za-z_][A-Za-z0-9_]* joined by single dots; derivatives, where the scope has them: y' y''
///   der(y, 3)
/// Nesting deeper than max_depth and texts longer than max_length are refused.
[[nodiscard]] std::optional<NodeId> parse(std::string_view text, const ParseContext& context,
                                          Scope& scope, Graph& graph, Problems& problems);

inline constexpr int max_depth = 200;
inline constexpr std::size_t max_length = 65536;
inline constexpr NodeId max_nodes = 1 << 20;

}  // namespace taut::formula
