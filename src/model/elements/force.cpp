// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "model/element.hpp"
#include "model/elements/frame.hpp"
#include "model/elements/quantities.hpp"

namespace taut {
namespace {

void compile(const Force& force, ElementContext& context) {
  const auto on = context.name(force.on, "on");
  if (!on) return;
  const Symbols& symbols = context.symbols();
  int first = -1;
  std::size_t components = 1;
  const auto marker = symbols.markers.find(*on);
  const bool is_marker = marker != symbols.markers.end();
  if (is_marker) {
    components = marker->second.body.dimension();
  } else if (const auto point = symbols.points.find(*on); point != symbols.points.end()) {
    first = point->second.first;
    components = static_cast<std::size_t>(point->second.dimension);
  } else {
    first = symbols.coordinate(*on);
  }
  const bool is_known = is_marker || first >= 0;
  if (!is_known && !context.incomplete()) {
    std::vector<std::string> places = symbols.names();
    std::erase_if(places, [&](const std::string& name) { return symbols.coordinate(name) < 0; });
    for (const auto& [name, point] : symbols.points) places.push_back(name);
    for (const auto& [name, marker_of] : symbols.markers) places.push_back(name);
    std::sort(places.begin(), places.end());
    const std::string near = nearest_name(*on, places);
    context.refuse(force.on.at, "on", fmt::format("there is no '{}'", *on),
                   symbols.joints.contains(*on)
                       ? "it is a joint: torque and force of a motor are keys of it"
                   : near.empty() ? "name a point or a coordinate"
                                  : fmt::format("did you mean '{}'?", near));
  }
  const bool fits = force.value.size() == components;
  if (is_known && !fits)
    context.refuse(
        context.at(), "value",
        fmt::format("has {} components where '{}' has {}", force.value.size(), *on, components),
        "give one expression for a coordinate, one for each direction of a point");
  std::optional<Symbols::BodyEntry> own;
  if (const auto body = symbols.bodies.find(*on); body != symbols.bodies.end()) own = body->second;
  if (is_marker) own = marker->second.body;
  const auto components_in = [&](Trace& trace) {
    std::vector<Sym> values;
    for (const Value& component : force.value) {
      const auto text = context.expression(component, "value");
      if (const auto value = text ? trace.expression(*text) : std::nullopt)
        values.push_back(*value);
    }
    return values;
  };
  Trace trace = context.trace(everything, "value");
  std::vector<Sym> values = components_in(trace);
  const auto frame = elements::frame_of(force.frame, own, components, context);
  if (!is_known || !fits || !frame || values.size() != components) return;
  values = frame->to_world(values, trace);
  if (is_marker)
    trace.force({.marker = &marker->second}, values);
  else
    for (std::size_t i = 0; i < components; ++i)
      trace.force(first + static_cast<int>(i), values[i]);
  trace.finish(context.label());

  if (!elements::is_called("force", context) || !context.shows_quantities()) return;
  Trace shown = context.trace(everything, "value");
  values = frame->to_world(components_in(shown), shown);
  std::vector<Sym> rates;
  if (is_marker) rates = shown.velocity({.marker = &marker->second}, components);
  for (std::size_t i = 0; !is_marker && i < components; ++i)
    rates.push_back(shown.coordinate(first + static_cast<int>(i), Slot::v));
  elements::show_applied(context, shown, components == 1 ? "force" : "f", values, rates);
}

}  // namespace

template <>
const ElementDescriptor& describe<Force>() {
  static const ElementDescriptor descriptor = make_descriptor<Force>({
      .key = "force",
      .meaning = "force on a coordinate, a point or a marker",
      .fields = {{.name = "on",
                  .holds = &Force::on,
                  .meaning = "the coordinate, point or marker it acts on",
                  .required = true},
                 {.name = "value",
                  .holds = &Force::value,
                  .meaning = "force",
                  .unit = "N, N m",
                  .detail = ": one for a coordinate, as many as it has coordinates for a point",
                  .required = true,
                  .type = model_file::Type::number_or_vector},
                 {.name = "frame",
                  .holds = &Force::frame,
                  .meaning = "in whose axes: \"world\", \"body\" (that of the marker), or the name "
                             "of a body"}},
      .compile = compile,
  });
  return descriptor;
}

}  // namespace taut
