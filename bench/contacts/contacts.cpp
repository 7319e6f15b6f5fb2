// SPDX-License-Identifier: BSD-3-Clause
// What contacts of many spheres cost, as their number grows: a gas of spheres in a box, at one
// density, and the same without the look between steps:  ./taut bench contacts [SPHERES ...]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "measure.hpp"
#include "taut/model/model_file.hpp"
#include "taut/simulation/simulate.hpp"

namespace {

/// n spheres of the radius 0.01 on a grid, a sixth of space full, with speeds of about 1.
std::string gas(int n) {
  const int edge = static_cast<int>(std::ceil(std::cbrt(n)));
  const double apart = 0.03, box = apart * edge;
  std::string text = "[points]\n";
  std::uint64_t seed = 1;
  const auto any = [&] {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(seed >> 11U) / static_cast<double>(1ULL << 53U) * 2 - 1;
  };
  for (int k = 0; k < n; ++k) {
    const double x = apart * (k % edge + 0.5), y = apart * (k / edge % edge + 0.5),
                 z = apart * (k / edge / edge + 0.5);
    const double u = any(), v = any(), w = any();
    text += fmt::format("p{} = {{ mass = 0.01, at = [{}, {}, {}], velocity = [{}, {}, {}] }}\n", k,
                        x, y, z, u, v, w);
  }
  const char* const law = "radius = 0.01\nstiffness = 1e6\nexponent = 1.5\ndamping = 0.05\n";
  text += fmt::format("[[contact]]\n{}", law);
  for (int side = 0; side < 3; ++side)
    for (const int sign : {1, -1})
      text += fmt::format("[[contact]]\nplane = [{}, {}, {}]\nat = [{}, {}, {}]\n{}",
                          side == 0 ? sign : 0, side == 1 ? sign : 0, side == 2 ? sign : 0,
                          sign > 0 ? 0 : box, sign > 0 ? 0 : box, sign > 0 ? 0 : box, law);
  return text + "[run]\nuntil = 0.01\ncolumns = \"stated\"\nevery = 0.01\n";
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<int> sizes;
  for (int k = 1; k < count; ++k) sizes.push_back(std::atoi(arguments[k]));
  if (sizes.empty()) sizes = {250, 1000, 4000};
  std::printf("%8s %8s %12s %10s %16s %16s %10s %12s\n", "spheres", "steps", "evaluations",
              "seconds", "us/step/sphere", "us/eval/sphere", "watch", "balance");
  for (const int n : sizes) {
    taut::Problems problems;
    const taut::Model model = taut::read_model(gas(n), problems);
    problems.throw_if_any();
    taut::Plan plan = taut::plan(model, {.method = "dop853", .error_estimate = false});
    double seconds[2] = {1e300, 1e300};
    std::int64_t steps = 0, evaluations = 0;
    double balance = 0.0;
    for (int k = 0; k < 6; ++k) {
      plan.run.watch = k % 2 == 0;
      const double begin = taut::bench::cpu_seconds();
      const taut::Result result = taut::simulate(plan);
      seconds[k % 2] = std::min(seconds[k % 2], taut::bench::cpu_seconds() - begin);
      if (k % 2 != 0) continue;
      steps = result.summary.counters.steps;
      evaluations = result.summary.counters.force_evaluations;
      balance = result.summary.energy_balance_error.value_or(-1.0);
    }
    std::printf("%8d %8lld %12lld %10.3f %16.3f %16.3f %+9.1f%% %12.2e\n", n,
                static_cast<long long>(steps), static_cast<long long>(evaluations), seconds[0],
                1e6 * seconds[0] / static_cast<double>(steps) / n,
                1e6 * seconds[0] / static_cast<double>(evaluations) / n,
                100 * (seconds[0] / seconds[1] - 1), balance);
    std::fflush(stdout);
  }
}
