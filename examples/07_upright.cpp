// SPDX-License-Identifier: BSD-3-Clause
// A pendulum is held upright by a PID controller outside of the model, 1000 times a second. A push
// that the controller does not know of acts from t = 2 to t = 3: the integral learns to bear it.
#include <cmath>
#include <cstdio>
#include <taut/taut.hpp>

namespace {

struct Pid {
  double proportional, integral, derivative, period;
  double sum = 0.0;

  double operator()(double error, double rate) {
    sum += error * period;
    return -proportional * error - integral * sum - derivative * rate;
  }
};

taut::Model pendulum() {
  taut::Model model;
  model.name = "pendulum";
  model.parameters = {{.name = "m", .value = 1.0}, {.name = "l", .value = 0.5}};
  model.inputs = {{.name = "torque", .value = 0.0}, {.name = "push", .value = 0.0}};
  model.coordinates = {{.name = "theta", .mass = "m*l^2", .at = 0.2}};
  model.elements = {
      {.what = taut::Potential{"m*9.81*l*cos(theta)"}},  // upright at theta = 0
      {.what = taut::Force{.on = {"theta"}, .value = {"torque + push*l"}}},
  };
  return model;
}

}  // namespace

int main() {
  constexpr double period = 1e-3;
  Pid pid{.proportional = 30, .integral = 40, .derivative = 4, .period = period};
  // torques are constant from one period to the next: steps of that length
  taut::Simulation arm{pendulum(), {.until = 10, .method = "rk4", .step = period}};
  double worst = 0.0;
  for (int k = 1; k <= 10000; ++k) {
    if (k == 2000) arm.set_input("push", 2.0);
    if (k == 3000) arm.set_input("push", 0.0);
    arm.set_input("torque", pid(arm["theta"], arm["v(theta)"]));
    if (arm.advance_to(k * period) != taut::Status::ok) {
      std::fprintf(stderr, "%s\n", arm.message().c_str());
      return 1;
    }
    if (k >= 1000) worst = std::fmax(worst, std::fabs(arm["theta"]));
  }
  std::printf("theta = %.2e at t = %g; at most %.4f after the first second\n", arm["theta"],
              arm.t(), worst);
  return std::fabs(arm["theta"]) < 1e-3 && worst < 0.1 ? 0 : 1;
}
