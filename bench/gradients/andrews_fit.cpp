// SPDX-License-Identifier: BSD-3-Clause
// Twelve parameters of Andrews' mechanism, simulated with known truth, from noisy positions: how
// often 95 % intervals hold the truth, and what a fit costs beside differences.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "gradients.hpp"
#include "measure.hpp"
#include "taut/gradients/sensitivities.hpp"
#include "taut/simulation/simulate.hpp"
#include "taut/studies/fit.hpp"

namespace taut::bench {

void fit_andrews(int repetitions) {
  const Model model = load(TAUT_MODELS "/andrews.toml");
  const std::vector<std::string> names{"c0", "l0", "mom", "d",  "e4", "zf",
                                       "zt", "u",  "s",   "xa", "xb", "yb"};
  const std::vector<std::string>& vary = names;
  const SimulationOptions options{.until = 0.03, .every = 0.0005, .method = "dop853", .tol = 1e-9};
  const Result truth = simulate(model, options);
  const std::vector<std::string> columns{"beta",  "Theta", "gamma",  "Phi",
                                         "delta", "Omega", "epsilon"};
  constexpr double sigma = 1e-4;
  std::vector<double> values;
  FitOptions wanted;
  const CompiledModel compiled = compile(model);
  for (const std::string& name : vary) {
    const double value =
        compiled.parameter_values()[static_cast<std::size_t>(compiled.parameter_index(name))];
    values.push_back(value);
    wanted.vary.push_back({.name = name});
  }
  for (const std::string& column : columns) wanted.sigma.emplace_back(column, sigma);
  int inside = 0, intervals = 0, within = 0, failed = 0, runs = 0;
  const double begun = cpu_seconds();
  for (int k = 0; k < repetitions; ++k) {
    std::mt19937_64 random{static_cast<std::uint64_t>(k) + 1};
    std::normal_distribution<double> noise{0.0, sigma};
    FitSeries series{.name = "run", .t = truth.motion.t, .columns = columns, .values = {}};
    for (std::size_t i = 0; i < truth.motion.rows(); ++i)
      for (const std::string& column : columns)
        series.values.push_back(truth.motion[column][i] + noise(random));
    Problems problems;
    const Fit found = fit(model, options, {series}, wanted, problems);
    if (!problems.empty()) std::printf("%s\n", problems.message().c_str());
    if (!found.good() || !problems.empty()) {
      ++failed;
      continue;
    }
    runs += found.runs;
    for (std::size_t j = 0; j < values.size(); ++j) {
      const FittedVariable& one = found.variables[j];
      if (!std::isfinite(one.deviation)) continue;
      ++intervals;
      inside += one.lower <= values[j] && values[j] <= one.upper ? 1 : 0;
      within += std::abs(one.value - values[j]) <= 2 * one.deviation ? 1 : 0;
    }
  }
  const double seconds = cpu_seconds() - begun;
  const double one = [&] {
    const double from = cpu_seconds();
    static_cast<void>(simulate(model, options));
    return cpu_seconds() - from;
  }();
  std::printf(
      "Andrews, 12 parameters, %d fits: %d failed, %d intervals, %.2f %% hold the truth, %.2f %% "
      "within 2 sigma;\n  %.3f s a fit, %.1f runs with derivatives each; by differences as many "
      "runs times 13, %.4f s each: %.3f s\n",
      repetitions, failed, intervals, 100.0 * inside / std::max(1, intervals),
      100.0 * within / std::max(1, intervals), seconds / repetitions,
      static_cast<double>(runs) / repetitions, one,
      13.0 * one * static_cast<double>(runs) / repetitions);
}

}  // namespace taut::bench
