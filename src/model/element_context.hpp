// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <any>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <typeindex>
#include <vector>

#include "model/end.hpp"
#include "model/trace.hpp"

namespace taut {

/// How a row gives way:  g + damping compliance g' = compliance lambda.
struct Softness {
  formula::Number compliance, damping;
  [[nodiscard]] bool rigid() const { return compliance == 0.0; }
};

/// A point that an element brings with it, at the start.
struct NewPoint {
  std::string name;
  std::vector<formula::Number> at;
  std::vector<formula::Number> velocity = {};  ///< empty: at rest
  formula::Number mass = 0.0;
  double charge = 0.0;
};

/// What one element has to do with while it is compiled: its name in messages, the numbers and
/// points its fields stand for, the formula it records, and what it gives to the model. Elements
/// know of the compiler only what stands here.
///
/// Fields are named as in the model file: a mistake in one is reported as `rod 3: length`. What has
/// a mistake is nothing, and the mistake is reported; an element then goes on as far as it can, so
/// that all of its mistakes are found, and gives nothing to the model.
class ElementContext {
 public:
  /// Numbers that come from parameters: those that an element keeps as they are may change with
  /// them while the model is used, those it turns into plain ones mean compiling it anew.
  using Number = formula::Number;

  /// `label`: what messages and results call it, `rod 3` or the user's name; `bindings` must live
  /// as long as this.
  ElementContext(Compiler& compiler, std::string label, Position at, const Bindings& bindings)
      : compiler_{compiler}, label_{std::move(label)}, at_{at}, bindings_{bindings} {}

  [[nodiscard]] const std::string& label() const { return label_; }
  [[nodiscard]] Position at() const { return at_; }
  /// The same element, called otherwise in messages.
  [[nodiscard]] ElementContext called(std::string label) const {
    return {compiler_, std::move(label), at_, bindings_};
  }
  [[nodiscard]] ElementContext called(std::string label, Position at) const {
    return {compiler_, std::move(label), at, bindings_};
  }

  // messages
  /// Reports a mistake in a field, or in the element where `field` is empty.
  void refuse(Position at, std::string_view field, std::string what, std::string remedy);

  // what fields stand for
  [[nodiscard]] std::optional<Number> number(const Value& value, std::string_view field);
  /// Nothing where it is absent.
  [[nodiscard]] std::optional<Number> number(const std::optional<Value>& value,
                                             std::string_view field);
  [[nodiscard]] std::optional<std::vector<Number>> numbers(const std::vector<Value>& values,
                                                           std::string_view field);
  /// Three numbers, or two of them in the plane; zero when none are given.
  [[nodiscard]] std::optional<std::array<Number, 3>> space_vector(const std::vector<Value>& values,
                                                                  std::string_view field,
                                                                  std::size_t dimension = 3);
  /// A name with its {k} put in.
  [[nodiscard]] std::optional<std::string> name(const Name& name, std::string_view field);
  /// An expression with its {k} put in, for Trace::expression().
  [[nodiscard]] std::optional<Value> expression(const Value& value, std::string_view field);
  [[nodiscard]] std::optional<End> end(const Name& name, std::string_view field);
  /// Two different ends that fit together, not both fixed: `between`.
  [[nodiscard]] std::optional<Ends> ends(const std::array<Name, 2>& names);
  /// Three or four of them.
  [[nodiscard]] std::optional<std::vector<End>> ends(const std::vector<Name>& names,
                                                     std::size_t count);
  /// Of the fields `compliance` and `damping`, or what these are called.
  [[nodiscard]] std::optional<Softness> softness(const Value& compliance,
                                                 const Value& damping = 0.0,
                                                 const std::array<const char*, 2>& fields = {
                                                     "compliance", "damping"});
  /// The length given, or the distance at the start.
  [[nodiscard]] std::optional<Number> length(const std::optional<Value>& given,
                                             const std::optional<Ends>& between);
  /// The expression of a field that changes during a run, as t, inputs and coordinates do, for
  /// Trace::expression(); nothing where it is a number, or absent.
  [[nodiscard]] std::optional<Value> moving(const std::optional<Value>& given,
                                            std::string_view field,
                                            unsigned allow = time | positions);

