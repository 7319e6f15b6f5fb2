// SPDX-License-Identifier: BSD-3-Clause
#include "scan.hpp"

#include <algorithm>
#include <cmath>

#include "measure.hpp"

namespace taut::bench {

Scan scan(const Case& c, const std::string& method, const ScanSettings& settings) {
  const System system = as_wanted(c.problem.system, method_info(method));
  Scan result{.method = method};
  int failures = 0, accurate = 0;
  for (int half_digits = 6; half_digits <= 24 && failures < 2 && accurate < 2; ++half_digits) {
    const double tol = std::pow(10.0, -0.5 * half_digits);
    const Measured run = measure(system, c.problem.start, c.problem.until,
                                 {.method = method,
                                  .tol = tol,
                                  .repeat = settings.repeat,
                                  .max_steps = settings.max_steps,
                                  .max_seconds = settings.limit});
    Sample sample{
        .tol = tol, .status = run.status, .seconds = run.seconds, .steps = run.cost.steps};
    if (run.status == Status::ok) sample.error = error(c.problem, run.end);
    failures = run.status == Status::ok ? 0 : failures + 1;
    accurate = run.status == Status::ok && sample.error < targets.back() ? accurate + 1 : 0;
    result.samples.push_back(sample);
  }
  return result;
}

Need need(const Scan& scan, double target) {
  const auto meets = [&](const Sample& s) { return s.status == Status::ok && s.error <= target; };
  // the last run that does not meet the target
  const auto& samples = scan.samples;
  const auto misses = std::find_if_not(samples.rbegin(), samples.rend(), meets);
  if (misses == samples.rbegin()) {
    Need result{.status = samples.back().status};
    for (const Sample& s : samples) result.seconds = std::max(result.seconds, s.seconds);
    return result;
  }
  const Sample& fine = *(misses - 1);
  Need result{.reached = true, .seconds = fine.seconds, .steps = static_cast<double>(fine.steps)};
  if (misses == samples.rend() || misses->status != Status::ok) return result;
  const double part = std::log(misses->error / target) / std::log(misses->error / fine.error);
  const auto between = [&](double coarse, double exact) {
    return coarse * std::pow(exact / coarse, part);
  };
  result.seconds = between(misses->seconds, fine.seconds);
  result.steps = between(static_cast<double>(misses->steps), result.steps);
  return result;
}

}  // namespace taut::bench
