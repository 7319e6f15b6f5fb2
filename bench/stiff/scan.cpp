// SPDX-License-Identifier: BSD-3-Clause
#include "scan.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "measure.hpp"

namespace taut::bench {

Scan scan(const Case& c, const std::string& method, const ScanSettings& settings) {
  const System system = as_wanted(c.problem.system, method_info(method));
  Scan result{.method = method};
  double smallest = targets.front();
  for (const double target : targets)
    if (c.can_tell(target)) smallest = std::min(smallest, target);
  int failures = 0, accurate = 0;
  for (int half_digits = 6; half_digits <= 24 && failures < 4 && accurate < 2;) {
    const double tol = std::pow(10.0, -0.5 * half_digits);
    const Measured run = measure(system, c.problem.start, c.problem.until,
                                 {.method = method,
                                  .tol = tol,
                                  .repeat = settings.repeat,
                                  .max_steps = settings.max_steps,
                                  .max_seconds = settings.limit});
    Sample sample{
        .tol = tol, .status = run.status, .seconds = run.seconds, .steps = run.cost.steps};
    if (run.status == Status::ok) {
      sample.error = error(c.problem, run.end);
      accurate = sample.error < smallest ? accurate + 1 : 0;
      half_digits += 1;
    } else {
      ++failures;
      half_digits += 3;
    }
    result.samples.push_back(sample);
  }
  return result;
}

Need need(const Scan& scan, double target) {
  std::vector<Sample> done;
  std::copy_if(scan.samples.begin(), scan.samples.end(), std::back_inserter(done),
               [](const Sample& s) { return s.status == Status::ok; });
  // the last run that does not meet the target
  const auto misses = std::find_if(done.rbegin(), done.rend(),
                                   [&](const Sample& s) { return !(s.error <= target); });
  if (misses == done.rbegin()) {
    Need result{.status = scan.samples.back().status};
    for (const Sample& s : scan.samples) result.seconds = std::max(result.seconds, s.seconds);
    return result;
  }
  const Sample& fine = *(misses - 1);
  Need result{.reached = true, .seconds = fine.seconds, .steps = static_cast<double>(fine.steps)};
  if (misses == done.rend()) return result;
  const double part = std::log(misses->error / target) / std::log(misses->error / fine.error);
  const auto between = [&](double coarse, double exact) {
    return coarse * std::pow(exact / coarse, part);
  };
  result.seconds = between(misses->seconds, fine.seconds);
  result.steps = between(static_cast<double>(misses->steps), result.steps);
  return result;
}

}  // namespace taut::bench
