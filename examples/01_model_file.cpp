// SPDX-License-Identifier: BSD-3-Clause
// From a model file to a motion:  01_model_file models/double_pendulum.toml
#include <cstdio>
#include <taut/taut.hpp>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s MODEL.toml\n", argv[0]);
    return 2;
  }

  // read and compile; whatever is wrong with the file is collected and said at once
  taut::Problems problems{argv[1]};
  const taut::Model model = taut::read_model_file(argv[1], problems);
  const taut::CompiledModel compiled = taut::compile(model, problems);
  if (!problems.empty()) {
    std::fprintf(stderr, "%s\n", problems.message().c_str());
    return 2;
  }

  // all constraints rigid; positions and velocities pulled onto them
  const taut::System system = taut::rigid(compiled.system);
  const taut::Start start = taut::consistent_start(system, compiled.given);

  taut::Motion motion;
  const taut::Summary summary = taut::integrate(
      system, start, taut::Rattle{}, {.until = 10.0, .step = 1e-3, .every = 1.0}, motion);

  std::printf("%6s", "t");
  for (const std::string& name : motion.coordinates) std::printf(" %10s", name.c_str());
  for (const std::string& name : motion.constraints) std::printf(" %10s", name.c_str());
  std::printf("\n");
  const std::size_t nq = motion.coordinates.size();
  const std::size_t rows = motion.constraints.size();
  for (std::size_t n = 0; n < motion.rows(); ++n) {
    std::printf("%6.2f", motion.t[n]);
    for (std::size_t i = 0; i < nq; ++i) std::printf(" %10.6f", motion.q[n * nq + i]);
    for (std::size_t r = 0; r < rows; ++r) std::printf(" %10.6f", motion.lambda[n * rows + r]);
    std::printf("\n");
  }
  std::printf("%s after %lld steps; largest constraint residual %.1e\n",
              std::string{taut::name(summary.status)}.c_str(),
              static_cast<long long>(summary.counters.steps), summary.max_constraint);
  return summary.good() ? 0 : 1;
}
