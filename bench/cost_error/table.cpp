// SPDX-License-Identifier: BSD-3-Clause
#include "table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

namespace taut::bench {
namespace {

template <class Key>
std::vector<std::string> distinct(const std::vector<Result>& results, Key key) {
  std::vector<std::string> names;
  for (const Result& r : results)
    if (std::find(names.begin(), names.end(), key(r)) == names.end()) names.push_back(key(r));
  return names;
}

/// Runs of a method stand in order of falling tolerance or step.
std::optional<double> seconds_for(const std::vector<Result>& results, const std::string& problem,
                                  const std::string& method, double accuracy) {
  std::optional<double> seconds;
  for (auto r = results.rbegin(); r != results.rend(); ++r) {
    if (r->problem != problem || r->method != method) continue;
    if (r->status != Status::ok || !(std::max(r->q, r->v) <= accuracy)) break;
    seconds = std::min(seconds.value_or(r->seconds), r->seconds);
  }
  return seconds;
}

}  // namespace

void print_runs(const std::vector<Result>& results) {
  fmt::print("{:<29} {:<20} {:>8} {:>7} {:>6} {:>8} {:>6} {:>6} {:>11} {:>8} {:>8} {:>8}\n",
             "problem", "method", "tol/step", "steps", "rej", "f", "Jac", "LU", "time [us]", "q",
             "v", "lambda");
  for (const Result& r : results) {
    fmt::print("{:<29} {:<20} {:>8.1e} {:>7} {:>6} {:>8} {:>6} {:>6} {:>11.2f} ", r.problem,
               r.method, r.tol > 0.0 ? r.tol : r.step, r.cost.steps, r.cost.rejected,
               r.cost.force_evaluations, r.cost.jacobian_evaluations, r.cost.factorisations,
               1e6 * r.seconds);
    if (r.status == Status::ok)
      fmt::print("{:>8.1e} {:>8.1e} {:>8.1e}\n", r.q, r.v, r.lambda);
    else
      fmt::print("{}\n", sentence(r.status));
  }
}

void print_time_to_accuracy(const std::vector<Result>& results) {
  constexpr std::array accuracies{1e-2, 1e-4, 1e-6, 1e-8};
  for (const std::string& problem : distinct(results, [](const Result& r) { return r.problem; })) {
    fmt::print("\n{}: time [us] to errors of q and v below, and its ratio to the fastest\n",
               problem);
    fmt::print("{:<20}", "method");
    for (const double accuracy : accuracies) fmt::print(" {:>19.0e}", accuracy);
    fmt::print("\n");

    std::vector<Result> of_problem;
    std::copy_if(results.begin(), results.end(), std::back_inserter(of_problem),
                 [&](const Result& r) { return r.problem == problem; });
    const std::vector<std::string> methods =
        distinct(of_problem, [](const Result& r) { return r.method; });
    std::array<double, accuracies.size()> best{};
    for (std::size_t k = 0; k < accuracies.size(); ++k)
      for (const std::string& method : methods)
        if (const auto s = seconds_for(results, problem, method, accuracies[k]))
          best[k] = best[k] > 0.0 ? std::min(best[k], *s) : *s;

    for (const std::string& method : methods) {
      fmt::print("{:<20}", method);
      for (std::size_t k = 0; k < accuracies.size(); ++k) {
        if (const auto s = seconds_for(results, problem, method, accuracies[k]))
          fmt::print(" {:>11.2f} {:>6.1f}x", 1e6 * *s, *s / best[k]);
        else
          fmt::print(" {:>19}", "-");
      }
      fmt::print("\n");
    }
  }
}

void print_json(const std::vector<Result>& results) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Result& r : results) {
    nlohmann::ordered_json row{{"problem", r.problem}, {"method", r.method}};
    if (r.tol > 0.0)
      row["tol"] = r.tol;
    else
      row["step"] = r.step;
    row["status"] = name(r.status);
    row["steps"] = r.cost.steps;
    row["rejected"] = r.cost.rejected;
    row["force_evaluations"] = r.cost.force_evaluations;
    row["constraint_evaluations"] = r.cost.constraint_evaluations;
    row["jacobian_evaluations"] = r.cost.jacobian_evaluations;
    row["factorisations"] = r.cost.factorisations;
    row["newton_iterations"] = r.cost.newton_iterations;
    row["seconds"] = r.seconds;
    if (r.status == Status::ok) {
      row["error_q"] = r.q;
      row["error_v"] = r.v;
      row["error_lambda"] = r.lambda;
    }
    rows.push_back(std::move(row));
  }
  fmt::print("{}\n", rows.dump(2));
}

}  // namespace taut::bench
