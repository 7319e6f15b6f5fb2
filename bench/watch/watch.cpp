// SPDX-License-Identifier: BSD-3-Clause
// What it costs to look between the points where a method looks: every model given, or every one of
// the gallery, with the watch and without:  ./taut bench watch [MODEL ...]
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "measure.hpp"
#include "taut/simulation/simulate.hpp"

namespace {

constexpr int fewest = 5, most = 200;
constexpr double patience = 1.0;  // seconds of CPU time for a model

struct Cost {
  double seconds = 1e300;
  std::int64_t steps = 0;
  taut::Status status = taut::Status::ok;
};

void run(taut::Plan plan, bool watch, Cost& cost) {
  plan.run.watch = watch;
  const double begin = taut::bench::cpu_seconds();
  const taut::Result result = taut::simulate(plan);
  cost.seconds = std::min(cost.seconds, taut::bench::cpu_seconds() - begin);
  cost.steps = result.summary.counters.steps;
  cost.status = result.summary.status;
}

void compare(const std::string& file) {
  const taut::Plan plan = taut::plan(taut::load(file), {.error_estimate = false});
  const std::string name = std::filesystem::path{file}.stem().string();
  if (plan.curve) return;
  Cost with, without;
  const double begin = taut::bench::cpu_seconds();
  for (int k = 0; k < most; ++k) {
    if (k >= fewest && taut::bench::cpu_seconds() - begin > patience) break;
    run(plan, k % 2 == 0, k % 2 == 0 ? with : without);
    run(plan, k % 2 != 0, k % 2 != 0 ? with : without);
  }
  std::printf("%-26s %8lld %8lld %10.3f %10.3f %+9.3f %+7.1f %%%s\n", name.c_str(),
              static_cast<long long>(without.steps), static_cast<long long>(with.steps),
              1e3 * without.seconds, 1e3 * with.seconds, 1e3 * (with.seconds - without.seconds),
              100 * (with.seconds / without.seconds - 1),
              with.status == without.status ? "" : "  (ends otherwise)");
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> files(arguments + 1, arguments + count);
  if (files.empty())
    for (const auto& entry : std::filesystem::directory_iterator{"models"})
      if (entry.path().extension() == ".toml") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  std::printf("%-26s %8s %8s %10s %10s %9s %9s\n", "model", "steps", "watched", "ms", "watched",
              "more ms", "more");
  for (const std::string& file : files) try {
      compare(file);
    } catch (const std::exception& problem) {
      std::printf("%-26s %s\n", file.c_str(), problem.what());
    }
}
