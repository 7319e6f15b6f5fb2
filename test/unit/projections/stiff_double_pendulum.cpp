// SPDX-License-Identifier: BSD-3-Clause
#include "stiff_double_pendulum.hpp"

#include <cmath>
#include <numbers>

#include "taut/model/compile.hpp"
#include "taut/model/force_only.hpp"
#include "taut/model/model_file.hpp"

namespace taut::test {

System double_pendulum_force(double omega) {
  const double k = omega * omega;
  return force_only({.coordinates = {"x1", "y1", "x2", "y2"},
                     .mass = Vec::Ones(4),
                     .force =
                         [k](double /*t*/, const Vec& q, Vec& f) {
                           const double dx = q[0] - q[2], dy = q[1] - q[3];
                           const double r1 = std::hypot(q[0], q[1]), r12 = std::hypot(dx, dy);
                           const double s1 = k * (r1 - 1) / r1, s12 = k * (r12 - 1) / r12;
                           f << -s1 * q[0] - s12 * dx, -s1 * q[1] - s12 * dy, s12 * dx, s12 * dy;
                           return Status::ok;
                         },
                     .uses_time = false});
}

System double_pendulum_model(double omega) {
  Problems problems{"test.toml"};
  Model model = read_model(R"toml(
[parameters]
omega = 1e3
[points]
bob1 = { mass = 1, at = [1, 0], velocity = [0, -0.5] }
bob2 = { mass = 1, at = [2, 0], velocity = [0, 0.5] }
[[constraint]]
zero       = "hypot(bob1.x, bob1.y) - 1"
compliance = "1/omega^2"
[[constraint]]
zero       = "hypot(bob1.x - bob2.x, bob1.y - bob2.y) - 1"
compliance = "1/omega^2"
)toml",
                           problems);
  (void)model.set("omega", omega);
  CompiledModel result = compile(model, problems);
  problems.throw_if_any();
  return result.system;
}

Vec double_pendulum_g(const Vec& q) {
  return Vec{{std::hypot(q[0], q[1]) - 1, std::hypot(q[0] - q[2], q[1] - q[3]) - 1}};
}

Band double_pendulum_band(double omega) { return {0.6 * omega, 1.63 * omega}; }

State far_start() { return {0.0, Vec{{1, 0.25, 2, 0}}, Vec{{0, -0.5, 0, 0.5}}}; }
State near_start() { return {0.0, Vec{{1, 0, 2, 0}}, Vec{{0, -0.5, 0, 0.5}}}; }

FilterChoice published_filter(double omega) {
  return on_band(sampled_filter(cubic_kernel(), 18), double_pendulum_band(omega),
                 2 * std::numbers::pi / omega / 6);
}

}  // namespace taut::test
