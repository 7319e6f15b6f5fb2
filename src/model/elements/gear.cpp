// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "model/element.hpp"
#include "model/elements/joint_coordinate.hpp"
#include "model/elements/space.hpp"

namespace taut {
namespace elements {

// Gears, racks and belts: with s the coordinate of a joint, measured from its start, and a ratio n,
//
//   g = s_1 - n s_2 = 0                                                                      (1)
//
// The torque, or the force, is -λ on the first coordinate and n λ on the second. What is rigid and
// has few teeth needs no memory of the turns of joints in space: for n = p/k in lowest terms it is
// 1/k of what Turned::zero() makes of
//
//   x = k s_1 - p s_2:    cos x + i sin x = (cos s_1 + i sin s_1)^k (cos s_2 - i sin s_2)^p   (2)
//
// and for a rack, whose travel y is that of a slider, -n of what it makes of s_2 - y/n (3)
//
// which have the values and first derivatives of (1) where they are 0.

[[nodiscard]] inline Turned power(Turned base, int exponent) {
  Turned result;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = result * base;
    base = base * base;
  }
  return result;
}

}  // namespace elements

namespace {

using elements::Turned;
using elements::turned;

/// p/k in lowest terms.
struct Fraction {
  int p = 0, k = 1;
};

// with more a step could skip one of them unnoticed
constexpr int most_teeth = 10;

/// Nothing where it has more teeth, or none.
std::optional<Fraction> fraction(double x) {
  constexpr double rounding = 1e-12;
  for (int k = 1; k <= most_teeth; ++k) {
    const double p = std::round(x * k);
    if (std::abs(p) > most_teeth) return {};
    if (p != 0.0 && std::abs(x * k - p) <= rounding * std::abs(p))
      return Fraction{static_cast<int>(p), k};
  }
  return {};
}

const Symbols::JointEntry* joint_called(const Name& name, ElementContext& context) {
  const auto text = context.name(name, "between");
  if (!text) return nullptr;
  const auto& joints = context.symbols().joints;
  const auto it = joints.find(*text);
  if (it == joints.end()) {
    if (context.incomplete() || context.symbols().joints_with_mistakes.contains(*text))
      return nullptr;
    std::vector<std::string> candidates;
    for (const auto& [known, joint] : joints)
      if (joint.turns != joint.slides && !joint.is_second) candidates.push_back(known);
    std::sort(candidates.begin(), candidates.end());
    const std::string near = nearest_name(*text, candidates);
    context.refuse(name.at, "between", fmt::format("there is no joint '{}'", *text),
                   near.empty() ? "name two joints" : fmt::format("did you mean '{}'?", near));
    return nullptr;
  }
  if (it->second.turns == it->second.slides || !it->second.second.empty()) {
    context.refuse(name.at, "between", fmt::format("joint '{}' has no single coordinate", *text),
                   "gears join hinges and sliders");
    return nullptr;
  }
  return &it->second;
}

/// The coordinate; its value at the start is taken from it later.
Sym moved(const Symbols::JointEntry& joint, Trace& trace) {
  return elements::JointCoordinate{joint, joint.turns}.value(trace);
}

void compile(const Gear& gear, ElementContext& context) {
  const auto softness = context.softness(gear.compliance, gear.damping);
  const auto ratio = context.number(gear.ratio, "ratio");
  const Symbols::JointEntry* const first = joint_called(gear.between[0], context);
  const Symbols::JointEntry* const second = joint_called(gear.between[1], context);
  if (ratio && *ratio == 0.0)
    context.refuse(gear.ratio.at(), "ratio", "is 0", "give the ratio of the two motions");
  if (gear.between[0].text == gear.between[1].text) {
    context.refuse(gear.between[1].at, "between", "names one joint twice", "name two joints");
    return;
  }
  if (!softness || !ratio || *ratio == 0.0 || first == nullptr || second == nullptr) return;

  const auto in_space = [](const Symbols::JointEntry& joint) {
    return joint.turns && joint.dimension == 3;
  };
  Trace trace = context.trace(positions);
  const auto add = [&](const Sym& g, const Number& scale) {
    context.add_row(trace, g, *softness, context.label(), scale);
    trace.finish(context.label());
  };
  const Number size =
      first->turns ? Number{elements::scale_of_axes} : first->side[0].size + first->side[1].size;
  const bool both = in_space(*first) && in_space(*second),
             any = in_space(*first) || in_space(*second);
  const auto teeth = both ? fraction(*ratio) : std::nullopt;
  if (!any || !softness->rigid() || (both && !teeth)) {
    const Sym g = moved(*first, trace) - trace.parameter(*ratio) * moved(*second, trace);
    const Number start = trace.value_at_start(g.node(trace.graph()));
    add(g - trace.parameter(start), size);  // (1)
    return;
  }
  if (both) {
    Turned other = turned(*second, trace);
    if (teeth->p > 0) other = other.back();
    const Turned product = elements::power(turned(*first, trace), teeth->k) *
                           elements::power(other, std::abs(teeth->p));
    add(product.zero() / static_cast<double>(teeth->k), size);  // (2)
    return;
  }
  // a hinge in space with a slider, or with a joint in the plane
  const bool first_turns = in_space(*first);
  const Symbols::JointEntry& hinge = first_turns ? *first : *second;
  const Symbols::JointEntry& other = first_turns ? *second : *first;
  const Sym n = trace.parameter(*ratio);
  const Sym apart = moved(other, trace);
  const Number start = trace.value_at_start(apart.node(trace.graph()));
  const Sym along = apart - trace.parameter(start);
  const Sym angle = first_turns ? along * n : along / n;
  const Sym g = (turned(hinge, trace) * turned(angle).back()).zero();
  add(first_turns ? g : -(n * g), size);  // (3)
}

}  // namespace

template <>
const ElementDescriptor& describe<Gear>() {
  static const ElementDescriptor descriptor = make_descriptor<Gear>({
      .key = "gear",
      .meaning = "relation between the coordinates of two joints: gears, racks, belts",
      .fields = {{.name = "between",
                  .holds = &Gear::between,
                  .meaning = "two hinges or sliders, by their names",
                  .required = true},
                 {.name = "ratio",
                  .holds = &Gear::ratio,
                  .meaning = "what the first moves while the second moves by one",
                  .unit = "1, m, m/rad, rad/m, 1/m",
                  .detail = ": negative for gears that mesh outside; of a rack the radius, of a "
                            "ball screw what it travels per radian",
                  .required = true},
                 {.name = "compliance",
                  .holds = &Gear::compliance,
                  .meaning = "of its row",
                  .unit = "1/(N m), m/N",
                  .effect = ": rigid"},
                 {.name = "damping",
                  .holds = &Gear::damping,
                  .meaning = "of its row, where that has a compliance",
                  .unit = "N m s, N s/m",
                  .effect = ": none"}},
      .compile = compile,
  });
  return descriptor;
}

}  // namespace taut
