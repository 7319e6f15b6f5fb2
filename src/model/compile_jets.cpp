// SPDX-License-Identifier: BSD-3-Clause
// Differential systems that are stated as such: [jets] with its [[equation]]s.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/name_list.hpp"
#include "model/compiler.hpp"
#include "model/element_descriptor.hpp"

namespace taut {
namespace {

using formula::Graph;
using formula::NodeId;
using formula::Slot;

constexpr int max_order = 50;
constexpr std::size_t max_unknowns = 1'000'000;

/// The names of all expressions of one system, which share its graph.
class JetScope final : public formula::Scope {
 public:
  JetScope(const Symbols& symbols, const JetSystem& system, std::optional<int> stated_order,
           Problems& problems)
      : symbols_{symbols}, system_{system}, stated_order_{stated_order}, problems_{problems} {
    for (std::size_t j = 0; j < system.unknowns.size(); ++j)
      unknown_.try_emplace(system.unknowns[j], static_cast<Index>(j));
  }

  /// Parses a value; `where` calls it in messages. Nothing when it has mistakes.
  std::optional<NodeId> node(const Value& value, const std::string& where, Graph& graph) {
    where_ = where;
    refused_ = false;
    if (value.is_number()) return graph.constant(value.number());
    const auto result =
        formula::parse(value.text(), {.at = value.at(), .where = where_}, *this, graph, problems_);
    return refused_ ? std::nullopt : result;
  }

  std::optional<NodeId> name(std::string_view name, Position /*at*/, Graph& graph) override {
    if (const auto it = symbols_.parameters.find(name); it != symbols_.parameters.end())
      return graph.constant(it->second);
    if (name == system_.independent) return graph.input({Slot::q, 0});
    if (const auto it = unknown_.find(name); it != unknown_.end())
      return graph.input({Slot::q, static_cast<int>(system_.jet(0, it->second))});
    if (const auto it = symbols_.definition_of_name.find(name);
        it != symbols_.definition_of_name.end())
      return definition(it->second, graph);
    return excuse(graph);
  }

  std::optional<NodeId> velocity(std::string_view name, Position at, Graph& graph) override {
    if (!unknown_.contains(name)) return excuse(graph);
    return refuse(at, fmt::format("v({}) is written with mechanical models", name),
                  fmt::format("write {}' for the derivative", name), graph);
  }

  std::optional<NodeId> derivative(std::string_view name, int order, Position at,
                                   Graph& graph) override {
    const auto it = unknown_.find(name);
    if (it == unknown_.end() && name == system_.independent)
      return refuse(at, fmt::format("{} is the independent variable", name),
                    "differentiate unknowns", graph);
    if (symbols_.parameters.contains(name) || symbols_.definition_of_name.contains(name))
      return refuse(at, fmt::format("{} is not an unknown: only those are differentiated", name),
                    "make it an unknown with an [[equation]] of its own, or differentiate by hand",
                    graph);
    if (it == unknown_.end()) return excuse(graph);
    if (stated_order_ && order > *stated_order_)
      return refuse(
          at,
          fmt::format("a derivative of order {} in a system of order {}", order, *stated_order_),
          "raise order below [jets], or leave it out", graph);
    if (order > max_order)
      return refuse(at, fmt::format("a derivative of order {}", order),
                    fmt::format("at most {} are allowed", max_order), graph);
    return graph.input({Slot::q, static_cast<int>(system_.jet(order, it->second))});
  }
  [[nodiscard]] bool has_derivatives() const override { return true; }

  NodeId instance_number(double value, Graph& graph) override { return graph.constant(value); }
  [[nodiscard]] std::shared_ptr<const formula::Table> table(std::string_view name) const override {
    return symbols_.table(name);
  }

