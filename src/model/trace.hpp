// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/compiler.hpp"

namespace taut {

/// One element while its formula is recorded: a graph of its own with local slots, and what these
/// stand for.
class Compiler::Trace {
 public:
  Trace(Compiler& compiler, unsigned allow, const std::string& where)
      : compiler_{compiler}, scope_{compiler.symbols_, allow, where, compiler.problems_} {}

  [[nodiscard]] formula::Sym parameter(const formula::Number& value) {
    return {formula_.graph, scope_.parameter(value, formula_.graph)};
  }
  [[nodiscard]] formula::Sym coordinate(int index, formula::Slot slot) {
    return {formula_.graph, formula_.graph.input({slot, scope_.local(index)})};
  }
  /// The multiplier of a row of the model: of quantities alone.
  [[nodiscard]] formula::Sym multiplier(int row) {
    instance_.rows.push_back(row);
    return {formula_.graph, formula_.graph.input({formula::Slot::lambda,
                                                  static_cast<int>(instance_.rows.size()) - 1})};
  }
  /// Components of a point or of its velocity.
  [[nodiscard]] std::vector<formula::Sym> position(const End& end, std::size_t dimension) {
    return components(end, dimension, false);
  }
  [[nodiscard]] std::vector<formula::Sym> velocity(const End& end, std::size_t dimension) {
    return components(end, dimension, true);
  }
  /// A value or expression; nothing when it has mistakes, which are reported.
  [[nodiscard]] std::optional<formula::Sym> expression(const Value& value) {
    const auto node = scope_.node(value, formula_.graph);
    if (!node) return {};
    return formula::Sym{formula_.graph, *node};
  }

  void root(formula::Role role, const formula::Sym& value, int target = 0) {
    formula_.roots.push_back({role, value.node(formula_.graph), target});
  }
  void force(int coordinate, const formula::Sym& value) {
    root(formula::Role::force, value, scope_.local(coordinate));
  }
  /// A mass on a coordinate that has no kinetic energy.
  void inertia(int coordinate, double mass) {
    root(formula::Role::inertia, {formula_.graph, formula_.graph.constant(mass)},
         scope_.local(coordinate));
  }
  /// A force at a point: what does its virtual work. Nothing where the point is an anchor.
  void force(const End& end, const std::vector<formula::Sym>& components);
  /// Column c of a body's rotation matrix, or its velocity.
  [[nodiscard]] std::vector<formula::Sym> column(const Symbols::BodyEntry& body, std::size_t c,
                                                 bool velocity = false) {
    std::vector<formula::Sym> result;
    for (std::size_t i = 0; i < 3; ++i)
      result.emplace_back(formula_.graph, scope_.column(body, c, i, velocity, formula_.graph));
    return result;
  }
  /// A torque on a body: what does its virtual work. `torque` has one component in the plane.
  void torque(const Symbols::BodyEntry& body, const std::vector<formula::Sym>& torque);
  /// A force on a function of the coordinates, such as the angle of a joint: what does its virtual
  /// work, force times the gradient of `on`.
  void force_on(const formula::Sym& on, const formula::Sym& force);
  [[nodiscard]] LocalScope& scope() { return scope_; }
  [[nodiscard]] formula::Sym symbol(formula::NodeId node) { return {formula_.graph, node}; }
  void row(const formula::Sym& g, int number, formula::Role role = formula::Role::constraint) {
    root(role, g, static_cast<int>(instance_.rows.size()));
    instance_.rows.push_back(number);
  }
  void observable(const formula::Sym& value, int number) {
    root(formula::Role::observable, value, static_cast<int>(instance_.observables.size()));
    instance_.observables.push_back(number);
  }

  [[nodiscard]] const formula::Formula& formula() const { return formula_; }
  /// What its local coordinates and parameters stand for.
  [[nodiscard]] const std::vector<int>& coordinates() const { return scope_.coordinates(); }
  [[nodiscard]] const std::vector<formula::Number>& parameters() const {
    return scope_.parameters();
  }
  [[nodiscard]] formula::Graph& graph() { return formula_.graph; }

  /// Rounding error of a node at the start, in units of epsilon: the size of the terms it is made
  /// of, as they come through.
  [[nodiscard]] formula::Number magnitude(formula::NodeId node) const;
  /// The same with coordinates as large as they can become: entries of a rotation 1, of a point its
  /// distance from the origin. 0 where it is about that already at the start.
  [[nodiscard]] formula::Number larger_magnitude(formula::NodeId node) const;

  /// The coordinate in q that a node is; -1 where it is anything else.
  [[nodiscard]] int coordinate_of(formula::NodeId node) const;
  [[nodiscard]] formula::Number value_at_start(formula::NodeId node) const;

  /// Hands the element to its batch.
  void finish(const std::string& label);
  void finish(const std::string& label, BatchBuilder& to);

 private:
  [[nodiscard]] formula::Number start_value(formula::Input input) const;
  [[nodiscard]] formula::Number size_of(int coordinate) const;
  std::vector<formula::Sym> components(const End& end, std::size_t dimension, bool velocity);
  /// A force F on column c of a body's rotation matrix, on what it is made of.
  void force_on_column(const Symbols::BodyEntry& body, std::size_t c,
                       const std::vector<formula::Sym>& F);

  Compiler& compiler_;
  LocalScope scope_;
  formula::Formula formula_;
  Instance instance_;
};

}  // namespace taut
