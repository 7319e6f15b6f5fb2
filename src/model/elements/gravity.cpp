// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include <fmt/format.h>

#include "model/element.hpp"

namespace taut {
namespace elements {

/// Potential energy of a weight, the force m times the acceleration of gravity:  U = -weight . x.
/// A uniform bar weighs with half of its mass on each end.
template <class S>
[[nodiscard]] S gravity(Point<S> x, Point<S> weight) {
  return -dot(weight, x);
}

}  // namespace elements

namespace {

void add_gravity(ElementContext& context, const Symbols::PointEntry& point,
                 const std::vector<Number>& acceleration) {
  const Number m = context.weight_mass(point);
  if (m == 0.0) return;
  Trace trace = context.trace(positions);
  std::vector<Sym> x, weight;
  for (int i = 0; i < point.dimension; ++i) {
    const Number w = m * acceleration[static_cast<std::size_t>(i)];
    if (w == 0.0) continue;
    x.push_back(trace.coordinate(point.first + i, Slot::q));
    weight.push_back(trace.parameter(w));
  }
  if (x.empty()) return;
  trace.root(Role::potential, elements::gravity(Points{x}, Points{weight}));
  trace.finish(context.label());
}

void compile(const Gravity& gravity, ElementContext& context) {
  const auto acceleration = context.numbers(gravity.acceleration, "acceleration");
  std::vector<Symbols::PointEntry> points;
  for (const Name& name : gravity.on) {
    const auto on = context.end(name, "on");
    if (on && on->point == nullptr)
      context.refuse(name.at, "on",
                     fmt::format("'{}' is {}", name.text,
                                 on->anchor != nullptr ? "an anchor" : "a point of a body"),
                     "gravity acts on points and on bodies");
    if (on && on->point != nullptr) points.push_back(*on->point);
  }
  if (gravity.on.empty())
    for (const auto& [name, point] : context.symbols().points) points.push_back(point);
  if (!acceleration) return;
  if (points.empty() && gravity.on.empty())
    context.refuse(context.at(), {}, "there is no point it could act on",
                   "gravity acts on [points] and bodies; for plain coordinates state a "
                   "[[potential]]");
  std::sort(points.begin(), points.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const Symbols::PointEntry& point : points) {
    if (static_cast<std::size_t>(point.dimension) != acceleration->size()) {
      context.refuse(context.at(), "acceleration",
                     fmt::format("has {} components, but {} has {}", acceleration->size(),
                                 context.coordinates()[static_cast<std::size_t>(point.first)],
                                 point.dimension),
                     "give as many components as the points have");
      return;
    }
    add_gravity(context, point, *acceleration);
  }
}

}  // namespace

template <>
const ElementDescriptor& describe<Gravity>() {
  static const ElementDescriptor descriptor = make_descriptor<Gravity>({
      .key = "gravity",
      .meaning = "uniform gravity on point masses, uniform bars and bodies",
      .fields = {{.name = "acceleration",
                  .holds = &Gravity::acceleration,
                  .meaning = "acceleration",
                  .unit = "m/s^2",
                  .required = true},
                 {.name = "on",
                  .holds = &Gravity::on,
                  .meaning = "the points and bodies it acts on",
                  .absent = "all"}},
      .compile = compile,
      .comes_last = true,  // bars first: gravity must know what they weigh
  });
  return descriptor;
}

}  // namespace taut