  [[nodiscard]] std::vector<std::string> candidates() const override {
    std::vector<std::string> names{system_.independent, "pi", "e"};
    names.insert(names.end(), system_.unknowns.begin(), system_.unknowns.end());
    for (const auto& [name, value] : symbols_.parameters) names.push_back(name);
    for (const auto& [name, table] : symbols_.tables) names.push_back(name);
    for (const auto& definition : symbols_.definitions) names.push_back(definition.name);
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  NodeId refuse(Position at, std::string what, std::string remedy, Graph& graph) {
    refused_ = true;
    problems_.add(at, where_, std::move(what), std::move(remedy));
    return graph.constant(1.0);
  }

  /// In an incomplete model an unknown name spoils the expression silently.
  std::optional<NodeId> excuse(Graph& graph) {
    if (!symbols_.incomplete) return {};
    refused_ = true;
    return graph.constant(1.0);
  }

  std::optional<NodeId> definition(int index, Graph& graph) {
    return symbols_.definition(
        index, definitions_, graph, [&](const Symbols::DefinitionEntry& entry) {
          if (entry.value.is_number())
            return std::optional<NodeId>{graph.constant(entry.value.number())};
          const std::string where = std::exchange(where_, "definition " + entry.name);
          const auto parsed =
              formula::parse(entry.value.text(), {.at = entry.value.at(), .where = where_}, *this,
                             graph, problems_);
          where_ = where;
          return parsed;
        });
  }

  const Symbols& symbols_;
  const JetSystem& system_;
  std::optional<int> stated_order_;
  Problems& problems_;
  StringMap<Index> unknown_;
  std::unordered_map<int, NodeId> definitions_;
  std::string where_;
  bool refused_ = false;  // a mistake was reported that the parser does not see
};

Observable::Direction direction_of(Event::Direction direction) {
  switch (direction) {
    case Event::Direction::rising:
      return Observable::Direction::rising;
    case Event::Direction::falling:
      return Observable::Direction::falling;
    case Event::Direction::any:
      break;
  }
  return Observable::Direction::any;
}

}  // namespace

/// Turns a model with [jets] into a JetSystem, with the names of the compiler it works for.
class Compiler::JetCompiler {
 public:
  JetCompiler(Compiler& compiler, const Jets& jets)
      : c_{compiler}, problems_{compiler.problems_}, jets_{jets} {}

  CompiledModel compile() {
    CompiledModel result;
    refuse_mechanics();
    result.run = c_.compile_run();
    check_run(result.run);
    c_.compile_definitions();
    find_unknowns();
    if (!system_.unknowns.empty()) {
      find_stated_order();
      find_expressions();
      find_order();
      find_start(result.run.from);
      close_invariants();
      check_equations();
    }
    result.jets = std::move(system_);
    return result;
  }

 private:
  struct Place {
    std::string where;
    Position at;
  };

  /// What only a mechanical model has: each kind is named once.
  void refuse_mechanics() {
    const Model& model = c_.model_;
    std::set<std::string> seen;
    const auto refuse = [&](const std::string& heading, Position at) {
      if (seen.insert(heading).second)
        problems_.add(at, heading, "does not belong in a model with [jets]",
                      "state everything as [[equation]]s, or remove [jets]");
    };
    if (!model.points.empty()) refuse("[points]", model.points.front().position);
    if (!model.anchors.empty()) refuse("[anchors]", model.anchors.front().position);
    if (!model.coordinates.empty()) refuse("[coordinates]", model.coordinates.front().position);
    if (!model.states.empty()) refuse("[states]", model.states.front().position);
    if (model.vibration) refuse("[vibration]", model.vibration->position);
    if (model.box) refuse("[box]", model.box->position);
    if (model.thermostat) refuse("[thermostat]", model.thermostat->position);
    if (!model.drawing.points.empty())
      refuse("[drawing.points]", model.drawing.points.front().position);
    if (!model.drawing.lines.empty())
      refuse("[[drawing.line]]", model.drawing.lines.front().position);
    for (const Statistic& statistic : model.statistics)
      refuse(statistic.kind == Statistic::Kind::histogram             ? "[[histogram]]"
             : statistic.kind == Statistic::Kind::radial_distribution ? "[[radial_distribution]]"
                                                                      : "[[autocorrelation]]",
             statistic.position);
    for (const Element& element : model.elements)
      if (!std::holds_alternative<Equation>(element.what) &&
          !std::holds_alternative<Invariant>(element.what) &&
          !std::holds_alternative<Event>(element.what))
        refuse(fmt::format("[[{}]]", kind_of(element)), element.position);
  }

