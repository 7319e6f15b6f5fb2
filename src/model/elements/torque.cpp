// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include <fmt/format.h>

#include "model/element.hpp"
#include "model/elements/frame.hpp"
#include "model/elements/quantities.hpp"

namespace taut {
namespace {

// A torque τ does the work τ . δφ where its body turns by δφ, and -τ . δφ' on the body it is
// against: Trace::torque() says what that is on the coordinates.
void compile(const Torque& torque, ElementContext& context) {
  const auto on = elements::body_called(torque.on, "on", context);
  std::optional<Symbols::BodyEntry> against;
  if (torque.against) against = elements::body_called(*torque.against, "against", context);
  if (torque.against && torque.against->text == torque.on.text)
    context.refuse(torque.against->at, "against", "is the same body", "name another, or none");
  const auto components_in = [&](Trace& trace) {
    std::vector<Sym> values;
    for (const Value& component : torque.value) {
      const auto text = context.expression(component, "value");
      if (const auto value = text ? trace.expression(*text) : std::nullopt)
        values.push_back(*value);
    }
    return values;
  };
  Trace trace = context.trace(everything, "value");
  const std::vector<Sym> values = components_in(trace);
  if (!on || (torque.against && !against)) return;
  const auto frame = elements::frame_of(torque.frame, on, on->dimension(), context);
  const std::size_t components = on->planar() ? 1 : 3;
  if (torque.value.size() != components) {
    context.refuse(context.at(), "value",
                   fmt::format("has {} components where '{}' has {}", torque.value.size(),
                               torque.on.text, components),
                   "give one for a body in the plane, three for one in space");
    return;
  }
  if (against && against->planar() != on->planar()) {
    context.refuse(torque.against->at, "against", "one moves in the plane, the other in space",
                   "name a body of the same kind");
    return;
  }
  if (!frame || values.size() != components) return;
  const auto in_world = frame->to_world(values, trace);
  trace.torque(*on, in_world);
  if (against) {
    std::vector<Sym> opposite;
    for (const Sym& component : in_world) opposite.push_back(-component);
    trace.torque(*against, opposite);
  }
  trace.finish(context.label());

  if (!elements::is_called("torque", context) || !context.shows_quantities()) return;
  Trace shown = context.trace(everything, "value");
  std::vector<Sym> rates = elements::angular_velocity(shown, *on);
  if (against) {
    const std::vector<Sym> other = elements::angular_velocity(shown, *against);
    for (std::size_t i = 0; i < rates.size(); ++i) rates[i] -= other[i];
  }
  elements::show_applied(context, shown, "t", frame->to_world(components_in(shown), shown), rates);
}

}  // namespace

template <>
const ElementDescriptor& describe<Torque>() {
  static const ElementDescriptor descriptor = make_descriptor<Torque>({
      .key = "torque",
      .meaning = "torque on a body",
      .fields =
          {{.name = "on", .holds = &Torque::on, .meaning = "the body it acts on", .required = true},
           {.name = "value",
            .holds = &Torque::value,
            .meaning = "torque",
            .unit = "N m",
            .detail = ": three components; one in the plane",
            .required = true,
            .type = model_file::Type::number_or_vector},
           {.name = "frame",
            .holds = &Torque::frame,
            .meaning = "in whose axes: \"world\", \"body\" (its own), or the name of a body"},
           {.name = "against",
            .holds = &Torque::against,
            .meaning = "the body that has the opposite torque",
            .absent = "the ground"}},
      .compile = compile,
  });
  return descriptor;
}

}  // namespace taut
