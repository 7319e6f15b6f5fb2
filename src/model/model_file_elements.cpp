// SPDX-License-Identifier: BSD-3-Clause
#include "model/model_file_elements.hpp"

#include <cassert>
#include <utility>

namespace taut::model_file {
namespace {

std::array<Name, 2> pair(const Fields& fields) {
  const auto names = fields.names("between");
  assert(names.size() == 2);
  return {names[0], names[1]};
}

/// A required number: the fields are complete, so it is there.
Value required(const Fields& fields, std::string_view key) {
  auto value = fields.number(key);
  assert(value);
  return *std::move(value);
}

decltype(Element::what) rod(const Fields& fields) {
  return Rod{.between = pair(fields),
             .length = fields.number("length"),
             .compliance = fields.number("compliance", 0.0),
             .damping = fields.number("damping", 0.0),
             .mass = fields.number("mass")};
}

decltype(Element::what) spring(const Fields& fields) {
  return Spring{.between = pair(fields),
                .stiffness = required(fields, "stiffness"),
                .length = fields.number("length")};
}

decltype(Element::what) damper(const Fields& fields) {
  return Damper{.between = pair(fields), .damping = required(fields, "damping")};
}

decltype(Element::what) gravity(const Fields& fields) {
  return Gravity{.acceleration = fields.numbers("acceleration"), .on = fields.names("on")};
}

decltype(Element::what) chain(const Fields& fields) {
  Chain chain;
  if (const auto name = fields.name("name")) chain.prefix = name->text;
  if (const auto from = fields.name("from")) chain.from = *from;
  chain.links = required(fields, "links");
  chain.length = fields.number("length", 1.0);
  chain.mass = fields.number("mass", 1.0);
  chain.direction = fields.numbers("direction");
  chain.compliance = fields.number("compliance", 0.0);
  chain.damping = fields.number("damping", 0.0);
  return chain;
}

decltype(Element::what) potential(const Fields& fields) {
  return Potential{required(fields, "energy")};
}

decltype(Element::what) force(const Fields& fields) {
  return Force{.on = fields.name("on").value_or(Name{}), .value = fields.numbers("value")};
}

decltype(Element::what) constraint(const Fields& fields) {
  return Constraint{.zero = required(fields, "zero"),
                    .compliance = fields.number("compliance", 0.0),
                    .damping = fields.number("damping", 0.0)};
}

decltype(Element::what) kinetic(const Fields& fields) {
  return Kinetic{required(fields, "energy")};
}

decltype(Element::what) invariant(const Fields& fields) {
  return Invariant{required(fields, "value")};
}

decltype(Element::what) equation(const Fields& fields) {
  return Equation{required(fields, "zero")};
}

decltype(Element::what) event(const Fields& fields) {
  const std::string direction = fields.text("direction");
  const std::string action = fields.text("action");
  return Event{.zero = required(fields, "zero"),
               .direction = direction == "rising"    ? Event::Direction::rising
                            : direction == "falling" ? Event::Direction::falling
                                                     : Event::Direction::any,
               .action = action == "stop" ? Event::Action::stop : Event::Action::record};
}

using Make = decltype(Element::what) (*)(const Fields&);

constexpr std::pair<std::string_view, Make> makers[] = {
    {"rod", rod},           {"spring", spring},
    {"damper", damper},     {"gravity", gravity},
    {"chain", chain},       {"potential", potential},
    {"force", force},       {"constraint", constraint},
    {"kinetic", kinetic},   {"invariant", invariant},
    {"event", event},       {"body", body},
    {"joint", joint},       {"pair", pair_law},
    {"water", water},       {"bond", bond},
    {"angle", angle},       {"dihedral", dihedral},
    {"equation", equation},
};

}  // namespace

Element make_element(const Section& section, const Fields& fields) {
  assert(fields.complete());
  Element element;
  for (const auto& [kind, make] : makers) {
    if (kind == section.name) element.what = make(fields);
  }
  element.name = fields.text("name");
  element.repeat = fields.repeat();
  return element;
}

}  // namespace taut::model_file