  void check_run(const CompiledRun& run) {
    const RunSettings& settings = c_.model_.run;
    if (settings.method && run.method != "projected-rk")
      problems_.add(settings.method->at, "run: method",
                    fmt::format("'{}' is no method of models with [jets]", run.method),
                    "remove it: they are run by projected-rk");
    if (settings.reading && settings.reading->text != "as-written")
      problems_.add(settings.reading->at, "run: reading", "a model with [jets] has no readings",
                    "remove it");
    if (settings.omega)
      problems_.add(settings.omega->at(), "run: omega", "a model with [jets] has no readings",
                    "remove it");
  }

  void find_unknowns() {
    std::vector<std::string>& unknowns = system_.unknowns;
    system_.independent = jets_.independent;
    c_.declare(jets_.independent, "the independent variable", jets_.position);
    for_each_copy(jets_.repeat, c_.symbols_, "jets", problems_, [&](const Bindings& bindings) {
      for (const Name& unknown : jets_.unknowns) {
        const auto name = substitute_name(unknown.text, unknown.at, bindings, c_.symbols_,
                                          "jets: unknowns", problems_);
        if (!name || unknowns.size() > max_unknowns) continue;
        if (*name == jets_.independent)
          problems_.add(unknown.at, "jets: unknowns",
                        fmt::format("'{}' is the independent variable", *name),
                        "name that one otherwise, such as independent = \"t\"");
        else
          c_.declare(*name, "unknown " + *name, unknown.at);
        unknowns.push_back(*name);
      }
    });
    if (unknowns.size() > max_unknowns)
      problems_.add(jets_.position, "jets: unknowns", fmt::format("are more than {}", max_unknowns),
                    "split the model");
    if (unknowns.empty() && problems_.empty())
      problems_.add(jets_.position, "jets: unknowns", "are none", "name at least one unknown");
  }

  void find_stated_order() {
    if (!jets_.order) return;
    const auto order = c_.number_of(*jets_.order, "jets: order");
    if (!order) return;
    if (*order == std::floor(*order) && *order >= 0.0 && *order <= max_order)
      stated_order_ = static_cast<int>(*order);
    else
      problems_.add(jets_.order->at(), "jets: order", fmt::format("{} is no order", *order),
                    fmt::format("give a whole number from 0 to {}", max_order));
  }

  /// Equations, invariants and events, in the order of the file.
  void find_expressions() {
    JetScope scope{c_.symbols_, system_, stated_order_, problems_};
    for (const Element& element : c_.model_.elements) {
      const Value* value = nullptr;
      if (const auto* equation = std::get_if<Equation>(&element.what)) value = &equation->zero;
      if (const auto* invariant = std::get_if<Invariant>(&element.what)) value = &invariant->value;
      if (const auto* event = std::get_if<Event>(&element.what)) value = &event->zero;
      if (value == nullptr) continue;
      const std::string kind = kind_of(element);
      for_each_copy(element.repeat, c_.symbols_, element.name.empty() ? kind : element.name,
                    problems_, [&](const Bindings& bindings) {
                      const std::string label = c_.label_of(element, kind, bindings);
                      expression(element, *value, label, bindings, scope);
                    });
    }
    for (const Symbols::DefinitionEntry& entry : c_.symbols_.definitions) {
      if (!entry.output || !entry.sound) continue;
      const std::string where = "output " + entry.name;
      if (const auto node = scope.node(entry.value, where, system_.graph)) {
        system_.outputs.push_back({entry.name, *node});
        output_places_.push_back({where, entry.value.at()});
      } else {
        spoilt_ = true;
      }
    }
  }

