// SPDX-License-Identifier: BSD-3-Clause
// Elements a user states as formulas: potentials, forces, constraints, kinetic energies,
// invariants, events, C++ functors.
#include <algorithm>

#include <fmt/format.h>

#include "model/trace.hpp"
#include "taut/formula/program.hpp"

namespace taut {

using formula::Role;
using formula::Slot;
using formula::Sym;

void Compiler::add_expression(Role role, const Value& value, unsigned allow, const Copy& copy,
                              const std::string& field) {
  const std::string where = copy.label + ": " + field;
  const auto text = substitute(value, copy.bindings, symbols_, where, problems_);
  if (!text) return;
  Trace trace{*this, allow, where};
  const auto root = trace.expression(*text);
  if (!root) return;
  trace.root(role, *root);
  trace.finish(copy.label);
}

void Compiler::compile(const Potential& potential, const Copy& copy) {
  add_expression(Role::potential, potential.energy, time | positions, copy, "energy");
}

void Compiler::compile(const Kinetic& kinetic, const Copy& copy) {
  const std::string where = copy.label + ": energy";
  const auto text = substitute(kinetic.energy, copy.bindings, symbols_, where, problems_);
  if (!text) return;
  Trace trace{*this, time | positions | velocities, where};
  const auto T = trace.expression(*text);
  if (!T) return;
  trace.root(Role::kinetic, *T);
  // M = T_vv must not depend on v
  const formula::Program mass = formula::derive(trace.formula(), need(Target::mass));
  const bool is_quadratic = std::none_of(mass.inputs.begin(), mass.inputs.end(),
                                         [](const auto& input) { return input.slot == Slot::v; });
  if (!is_quadratic)
    problems_.add(text->at(), where, "is not quadratic in the velocities",
                  "write it as a sum of products of two velocities, such as m/2*v(q)^2");
  else if (mass.outputs.empty())
    problems_.add(text->at(), where, "contains no square of a velocity",
                  "a kinetic energy reads like m/2*v(q)^2; use [[potential]] for other energies");
  else
    trace.finish(copy.label);
}

void Compiler::compile(const Force& force, const Copy& copy) {
  const std::string where = copy.label + ": value";
  const auto on = substitute_name(force.on.text, force.on.at, copy.bindings, symbols_,
                                  copy.label + ": on", problems_);
  if (!on) return;
  int first = -1;
  std::size_t components = 1;
  const auto marker = symbols_.markers.find(*on);
  const bool is_marker = marker != symbols_.markers.end();
  if (is_marker) {
    components = 3;
  } else if (const auto point = symbols_.points.find(*on); point != symbols_.points.end()) {
    first = point->second.first;
    components = static_cast<std::size_t>(point->second.dimension);
  } else {
    first = symbols_.coordinate(*on);
  }
  const bool is_known = is_marker || first >= 0;
  if (!is_known && !symbols_.incomplete) {
    const std::string near = nearest_name(*on, symbols_.names());
    problems_.add(
        force.on.at, copy.label + ": on", fmt::format("there is no '{}'", *on),
        near.empty() ? "name a point or a coordinate" : fmt::format("did you mean '{}'?", near));
  }
  const bool fits = force.value.size() == components;
  if (is_known && !fits)
    problems_.add(
        copy.at, where,
        fmt::format("has {} components where '{}' has {}", force.value.size(), *on, components),
        "give one expression for a coordinate, one for each direction of a point");
  Trace trace{*this, time | positions | velocities, where};
  std::vector<Sym> values;
  for (const Value& component : force.value) {
    const auto text = substitute(component, copy.bindings, symbols_, where, problems_);
    if (const auto value = text ? trace.expression(*text) : std::nullopt) values.push_back(*value);
  }
  if (!is_known || !fits || values.size() != components) return;
  if (is_marker)
    trace.force({.marker = &marker->second}, values);
  else
    for (std::size_t i = 0; i < components; ++i)
      trace.force(first + static_cast<int>(i), values[i]);
  trace.finish(copy.label);
}

void Compiler::compile(const Constraint& constraint, const Copy& copy) {
  const std::string where = copy.label + ": zero";
  const auto softness = softness_of(constraint.compliance, constraint.damping, copy);
  const auto text = substitute(constraint.zero, copy.bindings, symbols_, where, problems_);
  if (!text) return;
  Trace trace{*this, time | positions, where};
  const auto g = trace.expression(*text);
  if (!g || !softness) return;
  if (!trace.graph().depends_on(g->node(trace.graph()), Slot::q)) {
    problems_.add(text->at(), where, "depends on no coordinate",
                  "a constraint must contain a position");
    return;
  }
  add_row(trace, *g, *softness, copy.label);
  trace.finish(copy.label);
}

void Compiler::add_observable(const Value& value, Observable observable, const Copy& copy,
                              const std::string& field) {
  const std::string where = copy.label + ": " + field;
  const auto text = substitute(value, copy.bindings, symbols_, where, problems_);
  if (!text) return;
  Trace trace{*this, time | positions | velocities, where};
  const auto root = trace.expression(*text);
  if (!root) return;
  trace.observable(*root, static_cast<int>(structure_.observables.size()));
  observable.name = copy.label;
  structure_.observables.push_back(std::move(observable));
  trace.finish(copy.label);
}

void Compiler::compile(const Invariant& invariant, const Copy& copy) {
  add_observable(invariant.value, {.kind = Observable::Kind::invariant}, copy, "value");
}

void Compiler::compile(const Equation&, const Copy& copy) {
  problems_.add(copy.at, copy.label, "stands in a model without [jets]",
                "give [jets] with its unknowns, or write it as a [[constraint]]");
}

void Compiler::compile(const Event& event, const Copy& copy) {
  Observable observable{.kind = Observable::Kind::event};
  switch (event.direction) {
    case Event::Direction::any:
      observable.direction = Observable::Direction::any;
      break;
    case Event::Direction::rising:
      observable.direction = Observable::Direction::rising;
      break;
    case Event::Direction::falling:
      observable.direction = Observable::Direction::falling;
      break;
  }
  observable.stops = event.action == Event::Action::stop;
  add_observable(event.zero, std::move(observable), copy, "zero");
}

void Compiler::compile(const Functor& functor, const Copy& copy) {
  const auto softness = softness_of(functor.compliance, functor.damping, copy);
  Trace trace{*this, time | positions | velocities, copy.label};
  Functor::Local local;
  std::vector<int> coordinates;
  for (const std::string& name : functor.coordinates) {
    const auto it = std::find(structure_.coordinates.begin(), structure_.coordinates.end(), name);
    if (it == structure_.coordinates.end()) {
      problems_.add(copy.at, copy.label, fmt::format("there is no coordinate '{}'", name),
                    fmt::format("did you mean '{}'?", nearest_name(name, structure_.coordinates)));
      return;
    }
    coordinates.push_back(static_cast<int>(it - structure_.coordinates.begin()));
    local.q.push_back(trace.coordinate(coordinates.back(), Slot::q));
    local.v.push_back(trace.coordinate(coordinates.back(), Slot::v));
  }
  local.t = Sym{trace.graph(), trace.graph().input({Slot::t, 0})};
  local.theta = Sym{trace.graph(), trace.graph().input({Slot::theta, 0})};
  for (const double value : functor.parameters) local.parameters.push_back(trace.parameter(value));
  if (!softness) return;
  const Sym value = functor.trace(local);
  switch (functor.role) {
    case Role::constraint:
      add_row(trace, value, *softness, copy.label);
      break;
    case Role::force:
      trace.force(coordinates[static_cast<std::size_t>(functor.target)], value);
      break;
    case Role::observable:
      trace.observable(value, static_cast<int>(structure_.observables.size()));
      structure_.observables.push_back({.name = copy.label});
      break;
    default:
      trace.root(functor.role, value);
      break;
  }
  trace.finish(copy.label);
}

}  // namespace taut
