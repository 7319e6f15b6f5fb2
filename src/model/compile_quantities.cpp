// SPDX-License-Identifier: BSD-3-Clause
// What is shown of a motion besides its coordinates: outputs, and quantities of elements. They
// stand in a system of their own, so that nothing of the motion depends on them.
#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "formula/derivative.hpp"
#include "model/compiled_system.hpp"
#include "model/element_context.hpp"

namespace taut {
namespace {

/// More quantities than this are not kept unless they are asked for: files stay lean.
constexpr std::size_t moderate = 200;

using formula::Slot;

}  // namespace

void Compiler::plan_quantities() {
  outputs_.emplace(symbols_.theta_rate);
  quantities_.emplace(symbols_.theta_rate);
  const std::string columns = model_.run.columns ? model_.run.columns->text : "auto";
  most_quantities_ = columns == "stated" ? 0
                     : columns == "all"  ? std::numeric_limits<std::size_t>::max()
                                         : moderate;
}

int Compiler::add_quantity(std::string name) {
  quantity_names_.push_back(std::move(name));
  return static_cast<int>(quantity_names_.size()) - 1;
}

void Compiler::compile_outputs() {
  for (const Symbols::DefinitionEntry& entry : symbols_.definitions) {
    if (!entry.output) continue;
    const auto number = static_cast<int>(output_names_.size());
    output_names_.push_back(entry.name);
    if (!entry.sound) continue;  // its cycle has been reported
    Trace trace{*this, everything, "output " + entry.name};
    const auto value = trace.expression(entry.value);
    if (!value) continue;
    trace.observable(*value, number);
    trace.finish(entry.name, *outputs_);
  }
}

// bob.ax beside bob.vx, a(phi) beside v(phi); entries of rotation matrices have none that anybody
// would want
void Compiler::compile_accelerations() {
  if (too_many_quantities_ || q_.size() > most_quantities_) return;
  std::vector<bool> shown(q_.size(), true);
  for (const auto& [name, body] : symbols_.bodies)
    for (const int first : body.column)
      for (int i = 0; first >= 0 && i < 3; ++i) shown[static_cast<std::size_t>(first + i)] = false;
  for (std::size_t i = 0; i < q_.size(); ++i) {
    if (!shown[i]) continue;
    std::string name = structure_.velocities[i];
    const std::size_t v = name.starts_with("v(") ? 0 : name.rfind('.') + 1;
    name[v] = 'a';
    Trace trace{*this, positions, name};
    trace.observable(trace.coordinate(static_cast<int>(i), Slot::a), add_quantity(name));
    trace.finish(name, *quantities_);
  }
}

// what is too much is forgotten
void Compiler::bound_quantities() {
  too_many_quantities_ |= quantity_names_.size() > most_quantities_;
  if (too_many_quantities_) quantity_names_.clear();
}

std::shared_ptr<const CompiledSystem> Compiler::compile_turns() {
  if (symbols_.turns == 0) return nullptr;
  Structure structure;
  structure.inputs = structure_.inputs;
  std::vector<std::string> names(static_cast<std::size_t>(symbols_.turns));
  for (const auto& [name, joint] : symbols_.joints)
    if (joint.turn >= 0) names[static_cast<std::size_t>(joint.turn)] = name;
  BatchBuilder turns{symbols_.theta_rate};
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k].empty()) continue;  // a name that was taken, which has been reported
    Trace trace{*this, positions | velocities, names[k]};
    const Symbols::JointEntry& joint = symbols_.joints.find(names[k])->second;
    const auto number = static_cast<int>(k);
    trace.observable(trace.symbol(trace.scope().turn_from(joint, trace.graph())), number);
    trace.observable(trace.symbol(trace.scope().turn_rate(joint, trace.graph())),
                     number + symbols_.turns);
    trace.finish(names[k], turns);
  }
  for (int twice = 0; twice < 2; ++twice)
    for (const std::string& name : names)
      structure.observables.push_back({.name = name, .kind = Observable::Kind::quantity});
  std::vector<Batch> batches = turns.finish();
  for (Batch& batch : batches) batch.drawn = true;
  return std::make_shared<const CompiledSystem>(std::move(batches), std::move(structure),
                                                std::vector<PairField>{}, symbols_.theta_rate,
                                                theta_phase_, tape_);
}

