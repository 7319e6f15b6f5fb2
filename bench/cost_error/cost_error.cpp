// SPDX-License-Identifier: BSD-3-Clause
// Error against cost: what each method needs on problems with a known answer, all in one run, so
// that ratios of times mean something.
//
//   taut_bench_cost_error [--json] [--seconds S] [--models DIR]
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <string_view>

#include "measure.hpp"
#include "model/accelerations.hpp"
#include "options.hpp"
#include "problems.hpp"
#include "table.hpp"
#include "taut/methods/registry.hpp"

namespace taut::bench {
namespace {

struct Settings {
  bool json = false;
  double seconds = 0.1;  ///< spent on repeating each run; the fastest counts
  std::string models = TAUT_MODELS;
};

double relative_error(const Vec& x, const Vec& truth) {
  return ((x - truth).array() / truth.array()).abs().maxCoeff();
}

Result compare(const Problem& problem, std::string_view name, double tol, double step,
               const Settings& settings) {
  Result result{.problem = problem.name, .method = std::string{name}, .tol = tol, .step = step};
  const Measured run =
      measure(problem.system, problem.start, problem.until,
              {.method = result.method, .tol = tol, .step = step, .repeat = settings.seconds});
  result.status = run.status;
  result.cost = run.cost;
  result.seconds = run.seconds;
  if (result.status != Status::ok) return result;

  Accelerations accelerations;
  Vec a(problem.system.nq()), lambda(problem.system.nc());
  result.status = accelerations.start(problem.system);
  if (result.status == Status::ok)
    result.status = accelerations(problem.system, problem.until, run.end.q, run.end.v, a, lambda);
  result.q = relative_error(run.end.q, problem.q);
  result.v = relative_error(run.end.v, problem.v);
  result.lambda = relative_error(lambda, problem.lambda);
  return result;
}

std::vector<Result> measure_all(const Settings& settings) {
  std::vector<Result> results;
  for (const Problem& problem :
       {pendulum(settings.models), car_axis(settings.models), andrews(settings.models)}) {
    for (const char* method :
         {"dopri5", "dop853", "taylor", "radau", "cvode-adams", "cvode-bdf", "arkode", "ida"})
      for (int digits = 4; digits <= 11; ++digits)
        results.push_back(compare(problem, method, std::pow(10.0, -digits), 0.0, settings));

    // constant steps, on the problems whose motion has one time scale
    const double coarsest = problem.name == "pendulum" ? 16.0 : 512.0;
    if (problem.name != "pendulum" && problem.name != "car axis") continue;
    for (const MethodInfo& info : all_methods()) {
      if (info.adaptive || !info.constraints || !fits(info, problem.system.structure()).empty())
        continue;
      for (int halvings = 0; halvings < 6; ++halvings) {
        const double step = problem.until / (coarsest * std::exp2(halvings));
        results.push_back(compare(problem, info.name, 0.0, step, settings));
      }
    }
  }
  return results;
}

Settings read(int count, char** words) {
  Settings settings;
  Options{}
      .flag("--json", settings.json)
      .number("--seconds", settings.seconds)
      .text("--models", settings.models)
      .read(count, words, "usage: taut_bench_cost_error [--json] [--seconds S] [--models DIR]");
  return settings;
}

}  // namespace
}  // namespace taut::bench

int main(int count, char** words) {
  using namespace taut::bench;
  try {
    const Settings settings = read(count, words);
    const std::vector<Result> results = measure_all(settings);
    if (settings.json) {
      print_json(results);
    } else {
      print_runs(results);
      print_time_to_accuracy(results);
    }
  } catch (const std::exception& problem) {
    fmt::print(stderr, "{}\n", problem.what());
    return 2;
  }
  return 0;
}
