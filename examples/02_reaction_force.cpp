// SPDX-License-Identifier: BSD-3-Clause
// A model built in code, and the force in a rod: a pendulum released from the horizontal pulls with
// three times its weight when it passes the lowest point.
#include <cstdio>
#include <taut/taut.hpp>

int main() {
  const double m = 2.0, g = 9.81;

  taut::Model model;
  model.name = "pendulum";
  model.points = {{.name = "bob", .mass = m, .at = {1.0, 0.0}}};
  model.elements = {
      {.what = taut::Rod{.between = {{{"origin"}, {"bob"}}}, .length = 1.0}, .name = "string"},
      {.what = taut::Gravity{.acceleration = {0.0, -g}}},
      {.what = taut::Event{.zero = "bob.x", .action = taut::Event::Action::stop}},
  };

  const taut::CompiledModel compiled = taut::compile(model);
  const taut::Start start = taut::consistent_start(compiled.system, compiled.given);

  taut::Motion motion;
  const taut::Summary summary =
      taut::integrate(compiled.system, start, taut::Rattle{}, {.until = 2.0, .step = 1e-4}, motion);

  std::printf("lowest point at t = %.6f s\n", summary.state.t);
  std::printf("tension / weight  = %.6f\n", summary.lambda[0] / (m * g));
  return summary.status == taut::Status::stopped_by_event ? 0 : 1;
}
