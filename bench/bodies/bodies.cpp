// SPDX-License-Identifier: BSD-3-Clause
// A four-bar linkage as three bodies in the plane, and the same in space, by one method after the
// other:  ./taut bench bodies
#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

#include "measure.hpp"
#include "taut/model/model_file.hpp"
#include "taut/simulation/simulate.hpp"

namespace {

/// The linkage of models/planar_four_bar.toml. In space bars have a small moment about their own
/// axis.
std::string linkage(bool space) {
  const auto vector = [&](const std::string& xy) { return "[" + xy + (space ? ", 0]" : "]"); };
  const auto turn = [&](const std::string& angle) {
    return space ? "[0, 0, \"" + angle + "\"]" : "\"" + angle + "\"";
  };
  const auto inertia = [&](const std::string& I) {
    return space ? "[0.01, \"" + I + "\", \"" + I + "\"]" : "\"" + I + "\"";
  };
  const auto body = [&](const char* name, const char* mass, const char* I, const char* at,
                        const char* angle, const char* velocity, const char* spin) {
    return std::string{"[[body]]\nname = \""} + name + "\"\nmass = " + mass +
           "\ninertia = " + inertia(I) + "\nat = " + vector(at) + "\nrotation = " + turn(angle) +
           "\nvelocity = " + vector(velocity) + "\nspin = " + turn(spin) + "\n";
  };
  const auto hinge = [&](const char* a, const char* b, const char* at) {
    return std::string{"[[joint]]\nkind = \"hinge\"\nbetween = [\""} + a + "\", \"" + b +
           "\"]\nat = " + vector(at) + (space ? "\naxis = [0, 0, 1]\n" : "\n");
  };
  return body("crank", "1", "1/12", "0, 0.5", "pi/2", "2.5, 0", "-5") +
         body("coupler", "4", "4*13/12", "1.5, 2", "atan2(2, 3)", "5, 0", "0") +
         body("rocker", "3", "3*9/12", "3, 1.5", "-pi/2", "2.5, 0", "-5/3") +
         hinge("ground", "crank", "0, 0") + hinge("crank", "coupler", "0, 1") +
         hinge("coupler", "rocker", "3, 3") + hinge("rocker", "ground", "3, 0") +
         "[[gravity]]\nacceleration = " + vector("0, -9.81") + "\n[run]\nuntil = 20\nevery = 20\n";
}

double milliseconds(const taut::Plan& plan) {
  constexpr int times = 5;
  double best = 1e300;
  for (int k = 0; k < times; ++k) {
    const double begin = taut::bench::cpu_seconds();
    const taut::Result result = taut::simulate(plan);
    if (!result.good()) return 0;
    best = std::min(best, taut::bench::cpu_seconds() - begin);
  }
  return 1e3 * best;
}

}  // namespace

int main() {
  std::printf("%-14s %10s %10s %8s\n", "method", "plane, ms", "space, ms", "ratio");
  for (const char* method : {"dop853", "radau", "rattle"}) {
    std::array<double, 2> cost{};
    for (const bool space : {false, true}) {
      taut::Problems problems;
      const taut::Model model = taut::read_model(linkage(space), problems);
      problems.throw_if_any();
      taut::SimulationOptions options{.error_estimate = false};
      options.method = method;
      if (std::string{method} == "rattle") options.step = 0.002;
      cost[space ? 1 : 0] = milliseconds(taut::plan(model, options));
    }
    std::printf("%-14s %10.2f %10.2f %8.2f\n", method, cost[0], cost[1], cost[1] / cost[0]);
    std::fflush(stdout);
  }
}