  // the model as far as it is known
  [[nodiscard]] const Symbols& symbols() const { return compiler_.symbols_; }
  /// Names may be missing because parts of the file could not be read: they are no mistakes.
  [[nodiscard]] bool incomplete() const { return symbols().incomplete; }
  [[nodiscard]] const std::vector<std::string>& coordinates() const {
    return compiler_.structure_.coordinates;
  }
  /// Edges of the periodic box; empty: there is none.
  [[nodiscard]] const std::vector<double>& box() const { return compiler_.box_; }
  [[nodiscard]] const Model& model() const { return compiler_.model_; }
  [[nodiscard]] std::vector<Number> position_at_start(const End& end);
  /// Column c of a body's rotation matrix.
  [[nodiscard]] std::array<Number, 3> column_at_start(const Symbols::BodyEntry& body,
                                                      std::size_t c) const;
  [[nodiscard]] Number start_of(int coordinate) const {
    return compiler_.q_[static_cast<std::size_t>(coordinate)];
  }
  /// What gravity pulls at: the mass of a point and half of the bars that end on it.
  [[nodiscard]] Number weight_mass(const Symbols::PointEntry& point) const {
    return compiler_.weight_mass_[static_cast<std::size_t>(point.first)];
  }
  [[nodiscard]] double charge(int coordinate) const;
  /// About how far points and bodies are from a place at the start, for pictures; how far that is
  /// from the origin, or 1, where there are no others.
  [[nodiscard]] Number widest_at_start(const std::array<Number, 3>& from);

  // what the element brings with it, while names are declared
  void declare(const std::string& name) { compiler_.declare(name, label_, at_); }
  void add_point(const NewPoint& point);
  void add_coordinate(const std::string& name, const Number& at, const Number& velocity,
                      const Number& mass);
  void add_body(const std::string& name, const Symbols::BodyEntry& body) {
    compiler_.symbols_.bodies.try_emplace(name, body);
  }
  void add_marker(const std::string& name, const Symbols::MarkerEntry& marker) {
    compiler_.symbols_.markers.try_emplace(name, marker);
  }

  /// `count` coordinates from `first` on stay where the start is made consistent.
  void keep_start_of(int first, int count, bool with_velocity) {
    compiler_.keep_start_of(static_cast<std::size_t>(first), static_cast<std::size_t>(count),
                            with_velocity);
  }

  /// A coordinate of this name that has no mass.
  void add_own_coordinate(const std::string& name) {
    declare(name);
    compiler_.symbols_.coordinates.try_emplace(name, static_cast<int>(compiler_.q_.size()));
    add_coordinate(name, 0.0, 0.0, 0.0);
  }
  /// Where it starts, once all other coordinates are known.
  void set_start(int coordinate, const Number& at, const Number& velocity) {
    compiler_.q_[static_cast<std::size_t>(coordinate)] = at;
    compiler_.v_[static_cast<std::size_t>(coordinate)] = velocity;
  }
  void add_joint(Symbols::JointEntry joint) { add_joint(label_, std::move(joint)); }
  /// With a second coordinate, which has an entry of its own.
  void add_joint(Symbols::JointEntry joint, Symbols::JointEntry second) {
    joint.second = label_ + " (second)";
    add_joint(joint.second, std::move(second));
    add_joint(std::move(joint));
  }

