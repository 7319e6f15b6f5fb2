// SPDX-License-Identifier: BSD-3-Clause
// The slow motion of the stiff double pendulum to t = 10, beside what a user would do without the
// slow reading: CVODE's Adams and BDF formulas on the stiff equations, from the same slow start,
// and taut's own implicit method. One run, so that ratios of times mean something.
//
//   taut_bench_slow [--seconds S] [--limit S] [--models DIR]
//
//   --seconds  CPU time spent on repeating each run; the fastest counts
//   --limit    CPU time after which a run is given up
//
// Every line: tolerance, errors of q and v at the end (Euclidean norm), evaluations, CPU time. Of
// the slow reading each coefficient of a power series counts as an evaluation. The line with the
// smallest error of each method is marked *. All together takes some two minutes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "measure.hpp"
#include "options.hpp"
#include "problems.hpp"
#include "readings/readings.hpp"
#include "slow/slow_reading.hpp"

namespace taut::bench {
namespace {

struct Settings {
  double repeat = 0.05, limit = 20.0;
  std::string models = TAUT_MODELS;
};

Settings read(int count, char** words) {
  Settings settings;
  Options{}
      .number("--seconds", settings.repeat)
      .number("--limit", settings.limit)
      .text("--models", settings.models)
      .read(count, words, "usage: taut_bench_slow [--seconds S] [--limit S] [--models DIR]");
  return settings;
}

/// The slow motion of one model and the truth at its end.
struct Case {
  System equations;
  State start;
  double until = 0.0;
  State truth;
};

Case make_case(const Settings& settings, double omega) {
  const Problem problem = load(settings.models, "stiff_double_pendulum.toml", {{"omega", omega}});
  Case c{.equations = equations(problem.system), .until = problem.until};
  const SlowStart start = slow_start(c.equations, problem.start);
  if (start.status != Status::ok) throw std::runtime_error{start.reason};
  c.start = start.state;
  // every vibration resolved, from a start that has none: no expansion, no projection
  const Measured tight = measure(springs(c.equations), c.start, c.until,
                                 {.method = "dop853", .tol = 1e-13, .max_seconds = 120.0});
  if (tight.status != Status::ok) throw std::runtime_error{"the truth could not be computed"};
  c.truth = tight.end;
  return c;
}

struct Line {
  double tol = 0.0;
  Status status = Status::ok;
  double q = 0.0, v = 0.0;
  std::int64_t evaluations = 0;
  double seconds = 0.0;
};

Line run(const Case& c, const System& system, const RunSpec& spec) {
  const Measured done = measure(system, c.start, c.until, spec);
  return {.tol = spec.tol,
          .status = done.status,
          .q = (done.end.q - c.truth.q).norm(),
          .v = (done.end.v - c.truth.v).norm(),
          .evaluations = done.cost.force_evaluations,
          .seconds = done.seconds};
}

Line run_slow(const Case& c, const RunSpec& spec) {
  const SlowReading reading = slow(c.equations, c.start, {.tol = spec.tol});
  if (reading.status != Status::ok) throw std::runtime_error{reading.reason};
  RunSpec once = spec;
  once.repeat = 0.0;
  (void)run(c, reading.system, once);
  const std::int64_t evaluations = reading.system.hidden_evaluations();
  Line line = run(c, reading.system, spec);
  line.evaluations = evaluations;
  return line;
}

void print(std::string_view name, const std::vector<Line>& lines) {
  const auto worse = [](const Line& a, const Line& b) {
    const bool a_done = a.status == Status::ok, b_done = b.status == Status::ok;
    if (a_done != b_done) return a_done;
    return std::max(a.q, a.v) < std::max(b.q, b.v);
  };
  const auto best = std::min_element(lines.begin(), lines.end(), worse);
  for (auto line = lines.begin(); line != lines.end(); ++line)
    if (line->status == Status::ok)
      fmt::print("  {:<24} {:>8.0e} {:>10.1e} {:>10.1e} {:>12} {:>12.3f} {}\n", name, line->tol,
                 line->q, line->v, line->evaluations, 1e3 * line->seconds, line == best ? "*" : "");
    else
      fmt::print("  {:<24} {:>8.0e} {} after {} evaluations\n", name, line->tol,
                 taut::name(line->status), line->evaluations);
}

void compare(const Settings& settings, double omega) {
  const Case c = make_case(settings, omega);
  fmt::print("stiff double pendulum, omega = {:g}, t = {:g}\n", omega, c.until);
  fmt::print("  {:<24} {:>8} {:>10} {:>10} {:>12} {:>12}\n", "", "tol", "error q", "error v",
             "evaluations", "ms");
  const auto scan = [](int first, int last, const auto& once) {
    std::vector<Line> lines;
    for (int digits = first; digits <= last; ++digits) lines.push_back(once(std::pow(10, -digits)));
    return lines;
  };
  const auto spec = [&](const char* method, double tol) {
    return RunSpec{
        .method = method, .tol = tol, .repeat = settings.repeat, .max_seconds = settings.limit};
  };
  print("slow, dop853", scan(6, 13, [&](double tol) { return run_slow(c, spec("dop853", tol)); }));
  print("stiff, radau",
        scan(6, 12, [&](double tol) { return run(c, c.equations, spec("radau", tol)); }));
  for (const char* peer : {"cvode-adams", "cvode-bdf"})
    print(fmt::format("stiff, {}", peer),
          scan(6, 13, [&](double tol) { return run(c, springs(c.equations), spec(peer, tol)); }));
}

}  // namespace
}  // namespace taut::bench

int main(int count, char** words) {
  using namespace taut::bench;
  try {
    const Settings settings = read(count, words);
    for (const double omega : {1e2, 1e3, 1e4}) compare(settings, omega);
  } catch (const std::exception& problem) {
    fmt::print(stderr, "{}\n", problem.what());
    return 2;
  }
  return 0;
}
