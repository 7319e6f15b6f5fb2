// SPDX-License-Identifier: BSD-3-Clause
// A PID controller outside of the model, 10 000 control steps of 1 ms through Simulation, beside
// the same run with the controller in the model:  ./taut bench control
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "measure.hpp"
#include "taut/simulation/simulation.hpp"

namespace {

constexpr int control_steps = 10'000;
constexpr double period = 1e-3, proportional = 30, integral = 40, derivative = 4;

taut::Model arm() {
  taut::Model model;
  model.name = "arm";
  model.coordinates = {{.name = "theta", .mass = 0.25, .at = 0.2}};
  model.elements = {{.what = taut::Potential{"4.905*cos(theta)"}}};
  return model;
}

// the integral of theta is z: z'' = theta', z'(0) = theta(0)
taut::Model with_controller() {
  taut::Model model = arm();
  model.coordinates.push_back({.name = "z", .mass = 1.0, .at = 0.0, .velocity = 0.2});
  model.elements.push_back({.what = taut::Force{.on = {"z"}, .value = {"v(theta)"}}});
  model.elements.push_back(
      {.what = taut::Force{.on = {"theta"}, .value = {"-30*theta - 40*z - 4*v(theta)"}}});
  return model;
}

taut::Model with_input() {
  taut::Model model = arm();
  model.inputs = {{.name = "torque", .value = 0.0}};
  model.elements.push_back({.what = taut::Force{.on = {"theta"}, .value = {"torque"}}});
  return model;
}

taut::SimulationOptions options(const std::string& method) {
  taut::SimulationOptions all{.until = control_steps * period, .method = method};
  if (method == "rk4") all.step = period;
  return all;
}

double in_the_model(const std::string& method, double& end) {
  taut::SimulationOptions asked = options(method);
  asked.every = period;  // a row for each control step: what the controller outside sees
  const taut::Plan plan = taut::plan(with_controller(), asked);
  const double begin = taut::bench::cpu_seconds();
  end = taut::simulate(plan).summary.state.q[0];
  return taut::bench::cpu_seconds() - begin;
}

double in_the_hand(const std::string& method, double& end) {
  taut::Simulation run{with_input(), options(method)};
  const double begin = taut::bench::cpu_seconds();
  double sum = 0.0;
  for (int k = 1; k <= control_steps; ++k) {
    const double theta = run["theta"];
    sum += theta * period;
    run.set_input("torque", -proportional * theta - integral * sum - derivative * run["v(theta)"]);
    if (run.advance_to(k * period) != taut::Status::ok) {
      std::fprintf(stderr, "%s\n", run.message().c_str());
      std::exit(1);
    }
  }
  end = run["theta"];
  return taut::bench::cpu_seconds() - begin;
}

}  // namespace

int main() {
  std::printf("%d control steps of %g s\n\n%-8s %14s %14s %8s %12s %12s\n", control_steps, period,
              "method", "in the model", "in the hand", "ratio", "theta(10)", "theta(10)");
  for (const std::string method : {"rk4", "auto", "dopri5", "radau"}) {
    double inside = 1e9, outside = 1e9, end_inside = 0.0, end_outside = 0.0;
    for (int repeat = 0; repeat < 5; ++repeat) {
      inside = std::min(inside, in_the_model(method, end_inside));
      outside = std::min(outside, in_the_hand(method, end_outside));
    }
    std::printf("%-8s %11.2f ms %11.2f ms %8.2f %12.3e %12.3e\n", method.c_str(), 1e3 * inside,
                1e3 * outside, outside / inside, end_inside, end_outside);
  }
}
