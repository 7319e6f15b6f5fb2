// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "model/element.hpp"
#include "model/elements/spring.hpp"

namespace taut {
namespace elements {

/// A bond that can break (Morse), with r = |a - b|:
///
///   U = depth (1 - e)²,   e = exp(-sqrt(k / 2 depth) (r - L))                                  (1)
///
/// k is its stiffness at rest and depth the energy that breaks it. A bond that cannot is a spring
/// (elements/spring.hpp). Not differentiable where the ends meet.
template <class S>
[[nodiscard]] S morse_bond(Point<S> a, Point<S> b, const S& k, const S& L, const S& depth) {
  const S stretch = sqrt(squared_distance(a, b)) - L;
  const S lost = 1.0 - exp(-sqrt(k / (2.0 * depth)) * stretch);
  return depth * (lost * lost);
}

}  // namespace elements

namespace {

void compile(const Bond& bond, ElementContext& context) {
  const auto between = context.ends(bond.between);
  const auto k = context.number(bond.stiffness, "stiffness");
  const auto length = context.length(bond.length, between);
  const auto depth = context.number(bond.depth, "depth");
  const auto positive = [&](const std::optional<double>& x, const Value& value, const char* field) {
    if (!x || *x > 0.0) return;
    context.refuse(value.at(), field, fmt::format("{} is not > 0", *x),
                   fmt::format("give a {} > 0", field));
  };
  positive(k, bond.stiffness, "stiffness");
  if (bond.length) positive(length, *bond.length, "length");
  if (bond.depth) positive(depth, *bond.depth, "depth");
  if (!between || !k || !length || (bond.depth && !depth)) return;
  context.join(*between);
  // the load of Morse's law is shown as that of its minimum
  context.show({.name = context.label(),
                .kind = Scene::Line::Kind::spring,
                .stiffness = *k,
                .length = *length,
                .depth = depth.value_or(0.0)},
               *between);
  const std::size_t dimension = dimension_of(*between);
  Trace trace = context.trace(time | positions);
  const auto a = trace.position((*between)[0], dimension);
  const auto b = trace.position((*between)[1], dimension);
  const Sym stiffness = trace.parameter(*k);
  const Sym L = trace.parameter(*length);
  if (depth)
    trace.root(Role::potential,
               elements::morse_bond(Points{a}, Points{b}, stiffness, L, trace.parameter(*depth)));
  else
    trace.root(Role::potential, elements::spring(Points{a}, Points{b}, stiffness, L));
  trace.finish(context.label());
}

}  // namespace

template <>
const ElementDescriptor& describe<Bond>() {
  static const ElementDescriptor descriptor = make_descriptor<Bond>({
      .key = "bond",
      .meaning = "bond with the energy stiffness/2 (distance - length)^2, or Morse's",
      .fields =
          {{.name = "between", .holds = &Bond::between, .meaning = two_ends, .required = true},
           {.name = "stiffness",
            .holds = &Bond::stiffness,
            .meaning = "stiffness at rest",
            .unit = "N/m",
            .required = true},
           {.name = "length",
            .holds = &Bond::length,
            .meaning = "length at rest",
            .unit = "m",
            .absent = "the distance at the start"},
           {.name = "depth",
            .holds = &Bond::depth,
            .meaning = "of Morse's well",
            .unit = "J",
            .detail = ": energy that breaks the bond",
            .absent = "harmonic"}},
      .compile = compile,
      .own_units = true,
  });
  return descriptor;
}

}  // namespace taut
