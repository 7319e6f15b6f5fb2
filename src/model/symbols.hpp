// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formula/parser.hpp"
#include "taut/formula/sym.hpp"
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
    std::array<formula::Number, 3> products{};  ///< J_12, J_13, J_23 of its kinetic energy
    int angle = -1;  ///< of a body in the plane: its angle in q, and no column is a coordinate

    [[nodiscard]] bool planar() const { return angle >= 0; }
    [[nodiscard]] std::size_t dimension() const { return planar() ? 2 : 3; }
  };
  /// A point fixed to a body, at x + R at.
  struct MarkerEntry {
    BodyEntry body{};
    std::array<formula::Number, 3> at{};
  };
  struct AnchorEntry {
    std::vector<Value> at{};
    std::vector<formula::Number> fixed{};  ///< its position; empty when it moves
    bool any_dimension = false;            ///< the origin: of the plane and of space
  };
  /// One side of a joint: a place with three directions at right angles, fixed to a body or to the
  /// ground; or a point mass, which has no directions.
  struct JointSide {
    std::optional<MarkerEntry> place{};  ///< on a body
    std::optional<PointEntry> point{};
    std::array<formula::Number, 3> at{};  ///< of the ground
    std::array<std::array<formula::Number, 3>, 3> directions{};
    formula::Number size = 0.0;  ///< of the terms a place is the sum of
  };
  /// A joint: both sides coincide at the start. Its coordinates are the angle by which the second
  /// side has turned about direction 3 of the first, and how far it has travelled along that.
  struct JointEntry {
    std::array<JointSide, 2> side{};
    std::size_t dimension = 3;
    bool turns = false, slides = false;
    bool tilts = false;      ///< a ball with an axis: its angle is that between both sides' axes
    std::size_t across = 2;  ///< direction along which it slides
    formula::Number angle_at_start = 0.0, travel_at_start = 0.0;
    int turn = -1;  ///< its number among those that turn in space
    /// A second coordinate of the same kind, of a joint that is called so: the other angle of a
    /// universal joint, the other travel of a planar one; empty: none.
    std::string second{};
    bool is_second = false;      ///< it is one
    std::vector<Value> curve{};  ///< of a point on a curve: expressions of s, which is
    int along = -1;              ///< a coordinate of its own
  };
  /// Constraints whose multipliers expressions read: lambda(rope). Which rows these are is known
  /// when all elements are compiled.
  struct ReadMultipliers {
    struct Use {
      std::string name{}, where{};
      Position at{};
    };
    std::vector<Use> all;
    /// Number of the one that is called so, which is new or not.
    int number(std::string_view name, const std::string& where, Position at);
  };
  struct DefinitionEntry {
    std::string name{};
    Value value{};
    std::vector<int> uses{};  ///< definitions that stand in it
    bool sound = false;       ///< not on a cycle, nor waiting for one
    bool output = false;      ///< stated in [outputs]
  };

  StringMap<formula::Number> parameters;
  std::vector<std::pair<std::string, formula::Number>> inputs;  ///< with their initial values
  StringMap<PointEntry> points;
  StringMap<BodyEntry> bodies;
  StringMap<MarkerEntry> markers;  ///< by BODY.MARKER
  StringMap<AnchorEntry> anchors;
  /// Joints that have mistakes, which are reported.
  std::set<std::string, std::less<>> joints_with_mistakes;
  StringMap<JointEntry> joints;
  int turns = 0;               ///< joints that turn in space
  StringMap<int> coordinates;  ///< plain ones: number in q
  StringMap<std::shared_ptr<const formula::Table>> tables;
  StringMap<int> states;  ///< of first order: number in v
  std::shared_ptr<ReadMultipliers> multipliers = std::make_shared<ReadMultipliers>();
  StringMap<int> definition_of_name;
  std::vector<DefinitionEntry> definitions;
  bool vibrates = false;
  bool incomplete = false;  ///< part of the file could not be read: unknown names may stand there
  formula::Number theta_rate = 0.0;

  [[nodiscard]] std::vector<std::string> names() const;
  /// Number in q of a coordinate, such as phi, bob.x, body.r12 or arm.angle; -1 when there is none.
  [[nodiscard]] int coordinate(std::string_view name) const;
  /// Null when there is none of this name.
  [[nodiscard]] std::shared_ptr<const formula::Table> table(std::string_view name) const {
    const auto it = tables.find(name);
    return it == tables.end() ? nullptr : it->second;
  }

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
enum Allow : unsigned {
  nothing = 0,
  time = 1,
  positions = 2,
  velocities = 4,
  states = 8,
  multipliers = 16
};
inline constexpr unsigned everything = time | positions | velocities | states | multipliers;

