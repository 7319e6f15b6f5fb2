// SPDX-License-Identifier: BSD-3-Clause
#include "published_run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <limits>

namespace taut::papers::involutive {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// averages are printed with three digits, 0 as 0
double last_digit(double printed) {
  return printed == 0.0 ? 1e-3 : std::pow(10.0, std::floor(std::log10(printed)) - 2.0);
}

constexpr const char* control_tried =
    "the paper's step control is \"essentially\" that of Hairer, Norsett and Wanner; ours is the "
    "one "
    "of some 3800 variants that meets its tables best";
constexpr const char* averages_tried =
    "what the printed averages are means of is not said: ours are rounded per step, up or down, as "
    "fits best";
constexpr const char* inexact_tried =
    "as printed: SymmLQ, eps_0 = 0.5, eps_k+1 = 0.8 eps_k, residual test of Algorithm 4.4; other "
    "solvers and eps_0 in the item inexact";
constexpr const char* initialised_tried =
    "as printed: conjugate gradients until 0.01 |f(a)|; 2e-4 would fit Table 5, 1e-3 Table 11";

}  // namespace

Counted count(const Curve& curve, Vec start, const CurveIntegratorOptions& options, double until,
              bool keep_points) {
  Counted result;
  CurveIntegrator integrator{options};
  const auto begin = std::chrono::steady_clock::now();
  result.status = integrator.start(curve, start);
  const auto first = static_cast<double>(integrator.counters.iterations);
  Vec p = start;
  CurveCounters counted = integrator.counters;
  if (keep_points) result.points.push_back(p);
  while (result.status == Status::ok) {
    result.status = integrator.advance(curve, p);
    result.most = integrator.counters.most_iterations;
    if (result.status != Status::ok || p[0] > until) break;
    counted = integrator.counters;
    start = p;
    if (keep_points) {
      result.points.push_back(p);
      result.lengths.push_back(integrator.last_step());
    }
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  result.steps = counted.steps;
  result.rejected =
      options.tableau == CurveTableau::euler ? counted.rejected_once : counted.rejected;
  const bool down = options.tableau == CurveTableau::dopri54 && options.step == 0.0;
  const double sum = first + (down ? counted.mean_iterations_down : counted.mean_iterations_up);
  result.average = sum / static_cast<double>(counted.steps + 1);
  result.end = start;
  return result;
}

CurveIntegratorOptions options_of(CurveTableau tableau, bool exact, bool initialised) {
  CurveIntegratorOptions options = published_options(tableau);
  options.projection.method = exact ? ProjectionMethod::exact : ProjectionMethod::inexact;
  options.projection.initialise = initialised;
  return options;
}

void add_rows(const std::string& name, const Curve& curve, const Vec& start,
              const PublishedRun& run, std::vector<Row>& rows) {
  const Counted found = count(curve, start, run.options, run.until);
  const bool failed = found.status != Status::ok;
  const auto add = [&](const char* what, double published, double obtained, Tolerance tolerance,
                       const std::string& why) {
    rows.push_back(tried(printed(fmt::format("{}: {}", name, what), published,
                                 failed ? none : obtained, run.source, tolerance),
                         why));
  };
  add("steps", run.published.steps, static_cast<double>(found.steps), counted(), run.counts_tried);
  if (run.options.step == 0.0)
    add("rejected", run.published.rejected, static_cast<double>(found.rejected), counted(),
        run.counts_tried);
  add("Newton average", run.published.average, found.average,
      unit_of(last_digit(run.published.average)), run.newton_tried);
  add("Newton maximum", run.published.most, static_cast<double>(found.most), counted(),
      run.newton_tried);
  rows.push_back(not_repeatable(stated(
      fmt::format("{}: seconds", name), "CPU total on a PC of 1 GHz: a bound for one of today",
      run.source, run.published.seconds, failed ? none : found.seconds, at_most())));
}

void add_table(const Example& example, const Table& table, std::vector<Row>& rows) {
  struct Column {
    const char *name, *title;
    CurveTableau tableau;
    bool adaptive;
  };
  const Column columns[] = {
      {"Euler, constant", "Euler (constant)", CurveTableau::euler, false},
      {"Euler, adaptive", "Euler (adaptive)", CurveTableau::euler, true},
      {"dopri54, constant", "dopri54 (constant)", CurveTableau::dopri54, false},
      {"dopri54, adaptive", "dopri54 (adaptive)", CurveTableau::dopri54, true}};
  const std::string number = table.name.substr(6, table.name.find(',') - 6);
  for (std::size_t c = 0; c < 4; ++c) {
    PublishedRun run{
        .options = options_of(columns[c].tableau, table.exact, table.initialised),
        .until = example.until,
        .published = table.published[c],
        .source = fmt::format("Table {}, {}, {}", number, table.initialised ? "w/INIT" : "no INIT",
                              columns[c].title),
        .counts_tried = control_tried,
        .newton_tried = averages_tried};
    run.options.tol = example.tol;
    run.options.max_growth = example.max_growth;
    if (columns[c].adaptive)
      run.options.first_step = example.step;
    else
      run.options.step = example.step;
    if (!table.exact)
      run.counts_tried = run.newton_tried = inexact_tried;
    else if (table.initialised)
      run.counts_tried = run.newton_tried = initialised_tried;
    add_rows(fmt::format("{}, {}", table.name, columns[c].name), *example.curve, example.start, run,
             rows);
  }
}

}  // namespace taut::papers::involutive