  void expression(const Element& element, const Value& value, const std::string& label,
                  const Bindings& bindings, JetScope& scope) {
    const bool is_invariant = std::holds_alternative<Invariant>(element.what);
    const std::string where = fmt::format("{}: {}", label, is_invariant ? "value" : "zero");
    const auto text = substitute(value, bindings, c_.symbols_, where, problems_);
    const auto node = text ? scope.node(*text, where, system_.graph) : std::nullopt;
    if (!node) {
      spoilt_ = true;
      return;
    }
    if (const auto* event = std::get_if<Event>(&element.what)) {
      if (!event->then.empty() || event->stop_after)
        problems_.add(event->then.empty() ? event->stop_after->at() : event->then.front().target.at,
                      fmt::format("{}: {}", label, event->then.empty() ? "stop_after" : "then"),
                      "is for motions in time: the solution of [jets] is one curve, which goes on "
                      "as it came",
                      "let the event stop the run with action = \"stop\", and start another one");
      system_.events.push_back(
          {label, *node, direction_of(event->direction), event->action == Event::Action::stop});
      event_places_.push_back({where, text->at()});
      return;
    }
    if (is_invariant) invariants_.push_back(system_.equations.size());
    system_.equations.push_back({label, *node, text->at().line});
    equation_places_.push_back({where, text->at()});
  }

  [[nodiscard]] int order_of(NodeId node) const {
    const std::vector<Index> jets = system_.reads(node);
    return jets.empty() || jets.back() == 0 ? -1
                                            : static_cast<int>((jets.back() - 1) / system_.n());
  }

  void find_order() {
    int highest = 0;
    for (const JetSystem::Equation& equation : system_.equations)
      highest = std::max(highest, order_of(equation.node));
    system_.order = stated_order_.value_or(highest);
    if (highest < system_.order && !spoilt_ && !c_.model_.incomplete)
      problems_.add(jets_.order->at(), "jets: order",
                    fmt::format("is {}, but the highest derivative in an equation has order {}",
                                system_.order, highest),
                    "lower it, or leave it out");
    const auto check = [&](formula::NodeId node, const Place& place) {
      if (const int order = order_of(node); order > system_.order && !spoilt_)
        problems_.add(place.at, place.where,
                      fmt::format("reads a derivative of order {} in a system of order {}", order,
                                  system_.order),
                      "use derivatives that the equations contain");
    };
    for (std::size_t i = 0; i < system_.events.size(); ++i)
      check(system_.events[i].node, event_places_[i]);
    for (std::size_t i = 0; i < system_.outputs.size(); ++i)
      check(system_.outputs[i].node, output_places_[i]);
  }

  void find_start(double x) {
    system_.given.setConstant(system_.size(system_.order),
                              std::numeric_limits<double>::quiet_NaN());
    system_.given[0] = x;
    StringMap<Index> number_of_unknown;
    for (Index j = 0; j < system_.n(); ++j)
      number_of_unknown.try_emplace(system_.unknowns[static_cast<std::size_t>(j)], j);
    for (const StartValue& start : c_.model_.start)
      for_each_copy(
          start.repeat, c_.symbols_, "start " + start.coordinate, problems_,
          [&](const Bindings& bindings) { start_value(start, bindings, number_of_unknown); });
  }

