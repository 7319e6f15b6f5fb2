// SPDX-License-Identifier: BSD-3-Clause
// Error against cost: what each method needs on problems with a known answer, all in one run, so
// that ratios of times mean something.
//
//   taut_bench_cost_error [--json] [--seconds S] [--models DIR]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <stdexcept>
#include <string_view>

#include "problems.hpp"
#include "table.hpp"
#include "taut/methods/registry.hpp"
#include "taut/model/accelerations.hpp"

namespace taut::bench {
namespace {

struct Settings {
  bool json = false;
  double seconds = 0.1;  ///< spent on repeating each run; the fastest counts
  std::string models = TAUT_MODELS;
};

/// From the start of a problem to its end; `step` is 0 for adaptive methods.
Status run(const Problem& problem, Method& method, double step, State& state) {
  state = problem.start;
  Status status = method->start(problem.system, state);
  if (step > 0.0) {
    const auto steps = std::llround((problem.until - state.t) / step);
    for (long long n = 0; n < steps && status == Status::ok; ++n)
      status = method->step(problem.system, step, state);
  } else {
    while (status == Status::ok && state.t < problem.until)
      status = method->advance(problem.system, problem.until, state);
  }
  return status;
}

double relative_error(const Vec& x, const Vec& truth) {
  return ((x - truth).array() / truth.array()).abs().maxCoeff();
}

/// What was spent between two readings of a method's counters.
Counters difference(const Counters& after, const Counters& before) {
  return {.steps = after.steps - before.steps,
          .rejected = after.rejected - before.rejected,
          .force_evaluations = after.force_evaluations - before.force_evaluations,
          .constraint_evaluations = after.constraint_evaluations - before.constraint_evaluations,
          .jacobian_evaluations = after.jacobian_evaluations - before.jacobian_evaluations,
          .factorisations = after.factorisations - before.factorisations,
          .newton_iterations = after.newton_iterations - before.newton_iterations};
}

/// CPU time of this thread [s]: what other programs do at the same time hardly counts.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Result measure(const Problem& problem, std::string_view name, double tol, double step,
               const Settings& settings) {
  Result result{.problem = problem.name, .method = std::string{name}, .tol = tol, .step = step};
  std::optional<Method> method = make_method(name, {.tol = tol > 0.0 ? tol : 1.0});
  if (!method) throw std::runtime_error{"no method is called " + result.method};

  // once for the answer and the cost; scratch is allocated here
  State state;
  const Counters before = (*method)->counters();
  double begin = cpu_seconds();
  result.status = run(problem, *method, step, state);
  result.seconds = cpu_seconds() - begin;
  result.cost = difference((*method)->counters(), before);
  if (result.status != Status::ok) return result;

  // then for the time; short runs are timed together, so that reading the clock does not count
  const double start = cpu_seconds();
  while (cpu_seconds() - start < settings.seconds) {
    const int together = static_cast<int>(std::ceil(1e-4 / result.seconds));
    begin = cpu_seconds();
    for (int i = 0; i < together; ++i) (void)run(problem, *method, step, state);
    result.seconds = std::min(result.seconds, (cpu_seconds() - begin) / together);
  }

  Accelerations accelerations;
  Vec a(problem.system.nq()), lambda(problem.system.nc());
  result.status = accelerations.start(problem.system);
  if (result.status == Status::ok)
    result.status = accelerations(problem.system, problem.until, state.q, state.v, a, lambda);
  result.q = relative_error(state.q, problem.q);
  result.v = relative_error(state.v, problem.v);
  result.lambda = relative_error(lambda, problem.lambda);
  return result;
}

std::vector<Result> measure_all(const Settings& settings) {
  std::vector<Result> results;
  for (const Problem& problem : problems(settings.models)) {
    for (const char* method : {"dopri5", "dop853", "cvode-adams", "cvode-bdf", "ida"})
      for (int digits = 4; digits <= 11; ++digits)
        results.push_back(measure(problem, method, std::pow(10.0, -digits), 0.0, settings));

    // constant steps, on the problems whose motion has one time scale
    const double coarsest = problem.name == "pendulum" ? 16.0 : 512.0;
    if (problem.name != "pendulum" && problem.name != "car axis") continue;
    for (const MethodInfo& info : all_methods()) {
      if (info.adaptive || !info.constraints || !fits(info, problem.system.structure()).empty())
        continue;
      for (int halvings = 0; halvings < 6; ++halvings) {
        const double step = problem.until / (coarsest * std::exp2(halvings));
        results.push_back(measure(problem, info.name, 0.0, step, settings));
      }
    }
  }
  return results;
}

Settings read(int count, char** words) {
  Settings settings;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    const bool more = i + 1 < count;
    if (word == "--json")
      settings.json = true;
    else if (word == "--seconds" && more)
      settings.seconds = std::stod(words[++i]);
    else if (word == "--models" && more)
      settings.models = words[++i];
    else
      throw std::runtime_error{
          "usage: taut_bench_cost_error [--json] [--seconds S] [--models DIR]"};
  }
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
