// SPDX-License-Identifier: BSD-3-Clause
// bob2 and the tension of rod 1 at t = 3.7:  06_tension models/stiff_double_pendulum.toml
#include <cstdio>
#include <taut/taut.hpp>

int main(int, char** argv) {
  const taut::Model model = taut::load(argv[1]);
  const taut::Result run = taut::simulate(model, {.until = 10});
  const taut::Instant then = run.at(3.7);
  std::printf("bob2 (%.6f, %.6f), rod 1 %.6f N\n", then["bob2.x"], then["bob2.y"], then["rod 1"]);
}
