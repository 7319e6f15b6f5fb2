// SPDX-License-Identifier: BSD-3-Clause
// What measured.py measures in Python, in C++, as JSON [s]:
//
//   run       the double pendulum to t = 10, model compiled before
//   control   10 000 control steps of a pendulum in the hand, its torque set before each
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "measure.hpp"
#include "taut/simulation/simulate.hpp"
#include "taut/simulation/simulation.hpp"

namespace {

template <class Work>
double least(int repeat, const Work& work) {
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0; k < repeat; ++k) {
    const double begin = taut::bench::cpu_seconds();
    work();
    best = std::min(best, taut::bench::cpu_seconds() - begin);
  }
  return best;
}

void good(bool is) {
  if (!is) std::abort();
}

}  // namespace

int main() {
  taut::Problems problems;
  const taut::Model model = taut::load(TAUT_MODELS "/double_pendulum.toml", problems);
  const taut::SimulationOptions options{.until = 10};
  const taut::PreparedModel prepared = taut::prepare(model, options, problems);
  problems.throw_if_any();
  const double run =
      least(200, [&] { good(taut::simulate(taut::plan(prepared, options, problems)).good()); });

  taut::Model held;
  held.inputs = {{.name = "tau", .value = 0.0}};
  held.coordinates = {{.name = "phi", .mass = 1.0, .at = 0.1}};
  held.elements = {{.what = taut::Potential{"9.81*cos(phi)"}},
                   {.what = taut::Force{.on = {"phi"}, .value = {"tau"}}}};
  taut::SimulationOptions in_hand{.until = 1e3, .method = "rk4"};
  in_hand.step = 1e-3;
  const double control = least(5, [&] {
    taut::Simulation simulation{held, in_hand};
    for (int k = 1; k <= 10'000; ++k) {
      simulation.set_input("tau", -40 * simulation["phi"] - 8 * simulation["v(phi)"]);
      good(simulation.advance_to(1e-3 * k) == taut::Status::ok);
    }
  });
  std::printf("{\"run\": %.9g, \"control\": %.9g}\n", run, control);
}
