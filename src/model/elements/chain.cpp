// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include <fmt/format.h>

#include "model/element.hpp"
#include "model/elements/rod.hpp"

namespace taut {
namespace {

/// Points NAME1, NAME2, ... in one line.
void declare(const Chain& chain, const Element& element, ElementContext& context) {
  const std::optional<double> links = context.number(chain.links, "links");  // a plain number
  const auto length = context.number(chain.length, "length");
  const auto mass = context.number(chain.mass, "mass");
  const auto direction = chain.direction.empty() ? std::optional{std::vector<Number>{1.0, 0.0}}
                                                 : context.numbers(chain.direction, "direction");
  if (!element.repeat.ranges.empty())
    context.refuse(context.at(), {}, "a chain cannot be repeated",
                   "write one table for each chain");
  if (links && (*links < 1.0 || *links != std::floor(*links) || *links > 1e6)) {
    context.refuse(chain.links.at(), "links", fmt::format("{} links", *links),
                   "give a whole number from 1 to 1000000");
    return;
  }
  if (length && !(*length > 0.0)) {
    context.refuse(chain.length.at(), "length", fmt::format("{} is not > 0", length->value()),
                   "give the length of one link");
    return;
  }
  if (mass && !(*mass > 0.0)) {
    context.refuse(chain.mass.at(), "mass", fmt::format("{} is not > 0", mass->value()),
                   "give the mass of each point");
    return;
  }
  if (!links || !length || !mass || !direction) return;
  Number norm = 0.0;
  for (const Number& x : *direction) norm = hypot(norm, x);
  const auto from = context.end(chain.from, "from");
  if (!from) return;
  if (!(norm > 0.0) || direction->size() < 2 || direction->size() > 3 ||
      !from->fits(direction->size())) {
    context.refuse(context.at(), "direction",
                   "is not a direction in the space of the point it hangs on",
                   "give two or three numbers, not all zero");
    return;
  }
  const auto origin = context.position_at_start(*from);
  std::vector<Number> at(direction->size(), 0.0);
  for (std::size_t k = 1; k <= static_cast<std::size_t>(*links); ++k) {
    for (std::size_t i = 0; i < at.size(); ++i)
      at[i] = origin[i] + static_cast<double>(k) * *length * (*direction)[i] / norm;
    const std::string name = fmt::format("{}{}", chain.prefix, k);
    context.declare(name);
    context.add_point({.name = name, .at = at, .mass = *mass});
  }
}

/// The rods `NAME link k` between them.
void compile(const Chain& chain, ElementContext& context) {
  // its points stand already; mistakes in its fields are reported there
  const std::optional<double> links = context.number(chain.links, {});
  const auto length = context.number(chain.length, {});
  const auto softness = context.softness(chain.compliance, chain.damping);
  const auto point = [&](int k) {
    return find_end(context.symbols(), fmt::format("{}{}", chain.prefix, k));
  };
  const auto is_point = [](const std::optional<End>& end) { return end && end->point != nullptr; };
  if (!links || !length || !softness || !is_point(point(1))) return;
  auto previous = context.end(chain.from, "from");
  if (!previous) return;
  for (int k = 1; k <= static_cast<int>(*links); ++k) {
    const auto current = point(k);
    if (!is_point(current)) return;
    elements::add_rod(context, {*previous, *current}, *length, *softness,
                      fmt::format("{} link {}", chain.prefix, k));
    previous = current;
  }
}

}  // namespace

template <>
const ElementDescriptor& describe<Chain>() {
  static const ElementDescriptor descriptor = make_descriptor<Chain>({
      .key = "chain",
      .meaning = "equal links in one line: points NAME1, NAME2, ... joined by rods",
      .fields =
          {{.name = "name", .holds = &Chain::prefix, .meaning = "NAME of its points"},
           {.name = "links",
            .holds = &Chain::links,
            .meaning = "number of links",
            .required = true},
           {.name = "from",
            .holds = &Chain::from,
            .meaning = "point or anchor the first link hangs on"},
           {.name = "length",
            .holds = &Chain::length,
            .meaning = "length of each link",
            .unit = "m"},
           {.name = "mass", .holds = &Chain::mass, .meaning = "mass of each point", .unit = "kg"},
           {.name = "direction",
            .holds = &Chain::direction,
            .meaning = "in which it lies at the start",
            .absent = "[1, 0]"},
           {.name = "compliance",
            .holds = &Chain::compliance,
            .meaning = "compliance of each link",
            .unit = "m/N",
            .effect = ": rigid"},
           {.name = "damping",
            .holds = &Chain::damping,
            .meaning = "damping of each compliant link",
            .unit = "N s/m",
            .effect = ": none"}},
      .compile = compile,
      .declare = declare,
      .owns = Owns::chains,
      .may_repeat = false,
      .others_need_it = true,
  });
  return descriptor;
}

}  // namespace taut