  void start_value(const StartValue& start, const Bindings& bindings,
                   const StringMap<Index>& number_of_unknown) {
    const auto name = substitute_name(start.coordinate, start.position, bindings, c_.symbols_,
                                      "start " + start.coordinate, problems_);
    if (!name) return;
    const std::string where = "start " + *name;
    const auto it = number_of_unknown.find(*name);
    if (it == number_of_unknown.end()) {
      if (c_.symbols_.incomplete) return;
      const std::string near = nearest_name(*name, system_.unknowns);
      problems_.add(
          start.position, where,
          *name == system_.independent ? "is the independent variable" : "there is no such unknown",
          *name == system_.independent ? std::string{"write from = ... below [run]"}
          : near.empty() ? fmt::format("the unknowns are {}", list_of_names(system_.unknowns))
                         : fmt::format("did you mean '{}'?", near));
      return;
    }
    if (!started_.insert(it->second).second) {
      problems_.add(start.position, where, "is given twice", "remove one of the two");
      return;
    }
    if (start.velocity)
      problems_.add(start.velocity->at(), where + ": velocity", "is written with mechanical models",
                    "write derivatives = [...]");
    std::vector<std::optional<Value>> values{start.at};
    values.insert(values.end(), start.derivatives.begin(), start.derivatives.end());
    if (static_cast<int>(values.size()) > system_.order + 1 && !spoilt_) {
      problems_.add(start.derivatives.back().at(), where + ": derivatives",
                    fmt::format("has {} derivatives in a system of order {}",
                                start.derivatives.size(), system_.order),
                    "leave out those that no equation contains");
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!values[i]) continue;
      const std::string field = fmt::format("{}: {}", where, i == 0 ? "at" : "derivatives");
      const auto value = substitute(*values[i], bindings, c_.symbols_, field, problems_);
      const auto number = value ? c_.number_of(*value, field) : std::nullopt;
      if (number && static_cast<int>(i) <= system_.order)
        system_.given[system_.jet(static_cast<int>(i), it->second)] = *number;
    }
  }

  /// value - value(start) = 0
  void close_invariants() {
    for (const std::size_t i : invariants_) {
      NodeId& node = system_.equations[i].node;
      const Place& place = equation_places_[i];
      std::vector<std::string> missing;
      for (const Index jet : system_.reads(node))
        if (jet >= system_.given.size() || std::isnan(system_.given[jet]))
          missing.push_back(system_.name_of(jet));
      if (!missing.empty()) {
        problems_.add(place.at, place.where,
                      fmt::format("reads {}, whose start is not given", list_of_names(missing)),
                      "give it in [start], with derivatives = [...] where it is a derivative");
        continue;
      }
      const double value = system_.value(node, system_.given);
      if (!std::isfinite(value)) {
        problems_.add(place.at, place.where, fmt::format("is {} at the start", value),
                      "check divisions by zero, roots and logarithms there");
        continue;
      }
      node = system_.graph.make(formula::Op::sub, node, system_.graph.constant(value));
    }
  }

  void check_equations() {
    if (spoilt_ || c_.symbols_.incomplete) return;  // what is missed may be what was reported
    std::vector<bool> appears(system_.unknowns.size(), false);
    for (std::size_t i = 0; i < system_.equations.size(); ++i) {
      const std::vector<Index> jets = system_.reads(system_.equations[i].node);
      for (const Index jet : jets)
        if (jet > 0) appears[static_cast<std::size_t>((jet - 1) % system_.n())] = true;
      if (jets.empty() || jets.back() == 0)
        problems_.add(equation_places_[i].at, equation_places_[i].where, "contains no unknown",
                      "an equation relates unknowns and their derivatives");
    }
    std::vector<std::string> absent;
    for (std::size_t j = 0; j < appears.size(); ++j)
      if (!appears[j]) absent.push_back(system_.unknowns[j]);
    if (!absent.empty())
      problems_.add(jets_.position, "jets: unknowns",
                    fmt::format("{} appear{} in no equation", list_of_names(absent),
                                absent.size() == 1 ? "s" : ""),
                    "remove it, or add an [[equation]] that contains it");
  }

  Compiler& c_;
  Problems& problems_;
  const Jets& jets_;
  JetSystem system_;
  std::optional<int> stated_order_;
  std::vector<Place> equation_places_, event_places_, output_places_;
  std::vector<std::size_t> invariants_;  // among the equations
  std::set<Index> started_;              // unknowns that [start] gives
  bool spoilt_ = false;                  // an expression could not be read
};

CompiledModel Compiler::compile_jets() { return JetCompiler{*this, *model_.jets}.compile(); }

}  // namespace taut
