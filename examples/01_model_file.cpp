// SPDX-License-Identifier: BSD-3-Clause
// From a model file to a motion:  01_model_file models/double_pendulum.toml
#include <cstdio>
#include <taut/taut.hpp>

int main(int argc, char** argv) try {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s MODEL.toml\n", argv[0]);
    return 2;
  }
  // all constraints rigid, by a method of constant steps
  const taut::Result run = taut::simulate(taut::load(argv[1]), {.until = 10,
                                                                .every = 1,
                                                                .reading = taut::Reading::rigid(),
                                                                .method = "rattle",
                                                                .step = 1e-3});
  std::printf("%6s", "t");
  for (const std::string& name : run.motion.coordinates) std::printf(" %10s", name.c_str());
  for (const std::string& name : run.motion.constraints) std::printf(" %10s", name.c_str());
  std::printf("\n");
  for (std::size_t n = 0; n < run.motion.rows(); ++n) {
    std::printf("%6.2f", run.motion.t[n]);
    for (const std::string& name : run.motion.coordinates)
      std::printf(" %10.6f", run.motion[name][n]);
    for (const std::string& name : run.motion.constraints)
      std::printf(" %10.6f", run.motion[name][n]);
    std::printf("\n");
  }
  std::printf("%s after %lld steps; largest constraint residual %.1e\n",
              std::string{taut::name(run.summary.status)}.c_str(),
              static_cast<long long>(run.summary.counters.steps), run.summary.max_constraint);
  return run.good() ? 0 : 1;
} catch (const taut::ModelError& mistakes) {
  std::fprintf(stderr, "%s\n", mistakes.what());  // all of them, each with its line and remedy
  return 2;
}
