// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include <fmt/format.h>

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
  if (event.action == Event::Action::stop) observable.stop_after = 1;
  if (const auto after = context.number(event.stop_after, "stop_after")) {
    constexpr double most = 1e15;
    if (!(*after >= 1.0 && *after <= most && *after == std::floor(*after)))
      context.refuse(event.stop_after->at(), "stop_after",
                     fmt::format("{} is no number of times", after->value()),
                     "give a whole number from 1 on");
    else if (observable.stop_after > 0)
      context.refuse(event.stop_after->at(), "stop_after",
                     "is given beside action = \"stop\", which stops the run the first time",
                     "leave out one of the two");
    else
      observable.stop_after = static_cast<std::int64_t>(after->value());
  }
  if (!context.add_observable(event.zero, std::move(observable), "zero")) return;
  for (const Event::Assignment& one : event.then) context.add_action(one.target, one.value);
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
                  .choices = {"record", "stop"}},
                 {.name = "then",
                  .holds = &Event::then,
                  .meaning = "what it changes, all at once: coordinates, velocities, states, "
                             "parameters and inputs, with expressions of what there is just before",
                  .absent = "nothing"},
                 {.name = "stop_after",
                  .holds = &Event::stop_after,
                  .meaning = "how often it happens before the run stops, behind what it changes",
                  .absent = "no limit"}},
      .compile = compile,
  });
  return descriptor;
}

}  // namespace taut
