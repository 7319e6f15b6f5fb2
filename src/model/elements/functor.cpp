// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include <fmt/format.h>

#include "model/element.hpp"

namespace taut {
namespace {

void compile(const Functor& functor, ElementContext& context) {
  const auto softness = context.softness(functor.compliance, functor.damping);
  Trace trace = context.trace(time | positions | velocities);
  Functor::Local local;
  std::vector<int> coordinates;
  const std::vector<std::string>& known = context.coordinates();
  for (const std::string& name : functor.coordinates) {
    const auto it = std::find(known.begin(), known.end(), name);
    if (it == known.end()) {
      context.refuse(context.at(), {}, fmt::format("there is no coordinate '{}'", name),
                     fmt::format("did you mean '{}'?", nearest_name(name, known)));
      return;
    }
    coordinates.push_back(static_cast<int>(it - known.begin()));
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
      context.add_row(trace, value, *softness, context.label());
      break;
    case Role::rolling:
      context.add_velocity_row(trace, value, context.label());
      break;
    case Role::force:
      trace.force(coordinates[static_cast<std::size_t>(functor.target)], value);
      break;
    case Role::observable:
      context.add_observable(trace, value, {});
      break;
    default:
      trace.root(functor.role, value);
      break;
  }
  trace.finish(context.label());
}

/// It counts as what it stands for.
std::string kind(const Functor& functor) {
  switch (functor.role) {
    case Role::kinetic:
      return "kinetic";
    case Role::potential:
      return "potential";
    case Role::force:
      return "force";
    case Role::constraint:
      return "constraint";
    case Role::observable:
      return "invariant";
    case Role::rolling:
      return "rolling";
    case Role::inertia:
      break;
  }
  return "functor";
}

}  // namespace

template <>
const ElementDescriptor& describe<Functor>() {
  static const ElementDescriptor descriptor = make_descriptor<Functor>({
      .key = {},  // it is stated in C++ only
      .meaning = {},
      .fields = {},
      .compile = compile,
      .kind = kind,
  });
  return descriptor;
}

}  // namespace taut
