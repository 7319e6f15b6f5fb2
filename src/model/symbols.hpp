// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formula/parser.hpp"
#include "taut/model/value.hpp"

namespace taut {

struct StringHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};
template <class T>
using StringMap = std::unordered_map<std::string, T, StringHash, std::equal_to<>>;

/// Values of the indices of a repeated table, outermost first.
using Bindings = std::vector<std::pair<std::string, formula::Number>>;

/// What the names of a model mean, once parameters have numbers and repeats are expanded.
struct Symbols {
  struct PointEntry {
    int first = 0;  ///< its x in q
    int dimension = 2;
  };
  /// A rigid body: its centre of mass is a point of the same name.
  struct BodyEntry {
    int first = 0;  ///< x of its centre in q
    /// First coordinate in q of each column of R; -1: the cross product of the other two.
    std::array<int, 3> column{};
    std::array<double, 3> products{};  ///< J_12, J_13, J_23 of its kinetic energy
  };
  /// A point fixed to a body, at x + R at.
  struct MarkerEntry {
    BodyEntry body{};
    std::array<double, 3> at{};
  };
  struct AnchorEntry {
    std::vector<Value> at{};
    std::vector<formula::Number> fixed{};  ///< its position; empty when it moves
    bool any_dimension = false;            ///< the origin: of the plane and of space
  };
  struct DefinitionEntry {
    std::string name{};
    Value value{};
    std::vector<int> uses{};  ///< definitions that stand in it
    bool sound = false;       ///< not on a cycle, nor waiting for one
  };

  StringMap<formula::Number> parameters;
  std::vector<std::pair<std::string, formula::Number>> inputs;  ///< with their initial values
  StringMap<PointEntry> points;
  StringMap<BodyEntry> bodies;
  StringMap<MarkerEntry> markers;  ///< by BODY.MARKER
  StringMap<AnchorEntry> anchors;
  StringMap<int> coordinates;  ///< plain ones: number in q
  StringMap<int> definition_of_name;
  std::vector<DefinitionEntry> definitions;
  bool vibrates = false;
  bool incomplete = false;  ///< part of the file could not be read: unknown names may stand there
  formula::Number theta_rate = 0.0;

  [[nodiscard]] std::vector<std::string> names() const;
  /// Number in q of a coordinate, such as phi, bob.x or body.r12; -1 when there is none.
  [[nodiscard]] int coordinate(std::string_view name) const;

  /// The node of a definition, with those it uses parsed before it, on a stack of our own, so that
  /// parsing never nests. `parse(entry)` gives the node of one, or nothing where a mistake was
  /// reported: the name itself is known then.
  template <class Parse>
  formula::NodeId definition(int index, std::unordered_map<int, formula::NodeId>& parsed,
                             formula::Graph& graph, const Parse& parse) const {
    if (!definitions[static_cast<std::size_t>(index)].sound) return graph.constant(1.0);
    std::vector<int> waiting{index};
    while (!waiting.empty()) {
      const int current = waiting.back();
      const DefinitionEntry& entry = definitions[static_cast<std::size_t>(current)];
      const std::size_t before = waiting.size();
      for (const int used : entry.uses)
        if (!parsed.contains(used)) waiting.push_back(used);
      if (waiting.size() > before) continue;
      waiting.pop_back();
      if (!parsed.contains(current))
        parsed.emplace(current, parse(entry).value_or(graph.constant(1.0)));
    }
    return parsed.at(index);
  }
};

/// What an expression may read besides parameters.
enum Allow : unsigned { nothing = 0, time = 1, positions = 2, velocities = 4 };

/// The scope of one element's expressions. Coordinates get local numbers in the order in which they
/// first appear, and so do numbers that differ between copies.
class LocalScope final : public formula::Scope {
 public:
  LocalScope(const Symbols& symbols, unsigned allow, std::string where, Problems& problems)
      : symbols_{symbols}, allow_{allow}, where_{std::move(where)}, problems_{problems} {}

  std::optional<formula::NodeId> name(std::string_view name, Position at,
                                      formula::Graph& graph) override;
  std::optional<formula::NodeId> velocity(std::string_view name, Position at,
                                          formula::Graph& graph) override;
  formula::NodeId instance_number(double value, formula::Graph& graph) override;
  [[nodiscard]] std::vector<std::string> candidates() const override;

  /// Parses a value: a number, or an expression in this scope.
  std::optional<formula::NodeId> node(const Value& value, formula::Graph& graph);

  /// Component i of an anchor, or of its velocity.
  std::optional<formula::NodeId> anchor(const Symbols::AnchorEntry& anchor, std::size_t i,
                                        bool velocity, formula::Graph& graph);

  /// Component i of column c of a body's rotation matrix, or of its velocity.
  formula::NodeId column(const Symbols::BodyEntry& body, std::size_t c, std::size_t i,
                         bool velocity, formula::Graph& graph);

  /// Component i of a point that is fixed to a body, or of its velocity.
  formula::NodeId marker(const Symbols::MarkerEntry& marker, std::size_t i, bool velocity,
                         formula::Graph& graph);

  int local(int coordinate);
  formula::NodeId parameter(const formula::Number& value, formula::Graph& graph);

  void use(const Bindings* bindings) { bindings_ = bindings; }
  [[nodiscard]] const std::vector<int>& coordinates() const { return coordinates_; }
  [[nodiscard]] const std::vector<formula::Number>& parameters() const { return parameters_; }
  [[nodiscard]] const std::string& where() const { return where_; }

 private:
  std::optional<formula::NodeId> component(std::string_view name, Position at,
                                           formula::Graph& graph);
  /// Of bodies: components of markers and of rotation matrices.
  std::optional<formula::NodeId> body_component(std::string_view owner, std::string_view suffix,
                                                Position at, formula::Graph& graph);
  std::optional<formula::NodeId> definition(int index, formula::Graph& graph);
  formula::NodeId coordinate(int index, bool velocity, std::string_view name, Position at,
                             formula::Graph& graph);
  /// What was found; in an incomplete model an unknown name spoils the expression silently.
  std::optional<formula::NodeId> or_excuse(std::optional<formula::NodeId> found,
                                           formula::Graph& graph);
  bool permit(unsigned what, std::string_view name, Position at);

  const Symbols& symbols_;
  unsigned allow_;
  std::string where_;
  Problems& problems_;
  const Bindings* bindings_ = nullptr;
  bool refused_ = false;  // a name that is known but not allowed here was met
  std::vector<int> coordinates_;
  std::unordered_map<int, int> local_of_coordinate_;
  std::vector<formula::Number> parameters_;
  std::unordered_map<int, formula::NodeId> parsed_definitions_;
};

/// Numbers that are decided by: a change of one means compiling anew.
[[nodiscard]] inline std::vector<double> plain(const std::vector<formula::Number>& numbers) {
  return {numbers.begin(), numbers.end()};
}

/// The number a value stands for; only parameters (and bindings) may be used. Reports and returns
/// nothing when it is not a finite number.
[[nodiscard]] std::optional<formula::Number> number(const Value& value, const Symbols& symbols,
                                                    const std::string& where, Problems& problems,
                                                    const Bindings* bindings = nullptr);

}  // namespace taut
