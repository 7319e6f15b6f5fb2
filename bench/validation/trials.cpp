// SPDX-License-Identifier: BSD-3-Clause
#include "trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "measure.hpp"
#include "simulation/choose_method.hpp"
#include "taut/methods/registry.hpp"
#include "taut/run/integrate.hpp"

namespace taut::bench {
namespace {

constexpr double reference_tol = 1e-13;
constexpr double second_tol = 1e-12;

double distance(const Vec& x, const Vec& truth, Measure measure) {
  if (truth.size() == 0) return 0.0;
  const double one = measure == Measure::mixed ? 1.0 : 0.0;
  return ((x - truth).array().abs() / (one + truth.array().abs())).maxCoeff();
}

Errors errors(const Trial& trial, const Summary& summary) {
  const Problem& p = trial.problem;
  return {.q = distance(summary.state.q, p.q, trial.measure),
          .v = distance(summary.state.v, p.v, trial.measure),
          .lambda = distance(summary.lambda, p.lambda, trial.measure)};
}

Summary run(const Problem& problem, const std::string& method, double tol) {
  const System system = as_wanted(problem.system, method_info(method));
  // output at the start and at the end only
  const RunOptions options{.until = problem.until, .every = problem.until - problem.start.t};
  Motion motion;
  return integrate(system, problem.start, make_method(method, {.tol = tol}).value(), options,
                   motion);
}

Trial with_reference(Problem problem, std::string about) {
  const Summary reference = run(problem, "dop853", reference_tol);
  if (!reference.good())
    throw std::runtime_error{fmt::format("{}: {}", problem.name, reference.message)};
  problem.q = reference.state.q;
  problem.v = reference.state.v;
  problem.lambda = reference.lambda;
  Trial trial{.problem = std::move(problem), .measure = Measure::mixed, .about = std::move(about)};
  trial.doubt = errors(trial, run(trial.problem, "radau", second_tol));
  return trial;
}

TrialRun measure(const Trial& trial, const std::string& method, double tol, double repeat) {
  TrialRun result{.tol = tol, .method = method, .seconds = INFINITY};
  const double first = cpu_seconds();
  do {
    const double begin = cpu_seconds();
    const Summary summary = run(trial.problem, method, tol);
    result.seconds = std::min(result.seconds, cpu_seconds() - begin);
    result.status = summary.status;
    result.errors = errors(trial, summary);
    result.cost = summary.counters;
    result.constraint = summary.max_constraint;
    result.rate = summary.max_velocity_constraint;
  } while (result.status == Status::ok && cpu_seconds() - first < repeat);
  return result;
}

}  // namespace

std::vector<Trial> trials(const std::string& models) {
  const auto known = [](Problem problem, std::string about) {
    return Trial{.problem = std::move(problem), .about = std::move(about)};
  };
  std::vector<Trial> all;
  all.push_back(known(pendulum(models), "A mass on a rigid rod, index 3, until t = 1."));
  all.push_back(known(car_axis(models),
                      "Two constraints, one of them moving; vibrations of 45 rad/s, until t = 3."));
  all.push_back(known(andrews(models),
                      "Seven bodies, three loops, M(q); amplifies errors some thousand times until "
                      "t = 0.03."));
  all.push_back(
      known(pleiades(models), "Seven stars, no constraint, close encounters until t = 3."));
  all.push_back(with_reference(
      load(models, "slider_crank.toml"),
      "M(q), one loop, driven, with a rod that bends and stretches at up to 22 600 rad/s, until "
      "t = 0.1: the crank turns 2.4 times, the fastest vibration 360 times."));
  all.push_back(
      with_reference(load(models, "parallel_manipulator.toml"),
                     "M(q), three loops of two constraints, motors and friction, until t = 2."));
  return all;
}

std::vector<TrialRun> run_all(const Trial& trial, const std::vector<std::string>& methods,
                              double repeat) {
  const std::string chosen =
      choose_method(trial.problem.system, trial.problem.start, trial.problem.until, false).name;
  std::vector<std::string> names{chosen};
  for (const std::string& method : methods)
    if (method != chosen) names.push_back(method);

  std::vector<TrialRun> runs;
  for (const std::string& name : names) {
    for (int digits = 4; digits <= 11; ++digits) {
      runs.push_back(measure(trial, name, std::pow(10.0, -digits), repeat));
      runs.back().chosen = name == chosen;
    }
  }
  return runs;
}

}  // namespace taut::bench
