// SPDX-License-Identifier: BSD-3-Clause
// Elements of a model, in the order in which they need each other. What each of them does stands in
// elements/.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "model/element.hpp"
#include "model/elements/point_mass.hpp"

namespace taut {

void Compiler::compile_box() {
  if (!model_.box) return;
  const auto size = numbers_of(model_.box->size, "box: size", {});
  if (!size) return;
  const auto shortest = std::min_element(size->begin(), size->end());
  if (shortest != size->end() && !(*shortest > 0.0))
    problems_.add(model_.box->position, "box: size", fmt::format("{} is not > 0", *shortest),
                  "give the lengths of its edges");
  else
    box_ = plain(*size);
}

void Compiler::declare_elements() {
  for (const Owns owned : {Owns::bodies, Owns::chains, Owns::molecules}) {
    std::map<std::string_view, int> number_of_kind;
    for (const Element& element : model_.elements) {
      const ElementDescriptor& descriptor = descriptor_of(element);
      if (descriptor.owns != owned) continue;
      const std::string kind{descriptor.key};
      for_each_copy(descriptor.may_repeat ? element.repeat : Repeat{}, symbols_, kind, problems_,
                    [&](const Bindings& bindings) {
                      ElementContext context{
                          *this, fmt::format("{} {}", kind, ++number_of_kind[descriptor.key]),
                          element.position, bindings};
                      descriptor.declare(element, context);
                    });
    }
  }
  // coordinates of what is known by its own name; mistakes of names are reported by those that
  // relate
  std::map<std::string, int> number_of_kind;
  for (const Element& element : model_.elements) {
    const ElementDescriptor& descriptor = descriptor_of(element);
    if (!descriptor.declare || descriptor.owns != Owns::nothing) continue;
    Problems ignored;
    const std::string kind = kind_of(element);
    for_each_copy(element.repeat, symbols_, kind, ignored, [&](const Bindings& bindings) {
      const std::string counted = fmt::format("{} {}", kind, ++number_of_kind[kind]);
      const auto name = element.name.empty()
                            ? counted
                            : substitute_name(element.name, element.position, bindings, symbols_,
                                              counted, ignored);
      if (!name) return;
      ElementContext context{*this, *name, element.position, bindings};
      descriptor.declare(element, context);
    });
  }
}

void Compiler::relate_elements() {
  std::map<std::string, int> number_of_kind;
  for (const Element& element : model_.elements) {
    const ElementDescriptor& descriptor = descriptor_of(element);
    if (!descriptor.relate) continue;
    const std::string kind = kind_of(element);
    bool expanded = element.repeat.ranges.empty();
    for_each_copy(element.repeat, symbols_, kind, problems_, [&](const Bindings& bindings) {
      const std::string counted = fmt::format("{} {}", kind, ++number_of_kind[kind]);
      const auto name = element.name.empty()
                            ? counted
                            : substitute_name(element.name, element.position, bindings, symbols_,
                                              counted, problems_);
      expanded = name.has_value();
      if (!name) return;
      ElementContext context{*this, *name, element.position, bindings};
      descriptor.relate(element, context);
      if (!symbols_.joints.contains(*name)) symbols_.joints_with_mistakes.insert(*name);
    });
    if (!expanded) not_expanded_.insert(&element);  // which is reported
  }
}

void Compiler::compile_masses() {
  weight_mass_.assign(q_.size(), 0.0);
  const auto add = [&](int first, int dimension, const std::string& label) {
    const Number m = mass_[static_cast<std::size_t>(first)];
    if (m == 0.0) return;
    Trace trace{*this, velocities, label};
    std::vector<Sym> v;
    for (int i = 0; i < dimension; ++i) v.push_back(trace.coordinate(first + i, Slot::v));
    trace.root(Role::kinetic, elements::point_mass(Points{v}, trace.parameter(m)));
    trace.finish(label);
  };
  // in the order of q, so that equal models give equal batches
  std::vector<std::pair<int, int>> owners;  // first coordinate, dimension
  for (const auto& [name, point] : symbols_.points) {
    owners.emplace_back(point.first, point.dimension);
    for (int i = 0; i < point.dimension; ++i)
      weight_mass_[static_cast<std::size_t>(point.first + i)] =
          mass_[static_cast<std::size_t>(point.first)];
  }
  for (const auto& [name, index] : symbols_.coordinates) owners.emplace_back(index, 1);
  for (const auto& [name, body] : symbols_.bodies)
    for (const int column : body.column)
      if (column >= 0) owners.emplace_back(column, 3);
  for (const auto& [name, body] : symbols_.bodies)
    if (body.planar()) owners.emplace_back(body.angle, 1);
  std::sort(owners.begin(), owners.end());
  for (const auto& [first, dimension] : owners)
    add(first, dimension, "mass of " + structure_.coordinates[static_cast<std::size_t>(first)]);
}

// z' = h as the motion of a mass of 1 under the force h.
void Compiler::compile_rates() {
  for (const FirstOrderState& state : model_.states) {
    const std::string where = fmt::format("state {}: rate", state.name);
    for_each_copy(state.repeat, symbols_, where, problems_, [&](const Bindings& bindings) {
      const auto name =
          substitute_name(state.name, state.position, bindings, symbols_, where, problems_);
      const auto text = substitute(state.rate, bindings, symbols_, where, problems_);
      if (!name || !text) return;
      const auto it = symbols_.states.find(*name);
      if (it == symbols_.states.end()) return;
      Trace trace{*this, everything, where};
      trace.inertia(it->second, 1.0);
      const auto rate = trace.expression(*text);
      if (!rate) return;
      trace.force(it->second, *rate);
      trace.finish("state " + *name);
    });
  }
}

void Compiler::compile_elements() {
  for (const bool last : {false, true})
    for (const Element& element : model_.elements)
      if (descriptor_of(element).comes_last == last) compile_element(element);
  const Bindings none;
  for (const ElementDescriptor* descriptor : element_descriptors()) {
    if (!descriptor->finish) continue;
    ElementContext context{*this, std::string{descriptor->key}, {}, none};
    descriptor->finish(context);
  }
}

void Compiler::compile_element(const Element& element) {
  if (not_expanded_.contains(&element)) return;
  const std::string kind = kind_of(element);
  const std::string table = element.name.empty() ? kind : element.name;
  for_each_copy(element.repeat, symbols_, table, problems_, [&](const Bindings& bindings) {
    ElementContext context{*this, label_of(element, kind, bindings), element.position, bindings};
    descriptor_of(element).compile(element, context);
  });
}

std::string Compiler::label_of(const Element& element, const std::string& kind,
                               const Bindings& bindings) {
  const std::string label = fmt::format("{} {}", kind, ++count_of_kind_[kind]);
  // of a chain, it is the name of its points
  if (element.name.empty() || descriptor_of(element).owns != Owns::nothing) return label;
  const auto name =
      substitute_name(element.name, element.position, bindings, symbols_, label, problems_);
  if (!name) return label;
  // the reader has compared the names of tables that are not repeated
  const bool is_compared = bindings.empty() && element.position.line > 0;
  if (!element_names_.insert(*name).second && !is_compared)
    problems_.add(element.position, *name, "another element has this name",
                  "give every element its own name");
  return *name;
}

std::vector<PairField> Compiler::finish_pairs() {
  std::vector<PairField> fields;
  charge_.resize(q_.size(), 0.0);
  std::array<double, 3> edge{};
  std::copy(box_.begin(), box_.end(), edge.begin());
  if (!pairs_.finish(structure_.coordinates, charge_, edge, fields))
    problems_.add(
        {}, "pair",
        fmt::format("laws of pairs make more than {} kinds of points", PairBuilder::most_kinds),
        "name groups with *, and give equal points equal laws");
  for (PairField& field : contact_fields_) fields.push_back(std::move(field));
  return fields;
}

}  // namespace taut