/// What LocalScope::rotation() knows of a body in space, as results show it.
inline constexpr std::array<std::string_view, 9> rotation_names{"wx", "wy",  "wz",    "w1",  "w2",
                                                                "w3", "yaw", "pitch", "roll"};

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
  /// angle(elbow), rate(elbow), travel(slide), speed(slide): coordinates of joints; lambda(rope):
  /// the multiplier of a constraint.
  std::optional<formula::NodeId> of_name(std::string_view function, std::string_view name,
                                         Position at, formula::Graph& graph) override;
  [[nodiscard]] std::vector<std::string> functions_of_names() const override;
  [[nodiscard]] std::shared_ptr<const formula::Table> table(std::string_view name) const override {
    return symbols_.table(name);
  }
  [[nodiscard]] std::vector<std::string> candidates() const override;

  /// Parses a value: a number, or an expression in this scope.
  std::optional<formula::NodeId> node(const Value& value, formula::Graph& graph);

  /// Component i of an anchor, or of its velocity.
  std::optional<formula::NodeId> anchor(const Symbols::AnchorEntry& anchor, std::size_t i,
                                        bool velocity, formula::Graph& graph);

  /// Component i of column c of a body's rotation matrix, or of its velocity.
  formula::NodeId column(const Symbols::BodyEntry& body, std::size_t c, std::size_t i,
                         bool velocity, formula::Graph& graph);

  /// What follows from the rotation of a body: angular velocity wx, wy, wz along the axes of space
  /// and w1, w2, w3 along its own; yaw, pitch, roll. In the plane wz alone; nothing else.
  std::optional<formula::NodeId> rotation(const Symbols::BodyEntry& body, std::string_view what,
                                          formula::Graph& graph);

  /// Component i of a point that is fixed to a body, or of its velocity.
  formula::NodeId marker(const Symbols::MarkerEntry& marker, std::size_t i, bool velocity,
                         formula::Graph& graph);

  // of joints (joint_coordinates.cpp)
  /// Component i of the place of a side, and of its direction k.
  formula::NodeId place(const Symbols::JointSide& side, std::size_t i, formula::Graph& graph);
  formula::NodeId direction(const Symbols::JointSide& side, std::size_t k, std::size_t i,
                            formula::Graph& graph);
  /// How far the second side is from the first along direction k of the first.
  formula::NodeId offset(const Symbols::JointEntry& joint, std::size_t k, formula::Graph& graph);
  /// Cosine and sine of the angle by which the second side has turned, in space.
  std::array<formula::NodeId, 2> turn(const Symbols::JointEntry& joint, formula::Graph& graph);
  /// Its angle, which counts turns.
  formula::NodeId angle(const Symbols::JointEntry& joint, formula::Graph& graph);
  /// The same but for whole turns, with the same derivatives.
  formula::NodeId angle_in_turn(const Symbols::JointEntry& joint, formula::Graph& graph);
  /// In space: the angle near which a run remembers it, and how far it is from there.
  formula::NodeId remembered_turn(const Symbols::JointEntry& joint, formula::Graph& graph) const;
  formula::NodeId turn_from(const Symbols::JointEntry& joint, formula::Graph& graph);
  formula::NodeId turn_rate(const Symbols::JointEntry& joint, formula::Graph& graph);
  formula::NodeId travel(const Symbols::JointEntry& joint, formula::Graph& graph);
  /// Of a ball, between the axes of both sides.
  formula::NodeId tilt(const Symbols::JointEntry& joint, formula::Graph& graph);
  /// Components of ω of the second side, less that of the first, along the axes of space.
  [[nodiscard]] std::array<formula::Sym, 3> relative_spin(const Symbols::JointEntry& joint,
                                                          formula::Graph& graph);
  /// Of a point on a curve, along the axes of the first side.
  struct OnCurve {
    std::vector<formula::Sym> point;    ///< p
    std::vector<formula::Sym> curve;    ///< c(s)
    std::vector<formula::Sym> tangent;  ///< c'(s)
  };
  [[nodiscard]] OnCurve on_curve(const Symbols::JointEntry& joint, formula::Graph& graph);
  /// How fast a function of the coordinates changes as they move.
  formula::NodeId rate(formula::NodeId of, formula::Graph& graph);

  int local(int coordinate);
  formula::NodeId parameter(const formula::Number& value, formula::Graph& graph);

  void use(const Bindings* bindings) { bindings_ = bindings; }
  /// A name of the element's own, which stands for a node; an empty one for nothing.
  void own_name(std::string name, formula::NodeId node = formula::no_node) {
    own_name_ = std::move(name);
    own_node_ = node;
  }
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
  /// Says what to write in place of a name that results have and formulas have not.
  bool names_a_result(std::string_view name, Position at);
  /// What was found; in an incomplete model an unknown name spoils the expression silently.
  std::optional<formula::NodeId> or_excuse(std::optional<formula::NodeId> found,
                                           formula::Graph& graph);
  bool permit(unsigned what, std::string_view name, Position at);

  const Symbols& symbols_;
  unsigned allow_;
  std::string where_;
  Problems& problems_;
  const Bindings* bindings_ = nullptr;
  std::string own_name_;
  formula::NodeId own_node_ = formula::no_node;
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
