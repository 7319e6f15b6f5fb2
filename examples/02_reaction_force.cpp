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

  const taut::Result run = taut::simulate(model, {.until = 2, .method = "rattle", .step = 1e-4});

  std::printf("lowest point at t = %.6f s\n", run.summary.state.t);
  std::printf("tension / weight  = %.6f\n", run.summary.lambda[0] / (m * g));
  return run.summary.status == taut::Status::stopped_by_event ? 0 : 1;
}
