// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "model/element.hpp"
#include "model/elements/contact_law.hpp"

namespace taut {
namespace {

/// The function of the coordinates that is stopped: an expression, or the coordinate of a joint.
std::optional<Sym> stopped(const Value& on, ElementContext& context, Trace& trace) {
  if (on.is_number()) return trace.expression(on);
  const auto& joints = context.symbols().joints;
  const auto it = joints.find(on.text());
  if (it == joints.end()) return trace.expression(on);
  const Symbols::JointEntry& joint = it->second;
  if (joint.tilts) return trace.symbol(trace.scope().tilt(joint, trace.graph()));
  if (joint.turns != joint.slides && joint.second.empty())
    return trace.symbol(joint.turns ? trace.scope().angle(joint, trace.graph())
                                    : trace.scope().travel(joint, trace.graph()));
  context.refuse(on.at(), "on",
                 fmt::format("joint '{}' has {}", on.text(),
                             joint.turns ? "several coordinates" : "no coordinate"),
                 !joint.turns   ? "name a joint that turns or slides"
                 : joint.slides ? fmt::format("write angle({0}) or travel({0})", on.text())
                                : fmt::format("write angle({0}) or second_angle({0})", on.text()));
  return {};
}

/// The fields of one side, whose mistakes are reported under its name.
std::optional<Value> bound_of(const std::optional<Value>& given, const char* field,
                              ElementContext& context) {
  if (!given) return {};
  const auto text = context.expression(*given, field);
  if (!text) return {};
  Trace probe = context.trace(time, field);
  return probe.expression(*text) ? text : std::nullopt;
}

void compile(const Stop& stop, ElementContext& context) {
  const auto on = context.expression(stop.on, "on");
  const auto k = elements::positive(context, stop.stiffness, "stiffness");
  const auto n = elements::exponent_of(context, stop.exponent);
  const auto c = elements::positive(context, stop.damping, "damping", true);
  const auto d = elements::positive(context, stop.dashpot, "dashpot", true);
  const auto lower = bound_of(stop.lower, "lower", context);
  const auto upper = bound_of(stop.upper, "upper", context);
  if (!stop.lower && !stop.upper)
    context.refuse(context.at(), {}, "has no bound", "give lower, upper or both");
  if (!on) return;
  Trace shown = context.trace(time | positions, "on");
  const auto s = stopped(*on, context, shown);
  if (!s) return;
  if (!shown.graph().depends_on(s->node(shown.graph()), Slot::q)) {
    context.refuse(on->at(), "on", "contains no coordinate",
                   "name a coordinate or a joint, or write an expression of coordinates");
    return;
  }
  if (!k || !n || !c || !d || (stop.lower && !lower) || (stop.upper && !upper)) return;
  if (lower && upper) {
    Trace bounds = context.trace(time);
    const auto a = bounds.expression(*lower), b = bounds.expression(*upper);
    const auto value = [&](const Sym& x) { return bounds.value_at_start(x.node(bounds.graph())); };
    if (!(value(*a) < value(*b))) {
      context.refuse(lower->at(), "lower", "is not below upper", "give lower < upper");
      return;
    }
  }

  const elements::ContactLaw law{.stiffness = *k, .exponent = *n, .damping = *c, .dashpot = *d};
  Sym force{0.0}, depth{0.0};
  for (const bool is_lower : {true, false}) {
    const auto& bound = is_lower ? lower : upper;
    if (!bound) continue;
    const auto beyond = [&](Trace& trace, const Sym& at) {
      const Sym b = *trace.expression(*bound);
      return is_lower ? b - at : at - b;
    };
    Trace trace = context.trace(time | positions, "on");
    elements::add_contact(trace, law, beyond(trace, *stopped(*on, context, trace)));
    trace.finish(stop.lower && stop.upper
                     ? fmt::format("{} ({})", context.label(), is_lower ? "lower" : "upper")
                     : context.label());
    const Sym u = beyond(shown, *s);
    const Sym N = law.normal(u, elements::rate_along(shown, u), shown);
    force = is_lower ? force + N : force - N;
    depth = max(depth, u);
  }
  if (!context.shows_quantities()) return;
  context.add_quantities(shown, {{"force", force},
                                 {"penetration", depth},
                                 {"power", force * elements::rate_along(shown, *s)}});
}

}  // namespace

template <>
const ElementDescriptor& describe<Stop>() {
  static const ElementDescriptor descriptor = make_descriptor<Stop>({
      .key = "stop",
      .meaning = "a stop that gives way, on a coordinate, a joint or an expression: the force "
                 "stiffness u^exponent (1 + damping u') + dashpot u' where it is passed by u",
      .fields = {{.name = "on",
                  .holds = &Stop::on,
                  .meaning = "what is stopped: a coordinate, an output, a joint (its angle or its "
                             "travel), or an expression of coordinates and t",
                  .required = true},
                 {.name = "lower",
                  .holds = &Stop::lower,
                  .meaning = "lowest value, a number or an expression of t",
                  .absent = "none"},
                 {.name = "upper", .holds = &Stop::upper, .meaning = "highest", .absent = "none"},
                 {.name = "stiffness",
                  .holds = &Stop::stiffness,
                  .meaning = "stiffness",
                  .unit = "N/m^exponent",
                  .required = true},
                 {.name = "exponent",
                  .holds = &Stop::exponent,
                  .meaning = "1 is linear, 1.5 that of a sphere on a plane"},
                 {.name = "damping",
                  .holds = &Stop::damping,
                  .meaning = "of Hunt and Crossley: part of the force per rate",
                  .unit = "s/m"},
                 {.name = "dashpot",
                  .holds = &Stop::dashpot,
                  .meaning = "linear damping while it touches",
                  .unit = "N s/m"}},
      .compile = compile,
  });
  return descriptor;
}

}  // namespace taut
