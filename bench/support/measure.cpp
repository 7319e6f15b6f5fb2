// SPDX-License-Identifier: BSD-3-Clause
#include "measure.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <optional>
#include <stdexcept>

#include "readings/readings.hpp"
#include "taut/methods/registry.hpp"

namespace taut::bench {
namespace {

/// From start to end, once; `spec.step` is 0 for adaptive methods.
Status run(const System& system, const State& start, double until, const RunSpec& spec,
           Method& method, State& state) {
  state = start;
  Status status = method->start(system, state);
  if (spec.step > 0.0) {
    const auto steps = std::llround((until - state.t) / spec.step);
    for (long long n = 0; n < steps && status == Status::ok; ++n)
      status = method->step(system, spec.step, state);
    return status;
  }
  const double begin = cpu_seconds();
  for (std::int64_t n = 1; status == Status::ok && state.t < until; ++n) {
    status = method->advance(system, until, state);
    if (status != Status::ok || state.t >= until) break;
    if (spec.max_steps > 0 && n >= spec.max_steps) status = Status::step_limit;
    if (spec.max_seconds > 0.0 && cpu_seconds() - begin > spec.max_seconds)
      status = Status::time_limit;
  }
  return status;
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

}  // namespace

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Measured measure(const System& system, const State& start, double until, const RunSpec& spec) {
  std::optional<Method> method = make_method(spec.method, {.tol = spec.tol > 0.0 ? spec.tol : 1.0});
  if (!method) throw std::runtime_error{"no method is called " + spec.method};

  // once for the answer and the cost; scratch is allocated here
  Measured result;
  const Counters before = (*method)->counters();
  double begin = cpu_seconds();
  result.status = run(system, start, until, spec, *method, result.end);
  result.seconds = cpu_seconds() - begin;
  result.cost = difference((*method)->counters(), before);
  const bool long_enough = result.seconds > 10.0 * spec.repeat;
  if (result.status != Status::ok || long_enough) return result;

  // then for the time; short runs are timed together, so that reading the clock does not count
  State state;
  const double first = cpu_seconds();
  while (cpu_seconds() - first < spec.repeat) {
    const int together = static_cast<int>(std::ceil(1e-4 / result.seconds));
    begin = cpu_seconds();
    for (int i = 0; i < together; ++i) (void)run(system, start, until, spec, *method, state);
    result.seconds = std::min(result.seconds, (cpu_seconds() - begin) / together);
  }
  return result;
}

System as_wanted(const System& system, const MethodInfo& method) {
  return method.compliance ? system : springs(system);
}

MethodInfo method_info(const std::string& name) {
  for (const MethodInfo& info : all_methods())
    if (info.name == name) return info;
  throw std::runtime_error{"no method is called " + name};
}

}  // namespace taut::bench