std::shared_ptr<const CompiledSystem> Compiler::finish_quantities() {
  if (output_names_.empty() && quantity_names_.empty()) return nullptr;
  Structure structure;
  structure.inputs = structure_.inputs;
  structure.read_multipliers = structure_.read_multipliers;
  for (std::string& name : output_names_)
    structure.observables.push_back({.name = std::move(name), .kind = Observable::Kind::output});
  const auto outputs = static_cast<int>(structure.observables.size());
  for (std::string& name : quantity_names_)
    structure.observables.push_back({.name = std::move(name), .kind = Observable::Kind::quantity});
  std::vector<Batch> batches = outputs_->finish();
  std::vector<PairField> fields;
  if (!too_many_quantities_) {
    for (Batch& batch : quantities_->finish()) {
      for (int& number : batch.observables) number += outputs;
      batches.push_back(std::move(batch));
    }
    for (const auto& [field, first] : shown_contacts_)
      fields.push_back(field.shown_contacts({.first = outputs + first, .all = true}));
  }
  for (Batch& batch : batches) batch.drawn = true;
  return std::make_shared<const CompiledSystem>(std::move(batches), std::move(structure),
                                                std::move(fields), symbols_.theta_rate,
                                                theta_phase_, tape_);
}

// Rows of the multipliers that expressions read.
void Compiler::find_multipliers() {
  std::vector<std::string> names;
  for (const Row& row : structure_.rows) names.push_back(row.name);
  for (const Symbols::ReadMultipliers::Use& use : symbols_.multipliers->all) {
    const auto found = std::find(names.begin(), names.end(), use.name);
    structure_.read_multipliers.push_back(
        found == names.end() ? 0 : static_cast<int>(found - names.begin()));
    if (found != names.end()) {
      if (std::find(found + 1, names.end(), use.name) != names.end())
        problems_.add(use.at, use.where,
                      fmt::format("several constraints are called '{}'", use.name),
                      "give each its own name");
      continue;
    }
    if (symbols_.incomplete) continue;
    const std::string near = nearest_name(use.name, names);
    problems_.add(use.at, use.where,
                  fmt::format("there is no constraint '{}' that has a multiplier", use.name),
                  !near.empty() ? fmt::format("did you mean 'lambda({})'?", near)
                  : names.empty()
                      ? "the model has no rod, joint or constraint"
                      : fmt::format("constraints are called: {}", fmt::join(names, ", ")));
  }
}

/// Expressions cannot say these: rod 1.force, lambda(rod 1), bob.ax, energy.
bool Compiler::names_a_number(std::string_view name) const {
  constexpr std::array whole{"energy", "kinetic_energy", "potential_energy", "work"};
  if (owner_of_name_.contains(name)) return false;
  const auto is = [name](const auto& other) { return other == name; };
  return std::any_of(whole.begin(), whole.end(), is) ||
         std::any_of(quantity_names_.begin(), quantity_names_.end(), is) ||
         std::any_of(structure_.rows.begin(), structure_.rows.end(), [name](const Row& row) {
           return row.name == name || fmt::format("lambda({})", row.name) == name;
         });
}

bool ElementContext::shows_quantities() const {
  return !compiler_.too_many_quantities_ && compiler_.most_quantities_ > 0 &&
         compiler_.quantities_.has_value();
}

void ElementContext::add_quantities(Compiler::Trace& trace, const Quantities& quantities) {
  for (const auto& [name, value] : quantities)
    trace.observable(value, compiler_.add_quantity(fmt::format("{}.{}", label_, name)));
  trace.finish(label_, *compiler_.quantities_);
  compiler_.too_many_quantities_ = compiler_.quantity_names_.size() > compiler_.most_quantities_;
}

void ElementContext::add_contacts(ContactField::Setup setup) {
  compiler_.contact_fields_.emplace_back(std::make_shared<const ContactField>(std::move(setup)));
  if (!shows_quantities()) return;
  compiler_.shown_contacts_.emplace_back(compiler_.contact_fields_.back(),
                                         static_cast<int>(compiler_.quantity_names_.size()));
  for (const std::string_view name : ContactField::names_of_seen)
    compiler_.add_quantity(fmt::format("{}.{}", label_, name));
  compiler_.too_many_quantities_ = compiler_.quantity_names_.size() > compiler_.most_quantities_;
}

void ElementContext::record_rows() {
  forget_rows();
  compiler_.records_rows_ = shows_quantities();
}

void ElementContext::forget_rows() {
  compiler_.recorded_rows_.clear();
  compiler_.records_rows_ = false;
}

formula::Sym ElementContext::recorded_row(std::size_t k, Compiler::Trace& trace) const {
  return Compiler::copied(compiler_.recorded_rows_[k], trace);
}

// Systems beside a compiled one -------------------------------------------------------------------

std::shared_ptr<const SystemImplementation> CompiledSystem::quantities() const {
  std::shared_ptr<const CompiledSystem> shown = shape_->quantities;
  if (!shown) return nullptr;
  if (point_)
    shown = std::make_shared<const CompiledSystem>(*shown, point_,
                                                   std::vector<KeptNumber<Structure>>{});
  return CompiledSystem{*shown, inputs_}.with_turns(turns_);
}

