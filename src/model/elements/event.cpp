// SPDX-License-Identifier: BSD-3-Clause
#include "model/element.hpp"

namespace taut {
namespace {

void compile(const Event& event, ElementContext& context) {
  Observable observable{.kind = Observable::Kind::event};
  switch (event.direction) {
    case Event::Direction::any:
      observable.direction = Observable::Direction::any;
      break;
    case Event::Direction::rising:
      observable.direction = Observable::Direction::rising;
      break;
    case Event::Direction::falling:
      observable.direction = Observable::Direction::falling;
      break;
  }
  observable.stops = event.action == Event::Action::stop;
  context.add_observable(event.zero, std::move(observable), "zero");
}

}  // namespace

template <>
const ElementDescriptor& describe<Event>() {
  static const ElementDescriptor descriptor = make_descriptor<Event>({
      .key = "event",
      .meaning = "something that happens when an expression crosses zero",
      .fields = {{.name = "zero",
                  .holds = &Event::zero,
                  .meaning = "expression of coordinates, velocities and t; with [jets], of "
                             "unknowns and their derivatives",
                  .required = true},
                 {.name = "direction",
                  .holds = &Event::direction,
                  .meaning = "which crossings count",
                  .choices = {"any", "rising", "falling"}},
                 {.name = "action",
                  .holds = &Event::action,
                  .meaning = "what happens then",
                  .choices = {"record", "stop"}}},
      .compile = compile,
  });
  return descriptor;
}

}  // namespace taut
