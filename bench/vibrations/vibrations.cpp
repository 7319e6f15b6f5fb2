// SPDX-License-Identifier: BSD-3-Clause
// The slow motion of the inverted pendulum whose pivot vibrates with omega = 1e6, to t = 1: the
// averaged reading beside Verlet and CVODE on the full equations, in one run. Errors are those of
// q at the end against the averaged equation in closed form; the full motion differs from it by
// about 2e-5 anyway, since it vibrates.
//
//   taut_bench_vibrations [--omega W] [--limit S] [--models DIR]
//
//   --omega  of the vibration [rad/s]
//   --limit  CPU time after which a run is given up [s]
//
// Last lines: for some errors, the fewest force evaluations each way needs, and the ratio to the
// averaged reading. All together takes some five minutes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "averaged/averaged.hpp"
#include "measure.hpp"
#include "options.hpp"
#include "problems.hpp"

namespace taut::bench {
namespace {

struct Settings {
  double omega = 1e6, limit = 40.0;
  std::string models = TAUT_MODELS;
};

Settings read(int count, char** words) {
  Settings settings;
  Options{}
      .number("--omega", settings.omega)
      .number("--limit", settings.limit)
      .text("--models", settings.models)
      .read(count, words, "usage: taut_bench_vibrations [--omega W] [--limit S] [--models DIR]");
  return settings;
}

// (2.5), (2.6) of calvo2010
constexpr const char* closed_form = R"toml(
[parameters]
l = 0.2
g = 9.8
vmax = 4
[coordinates]
q = { mass = 1, at = 0.5, velocity = 0 }
[[force]]
on = "q"
value = "(g/l - vmax^2/(2*l^2)*cos(q))*sin(q)"
[run]
until = 1
)toml";

struct Line {
  std::string name;
  double error = 0.0;
  std::int64_t evaluations = 0;
  double seconds = 0.0;
};

class Comparison {
 public:
  explicit Comparison(const Settings& settings)
      : settings_{settings},
        problem_{load(settings.models, "inverted_pendulum.toml", {{"omega", settings.omega}})} {
    const Problem exact = from_text(closed_form);
    truth_ = measure(exact.system, exact.start, exact.until, {.method = "dop853", .tol = 1e-13})
                 .end.q[0];
  }

  void run() {
    fmt::print("{:<44} {:>10} {:>12} {:>12}\n", "inverted pendulum", "error of q", "evaluations",
               "ms");
    for (const double tol : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7})
      averaged_with({.method = "dop853", .tol = tol}, {.tol = std::min(1e-2, 10 * tol)},
                    fmt::format("averaged, dop853, tol {:g}", tol));
    for (const int n : {20, 40, 80})
      averaged_with({.method = "verlet", .step = 1.0 / n}, published_averaging(n),
                    fmt::format("averaged, verlet, H = 1/{}, plain", n));
    for (const int n : {10, 20, 40})
      averaged_with({.method = "verlet-suzuki4", .step = 1.0 / n}, {.steps = 40},
                    fmt::format("averaged, verlet-suzuki4, H = 1/{}", n));
    const double period = 2 * std::numbers::pi / settings_.omega;
    for (const int n : {10, 20, 40, 80, 160})
      full_with({.method = "verlet", .step = period / n},
                fmt::format("full, verlet, {} steps per period", n), verlet_);
    for (const double tol : {1e-6, 1e-8, 1e-10, 1e-12}) {
      full_with({.method = "cvode-adams", .tol = tol},
                fmt::format("full, cvode-adams, tol {:g}", tol), adams_);
      full_with({.method = "cvode-bdf", .tol = tol}, fmt::format("full, cvode-bdf, tol {:g}", tol),
                bdf_);
    }
    for (const double error : {1e-2, 1e-3, 1e-4}) compare(error);
  }

 private:
  void averaged_with(const RunSpec& spec, const AveragedOptions& options, const std::string& name) {
    const AveragedReading reading = averaged(problem_.system, problem_.start, options);
    if (reading.status != Status::ok) throw std::runtime_error{reading.reason};
    const std::int64_t before = reading.system.hidden_evaluations();
    keep(measure(reading.system, problem_.start, problem_.until, spec), name, averaged_,
         [&](const Measured&) { return reading.system.hidden_evaluations() - before; });
  }

  void full_with(RunSpec spec, const std::string& name, std::vector<Line>& lines) {
    spec.max_seconds = settings_.limit;
    keep(measure(problem_.system, problem_.start, problem_.until, spec), name, lines,
         [](const Measured& run) { return run.cost.force_evaluations; });
  }

  void keep(const Measured& run, const std::string& name, std::vector<Line>& lines,
            const auto& evaluations) {
    if (run.status != Status::ok) {
      fmt::print("{:<44} {}\n", name, taut::name(run.status));
      return;
    }
    lines.push_back({name, std::abs(run.end.q[0] - truth_), evaluations(run), run.seconds});
    const Line& line = lines.back();
    fmt::print("{:<44} {:>10.1e} {:>12} {:>12.3f}\n", line.name, line.error, line.evaluations,
               1e3 * line.seconds);
    std::fflush(stdout);
  }

  // fewest evaluations with at most this error
  static std::optional<Line> cheapest(const std::vector<Line>& lines, double error) {
    std::optional<Line> best;
    for (const Line& line : lines)
      if (line.error <= error && (!best || line.evaluations < best->evaluations)) best = line;
    return best;
  }

  void compare(double error) const {
    const auto ours = cheapest(averaged_, error);
    if (!ours) return;
    fmt::print("error <= {:g}: {} with {} evaluations", error, ours->name, ours->evaluations);
    for (const auto& [name, lines] :
         {std::pair{"verlet", &verlet_}, std::pair{"cvode-adams", &adams_},
          std::pair{"cvode-bdf", &bdf_}}) {
      const auto theirs = cheapest(*lines, error);
      fmt::print(
          "; {} {}", name,
          theirs ? fmt::format("{:.0f} times as many", static_cast<double>(theirs->evaluations) /
                                                           static_cast<double>(ours->evaluations))
                 : "does not reach it");
    }
    fmt::print("\n");
  }

  const Settings& settings_;
  Problem problem_;
  double truth_ = 0.0;
  std::vector<Line> averaged_, verlet_, adams_, bdf_;
};

}  // namespace
}  // namespace taut::bench

int main(int count, char** words) {
  using namespace taut::bench;
  try {
    const Settings settings = read(count, words);
    Comparison{settings}.run();
  } catch (const std::exception& problem) {
    fmt::print(stderr, "{}\n", problem.what());
    return 2;
  }
  return 0;
}