namespace {

/// The power of each element of a batch, as observables from number `first` on:
///
///   d/dt (T + U) = Σ F . v + U_t - T_t - λᵀ G v                                              (1)
///
/// without the last term, that of constraints. Rates of first-order states are no forces: of
/// coordinates from number `places` on there is no energy.
class PowerBatch {
 public:
  PowerBatch(const Batch& batch, double theta_rate, int first, Index places)
      : from_{batch}, theta_rate_{theta_rate}, first_{first}, places_{places} {
    to_.instances = batch.instances;
    to_.coordinates = batch.coordinates;
    to_.parameters = batch.parameters;
    to_.modes = batch.modes;
    to_.labels = batch.labels;
    to_.drawn = true;
    to_.formula.graph = batch.formula.graph;
    to_.formula.coordinates = batch.formula.coordinates;
    to_.formula.parameters = batch.formula.parameters;
    to_.formula.theta_rate = theta_rate;
    for (std::size_t r = 0; r < batch.formula.roots.size(); ++r) add(r);
    finish();
  }

  [[nodiscard]] bool any() const { return !to_.formula.roots.empty(); }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] Batch take() { return std::move(to_); }

 private:
  void add(std::size_t r) {
    using formula::Role;
    formula::Graph& graph = to_.formula.graph;
    const formula::Root& root = from_.formula.roots[r];
    formula::Sym power{graph, graph.constant(0.0)};
    const formula::Sym value{graph, root.node};
    if (root.role == Role::force && is_rate(root.target)) return;
    if (root.role == Role::force)
      power = value * formula::Sym{graph, graph.input({Slot::v, root.target})};
    else if (root.role == Role::potential)
      power = explicit_rate(root.node);
    else if (root.role == Role::kinetic)
      power = -explicit_rate(root.node);
    else
      return;
    const formula::NodeId node = power.node(graph);
    if (graph.is_constant(node) && graph.number(node) == 0.0) return;
    const std::string label = from_.merged ? from_.labels[r] : std::string{};
    const auto found = std::find(labels_.begin(), labels_.end(), label);
    if (found == labels_.end()) {
      labels_.push_back(label);
      sums_.push_back(power);
    } else {
      formula::Sym& sum = sums_[static_cast<std::size_t>(found - labels_.begin())];
      sum = sum + power;
    }
  }

  [[nodiscard]] bool is_rate(int target) const {
    const auto k = static_cast<std::size_t>(target) * static_cast<std::size_t>(from_.instances);
    return from_.coordinates[k] >= places_;
  }

  formula::Sym explicit_rate(formula::NodeId node) {
    formula::Graph& graph = to_.formula.graph;
    formula::Derivatives derivatives{graph};
    const std::array seeds{
        formula::Seed{graph.input({Slot::t, 0}), graph.constant(1.0)},
        formula::Seed{graph.input({Slot::theta, 0}), graph.constant(theta_rate_)}};
    derivatives.direction(seeds);
    return {graph, derivatives.along(node)};
  }

  void finish() {
    for (std::size_t k = 0; k < sums_.size(); ++k) {
      to_.formula.roots.push_back(
          {formula::Role::observable, sums_[k].node(to_.formula.graph), static_cast<int>(k)});
      for (int i = 0; i < to_.instances; ++i) {
        to_.observables.push_back(first_ + static_cast<int>(names_.size()));
        names_.push_back(from_.merged ? labels_[k] : from_.labels[static_cast<std::size_t>(i)]);
      }
    }
    to_.formula.observables = static_cast<int>(sums_.size());
  }

  const Batch& from_;
  double theta_rate_;
  int first_;
  Index places_;
  Batch to_;
  std::vector<std::string> labels_, names_;
  std::vector<formula::Sym> sums_;
};

}  // namespace

std::shared_ptr<const SystemImplementation> CompiledSystem::powers() const {
  const formula::Recording none{nullptr};
  Structure structure;
  structure.inputs = structure_->inputs;
  structure.read_multipliers = structure_->read_multipliers;
  std::vector<Batch> powers;
  for (const Batch& batch : batches()) {
    if (batch.drawn) continue;
    PowerBatch power{batch, theta_rate_, static_cast<int>(structure.observables.size()),
                     structure_->places()};
    if (!power.any()) continue;
    for (const std::string& name : power.names())
      structure.observables.push_back({.name = name, .kind = Observable::Kind::quantity});
    powers.push_back(power.take());
  }
  std::vector<PairField> fields;
  for (const PairField& field : shape_->pairs) {
    if (field.contacts() == nullptr || !field.contacts()->loses()) continue;
    fields.push_back(
        field.shown_contacts({.first = static_cast<int>(structure.observables.size())}));
    structure.observables.push_back(
        {.name = field.contacts()->setup().label, .kind = Observable::Kind::quantity});
  }
  auto made = std::make_shared<CompiledSystem>(std::move(powers), std::move(structure),
                                               std::move(fields), theta_rate_, theta_phase_);
  if (modes_) made = std::make_shared<CompiledSystem>(*made, made->batches(), modes_);
  return CompiledSystem{*made, inputs_}.with_turns(turns_);
}

}  // namespace taut
