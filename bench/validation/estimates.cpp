// SPDX-License-Identifier: BSD-3-Clause
#include "estimates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "taut/simulation/simulate.hpp"

namespace taut::bench {
namespace {

using Sizes = ErrorEstimate::Sizes;

/// How the truth at given times is found, and what else it is compared with.
struct Source {
  const char* words;
  SimulationOptions truth, second;
};

Source explicit_source() {
  return {.words = "`projected-rk`, of order 5, at 1e-14; `dop853` at 1e-14 for a second opinion",
          .truth = {.method = "projected-rk", .tol = 1e-14},
          .second = {.method = "dop853", .tol = 1e-14}};
}

// Explicit methods that follow the vibrations magnify their rounding 10^8 times in lambda.
Source slow_source() {
  return {.words = "the slow reading with `dop853` at 1e-12; at 1e-11 for a second opinion",
          .truth = {.reading = Reading::slow(), .method = "dop853", .tol = 1e-12},
          .second = {.reading = Reading::slow(), .method = "dop853", .tol = 1e-11}};
}

Motion motion_at(const Model& model, SimulationOptions options, const std::vector<double>& times) {
  options.times = times;
  Result run = simulate(model, options);
  if (!run.good()) throw std::runtime_error{fmt::format("{}: {}", model.name, run.summary.message)};
  return std::move(run.motion);
}

/// Largest differences of one kind of columns, at some rows: of the last, and of all.
struct Distance {
  double end = 0.0, along = 0.0;
};

Distance distance(const std::vector<double>& x, const std::vector<double>& truth,
                  std::size_t width) {
  Distance found;
  for (std::size_t row = 1; width > 0 && row < x.size() / width; ++row) {
    found.end = 0.0;
    for (std::size_t k = row * width; k < (row + 1) * width; ++k)
      found.end = std::max(found.end, std::abs(x[k] - truth[k]));
    found.along = std::max(found.along, found.end);
  }
  return found;
}

void compare(const Motion& motion, const Motion& truth, Sizes& end, Sizes& along) {
  const Distance q = distance(motion.q, truth.q, motion.coordinates.size()),
                 v = distance(motion.v, truth.v, motion.velocities.size()),
                 lambda = distance(motion.lambda, truth.lambda, motion.constraints.size());
  end = {.q = q.end, .v = v.end, .lambda = lambda.end};
  along = {.q = q.along, .v = v.along, .lambda = lambda.along};
}

EstimatedRun estimate(const Model& model, const std::string& method, double tol,
                      const Source& source) {
  // what vibrates at the start is in no slow motion
  const bool slow = source.truth.reading.has_value();
  const Result run =
      simulate(model, {.method = method, .tol = tol, .slow_start = slow, .error_estimate = true});
  const Summary& summary = run.summary;
  EstimatedRun found{.tol = tol,
                     .method = summary.method,
                     .status = summary.status,
                     .missing = summary.no_error_estimate.text(),
                     .seconds = summary.wall_seconds};
  if (!summary.error_estimate) return found;
  found.found_end = summary.error_estimate->at_end();
  found.found_along = summary.error_estimate->along_run();
  found.estimate_seconds = summary.error_estimate->wall_seconds;
  const std::vector<double> times{run.motion.t.begin() + 1, run.motion.t.end()};
  compare(run.motion, motion_at(model, source.truth, times), found.true_end, found.true_along);
  return found;
}

// an explicit method would follow the vibrations that the truth has not
bool fits(const Model& model, const std::string& method) {
  return method == "radau" || plan(model).start.q_moved.isZero();
}

EstimatedProblem estimate_all(const std::string& file, const Source& source) {
  const Model model = taut::load(file);
  EstimatedProblem problem{.name = model.name, .truth = source.words};
  for (const char* const method : {"dop853", "radau"})
    for (int digits = 4; digits <= 10; ++digits)
      if (fits(model, method))
        problem.runs.push_back(estimate(model, method, std::pow(10.0, -digits), source));
  const Motion steps = simulate(model, {.tol = 1e-6}).motion;
  const std::vector<double> times{steps.t.begin() + 1, steps.t.end()};
  Sizes end;
  compare(motion_at(model, source.truth, times), motion_at(model, source.second, times), end,
          problem.doubt);
  problem.constrained = !steps.constraints.empty();
  return problem;
}

/// Cells of the table: the true error, and how many times as large the estimate is.
struct Cells {
  double least = INFINITY, most = 0.0;  ///< of those times

  std::string operator()(double truth, double found, double doubt) {
    if (!(truth > 3 * doubt)) return fmt::format("{:.1e} (?)", truth);
    least = std::min(least, found / truth);
    most = std::max(most, found / truth);
    return fmt::format("{:.1e} ({:.2g})", truth, found / truth);
  }
};

constexpr const char* introduction = R"(
## How well errors are estimated

`taut run` estimates the global errors of its motion by a second run ([how](manual/running.md#how-exact-is-the-motion)).
Each cell has the true error, the largest of all components, in their own units, and in brackets how many times as large the
estimate is: at the end of the run, and along it, over all steps behind the first. `(?)`: the error is below three times what is
known of the truth. The last column is the time of the second run over that of the first.
)";

}  // namespace

std::vector<EstimatedProblem> estimates(const std::string& models) {
  std::vector<EstimatedProblem> all;
  for (const char* const name : {"pendulum", "car_axis", "andrews", "pleiades"})
    all.push_back(estimate_all(fmt::format("{}/{}.toml", models, name), explicit_source()));
  all.push_back(estimate_all(fmt::format("{}/stiff_double_pendulum.toml", models), slow_source()));
  for (const char* const name : {"chain", "zigzag"})
    all.push_back(estimate_all(fmt::format("{}/{}.toml", models, name), explicit_source()));
  return all;
}

void print_estimates(const std::vector<EstimatedProblem>& problems) {
  fmt::print("{}", introduction);
  Cells cell;
  for (const EstimatedProblem& problem : problems) {
    const Sizes& doubt = problem.doubt;
    fmt::print("\n### {}\n\nTruth: {}, which differs by {:.1e} in q, {:.1e} in v", problem.name,
               problem.truth, doubt.q, doubt.v);
    if (problem.constrained) fmt::print(", {:.1e} in lambda", doubt.lambda);
    fmt::print(
        ".\n\n| method | tol | q at the end | v | lambda | q along the run | v | lambda | time |\n"
        "|---|---|---|---|---|---|---|---|---|\n");
    for (const EstimatedRun& run : problem.runs) {
      fmt::print("| `{}` | {:.0e} | ", run.method, run.tol);
      if (!run.missing.empty()) {
        fmt::print("{} | | | | | | |\n", run.missing);
        continue;
      }
      const auto cells = [&](const Sizes& truth, const Sizes& found) {
        fmt::print("{} | {} | {} | ", cell(truth.q, found.q, doubt.q),
                   cell(truth.v, found.v, doubt.v),
                   problem.constrained ? cell(truth.lambda, found.lambda, doubt.lambda) : "");
      };
      cells(run.true_end, run.found_end);
      cells(run.true_along, run.found_along);
      fmt::print("{:.1f} |\n", run.estimate_seconds / run.seconds);
    }
  }
  fmt::print("\nOver all of them the estimate is {:.2g} to {:.2g} times the truth.\n", cell.least,
             cell.most);
}

}  // namespace taut::bench