  // what it gives to the system: formulas, recorded with a Trace and handed over by its finish()
  /// A formula that may read what `allow` says; `field` stands in messages of its expressions.
  [[nodiscard]] Compiler::Trace trace(unsigned allow, std::string_view field = {}) {
    return {compiler_, allow, where(field)};
  }
  /// The formula that one expression is: potential or kinetic energies.
  void add_formula(formula::Role role, const Value& value, unsigned allow, std::string_view field);
  /// `scale`: at least so large are the terms of g somewhere, however small at the start.
  void add_row(Compiler::Trace& trace, const formula::Sym& g, Softness softness,
               const std::string& name, Number scale = 0.0);
  /// A row of velocities: A v + b, affine in v.
  void add_velocity_row(Compiler::Trace& trace, const formula::Sym& value, const std::string& name);
  void add_observable(Compiler::Trace& trace, const formula::Sym& value, Observable observable);
  /// The same for an expression; false where it has mistakes.
  bool add_observable(const Value& value, Observable observable, std::string_view field);
  /// What the event that was added last does. Mistakes are reported.
  void add_action(const Name& target, const Value& value);
  /// Quantities of the element that are shown as LABEL.NAME, and the formulas of all of them: a
  /// trace that may also read accelerations and multipliers. Nothing where nobody wants them.
  using Quantities = std::vector<std::pair<std::string, formula::Sym>>;
  [[nodiscard]] bool shows_quantities() const;
  void add_quantities(Compiler::Trace& trace, const Quantities& quantities);
  /// From now on add_row() keeps what it is given, for recorded_row().
  void record_rows();
  void forget_rows();
  [[nodiscard]] std::size_t recorded_rows() const { return compiler_.recorded_rows_.size(); }
  /// g of a recorded row in another formula.
  [[nodiscard]] formula::Sym recorded_row(std::size_t k, Compiler::Trace& trace) const;
  [[nodiscard]] int recorded_number(std::size_t k) const {
    return compiler_.recorded_rows_[k].number;
  }
  void add_weight(const Symbols::PointEntry& point, const Number& mass);
  void add_pairs(PairBuilder::Use use) { compiler_.pairs_.add(std::move(use)); }
  void add_contacts(ContactField::Setup setup);
  /// Notes that something joins two points: [[pair]]s may spare them.
  void join(const Ends& between);

  // what is drawn
  /// `numbers`: of the line, those that may change with parameters.
  void show(Scene::Line line, const Ends& between,
            std::vector<std::pair<double Scene::Line::*, Number>> numbers = {}) {
    compiler_.shown_lines_.push_back({std::move(line), between, std::move(numbers)});
  }
  void show_joint(const Symbols::MarkerEntry& place) {
    compiler_.shown_joints_.emplace_back(label_, place);
  }
  void show_body(const std::string& name, const ShownBody& look) {
    compiler_.shown_bodies_.try_emplace(name, look);
  }
  /// How a body says it is drawn; null where it does not.
  [[nodiscard]] const ShownBody* look_of(const std::string& name) const {
    const auto it = compiler_.shown_bodies_.find(name);
    return it != compiler_.shown_bodies_.end() ? &it->second : nullptr;
  }
  /// Of the point whose x this is.
  void show_radius(int first, const Number& radius) {
    compiler_.shown_radii_.insert_or_assign(first, radius);
  }
  void show_outline(ShownOutline outline) {
    compiler_.shown_outlines_.push_back(std::move(outline));
  }
  /// Number that the next row will have.
  [[nodiscard]] int next_row() const { return static_cast<int>(compiler_.structure_.rows.size()); }

  /// What all elements of a kind share while one model is compiled; one for each type.
  template <class Shared>
  [[nodiscard]] Shared& shared() {
    std::any& found = compiler_.shared_[std::type_index{typeid(Shared)}];
    if (!found.has_value()) found = Shared{};
    return std::any_cast<Shared&>(found);
  }

 private:
  void add_action(const Name& target, const Value& text, CompiledAction action,
                  const std::string& field);
  /// Where the name of an action stands for a function that is linear in velocities.
  [[nodiscard]] bool add_velocity_action(CompiledAction& action);
  void add_joint(const std::string& name, Symbols::JointEntry joint) {
    if (joint.turns && joint.dimension == 3) joint.turn = compiler_.symbols_.turns++;
    compiler_.symbols_.joints.try_emplace(name, std::move(joint));
  }
  [[nodiscard]] std::string where(std::string_view field) const;
  [[nodiscard]] std::optional<Number> distance_at_start(const Ends& between);

  Compiler& compiler_;
  std::string label_;
  Position at_;
  const Bindings& bindings_;
};

}  // namespace taut
